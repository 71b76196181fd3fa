"""A question from beginning to end: a real vault, a real connection, an answer that is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from knapper.base.cancel import Cancelled, CancelToken
from knapper.memory.answer import Cited, Said
from knapper.memory.ask import ask, dry_run
from knapper.memory.asked import Origin, Question, Turn
from knapper.models.providers.ports import ProviderError
from knapper.text.span import Place
from knapper.vault.paths import NotePath
from tests.memory.notebook import Notebook
from tests.memory.writing import DIALECTS, answer_of, parts_of, said, texts_in, writer
from tests.models.providers.streams import block, chat, chunk, cited, event, messages
from tests.models.providers.wire import Answer as Served
from tests.models.providers.wire import Silence, document, stream, wire
from tests.search.library import Library, library

BREAD, BEES, DIARY = NotePath("Food/Bread.md"), NotePath("Bees.md"), NotePath("Diary.md")
NOTES = {
    BREAD: "# Bread\n\nFeed the rye starter every 12 hours. Fold the dough at dawn.\n",
    BEES: "# Bees\n\nThe rye starter smells of bees: they come at dawn.\n",
    DIARY: "---\nprivate: true\n---\nThe password of the greenhouse is marigold.\n",
}
STARTER = Question("How often do I feed the rye starter?")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    made = library(tmp_path_factory.mktemp("vault"), NOTES)
    yield made
    made.reader.close()


@pytest.fixture
def vault(indexed: Library) -> Notebook:
    return Notebook(indexed)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "sent.jsonl"


def number_of(path: NotePath, request_texts: list[str]) -> int:
    """What the passage of a note is called in a prompt."""
    name = path.rpartition("/")[2].removesuffix(".md")
    return next(int(found[1]) for text in request_texts for found in re.finditer(rf"\[(\d)\] {name}\n", text))


@pytest.fixture
def numbers(vault: Notebook, log: Path) -> dict[NotePath, int]:
    """What the notes are called in the prompt for STARTER."""
    body = dry_run(STARTER, vault.memory, writer("http://localhost", log), CancelToken()).body
    prompt = json.loads(body)["messages"][-1]["content"]
    return {path: number_of(path, [prompt]) for path in (BREAD, BEES)}


def test_without_a_writer_the_notes_are_quoted(vault: Notebook) -> None:
    answer = answer_of(parts_of(STARTER, vault.memory, None))

    assert (answer.provider, answer.sent, answer.in_notes) == ("none", None, True)
    assert answer.citations[0].quote in NOTES[BREAD]


def test_what_the_notes_do_not_say_is_asked_of_nobody(vault: Notebook, log: Path) -> None:
    with wire(said("compatible", "So")) as server:
        answer = answer_of(
            parts_of("Who composed the Brandenburg concertos?", vault.memory, writer(server, log))
        )

        assert server.received == []
    assert (answer.text, answer.in_notes, answer.sent) == ("Your notes do not say.", False, None)
    assert not log.exists()


def test_an_answer_is_checked_cleaned_and_numbered(
    vault: Notebook, log: Path, numbers: dict[NotePath, int]
) -> None:
    bread, bees = numbers[BREAD], numbers[BEES]
    text = (
        f"It smells of bees [{bees}]. You <b>feed</b> it every 12 hours [{bread}, {bees}]."
        f" It costs 9 pounds [{bread}]. Fold “at dawn” [9]. [See](http://evil.org/?q=rye) [[Secret]]."
        f"\n\n- Fold the dough [{bread}]\n"
    )
    with wire(said("compatible", text, size=5)) as server:
        answer = answer_of(parts_of(STARTER, vault.memory, writer(server, log)))
        host = server.host

    assert answer.text == (
        "It smells of bees [1]. You feed it every 12 hours [2]. It costs 9 pounds."
        " Fold “at dawn”. See Secret.\n\n- Fold the dough [2]\n"
    )
    assert [(one.number, one.passage.path, one.quote, one.changed) for one in answer.citations] == [
        (1, BEES, "The rye starter smells of bees: they come at dawn.", False),
        (2, BREAD, "Feed the rye starter every 12 hours.", False),
    ]
    assert answer.citations[1].place == Place(2, 0, 2, 36)
    assert answer.unverified == ("You feed it every 12 hours.", "It costs 9 pounds.", "Fold “at dawn”.")
    assert (answer.provider, answer.model, answer.complete, answer.in_notes) == (
        "compatible", "model-1", True, True
    )  # fmt: skip
    assert answer.sent
    assert (answer.sent.host, set(answer.sent.notes), answer.sent.passages) == (host, {BREAD, BEES}, 2)


@pytest.mark.parametrize("provider", DIALECTS)
def test_how_an_answer_comes_changes_nothing(provider: str, vault: Notebook, log: Path) -> None:
    text = (
        "You feed it every 12 hours [1]. `a. b` [x. y](z)\n\n1. Fold at dawn. [1]\n日本語。「次。」[1]\n\n"
        "```\na. b\n```"
    )
    cuts = ([text], list(text), re.findall(r"(?s).{1,7}", text))
    answers = []
    for texts in cuts:
        for size in (0, 3):
            with wire(said(provider, *texts, size=size)) as server:
                answer = answer_of(parts_of(STARTER, vault.memory, writer(server, log, provider)))
                answers.append(replace(answer, sent=None))

    assert answers == [answers[0]] * 6
    assert "```\na. b\n```" in answers[0].text


ENDINGS = {
    "cut stream": (stream(chat("It is fed [1]. So ", finish=None, done=False), cut=True), "broke"),
    "no finish": (stream(chat("It is fed [1]. So ", finish=None, done=False)), "ended it early"),
    "limit": (stream(chat("It is fed [1]. So ", finish="length")), "limit of tokens"),
    "refusal": (stream(chat("It is fed [1]. So ", finish="content_filter")), "refuses"),
    "error": (
        stream(chunk({"content": "It is fed [1]. So "}) + chunk({}, error={"code": 500, "message": "x"})),
        "",
    ),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_an_answer_that_ends_early_is_kept_and_says_so(name: str, vault: Notebook, log: Path) -> None:
    served, why = ENDINGS[name]
    with wire(served) as server:
        answer = answer_of(parts_of(STARTER, vault.memory, writer(server, log)))
        assert len(server.received) == 1

    assert answer.text.startswith("It is fed")
    assert answer.text.endswith("So ")
    assert not answer.complete
    assert why in answer.remarks[-1]


def test_an_error_in_the_middle_of_anthropics_answer_keeps_the_text(vault: Notebook, log: Path) -> None:
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "x"}}
    with wire(stream(messages(block(0, "You feed it. And"), stop=False) + event(error))) as server:
        answer = answer_of(parts_of(STARTER, vault.memory, writer(server, log, "anthropic")))

    assert (answer.text, answer.complete, len(answer.remarks)) == ("You feed it. And", False, 1)


def test_an_error_before_the_answer_is_the_writers_sentence(vault: Notebook, log: Path) -> None:
    with wire(document(401, {"error": {"message": "no"}})) as server:
        one = writer(server, log)
        parts = ask(STARTER, vault.memory, one, CancelToken())
        with pytest.raises(ProviderError) as error:
            next(parts)

    assert error.value.trouble == "key"
    assert len(log.read_text().split("\n")) == 2  # It may have been read, whatever came back.


def test_a_cancelled_answer_hangs_up(vault: Notebook, log: Path) -> None:
    begun = Served(200, stream("").headers, [chunk({"content": "Daily [1]. And "}).encode(), Silence()])
    token = CancelToken()
    with wire(begun) as server:
        parts = ask(STARTER, vault.memory, writer(server, log), token)
        while not isinstance(next(parts), Said):
            pass
        token.cancel()
        with pytest.raises(Cancelled):
            next(parts)

        assert server.hung_up.wait(20)


def test_an_answer_that_nobody_reads_on_hangs_up(vault: Notebook, log: Path) -> None:
    begun = Served(200, stream("").headers, [chunk({"content": "Daily [1]. And "}).encode(), Silence()])
    with wire(begun) as server:
        parts = ask(STARTER, vault.memory, writer(server, log), CancelToken())
        while not isinstance(next(parts), Said):
            pass
        parts.close()  # type: ignore[attr-defined]

        assert server.hung_up.wait(20)


@pytest.mark.parametrize(
    "text",
    [
        "I cannot find this in the notes.",
        "I'm sorry, but I could not find that in your notes.",
        "The notes do not mention it.",
        "Your passages don’t say when.",
    ],
)
def test_a_model_may_say_that_the_notes_do_not_say(text: str, vault: Notebook, log: Path) -> None:
    with wire(said("compatible", text)) as server:
        answer = answer_of(parts_of(STARTER, vault.memory, writer(server, log)))

    assert (answer.text, answer.in_notes, answer.complete, answer.remarks) == (text, False, True, ())


def test_an_answer_without_citations_says_so(vault: Notebook, log: Path) -> None:
    with wire(said("compatible", "Daily, I think.")) as server:
        answer = answer_of(parts_of(STARTER, vault.memory, writer(server, log)))

    assert answer.remarks == ("No sentence of this answer could be traced to a passage of your notes.",)
    assert {one.path for one in answer.also} == {BREAD, BEES}


def test_an_empty_answer_is_none(vault: Notebook, log: Path) -> None:
    with wire(said("compatible", "  \n")) as server:
        answer = answer_of(parts_of(STARTER, vault.memory, writer(server, log)))
        host = server.host

    assert (answer.complete, answer.remarks) == (
        False,
        (f"{host} gave an empty answer: ask again, or ask another model.",),
    )


def test_nothing_is_sent_that_cannot_be_logged(vault: Notebook, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with wire(said("compatible", "So")) as server:
        with pytest.raises(ProviderError, match="Nothing was sent"):
            parts_of(STARTER, vault.memory, writer(server, tmp_path / "file" / "sent.jsonl"))

        assert server.received == []


@pytest.mark.parametrize("provider", DIALECTS)
def test_a_dry_run_shows_the_very_bytes_and_sends_none(provider: str, vault: Notebook, log: Path) -> None:
    asked = replace(STARTER, turns=(Turn("What is rye?", "A grain [1].", "127.0.0.1"),))
    with wire(said(provider, "So")) as server:
        one = writer(server, log, provider)
        asked = replace(asked, turns=(replace(asked.turns[0], host=server.host),))
        found = dry_run(asked, vault.memory, one, CancelToken())
        assert (server.received, log.exists()) == ([], False)

        answer = answer_of(parts_of(asked, vault.memory, one))
        (request,) = server.received

    boundary = re.compile(rb"notes-[0-9a-f]{16}")
    assert boundary.sub(b"", found.body) == boundary.sub(b"", request.body)
    assert answer.sent
    assert (found.host, found.tokens, len(found.passages)) == (
        server.host, answer.sent.tokens, answer.sent.passages
    )  # fmt: skip
    assert b"A grain." in found.body


def test_a_dry_run_of_what_nobody_is_asked_is_empty(vault: Notebook, log: Path) -> None:
    one = writer("http://localhost", log)
    unknown = dry_run(Question("Who composed the Brandenburg concertos?"), vault.memory, one, CancelToken())
    private = dry_run(Question("What is the password of the greenhouse?"), vault.memory, one, CancelToken())

    assert (unknown.body, unknown.tokens, unknown.passages) == (b"", 0, ())
    assert unknown.remarks[-1] == "Your notes do not say."
    assert (private.body, private.passages) == (b"", ())
    assert private.remarks[0].startswith("Only private text may answer this")


def test_what_only_private_notes_say_is_quoted_from_them_here(vault: Notebook, log: Path) -> None:
    with wire(said("compatible", "So")) as server:
        answer = answer_of(
            parts_of("What is the password of the greenhouse?", vault.memory, writer(server, log))
        )
        assert server.received == []

    assert "marigold" in answer.text
    assert (answer.provider, answer.sent) == ("none", None)
    assert answer.remarks[0].startswith("Only private text may answer this")


def test_a_question_from_private_text_is_asked_of_nobody(vault: Notebook, log: Path) -> None:
    asked = replace(STARTER, origin=Origin(DIARY, Place(3, 0, 3, 5)))
    with wire(said("compatible", "So")) as server:
        answer = answer_of(parts_of(asked, vault.memory, writer(server, log)))
        assert server.received == []

    assert answer.remarks[0].startswith("The question was selected in private text")
    assert "12 hours" in answer.text


def test_earlier_turns_go_only_to_who_wrote_them(vault: Notebook, log: Path) -> None:
    with wire(said("compatible", "So")) as server:
        turns = (
            Turn("What is rye?", "A grain [1].", server.host),
            Turn("Who is Ada?", "A neighbour.", "elsewhere.org"),
            Turn("What is oat?", "Another grain.", ""),
        )
        parts_of(replace(STARTER, turns=turns), vault.memory, writer(server, log))
        (request,) = server.received

    sent = [(one["role"], one["content"]) for one in request.json["messages"][1:-1]]
    assert sent == [("user", "What is rye?"), ("assistant", "A grain.")]
    assert not any("Ada" in text or "oat" in text for text in texts_in(request))


def test_a_note_that_changes_meanwhile_is_said_to_have_changed(
    vault: Notebook, log: Path, numbers: dict[NotePath, int]
) -> None:
    text = f"It smells of bees [{numbers[BEES]}]. Fold it at dawn [{numbers[BREAD]}]."
    with wire(said("compatible", text)) as server:
        parts = ask(STARTER, vault.memory, writer(server, log), CancelToken())
        found = [next(parts)]
        vault.unsaved[BREAD] = "# Bread\n\nNo more."
        found += parts

    changed = [(one.passage.path, one.changed) for one in found if isinstance(one, Cited)]
    assert changed == [(BEES, False), (BREAD, True)]
    assert answer_of(found).citations[1].quote == "Fold the dough at dawn."


def test_a_model_without_room_is_not_asked(vault: Notebook, log: Path) -> None:
    with wire(said("compatible", "So")) as server:
        answer = answer_of(parts_of(STARTER, vault.memory, writer(server, log, context=300)))
        assert server.received == []

    assert answer.provider == "none"
    assert "12 hours" in answer.text
    assert answer.remarks[0].startswith("The model has no room")


def test_a_provider_may_vouch_for_what_stands_there(vault: Notebook, log: Path) -> None:
    body = json.loads(
        dry_run(STARTER, vault.memory, writer("https://localhost", log, "anthropic"), CancelToken()).body
    )
    results = [one for one in body["messages"][-1]["content"] if one["type"] == "search_result"]
    index = next(at for at, one in enumerate(results) if one["title"].startswith("Bread"))
    quoted = "Feed the rye starter every 12 hours. Fold the dough at dawn."
    at = next(n for n, one in enumerate(results[index]["content"]) if one["text"] == quoted)
    answer = messages(
        block(0, "Well. "),
        block(1, "It wants food twice a day", citations=(cited(index, at, at + 1, quoted),)),
        block(2, ", and "),
        block(3, "gold.\n\n", citations=(cited(index, at, at + 1, "Feed it gold."),)),
        block(4, "- `code`", citations=(cited(index, at, at + 1, quoted),)),
    )
    with wire(stream(answer, 11)) as server:
        found = answer_of(parts_of(STARTER, vault.memory, writer(server, log, "anthropic")))

    assert found.text == "Well. It wants food twice a day [1], and gold.\n\n- `code` [1]"
    assert [(one.passage.path, one.by_provider, one.quote) for one in found.citations] == [
        (BREAD, True, "Feed the rye starter every 12 hours.")
    ]
    assert found.unverified == ("It wants food twice a day, and gold.",)


def test_nothing_is_sent_that_became_private_before_it_was(vault: Notebook, log: Path) -> None:
    sent = []
    for switch in range(24):
        calls = [0]

        def text_of(path: NotePath, switch: int = switch, calls: list[int] = calls) -> str | None:
            calls[0] += 1
            text = vault.text_of(path)
            return f"---\nprivate: true\n---\n{text}" if calls[0] > switch else text

        with wire(said("compatible", "So")) as server:
            parts_of(STARTER, replace(vault.memory, text_of=text_of), writer(server, log))
            sent.append(bool(server.received))

    never = sent.index(True)
    assert never >= 6  # Found, looked at again, and once more behind the log, in two notes.
    assert sent == [False] * never + [True] * (24 - never)
