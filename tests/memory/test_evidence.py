"""From a question to the passages that may be used, in the texts as they are now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knapper.base.cancel import Cancelled, CancelToken
from knapper.memory.asked import Evidence, Origin, Question, Scope, Turn
from knapper.memory.evidence import LONGEST, MOST_NOTES, MOST_OF_A_NOTE, MOST_PASSAGES, NOTHING_NAMED, gather
from knapper.memory.excerpt import digest_of
from knapper.text.lines import Text
from knapper.text.span import Span
from knapper.vault.paths import NotePath
from tests.memory.notebook import Notebook
from tests.search.library import Library, library

LONG = " ".join(f"The ferry number {at} leaves from the quay." for at in range(60))
NOTES = {
    "Bread.md": "# Bread\n\n## Starter\n\nFeed the starter with rye flour.\n\n## Diary\n\n%%private%%\n"
    "The starter was stolen by a badger.\n\n## Oven\n\nThe oven is fired with beech.\n",
    "Secret.md": "---\nprivate: true\n---\nThe treasure lies below the walnut.\n",
    "Quiet.md": "---\nai: false\ntags: [hidden/away]\n---\nThe clarinet sounds at noon.\n",
    "Garden/Beans.md": "#garden/beds\n\nSow the beans in March, five centimetres deep.\n",
    "Garden/Log.md": "---\ntags: [garden]\n---\nThe beans were sown and the valve leaks.\n",
    "Ferry.md": LONG,
    "Daily/2024-05-07.md": "Slept late, then swam in the lake.\n",
    "Daily/2024-04-30.md": "Rain all day, and the lake was rough.\n",
    "会议.md": "这里利用结构化知识足够有效精确的导向。\n",
    "Лодка.md": "Лодка стоит у причала, вёсла лежат в сарае.\n",
    "Plan.canvas": '{"nodes": [{"id": "1", "type": "text", "text": "The zeppelin lands on the roof."}]}',
    "Windows.md": "# Windows\r\n\r\nThe panes are puttied.\r\n\r\n%%private%%\r\nThe burglar knows them.\r\n",
    **{
        f"Many/{at}.md": f"Lighthouse {at}.\n\n" + "The lighthouse blinks all night.\n" * 3
        for at in range(14)
    },
    "Tower.md": "\n".join(
        f"## Part {at}\n\n" + "The belfry rings over the square, again.\n" * 6 for at in range(9)
    ),
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    made = library(tmp_path_factory.mktemp("evidence"), NOTES)
    yield made
    made.reader.close()


@pytest.fixture
def vault(indexed: Library) -> Notebook:
    """The vault as it is before a test changes it."""
    return Notebook(indexed)


def asked(vault: Notebook, text: str, scope: Scope | None = None, *, sending: bool = True) -> Evidence:
    """What is found for a question."""
    return gather(Question(text, scope or Scope()), vault.memory, sending=sending)


def texts(evidence: Evidence) -> list[str]:
    return [passage.text for passage in evidence.passages]


def paths(evidence: Evidence) -> list[str]:
    return [passage.path for passage in evidence.passages]


def test_a_passage_is_what_stands_at_its_place_in_the_text_of_its_digest(vault: Notebook) -> None:
    evidence = asked(vault, "How deep do I sow beans?")
    first = evidence.passages[0]
    text = NOTES[first.path]

    assert evidence.answers
    assert (first.path, first.title) == ("Garden/Beans.md", "Beans")
    assert (first.text, first.digest) == (Text(text).span(first.place).of(text), digest_of(text))


def test_what_is_private_is_found_only_if_it_is_not_sent(vault: Notebook) -> None:
    here = [asked(vault, text, sending=False) for text in ("Where is the treasure?", "When is the clarinet?")]
    sent = [asked(vault, text) for text in ("Where is the treasure?", "When is the clarinet?")]

    assert [(it.answers, paths(it)[0], it.withheld) for it in here] == [
        (True, "Secret.md", 0),
        (True, "Quiet.md", 0),
    ]
    assert [(it.answers, it.passages, it.withheld) for it in sent] == [(False, (), 1), (False, (), 1)]
    assert sent[0].remarks == ("One passage is private, or a part of it, and was not used.",)


def test_a_private_section_is_cut_out_of_a_passage(vault: Notebook) -> None:
    evidence = asked(vault, "What do I feed the starter with?")

    assert evidence.answers
    assert evidence.withheld == 1
    assert texts(evidence)[:1] == ["# Bread\n\n## Starter\n\nFeed the starter with rye flour.\n\n## Diary"]
    assert [text for text in texts(evidence) if "badger" in text or "stolen" in text] == []
    assert "badger" in " ".join(texts(asked(vault, "What do I feed the starter with?", sending=False)))


def test_an_answer_that_is_private_is_no_answer_to_send(vault: Notebook) -> None:
    assert asked(vault, "Which badger stole the starter?", sending=False).answers
    assert not asked(vault, "Did a badger steal? A stolen badger, the badger?").answers


def test_private_notes_do_not_crowd_out_others(tmp_path_factory: pytest.TempPathFactory) -> None:
    private = {f"{at}.md": "---\nprivate: true\n---\nThe comet, the comet!\n" for at in range(60)}
    public = {"Sky.md": "Long after all of that somebody saw the comet as well, from the roof.\n"}
    made = library(tmp_path_factory.mktemp("crowd"), private | public)
    evidence = asked(Notebook(made), "Who saw the comet?")
    made.reader.close()

    assert (evidence.answers, paths(evidence)) == (True, ["Sky.md"])


def test_line_ends_of_windows_are_understood(vault: Notebook) -> None:
    evidence = asked(vault, "How are the panes puttied?")

    assert (evidence.answers, texts(evidence)[0]) == (True, "# Windows\r\n\r\nThe panes are puttied.")


def test_excluded_notes_are_never_found(vault: Notebook) -> None:
    vault.excluded = frozenset(("Garden/Beans.md",))

    assert "Garden/Beans.md" not in paths(asked(vault, "How deep do I sow beans?", sending=False))


def test_drawings_are_no_notes(vault: Notebook) -> None:
    assert not asked(vault, "Where does the zeppelin land?", sending=False).answers


@pytest.mark.parametrize(
    ("unsaved", "found"),
    [
        (
            "# New\n\nMore.\n\nSow the beans in March, five centimetres deep.\n",
            "# New\n\nMore.\n\nSow the beans",
        ),
        ("Nothing is left.\n", None),
        (None, None),
        ("---\nprivate: true\n---\nSow the beans in March, five centimetres deep.\n", None),
    ],
)
def test_the_text_of_now_counts_and_not_that_of_the_index(
    vault: Notebook, unsaved: str | None, found: str | None
) -> None:
    vault.unsaved["Garden/Beans.md"] = unsaved
    beans = [it for it in asked(vault, "How deep do I sow the beans in March?").passages if it.title != "Log"]

    if found is None:
        assert beans == []
    else:
        assert beans[0].text.startswith(found)
        assert beans[0].digest == digest_of(unsaved or "")


def test_a_long_passage_is_cut_at_the_end_of_a_sentence_around_what_was_found(vault: Notebook) -> None:
    passages = asked(vault, "When does ferry number 37 leave the quay?").passages

    assert all(len(it.text) <= LONGEST for it in passages)
    assert [it.text for it in passages if "number 37 leaves" in it.text]
    assert {it.text[-1] for it in passages if it.path == "Ferry.md"} == {"."}


def test_there_are_few_passages_of_few_notes(vault: Notebook) -> None:
    many = asked(vault, "When does the lighthouse blink?")
    tower = asked(vault, "When does the belfry ring?")
    alone = asked(vault, "When does the belfry ring?", Scope(note=NotePath("Tower.md")))

    assert len(set(paths(many))) == MOST_NOTES
    assert paths(tower) == ["Tower.md"] * MOST_OF_A_NOTE
    assert MOST_OF_A_NOTE < len(alone.passages) <= MOST_PASSAGES


def test_passages_fit_into_the_room_there_is(vault: Notebook) -> None:
    question = Question("When does the belfry ring?")
    some = gather(question, vault.memory, sending=True, room=200)
    none = gather(question, vault.memory, sending=True, room=10)

    assert 0 < len(some.passages) < MOST_OF_A_NOTE
    assert (none.passages, none.answers) == ((), True)


@pytest.mark.parametrize(
    ("scope", "found"),
    [
        (Scope(), {"Garden/Beans.md", "Garden/Log.md"}),
        (Scope(note=NotePath("Garden/Log.md")), {"Garden/Log.md"}),
        (Scope(folder="garden/"), {"Garden/Beans.md", "Garden/Log.md"}),
        (Scope(tag="#Garden"), {"Garden/Beans.md", "Garden/Log.md"}),
        (Scope(tag="garden/beds"), {"Garden/Beans.md"}),
        (Scope(linked=NotePath("Bread.md")), {"Garden/Log.md"}),
        (Scope(tag="garden", linked=NotePath("Bread.md")), {"Garden/Log.md"}),
    ],
)
def test_a_scope_narrows(vault: Notebook, scope: Scope, found: set[str]) -> None:
    vault.links = {"Bread.md": ["Garden/Log.md"]}

    assert set(paths(asked(vault, "Where are the beans?", scope))) == found


@pytest.mark.parametrize(
    ("scope", "remark"),
    [
        (Scope(folder="Attic"), "There is no note in the folder “Attic”."),
        (Scope(tag="attic"), "There is no note with the tag “attic”."),
        (Scope(note=NotePath("Gone.md")), "There is no note in “Gone”."),
        (
            Scope(folder="Garden", tag="hidden"),
            "There is no note in the folder “Garden” and with the tag “hidden”.",
        ),
    ],
)
def test_a_scope_without_notes_is_told(vault: Notebook, scope: Scope, remark: str) -> None:
    assert asked(vault, "Where are the beans?", scope) == Evidence(remarks=(remark,))


def test_of_a_scope_everything_may_be_asked(vault: Notebook) -> None:
    note = asked(vault, "Summarize this note", Scope(note=NotePath("Tower.md")))
    folder = asked(vault, "What is in here?", Scope(folder="Garden"))
    everything = asked(vault, "What is in here?")

    assert (note.answers, len(note.passages) > MOST_OF_A_NOTE) == (True, True)
    assert (folder.answers, set(paths(folder))) == (True, {"Garden/Beans.md", "Garden/Log.md"})
    assert everything == Evidence(remarks=(NOTHING_NAMED,))


def test_a_date_narrows(vault: Notebook) -> None:
    evidence = asked(vault, "What did I do yesterday?")

    assert (evidence.answers, paths(evidence)) == (True, ["Daily/2024-05-07.md"])
    assert paths(asked(vault, "How was the lake on 30 April 2024?")) == ["Daily/2024-04-30.md"]


def test_a_date_of_which_nothing_answers_does_not_hide_the_answer(vault: Notebook) -> None:
    evidence = asked(vault, "Did I sow beans yesterday?")

    assert evidence.answers
    assert "Nothing of that time answers; notes of any time were looked at." in evidence.remarks


def test_which_words_were_searched_beside_mistyped_ones_is_no_remark_on_an_answer(vault: Notebook) -> None:
    evidence = asked(vault, "How deep do I sow the beanz?")

    assert (paths(evidence)[0], evidence.remarks) == ("Garden/Beans.md", ())


def test_a_question_goes_on_from_the_one_before(vault: Notebook) -> None:
    turns = (Turn("How deep do I sow the beans?", "Five centimetres."),)
    evidence = gather(Question("And when?", turns=turns), vault.memory, sending=True)

    assert (evidence.answers, paths(evidence)[0]) == (True, "Garden/Beans.md")


def test_what_was_selected_to_be_asked_does_not_answer_itself(vault: Notebook) -> None:
    text = "Sow the beans in March, five centimetres deep."
    start = NOTES["Garden/Beans.md"].index(text)
    place = Text(NOTES["Garden/Beans.md"]).place(Span(start, start + len(text)))
    of_itself = gather(Question(text), vault.memory, sending=True)
    others = gather(
        Question(text, origin=Origin(NotePath("Garden/Beans.md"), place)), vault.memory, sending=True
    )

    assert paths(of_itself)[0] == "Garden/Beans.md"
    assert "Garden/Beans.md" not in paths(others)


def test_a_heading_that_is_asked_is_answered_by_what_stands_below_it(vault: Notebook) -> None:
    origin = Origin(NotePath("Bread.md"), Text(NOTES["Bread.md"]).place(Span(9, 19)))
    evidence = gather(Question("Starter", origin=origin), vault.memory, sending=True)

    assert (evidence.answers, paths(evidence)[0]) == (True, "Bread.md")


def test_a_whole_paragraph_may_be_asked(vault: Notebook) -> None:
    text = "The beans were sown in March, deep in cold ground. " + " ".join(
        f"unheard{at}" for at in range(50)
    )

    assert asked(vault, text).answers


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Где стоят лодки?", "Лодка.md"),
        ("结构化知识有什么用？", "会议.md"),
        ('"beans" -sow tag: [[Beans]]', "Garden/Beans.md"),
    ],
)
def test_questions_of_many_languages_and_with_syntax_are_answered(
    vault: Notebook, text: str, path: str
) -> None:
    evidence = asked(vault, text)

    assert (evidence.answers, paths(evidence)[0]) == (True, path)


@pytest.mark.parametrize(
    "text",
    [
        "How do I prune an apple tree?",
        "Wie schneide ich einen Apfelbaum?",
        "如何给苹果树剪枝？",
        "?",
        "",
        "\x00 \ud800 []]",
    ],
)
def test_what_the_notes_do_not_say_is_refused(vault: Notebook, text: str) -> None:
    assert not asked(vault, text).answers


def test_a_vault_of_one_empty_note_answers_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    made = library(tmp_path_factory.mktemp("empty"), {"Empty.md": ""})
    vault = Notebook(made)

    whole = asked(vault, "Where are the beans?")
    note = asked(vault, "Summarize this note", Scope(note=NotePath("Empty.md")))
    made.reader.close()

    assert (whole.answers, note.answers, whole.passages, note.passages) == (False, False, (), ())


def test_work_that_is_not_wanted_any_more_stops(vault: Notebook) -> None:
    token = CancelToken()
    token.cancel()

    with pytest.raises(Cancelled):
        gather(Question("Where are the beans?"), vault.memory, sending=True, token=token)


def test_the_same_question_has_the_same_evidence(vault: Notebook) -> None:
    again = replace(vault)

    assert asked(vault, "When does the lighthouse blink?") == asked(again, "When does the lighthouse blink?")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60), st.sampled_from(["", "beans ", "secret ", "tag:", "yesterday "]), st.booleans())
def test_any_question_is_answered_or_refused(vault: Notebook, text: str, before: str, sending: bool) -> None:
    evidence = asked(vault, before + text, sending=sending)
    private = ("badger", "treasure", "clarinet", "burglar")

    assert len(evidence.passages) <= MOST_PASSAGES
    assert not sending or not any(word in it.text for it in evidence.passages for word in private)
