"""Destinations of Markdown links, reference labels, footnotes and callouts."""

import pytest

from tests.ide.completion.accepting import REPLACES, accepted, offered

NOTE = "\n//- My Note.md\n\n//- a (b).md\n"


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("[text](My<|>)", "[text](My%20Note.md)"),
        ("[text](My<|>", "[text](My%20Note.md)"),
        ("[text](<|>) more", "[text](My%20Note.md) more"),
        ("[text](My no<|>)", "[text](My%20Note.md)"),
        ("[text](My%20no<|>)", "[text](My%20Note.md)"),
        ("[text](My<|>%20Other.md#Part)", "[text](My%20Note.md#Part)"),
        ('[text](My<|> "title")', '[text](My%20Note.md "title")'),
        ("[text](<My<|>>)", "[text](<My Note.md>)"),
        ("[text](<My<|>", "[text](<My Note.md>)"),
        ("![](My<|>)", "![](My%20Note.md)"),
        ("[label]: My<|>", "[label]: My%20Note.md"),
        ("🎉 日本 [text](My<|>", "🎉 日本 [text](My%20Note.md)"),
    ],
)
@pytest.mark.parametrize("crlf", [False, True])
def test_accepting_a_note_in_a_destination_encodes_and_closes_it(line: str, after: str, crlf: bool) -> None:
    vault = f"//- src.md\n{line}\n{NOTE}"

    assert accepted(vault, "My Note", crlf=crlf) == after
    assert accepted(vault, "My Note", crlf=crlf, client=REPLACES) == after


def test_brackets_in_pairs_stay_in_a_destination() -> None:
    assert accepted(f"//- src.md\n[text](a<|>)\n{NOTE}", "a (b)") == "[text](a%20(b).md)"


def test_missing_notes_are_not_offered_in_a_destination() -> None:
    assert offered("//- src.md\n[text](Gard<|>)\n//- a.md\n[[Garden]]\n") == []


def test_reference_labels_are_those_of_the_note_with_where_they_lead() -> None:
    note = "//- src.md\n[text][<|>\n\n[one]: N.md#Part\n[Two words]: https://x.org\n"

    assert offered(note) == ["one", "Two words"]
    assert accepted(note, "Two words") == "[text][Two words]"
    assert accepted(note.replace("<|>", "<|>]"), "one", "N.md#Part") == "[text][one]"


def test_footnotes_are_offered_with_what_they_say() -> None:
    note = "//- src.md\ntext[^<|> and[^b]\n\n[^a]: Said before.\n"

    assert offered(note) == ["b", "a"]
    assert accepted(note, "a", "Said before.") == "text[^a] and[^b]"
    assert accepted(note.replace("<|>", "<|>]"), "a") == "text[^a] and[^b]"


def test_types_of_callouts_are_offered() -> None:
    assert offered("//- src.md\n> [!war<|>\n") == ["warning"]
    assert accepted("//- src.md\n> [!war<|>\n", "warning") == "> [!warning]"
    assert accepted("//- src.md\n> [!war<|>] Title\n", "warning") == "> [!warning] Title"
    assert "recipe" in offered("//- src.md\n> [!recipe] x\n\n> [!<|>]\n")
