"""Questions over the real protocol to a real provider on this machine: what is told, sent, and stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.asking import FOLD, NOTES, QUESTION, Asked, asked, drips, says, settings, stalls
from tests.e2e.raw_client import raw_client, vault
from tests.models.providers.wire import document, wire

INVALID, CANCELLED, FAILED = -32602, -32800, -32803


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """A server for what leaves nothing behind, with a provider that nobody gets to."""
    folder = tmp_path_factory.mktemp("shared")
    with wire(says(FOLD)) as provider, asked(folder, provider) as it:
        yield it


def choose(it: Asked, chosen: dict[str, str]) -> None:
    """Let the client say who is to write answers; what is left out is unset."""
    unset: dict[str, Any] = {"provider": None, "baseUrl": "", "model": ""}
    it.client.notify(
        "workspace/didChangeConfiguration", {"settings": {"knapper": {"ask": {**unset, **chosen}}}}
    )


def test_the_pieces_of_an_answer_are_the_answer(tmp_path: Path) -> None:
    with wire(says("Fold the dough every half ", "hour, four times [1]. ", "Then rest.")) as provider:
        with asked(tmp_path, provider) as it:
            answer = it.ask(partialResultToken="p", workDoneToken="w")
            told = it.pieces("p")

        assert "".join(piece.get("text", "") for piece in told) == answer["answer"]
        assert answer["answer"].startswith(FOLD)
        assert [piece["citation"] for piece in told if "citation" in piece] == answer["citations"]
        assert [(c["number"], c["path"], c["changed"]) for c in answer["citations"]] == [
            (1, "Bread.md", False)
        ]
        assert answer["citations"][0]["quote"] in NOTES["Bread.md"]
        assert (answer["provider"], answer["model"], answer["complete"]) == ("compatible", "small", True)
        assert (answer["inNotes"], answer["question"]) == (True, QUESTION)
        assert answer["sent"]["host"] == provider.host
        assert "Bread.md" in answer["sent"]["notes"]
        assert len(provider.received) == 1


def test_the_work_is_told_from_the_notes_to_the_host(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        it.ask(workDoneToken="w")

        said = [(value["kind"], value.get("message")) for value in it.pieces("w")]
        assert said == [
            ("begin", "Looking in the notes"),
            ("report", f"Asking {provider.host}"),
            ("end", None),
        ]


def test_unsaved_text_is_answered_from(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, nobody=True) as it:
        uri = it.client.open(it.root / "Tax.md")
        it.client.change(uri, "# Tax\n\nThe zeppelin levy is due in October.\n")

        answer = it.ask("When is the zeppelin levy due?")

        assert "October" in answer["answer"]
        assert [cited["path"] for cited in answer["citations"]] == ["Tax.md"]
        assert (it.root / "Tax.md").read_text() == NOTES["Tax.md"]


def test_a_note_that_changes_while_the_answer_streams_is_told(tmp_path: Path) -> None:
    with wire(drips(f"{FOLD} ", "Then ", pause=1.0)) as provider, asked(tmp_path, provider) as it:
        uri = it.client.open(it.root / "Bread.md")
        asking = it.client.ask("knapper/ask", {"question": QUESTION, "partialResultToken": "p"})
        it.client.wait_for(lambda: bool(it.pieces("p")))
        it.client.change(uri, "# Bread\n\nBuy it.\n")
        answer = it.client.reply(asking)["result"]

        assert it.pieces("p")[0]["citation"]["changed"] is False
        assert [(cited["path"], cited["changed"]) for cited in answer["citations"]] == [("Bread.md", True)]


def test_without_a_provider_the_notes_are_quoted_and_nobody_is_asked(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, nobody=True) as it:
        answer = it.ask(partialResultToken="p")
        nothing = it.ask("Which volcano erupted in Kamchatka?")

        assert "every half hour" in answer["answer"]
        assert "".join(piece.get("text", "") for piece in it.pieces("p")) == answer["answer"]
        assert (answer["provider"], answer["sent"], answer["inNotes"]) == ("none", None, True)
        assert (nothing["inNotes"], nothing["citations"], nothing["sent"]) == (False, [], None)
        assert provider.received == []
        assert list(tmp_path.glob("state/**/sent.jsonl")) == []


def test_what_becomes_private_in_the_editor_is_not_sent(tmp_path: Path) -> None:
    """The index may not know yet: the text of this moment decides."""
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        uri = it.client.open(it.root / "Bread.md")
        it.client.change(uri, "---\nprivate: true\n---\n" + NOTES["Bread.md"])
        it.ask()

        assert [body for body in it.bodies() if "half hour" in body] == []


def test_a_question_from_private_text_stays_here(tmp_path: Path) -> None:
    secret = "# Diary\n\n%%private%%\n\nHow often do I fold the dough?\n"
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, files={**NOTES, "Diary.md": secret}) as it:
        uri = it.client.open(it.root / "Diary.md")
        here = {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 30}}
        for params in (
            {"uri": uri, "range": here},
            {"question": QUESTION, "origin": {"uri": uri, "range": here}},
        ):
            answer = it.client.result("knapper/ask", params)

            assert (answer["provider"], answer["sent"]) == ("none", None)
            assert "half hour" in answer["answer"]
        assert provider.received == []


def test_a_question_from_a_file_outside_the_vault_stays_here(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        outside = tmp_path / "elsewhere.txt"
        origin = {
            "uri": outside.as_uri(),
            "range": {"start": {"line": 0}, "end": {"line": 0, "character": 5}},
        }
        answer = it.ask(origin=origin)

        assert answer["sent"] is None
        assert any("outside this vault" in remark for remark in answer["remarks"])
        assert provider.received == []


def test_a_dry_run_sends_nothing_and_shows_all(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        answer = it.ask(dryRun=True)
        run = answer["dryRun"]

        assert provider.received == []
        assert list(tmp_path.glob("state/**/sent.jsonl")) == []
        assert (answer["answer"], answer["conversation"], run["host"]) == ("", None, provider.host)
        assert QUESTION in run["body"]
        assert "every half hour" in run["body"]
        assert run["passages"][0]["path"] == "Bread.md"
        assert run["tokens"] > 0


def test_a_dry_run_without_a_provider_says_so(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, nobody=True) as it:
        answer = it.ask(dryRun=True)

        assert (answer["dryRun"]["host"], answer["dryRun"]["body"]) == ("", "")
        assert answer["remarks"] == ["No provider is chosen, so nothing would be sent."]


# --- conversations ---


def test_a_follow_up_takes_what_was_said_before(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        first = it.ask()
        second = it.ask("And then, how long does the dough rest?", conversation=first["conversation"])
        alone = it.ask("Does the dough rest overnight?")

        assert second["conversation"] == first["conversation"] != alone["conversation"]
        assert [QUESTION in body for body in it.bodies()] == [True, True, False]


def test_a_conversation_that_nobody_knows_begins_anew_and_says_so(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        answer = it.ask(conversation="never-heard")

        assert answer["conversation"] not in {"never-heard", None}
        assert any("not known any more" in remark for remark in answer["remarks"])


# --- which vault ---


def test_the_vault_used_last_is_asked_unless_another_is_meant(tmp_path: Path) -> None:
    here, there = (
        vault(tmp_path / name, {"Dough.md": f"Fold the dough {name}.\n"}) for name in ("fast", "slow")
    )
    with raw_client(tmp_path) as client:
        client.start(here, there, options=settings(None))
        client.wait_until_ready()
        client.open(there / "Dough.md")

        def told(**params: Any) -> list[str]:
            answer = client.result("knapper/ask", {"question": "How do I fold the dough?", **params})
            return [cited["uri"] for cited in answer["citations"]]

        last = told()
        named = told(vault=here.as_uri())
        scoped = told(scope={"uri": (here / "Dough.md").as_uri()})
        across = client.request(
            "knapper/ask",
            {"question": "x", "vault": there.as_uri(), "scope": {"linkedFrom": (here / "Dough.md").as_uri()}},
        )

        assert last == [(there / "Dough.md").as_uri()]
        assert named == scoped == [(here / "Dough.md").as_uri()]
        assert across["error"]["code"] == INVALID
        assert across["error"]["message"].endswith("is in another vault than the one that is asked.")


def test_a_scope_narrows_what_is_answered_from(tmp_path: Path) -> None:
    files = {
        "a/One.md": "The dough rests here. #kitchen\n",
        "b/Two.md": "The dough rests there.\n\n[[Three]]\n",
        "Three.md": "The dough rests elsewhere.\n",
    }
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, files=files, nobody=True) as it:

        def told(**scope: str) -> set[str]:
            answer = it.ask("Where does the dough rest?", scope=scope)
            return {found["path"] for found in answer["citations"] + answer["alsoRetrieved"]}

        assert told(folder="a") == told(tag="kitchen") == {"a/One.md"}
        assert told(uri=(it.root / "Three.md").as_uri()) == {"Three.md"}
        assert told(linkedFrom=(it.root / "b/Two.md").as_uri()) == {"b/Two.md", "Three.md"}


# --- refusals ---


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "Ask a question"),
        ({"question": " \n"}, "Ask a question"),
        ({"question": "x" * 4001}, "The question has 4,001 characters"),
        ({"question": 7}, "knapper/ask.question"),
        ({"question": "x", "dryRun": "yes"}, "knapper/ask.dryRun"),
        ({"question": "x", "scope": {"linkedFrom": "file:///nowhere/x.md"}}, "is in no vault that is open"),
        ({"question": "x", "vault": "file:///nowhere"}, "is in no vault that is open"),
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(shared: Asked, params: Any, said: str) -> None:
    error = shared.refusal(**params)

    assert error["code"] == INVALID
    assert said in error["message"]
    assert shared.provider.received == []


def test_without_a_vault_there_is_nothing_to_ask(tmp_path: Path) -> None:
    with raw_client(tmp_path) as client:
        client.start(options=settings(None))
        error = client.request("knapper/ask", {"question": "Anything?"})["error"]

        assert error == {
            "code": FAILED,
            "message": "There is no vault to ask: open a folder of notes, or a note in one.",
        }


def test_a_provider_that_refuses_is_told_in_a_sentence_and_the_work_ends(tmp_path: Path) -> None:
    with (
        wire(document(200, "<html><title>Login</title></html>")) as provider,
        asked(tmp_path, provider) as it,
    ):
        error = it.refusal(question=QUESTION, workDoneToken="w")

        assert error["code"] == FAILED
        assert "answers with a web page" in error["message"]
        assert "\n" not in error["message"]
        assert it.pieces("w")[-1]["kind"] == "end"


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"provider": "anthropic", "model": "m"}, "Anthropic wants a key"),
        ({"provider": "compatible", "model": "m"}, "No address is set"),
        ({"provider": "compatible", "baseUrl": "http://127.0.0.1:9/v1"}, "No model"),
        ({"provider": "compatible", "baseUrl": "http://127.0.0.1:9/v1", "model": "m"}, "127.0.0.1:9"),
    ],
)
def test_what_is_missing_is_told_in_a_sentence(shared: Asked, chosen: dict[str, str], said: str) -> None:
    choose(shared, chosen)
    error = shared.refusal(question=QUESTION)

    assert error["code"] == FAILED
    assert said in error["message"]


def test_the_status_says_who_writes_answers(shared: Asked) -> None:
    compatible = {"provider": "compatible", "baseUrl": shared.provider.base, "model": "small"}
    told = []
    for chosen in (compatible, {"provider": "openai"}, {"provider": "none"}):
        choose(shared, chosen)
        told.append(shared.client.result("knapper/status", {})["ask"])

    reason = told[1].pop("reason")
    assert told == [
        {"provider": "compatible", "model": "small", "host": shared.provider.host, "reason": None},
        {"provider": "openai", "model": None, "host": None},
        {"provider": "none", "model": None, "host": None, "reason": None},
    ]
    assert reason.startswith("No model of OpenAI is chosen")


def test_a_provider_that_is_set_while_the_server_runs_is_asked(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, nobody=True) as it:
        before = it.ask()
        file = tmp_path / "config/knapper/config.toml"
        file.parent.mkdir(parents=True)
        file.write_text(f'[ask]\nprovider = "compatible"\nmodel = "small"\nbaseUrl = "{provider.base}"\n')
        after = it.ask()

        assert (before["provider"], after["provider"]) == ("none", "compatible")


# --- stopping, and what goes on meanwhile ---


def cancelled_by_request(it: Asked, message_id: int) -> None:
    it.client.notify("$/cancelRequest", {"id": message_id})


def cancelled_by_progress(it: Asked, _message_id: int) -> None:
    it.client.notify("window/workDoneProgress/cancel", {"token": "w"})


@pytest.mark.parametrize("cancel", [cancelled_by_request, cancelled_by_progress])
@pytest.mark.parametrize("said", [(), (f"{FOLD} ", "It needs ")])
def test_cancelling_hangs_up(tmp_path: Path, cancel: Any, said: tuple[str, ...]) -> None:
    with wire(stalls(*said)) as provider, asked(tmp_path, provider) as it:
        params = {"question": QUESTION, "partialResultToken": "p", "workDoneToken": "w"}
        message_id = it.client.ask("knapper/ask", params)
        assert provider.asked.wait(30)
        if said:
            it.client.wait_for(lambda: any("text" in piece for piece in it.pieces("p")))

        cancel(it, message_id)
        began = time.monotonic()
        reply = it.client.reply(message_id)
        assert provider.hung_up.wait(30)
        spent = time.monotonic() - began
        it.client.result("knapper/status", {})

        assert reply["error"]["code"] == CANCELLED
        assert spent < 1  # measured: a few milliseconds; a machine that is busy takes longer
        order = [
            message for message in it.client.said if message.get("method") == "$/progress" or "id" in message
        ]
        told_after = order[order.index(reply) + 1 :]
        assert [message for message in told_after if message.get("method") == "$/progress"] == []
        assert it.pieces("w")[-1]["kind"] == "end"


def test_typing_goes_on_while_an_answer_streams(tmp_path: Path) -> None:
    words = [f"{FOLD} "] * 60
    with wire(drips(*words, pause=0.02)) as provider, asked(tmp_path, provider) as it:
        uri = it.client.open(it.root / "Tax.md")
        asking = it.client.ask("knapper/ask", {"question": QUESTION, "partialResultToken": "p"})
        it.client.wait_for(lambda: bool(it.pieces("p")))
        for number in range(20):
            text = f"[[B{'r' * (number % 2)}\n"
            it.client.change(uri, text, number + 2)
            at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": len(text) - 1}}
            found = it.client.result("textDocument/completion", at)
            assert "Bread" in [item["label"] for item in found["items"]]
        seen = len(it.pieces("p"))
        answered = any(message.get("id") == asking for message in it.client.said)
        it.client.reply(asking)

        assert not answered
        assert len(it.pieces("p")) > seen


def test_answers_that_stall_hold_up_no_search(tmp_path: Path) -> None:
    with wire(stalls()) as provider, asked(tmp_path, provider) as it:
        for _ in range(5):
            it.client.ask("knapper/ask", {"question": QUESTION})
        it.client.wait_for(lambda: len(provider.received) == 4)

        found = it.client.result("knapper/search", {"query": "linden"})

        assert [item["path"] for item in found["items"]] == ["Bees.md"]


def test_the_server_ends_while_an_answer_stalls(tmp_path: Path) -> None:
    with wire(stalls(FOLD)) as provider, asked(tmp_path, provider) as it:
        it.client.ask("knapper/ask", {"question": QUESTION})
        assert provider.asked.wait(30)

        assert it.client.end() == 0
        assert provider.hung_up.wait(30)


# --- use ---


def test_a_note_that_an_answer_was_written_from_counts_as_used(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        it.ask()
        it.client.end()

        assert used(tmp_path) == ["Bread.md"]


def test_to_be_quoted_or_found_is_not_to_be_used(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, nobody=True) as it:
        assert it.ask()["citations"]
        it.client.end()

        assert used(tmp_path) == []


def used(folder: Path) -> list[str]:
    """The notes in the journal."""
    lines = [
        line for file in folder.glob("state/**/usage.jsonl") for line in file.read_text().split("\n") if line
    ]
    return [json.loads(line)["path"] for line in lines]


def test_nothing_of_a_question_or_a_note_is_logged(tmp_path: Path) -> None:
    with wire(document(500, {"error": {"message": "Fold the dough: sk-secret"}})) as provider:
        with asked(tmp_path, provider) as it:
            it.refusal(question=QUESTION)
            it.client.end()
            logged = it.client.errors()

        assert "dough" not in logged
        assert "secret" not in logged
