"""What can be done at the cursor."""

from __future__ import annotations

from knapper.ide.actions import actions
from knapper.ide.results import Action
from knapper.text.span import Span
from tests.ide.render import applied
from tests.scene import Scene, scene, snapshot_of


def offered(built: Scene, settings: dict[str, object] | None = None) -> list[Action]:
    span = built.selection or Span(built.offset, built.offset)
    return [
        item for item in actions(snapshot_of(built, settings), built.opened, span) if item.kind != "source"
    ]


def check(
    text: str, title: str, *lines: str, created: str | None = None, settings: dict[str, object] | None = None
) -> None:
    """The action called *title* makes the opened file's line with the cursor one of *lines*, or a file."""
    built = scene(text)
    chosen = [item for item in offered(built, settings) if item.title == title]
    assert len(chosen) == 1, [item.title for item in offered(built, settings)]
    after = applied(snapshot_of(built, settings), chosen[0].edits)
    if created:
        assert after == {created: ""}
        assert chosen[0].opens == created
        return
    line = built.files[built.opened].count("\n", 0, built.offset)
    assert after[built.opened].split("\n")[line : line + len(lines)] == [*lines]


def check_none(text: str) -> None:
    assert [item.title for item in offered(scene(text))] == []


def test_a_missing_note_can_be_created() -> None:
    check("[[Missing pa<|>ge]]\n", "Create note “Missing page”", created="Missing page.md")
    check("[[v2.1 pl<|>an#Goals]]\n", "Create note “v2.1 plan”", created="v2.1 plan.md")
    check("[x](new%20o<|>ne.md)\n", "Create note “new one”", created="new one.md")
    check("[t][l]\n\n[l]: ne<|>w.md\n", "Create note “new”", created="new.md")


def test_a_note_is_created_where_obsidian_would() -> None:
    inbox = '//- /.obsidian/app.json\n{"newFileLocation": "folder", "newFileFolderPath": "Inbox"}\n'
    check(f"{inbox}//- /notes/src.md\n[[Xenon<|>]]\n", "Create note “Xenon”", created="Inbox/Xenon.md")
    check(f"{inbox}//- /notes/src.md\n[[Projects/X<|>]]\n", "Create note “X”", created="Projects/X.md")


def test_nothing_is_created_that_cannot_be_or_need_not() -> None:
    check_none("[[N#no such hea<|>ding]]\n//- /N.md\n")
    check_none("![[lo<|>st.png]]\n")
    check_none("[[../../out<|>side]]\n")
    check_none("[[#<|>Nope]]\n")


def test_a_bare_alias_becomes_a_link_to_its_note() -> None:
    check(
        "See [[AI<|>]].\n//- /Artificial Intelligence.md\n---\naliases: [AI]\n---\n",
        "Link to “Artificial Intelligence” as “AI”",
        "See [[Artificial Intelligence|AI]].",
    )
    check(
        "| x |\n|---|\n| ![[big titl<|>e#H\\|t]] |\n//- /x.md\n# Big Title\n",
        "Link to “x” as “t”",
        "| ![[x#H\\|t]] |",
    )


def test_an_alias_in_an_open_note_counts_before_it_is_saved() -> None:
    built = scene("[[AI<|>]]\n//- /a.md\n---\naliases: [AI]\n---\n")
    snap = snapshot_of(built, opened=["a.md"])
    titles = [item.title for item in actions(snap, built.opened, Span(3, 3))]
    assert "Link to “a” as “AI”" in titles


def test_a_mention_becomes_a_link() -> None:
    bread = "//- /Sourdough.md\n//- /Sourdough bread.md\n---\naliases: [loaf]\n---\n"
    check(f"I baked Sour<|>dough at home.\n{bread}", "Link to “Sourdough”", "I baked [[Sourdough]] at home.")
    check(
        f"My sourdough br<|>ead.\n{bread}",
        "Link to “Sourdough bread”",
        "My [[Sourdough bread|sourdough bread]].",
    )
    check(f"My lo<|>af.\n{bread}", "Link to “Sourdough bread”", "My [[Sourdough bread|loaf]].")
    check(f"My <|loaf|>.\n{bread}", "Link to “Sourdough bread”", "My [[Sourdough bread|loaf]].")
    check("私は東<|>京都に\n//- /東京.md\n", "Link to “東京”", "私は[[東京]]都に")
    check(
        "| a |\n|---|\n| loa<|>f |\n" + bread, "Link to “Sourdough bread”", "| [[Sourdough bread\\|loaf]] |"
    )


def test_a_mention_is_linked_as_the_vault_writes_links() -> None:
    check(
        '//- /.obsidian/app.json\n{"useMarkdownLinks": true}\n'
        "//- /x.md\nAt Blue Mo<|>on.\n//- /a/Blue Moon.md\n",
        "Link to “Blue Moon”",
        "At [Blue Moon](Blue%20Moon.md).",
    )


def test_what_is_no_mention_is_not_linked() -> None:
    bread = "//- /Sourdough.md\n"
    check_none(f"Sour<|>doughs\n{bread}")
    check_none(f"`Sour<|>dough`\n{bread}")
    check_none(f"#Sour<|>dough\n{bread}")
    check_none(f"[[Sour<|>dough]]\n{bread}")
    check_none(f"---\nx: Sour<|>dough\n---\n{bread}")
    check_none("//- /Sourdough.md\nThis Sour<|>dough.\n")


def test_an_unquoted_link_in_a_property_is_put_in_quotes() -> None:
    check("---\nup: [[No<|>te]]\n---\n//- /Note.md\n", "Put the link in quotes", 'up: "[[Note]]"')


def test_an_address_in_double_brackets_becomes_a_markdown_link() -> None:
    check("See [[https://x<|>.org]].\n", "Convert to a Markdown link", "See [https://x.org](https://x.org).")
    check("See [[https://x<|>.org|site]].\n", "Convert to a Markdown link", "See [site](https://x.org).")


def test_a_destination_that_two_tools_read_differently_can_be_made_clear() -> None:
    vault = "//- /b/x.md\n[y](N<|>.md)\n//- /N.md\n//- /b/N.md\n"
    check(vault, "Mean N.md: write /N.md", "[y](/N.md)")
    check(vault, "Mean b/N.md: write ./N.md", "[y](./N.md)")


def test_a_note_offers_its_backlinks_related_notes_and_obsidian() -> None:
    built = scene("# A<|>\n//- /x.md\n[[note]]\n")
    found = [item for item in actions(snapshot_of(built), built.opened, Span(0, 0)) if item.kind == "source"]
    assert [(item.title, item.command and item.command.name) for item in found] == [
        ("Show 1 backlink", "knapper.backlinks"),
        ("Related notes…", "knapper.related"),
        ("Open “note.md” in Obsidian", "knapper.openInObsidian"),
    ]


def test_a_quick_fix_says_what_it_puts_right() -> None:
    built = scene("[[Go<|>ne]]\n")
    assert [(item.kind, item.fixes) for item in offered(built)] == [("quickfix", ("unresolved-note",))]


def test_each_of_several_unquoted_links_is_quoted_by_itself() -> None:
    check(
        "---\nup:\n  - [[A]]\n  - [[B<|>|b]]\n---\n",
        "Put the link in quotes",
        '  - "[[B|b]]"',
    )
