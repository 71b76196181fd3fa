"""Questions that are given up at any moment: each is answered once, as cancelled, and nobody goes on."""

from __future__ import annotations

import time
from pathlib import Path

from tests.e2e.asking import QUESTION, asked
from tests.models.providers.wire import Answer, Silence, wire

CANCELLED = -32800


def test_a_question_can_be_given_up_at_any_moment(tmp_path: Path) -> None:
    """From before it is looked at until the provider has been asked, which never answers by itself."""
    with wire(Answer(before=[Silence()])) as provider, asked(tmp_path, provider) as it:
        codes = []
        for step in range(40):
            provider.hung_up.clear()
            before = len(provider.received)
            message_id = it.client.ask("knapper/ask", {"question": QUESTION, "partialResultToken": "p"})
            time.sleep(step % 20 * 0.0005)
            it.client.notify("$/cancelRequest", {"id": message_id})
            codes.append(it.client.reply(message_id)["error"]["code"])
            assert len(provider.received) == before or provider.hung_up.wait(5)

        assert codes == [CANCELLED] * 40
        assert it.client.result("knapper/status", {})["state"] == "ready"
        assert it.client.errors() == ""


def test_a_question_and_its_cancel_may_come_in_one_piece(tmp_path: Path) -> None:
    with wire(Answer(before=[Silence()])) as provider, asked(tmp_path, provider) as it:
        ids = [it.client.ask("knapper/ask", {"question": QUESTION}) for _ in range(20)]
        for message_id in ids:
            it.client.notify("$/cancelRequest", {"id": message_id})

        assert [it.client.reply(one)["error"]["code"] for one in ids] == [CANCELLED] * 20
