"""What is private goes nowhere by a detour either: by a note that keeps an answer, by a question asked on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.asking import FOLD, NO_KEYS, NOTES, QUESTION, Asked, asked, says, settings
from tests.e2e.raw_client import raw_client, vault
from tests.models.providers.wire import Wire, wire

BARE: dict[str, Any] = {"workspace": {}, "textDocument": {}}
FOLDED = "every half hour"
PRIVATE = {
    "note": f"---\nprivate: true\n---\n{NOTES['Bread.md']}",
    "section": NOTES["Bread.md"].replace("Fold", "%%private%%\nFold"),
}


def choose(it: Asked, provider: Wire) -> None:
    """From now on *provider* writes the answers."""
    chosen = {"provider": "compatible", "baseUrl": provider.base, "model": "small"}
    it.client.notify("workspace/didChangeConfiguration", {"settings": {"knapper": {"ask": chosen}}})


def keep(it: Asked, answer: dict[str, Any]) -> dict[str, Any]:
    """What is said of the note that keeps *answer*."""
    given = {"conversation": answer["conversation"], "title": "Folding"}
    return dict(it.run("knapper.saveAnswer", given)["result"])


@pytest.mark.parametrize("how", PRIVATE)
def test_an_answer_from_private_text_is_kept_as_a_private_note(how: str, tmp_path: Path) -> None:
    files = {**NOTES, "Bread.md": PRIVATE[how]}
    begun: dict[str, Any] = {"nobody": True, "files": files, "capabilities": BARE}
    with wire(says("So.")) as provider, asked(tmp_path, provider, **begun) as it:
        kept = keep(it, it.ask())
        it.client.wait_until_ready()
        choose(it, provider)
        answer = it.ask()
        swarm = it.ask("When does the hive swarm?", conversation=answer["conversation"])

        assert kept["private"]
        assert FOLDED in (it.root / kept["path"]).read_text()
        assert answer["sent"] is None
        assert swarm["sent"]["notes"] == ["Bees.md"]
        assert [body for body in it.bodies() if FOLDED in body or QUESTION in body] == []


@pytest.mark.parametrize("when", ["before it is kept", "never"])
def test_an_answer_that_was_sent_is_kept_as_private_as_its_notes_are_now(when: str, tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, capabilities=BARE) as it:
        answer = it.ask()
        if when != "never":
            it.client.open(it.root / "Bread.md", PRIVATE["note"])
        kept = keep(it, answer)

        assert kept["private"] == (when != "never")
        assert ("private: true" in (it.root / kept["path"]).read_text()) == kept["private"]


def test_an_answer_from_a_note_that_is_excluded_now_is_kept_as_a_private_note(tmp_path: Path) -> None:
    files = {**NOTES, ".obsidian/app.json": "{}"}
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, files=files, capabilities=BARE) as it:
        answer = it.ask()
        (it.root / ".obsidian/app.json").write_text(EXCLUDES[".obsidian/app.json"])
        it.client.wait_for(lambda: FOLDED not in it.ask("fold the dough half hour")["answer"])
        it.client.wait_for(lambda: keep(it, answer)["private"])


def test_a_question_selected_in_private_text_is_kept_as_a_private_note(tmp_path: Path) -> None:
    diary = "# Diary\n\n%%private%%\n\nHow often do I fold the dough?\n"
    files = {**NOTES, "Diary.md": diary}
    with wire(says("So.")) as provider, asked(tmp_path, provider, files=files, capabilities=BARE) as it:
        here = {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 30}}
        answer = it.client.result("knapper/ask", {"uri": (it.root / "Diary.md").as_uri(), "range": here})

        assert keep(it, answer)["private"]


# --- what is excluded, as the files of the vault have it at this moment ---


EXCLUDES = {
    ".obsidian/app.json": '{"userIgnoreFilters": ["Bread.md"]}',
    ".knapper.toml": '[index]\nexclude = ["Bread.md"]\n',
}
DAMAGED = {
    ".obsidian/app.json": [
        '{"userIgnoreFilters": ["Bread.md"]',
        '{"userIgnoreFilters": "Bread.md"}',
        '{"userIgnoreFilters": ["/[/"]}',
        "[]",
    ],
    ".knapper.toml": ['[index\nexclude = ["Bread.md"]\n'],
}


@pytest.mark.parametrize("file", EXCLUDES)
@pytest.mark.parametrize("watches", [True, False])
def test_a_note_that_was_excluded_a_moment_ago_is_not_sent(watches: bool, file: str, tmp_path: Path) -> None:
    """Also by a second server on the vault, which is told nothing when its settings change."""
    files = {**NOTES, ".obsidian/app.json": "{}"}
    with (
        wire(says("So.")) as provider,
        asked(tmp_path, provider, files=files) as it,
        raw_client(tmp_path, environment=NO_KEYS) as client,
    ):
        if not watches:
            client.start(it.root, capabilities=BARE, options=settings(provider))
            client.wait_until_ready()
            it.client = client
        it.ask()
        before = len(it.bodies())
        (it.root / file).write_text(EXCLUDES[file])
        answer = it.ask()

    assert before == 1
    assert [body for body in it.bodies()[before:] if FOLDED in body] == []
    assert FOLDED not in answer["answer"]


@pytest.mark.parametrize(("file", "text"), [(file, text) for file in DAMAGED for text in DAMAGED[file]])
def test_nothing_is_sent_while_it_cannot_be_known_what_is_excluded(
    file: str, text: str, tmp_path: Path
) -> None:
    files = {**NOTES, ".obsidian/app.json": "{}", file: text}
    with wire(says("So.")) as provider, asked(tmp_path, provider, files=files) as it:
        answer, trial = it.ask(), it.ask(dryRun=True)

        assert (answer["sent"], provider.received, trial["dryRun"]["body"]) == (None, [], "")
        assert answer["remarks"][0].startswith("It cannot be known which notes are excluded")
        assert file in answer["remarks"][0]
        assert FOLDED in answer["answer"]


def test_a_conversation_about_one_vault_is_not_sent_with_a_question_about_another(tmp_path: Path) -> None:
    """Though both have a note of that name, and the other one is public."""
    roots = [vault(tmp_path / name, {**NOTES, ".obsidian/app.json": "{}"}) for name in "ab"]
    swarm = "When does the hive swarm?"
    with wire(says(FOLD), says("So.")) as provider, raw_client(tmp_path, environment=NO_KEYS) as client:
        client.start(*roots, capabilities=BARE, options=settings(provider))
        client.wait_until_ready()
        first = client.result("knapper/ask", {"question": QUESTION, "vault": roots[0].as_uri()})
        (roots[0] / "Bread.md").write_text(PRIVATE["note"])
        (roots[1] / "Bread.md").write_text("# Bread\n\nBuy it.\n")
        client.notify("workspace/didChangeWatchedFiles", {"changes": []})
        asked_on = {"question": swarm, "vault": roots[1].as_uri(), "conversation": first["conversation"]}
        other = client.result("knapper/ask", asked_on)
        body = provider.received[1].body.decode()

    assert other["sent"]
    assert other["conversation"] not in {None, first["conversation"]}
    assert (
        "That conversation is about another vault, so the question was taken by itself." in other["remarks"]
    )
    assert QUESTION not in body
    assert FOLDED not in body
