"""Blocks behind `^`, and the ids that choosing one writes."""

import pytest

from knapper.ide.completion.block_ids import new_id
from knapper.ide.completion.blocks import write_block_id
from knapper.ide.completion.resolve import documentation
from tests.ide.completion.accepting import Completing, accepted, completing, items_in, offered
from tests.scene import host_of, scene

N = """
//- N.md
# Head

First words of it. ^abc-1

Second words
on two lines.

- item one
  - child item
- item two ^li

| a | b |
|---|---|
| 1 | 2 |

> a quotation

```
code here
```

Last words"""


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("[[N#^fir<|>", "[[N#^abc-1]]"),
        ("[[N#^fir<|>]]", "[[N#^abc-1]]"),
        ("[[N^fir<|>]] more", "[[N#^abc-1]] more"),
        ("[[N#^abc<|>|shown]]", "[[N#^abc-1|shown]]"),
        ("[[N.md#^fir<|>]]", "[[N.md#^abc-1]]"),
        ("![[N#^fir<|>", "![[N#^abc-1]]"),
        ("🎉 日本 [[N#^fir<|>", "🎉 日本 [[N#^abc-1]]"),
        ("[t](N.md#^fir<|>)", "[t](N.md#^abc-1)"),
        ("[[^^fir<|>]]", "[[N#^abc-1]]"),
        ("[[^^abc<|>", "[[N#^abc-1]]"),
    ],
)
@pytest.mark.parametrize("crlf", [False, True])
def test_a_block_with_an_id_is_offered_by_its_text_and_its_id(line: str, after: str, crlf: bool) -> None:
    assert accepted(f"//- src.md\n{line}\n{N}", "First words of it.", crlf=crlf) == after


def test_all_blocks_of_a_note_are_offered_in_their_order() -> None:
    assert offered(f"//- src.md\n[[N#^<|>]]\n{N}") == [
        "First words of it.",
        "Second words on two lines.",
        "item one",
        "child item",
        "item two",
        "| a | b | |---|---| | 1 | 2 |",
        "> a quotation",
        "``` code here ```",
        "Last words",
    ]


def written(label: str) -> str:
    """What stands around the new id in N, shown as `…`."""
    built = completing(f"//- src.md\n[[N#^<|>]]\n{N}")
    before, after = built.scene.files["N.md"], built.files(label)["N.md"]
    id_ = built.item(label).edit.new.split("^")[1].removesuffix("]]")
    start = after.index(f"^{id_}")
    assert after.replace(f" ^{id_}", "").replace(f"\n\n^{id_}", "") == before
    return after[start - 14 : start] + "…" + after[start + len(id_) + 1 :][:5]


def test_an_id_goes_behind_a_paragraph_or_list_item_and_below_everything_else() -> None:
    assert written("Second words on two lines.") == "on two lines. …\n\n- i"
    assert written("item one") == "two lines.\n\n- item one "[-14:] + "…\n  - "
    assert written("child item") == " - child item …\n- it"
    assert written("| a | b | |---|---| | 1 | 2 |") == "---|\n| 1 | 2 |\n\n"[-14:] + "…\n\n> a"
    assert written("> a quotation") == "> a quotation\n\n"[-14:] + "…\n\n```"
    assert written("``` code here ```") == "\ncode here\n```\n\n"[-14:] + "…\n\nLas"
    assert written("Last words") == "```\n\nLast words "[-14:] + "…"


def test_an_id_below_a_block_is_followed_by_an_empty_line() -> None:
    built = completing("//- src.md\n[[^<|>]]\n\n> quoted\n\n---\n\n```\ncode\n```\n# Head\n")

    assert built.files("``` code ```")["src.md"].endswith(
        "```\n\n^" + id_of(built, "``` code ```") + "\n\n# Head\n"
    )


def id_of(built: Completing, label: str) -> str:
    """The id that accepting the item links to."""
    return built.item(label).edit.new.split("^")[1].removesuffix("]]")


@pytest.mark.parametrize("crlf", [False, True])
def test_choosing_a_block_of_the_note_itself_writes_its_id_by_a_further_edit(crlf: bool) -> None:
    end = "\r\n" if crlf else "\n"
    built = completing("//- src.md\nSome thought 🎉  \nof two lines\n\nsee [[^tho<|>\n", crlf=crlf)
    label = "Some thought 🎉 of two lines"
    item = built.item(label)
    name = new_id(f"Some thought 🎉  {end}of two lines", ())

    assert item.command is None
    assert built.files(label) == {
        "src.md": f"Some thought 🎉  {end}of two lines ^{name}{end}{end}see [[#^{name}]]{end}"
    }


def test_blanks_at_the_end_of_a_line_give_way_to_the_id() -> None:
    built = completing("//- src.md\n- thought   \n\nsee [[^tho<|>\n")

    assert built.files("thought")["src.md"].startswith("- thought ^")
    assert "^" + id_of(built, "thought") + "\n" in built.files("thought")["src.md"]


def test_the_paragraph_that_is_written_is_not_offered_to_itself() -> None:
    assert offered("//- src.md\nThis very text [[^<|>\n\nOther text\n") == ["Other text"]


def test_ids_look_random_depend_on_the_text_and_differ_within_a_note() -> None:
    first = new_id("text", ())

    assert first == new_id("text", ())
    assert len(first) == 6
    assert new_id("text", {first}) != first
    assert new_id("text", {first.upper()}) != first
    assert first != new_id("Text", ())


def test_equal_blocks_get_different_ids() -> None:
    built = completing("//- src.md\n[[^same<|>\n\nsame\n\nsame\n")

    assert len({item.edit.new for item in built.result.items}) == 2


def test_the_id_is_written_where_the_block_is_by_now() -> None:
    """The command looks for the block again: the note may have changed since the item was offered."""
    built = scene("//- src.md\n[[N#^tho<|>\n//- N.md\nA thought\n")
    host = host_of(built, opened=["N.md"])
    item = items_in(host, built.opened, built.offset)[0]
    assert item.command is not None
    host.change("N.md", 2, [(None, "New line\n\nA thought\n")])  # type: ignore[arg-type]
    edit = write_block_id(host.snapshot(), item.command.arguments)

    assert edit is not None
    assert (edit.path, edit.version, edit.edits[0].place.line) == ("N.md", 2, 2)

    host.change("N.md", 3, [(None, "Another thought\n")])  # type: ignore[arg-type]
    assert write_block_id(host.snapshot(), item.command.arguments) is None
    assert write_block_id(host.snapshot(), {"path": "../x.md", "id": "a"}) is None


def test_blocks_of_the_vault_are_those_with_an_id_and_all_of_near_notes() -> None:
    vault = "//- src.md\n[[^^word<|>\n\nMy words\n//- far.md\nFar words ^far\n\nFar words without\n"

    assert offered(vault) == ["My words", "Far words", "Far words without"]


def test_what_a_chosen_block_holds_is_shown_beside_it() -> None:
    built = completing(f"//- src.md\n[[N#^sec<|>\n{N}")

    assert documentation(built.snap, built.item("Second words on two lines.").data) == (
        "Second words\non two lines."
    )
