"""Asking in an editor with no code of ours: by a code action, with a page as the answer."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import yaml

from tests.e2e.asking import FOLD, NOTES, QUESTION, Asked, asked, says, stalls
from tests.e2e.raw_client import BARE
from tests.models.providers.wire import wire


def actions_at(it: Asked, uri: str, start: tuple[int, int], end: tuple[int, int]) -> dict[str, Any]:
    """The commands that are offered, by title."""
    places = [{"line": line, "character": character} for line, character in (start, end)]
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": places[0], "end": places[1]},
        "context": {"diagnostics": []},
    }
    found = it.client.result("textDocument/codeAction", params)
    return {item["title"]: item for item in found if isinstance(item["command"], str)}


def chosen(it: Asked, command: dict[str, Any]) -> dict[str, Any]:
    """The answer to an action that somebody has chosen."""
    return dict(it.run(command["command"], *command["arguments"])["result"])


def page(it: Asked, number: int = 1) -> tuple[str, Path]:
    """The URI and the file of the page that was shown."""
    it.client.wait_for(lambda: len(it.client.messages("window/showDocument")) >= number)
    uri = it.client.messages("window/showDocument")[number - 1]["params"]["uri"]
    return uri, Path(unquote(uri.removeprefix("file://")))


def test_an_action_on_a_selection_opens_the_answer_as_a_page(tmp_path: Path) -> None:
    files = {**NOTES, "Bread.md": f"{NOTES['Bread.md']}\n{QUESTION} Ask!\n"}
    with wire(says(FOLD, " It then rests.")) as provider, asked(tmp_path, provider, files=files) as it:
        uri = it.client.open(it.root / "Bread.md")
        found = actions_at(it, uri, (6, 0), (6, len(QUESTION)))
        answer = chosen(it, found["Ask memory about this"])
        _, file = page(it)
        text = file.read_text()

        bread = (it.root / "Bread.md").as_uri()
        assert answer["question"] == QUESTION
        assert text.startswith(
            f"# Answer\n\n> {QUESTION}\n\nFold the dough every half hour, four times [1]({bread}#L5)."
        )
        assert f"- 1: [Bread › Dough]({bread}#L5) “Fold the dough every half hour, four times.”" in text
        assert f"sent to {provider.host}" in text
        assert answer["conversation"] in text
        if stat.S_IMODE(file.parent.stat().st_mode) != 0o777:  # as on systems without such rights
            assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_heading_and_a_note_are_asked_about_by_what_they_are_called(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        uri = it.client.open(it.root / "Bread.md")
        heading = actions_at(it, uri, (2, 4), (2, 4))
        note = actions_at(it, uri, (4, 0), (4, 0))

        assert chosen(it, heading["Ask memory about this"])["question"] == "Bread: Dough"
        assert chosen(it, note["Ask memory about this"])["question"] == "Bread"


def test_a_link_of_a_page_leads_to_its_passage_and_counts_as_use(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, nobody=True) as it:
        it.run("knapper.ask", {"question": QUESTION, "show": True})
        shown, file = page(it)
        lines = file.read_text().split("\n")
        line = next(number for number, text in enumerate(lines) if text.startswith("- 1: "))
        it.client.open(file)
        at = {"textDocument": {"uri": shown}, "position": {"line": line, "character": 7}}
        found = it.client.result("textDocument/definition", at)
        it.client.end()

        start = {"line": 4, "character": 0}
        assert found == [{"uri": (it.root / "Bread.md").as_uri(), "range": {"start": start, "end": start}}]
        journal = next(tmp_path.glob("state/**/usage.jsonl")).read_text()
        assert json.loads(journal)["path"] == "Bread.md"


def test_on_a_page_one_can_ask_on_and_keep_the_answer(tmp_path: Path) -> None:
    with wire(says(FOLD), says("It rests overnight [1].")) as provider, asked(tmp_path, provider) as it:
        it.client.answers["workspace/applyEdit"] = lambda _: {"applied": True}
        first = it.run("knapper.ask", {"question": QUESTION, "show": True})["result"]
        shown, file = page(it)
        typed = "Does the dough rest overnight?"
        it.client.open(file)
        it.client.change(shown, f"{typed}\n{file.read_text()}")
        found = actions_at(it, shown, (0, 0), (0, len(typed)))
        second = chosen(it, found["Ask memory about this"])
        kept = chosen(it, found["Keep this answer as a note"])

        assert sorted(found) == ["Ask memory about this", "Keep this answer as a note"]
        assert (second["question"], second["conversation"]) == (typed, first["conversation"])
        assert second["sent"] is not None  # All of the page has come from a provider.
        assert QUESTION in it.bodies()[1]
        assert kept["path"] == "Does the dough rest overnight.md"


def test_on_a_page_of_quotations_one_asks_on_without_a_provider(tmp_path: Path) -> None:
    """They may be of private notes."""
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, nobody=True) as it:
        it.run("knapper.ask", {"question": QUESTION, "show": True})
        shown, file = page(it)
        it.client.open(file)
        chosen_now = {"ask": {"provider": "compatible", "baseUrl": provider.base, "model": "small"}}
        it.client.notify("workspace/didChangeConfiguration", {"settings": {"knapper": chosen_now}})
        found = actions_at(it, shown, (4, 0), (4, 20))
        answer = chosen(it, found["Ask memory about this"])

        assert answer["sent"] is None
        assert provider.received == []


def test_an_editor_that_shows_no_documents_gets_a_message(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, nobody=True, capabilities=BARE) as it:
        it.run("knapper.ask", {"question": QUESTION, "show": True})
        it.client.wait_for(lambda: bool(it.client.messages("window/showMessage")))

        assert "every half hour" in it.client.messages("window/showMessage")[0]["params"]["message"]


def test_the_command_without_a_question_says_what_it_wants(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        it.client.open(it.root / "Bread.md")
        for arguments in ([], [{}], [{"show": True}]):
            error = it.run("knapper.ask", *arguments)["error"]
            assert error["code"] == -32602
            assert error["message"].startswith("Ask a question: ")
        assert provider.received == []


def test_a_command_that_takes_long_shows_where_it_is_and_can_be_stopped(tmp_path: Path) -> None:
    with wire(stalls()) as provider, asked(tmp_path, provider) as it:
        params = {"command": "knapper.ask", "arguments": [{"question": QUESTION, "show": True}]}
        asking = it.client.ask("workspace/executeCommand", params)
        it.client.wait_for(lambda: bool(it.client.messages("$/progress")))
        token = it.client.messages("window/workDoneProgress/create")[0]["params"]["token"]
        it.client.notify("window/workDoneProgress/cancel", {"token": token})
        reply = it.client.reply(asking)

        assert reply["error"]["code"] == -32800
        assert provider.hung_up.wait(30)
        assert [(value["kind"], value.get("message")) for value in it.pieces(token)] == [
            ("begin", f"Asking {provider.host}"),
            ("end", None),
        ]
        assert it.client.messages("window/showDocument") == []


# --- keeping an answer ---


def test_an_answer_is_kept_where_new_notes_go_and_opened(tmp_path: Path) -> None:
    files = {**NOTES, ".obsidian/app.json": '{"newFileLocation": "folder", "newFileFolderPath": "Inbox"}'}
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, files=files, capabilities=BARE) as it:
        answer = it.ask()
        kept = it.run("knapper.saveAnswer", {"conversation": answer["conversation"]})["result"]
        text = (it.root / kept["path"]).read_text()
        properties = yaml.safe_load(text.split("---\n")[1])

        assert kept == {
            "path": "Inbox/How often do I fold the dough.md",
            "uri": kept["uri"],
            "private": False,
        }
        assert properties["title"] == QUESTION
        assert properties["notes"] == ["[[Bread]]"]
        assert "Fold the dough every half hour, four times" in text
        it.client.wait_until_ready()
        backlinks = it.client.result("knapper/backlinks", {"uri": (it.root / "Bread.md").as_uri()})["items"]
        assert {item["path"] for item in backlinks} == {kept["path"]}


def test_an_answer_is_kept_by_the_editor_if_it_can(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        it.client.answers["workspace/applyEdit"] = lambda _: {"applied": True}
        answer = it.ask()
        kept = it.run("knapper.saveAnswer", {"conversation": answer["conversation"], "title": "Folding"})[
            "result"
        ]
        change, text = it.client.messages("workspace/applyEdit")[0]["params"]["edit"]["documentChanges"]

        assert kept["path"] == "Folding.md"
        assert (change["kind"], change["uri"]) == ("create", kept["uri"])
        assert change["options"] == {"overwrite": False, "ignoreIfExists": False}
        assert "every half hour" in text["edits"][0]["newText"]
        assert not (it.root / "Folding.md").exists()
        shown = [message["params"]["uri"] for message in it.client.messages("window/showDocument")]
        assert shown == [kept["uri"]]


def test_no_other_note_is_written_over(tmp_path: Path) -> None:
    files = {**NOTES, "folding.md": "Mine.\n"}
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, files=files, capabilities=BARE) as it:
        answer = it.ask()
        given = {"conversation": answer["conversation"], "title": "Folding"}
        paths = [it.run("knapper.saveAnswer", given)["result"]["path"]]
        # The index may not know of it yet.
        paths += [it.run("knapper.saveAnswer", given)["result"]["path"]]

        assert paths == ["Folding 2.md", "Folding 3.md"]
        assert (it.root / "folding.md").read_text() == "Mine.\n"


def test_a_title_that_no_note_can_have_is_made_one(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider, capabilities=BARE) as it:
        answer = it.ask()
        names = {}
        for title in ("What is “a/b”: c?", "../../x", "...", "Read plan.pdf", "word " * 40):
            given = {"conversation": answer["conversation"], "title": title}
            names[title] = it.run("knapper.saveAnswer", given)["result"]["path"]

        assert list(names.values())[:4] == ["What is “a b” c.md", "x.md", "Answer.md", "Answer 2.md"]
        assert names["word " * 40] == f"{' '.join(['word'] * 16)}.md"
        assert {path.parent for path in it.root.rglob("*.md")} == {it.root}


def test_an_answer_that_nobody_knows_cannot_be_kept(tmp_path: Path) -> None:
    with wire(says(FOLD)) as provider, asked(tmp_path, provider) as it:
        for given in ({}, {"conversation": "never-heard"}):
            error = it.run("knapper.saveAnswer", given)["error"]
            assert (error["code"], error["message"]) == (
                -32602,
                "No answer of this `conversation` is remembered: ask again.",
            )
