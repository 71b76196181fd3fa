"""Notes and other files in `[[…]]`: what is offered, and what the line becomes."""

import pytest

from tests.ide.completion.accepting import REPLACES, accepted, completing, offered

NOTE = "\n//- note.md\n"
AI = "\n//- Artificial Intelligence.md\n---\naliases: [AI]\n---\n"


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("see [[no<|>", "see [[note]]"),
        ("see [[no<|>]]", "see [[note]]"),
        ("see [[no<|>]", "see [[note]]"),
        ("see [[no<|>te]] more", "see [[note]] more"),
        ("see [[no<|> more", "see [[note]] more"),
        ("see [[<|>]] more", "see [[note]] more"),
        ("see [[no<|>#Part]]", "see [[note#Part]]"),
        ("see [[no<|>|shown]]", "see [[note|shown]]"),
        ("see [[no<|>#Part|shown]]", "see [[note#Part|shown]]"),
        ("see ![[no<|>]]", "see ![[note]]"),
        ("🎉 日本語 [[no<|>]] 🎉", "🎉 日本語 [[note]] 🎉"),
        ("- [ ] [[no<|>", "- [ ] [[note]]"),
        ("> > [[no<|>", "> > [[note]]"),
        ("# About [[no<|>", "# About [[note]]"),
        ("[[a]] [[no<|> [[b]]", "[[a]] [[note]] [[b]]"),
    ],
)
@pytest.mark.parametrize("crlf", [False, True])
@pytest.mark.parametrize("client", [REPLACES, None])
def test_accepting_a_note_writes_its_name_and_closes_the_link_once(
    line: str, after: str, crlf: bool, client: object
) -> None:
    how = {"client": client} if client else {}

    assert accepted(f"//- src.md\n{line}\n\nmore\n{NOTE}", "note", crlf=crlf, **how) == after


def test_a_client_that_replaces_puts_its_cursor_behind_the_link() -> None:
    """Where the brackets are closed already, the edit takes them along."""
    text = f"//- src.md\nsee [[no<|>]]\n{NOTE}"

    assert completing(text, client=REPLACES).item("note").edit.new == "note]]"
    assert completing(text).item("note").edit.new == "note"


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("[[AI<|>", "[[Artificial Intelligence|AI]]"),
        ("[[AI<|>]]", "[[Artificial Intelligence|AI]]"),
        ("[[AI<|>|mine]]", "[[Artificial Intelligence|mine]]"),
        ("[[AI<|>#Part]]", "[[Artificial Intelligence#Part]]"),
        ("🎉[[AI<|>", "🎉[[Artificial Intelligence|AI]]"),
    ],
)
def test_an_alias_becomes_the_display_of_a_link_to_its_note(line: str, after: str) -> None:
    assert accepted(f"//- src.md\n{line}\n{AI}", "AI") == after


@pytest.mark.parametrize(
    ("row", "after"),
    [
        ("| [[AI<|>]] | x |", "| [[Artificial Intelligence\\|AI]] | x |"),
        ("| [[AI<|> | x |", "| [[Artificial Intelligence\\|AI]] | x |"),
        ("| [[AI<|>\\|mine]] | x |", "| [[Artificial Intelligence\\|mine]] | x |"),
        ("| 日本 🎉 | [[AI<|> |", "| 日本 🎉 | [[Artificial Intelligence\\|AI]] |"),
    ],
)
@pytest.mark.parametrize("crlf", [False, True])
def test_a_bar_is_escaped_in_a_table(row: str, after: str, crlf: bool) -> None:
    assert accepted(f"//- src.md\n| a | b |\n|---|---|\n{row}\n{AI}", "AI", crlf=crlf) == after


def test_a_name_that_two_notes_share_is_written_as_a_path() -> None:
    vault = "//- b/x.md\n[[My N<|>]]\n//- a/My Note.md\n\n//- c/My Note.md\n\n"

    assert accepted(vault, "My Note", "a/My Note") == "[[a/My Note|My Note]]"
    assert accepted(vault, "My Note", "c/My Note") == "[[c/My Note|My Note]]"


def test_a_folder_in_what_was_typed_is_searched_too() -> None:
    vault = "//- src.md\n[[pro/pl<|>]]\n//- projects/Plan.md\n\n//- Plan B.md\n\n"

    assert offered(vault) == ["Plan"]
    assert accepted(vault, "Plan") == "[[Plan]]"


def test_a_typed_extension_or_relative_path_does_not_hide_the_note() -> None:
    assert offered(f"//- src.md\n[[note.md<|>]]\n{NOTE}") == ["note"]
    assert offered(f"//- a/src.md\n[[../no<|>]]\n{NOTE}") == ["note"]


@pytest.mark.parametrize(
    ("settings", "after"),
    [
        ('{"newLinkFormat": "relative"}', "[[../a/My Note|My Note]]"),
        ('{"newLinkFormat": "absolute"}', "[[a/My Note|My Note]]"),
        ('{"useMarkdownLinks": true}', "[My Note](My%20Note.md)"),
        ('{"useMarkdownLinks": true, "newLinkFormat": "relative"}', "[My Note](../a/My%20Note.md)"),
    ],
)
@pytest.mark.parametrize("closed", ["", "]]"])
def test_links_are_written_as_the_vault_writes_them(settings: str, after: str, closed: str) -> None:
    vault = (
        f"//- .obsidian/app.json\n{settings}\n//- a/My Note.md\n\n//- b/x.md\nsee [[My N<|>{closed} more\n"
    )

    assert accepted(vault, "My Note") == f"see {after} more"


def test_the_setting_for_links_wins_over_the_vault() -> None:
    vault = '//- .obsidian/app.json\n{"useMarkdownLinks": true}\n//- src.md\n[[no<|>]]\n' + NOTE
    assert accepted(vault, "note", settings={"links.style": "wikilink"}) == "[[note]]"
    assert accepted(f"//- src.md\n[[no<|>]]\n{NOTE}", "note", settings={"links.style": "markdown"}) == (
        "[note](note.md)"
    )


def test_a_markdown_link_keeps_subpath_and_display() -> None:
    how = {"settings": {"links.style": "markdown"}}

    assert accepted(f"//- src.md\n[[no<|>#A b|shown]]\n{NOTE}", "note", **how) == "[shown](note.md#A%20b)"
    assert accepted(f"//- src.md\n[[AI<|>\n{AI}", "AI", **how) == "[AI](Artificial%20Intelligence.md)"


def test_attachments_have_their_extension_and_come_first_in_embeds() -> None:
    vault = "//- src.md\n{}\n//- media/picture.png\n\n//- picture notes.md\n\n"

    assert accepted(vault.format("![[pict<|>]]"), "picture.png") == "![[picture.png]]"
    assert offered(vault.format("![[pict<|>]]")) == ["picture.png", "picture notes"]
    assert offered(vault.format("[[pict<|>]]")) == ["picture notes", "picture.png"]


def test_missing_notes_that_are_linked_elsewhere_are_offered_last() -> None:
    vault = "//- src.md\n[[Gard<|>]]\n//- a.md\n[[Garden plan]] [[../Garden out]]\n//- Gardening.md\n\n"

    assert offered(vault)[:2] == ["Gardening", "Garden plan"]
    assert accepted(vault, "Garden plan") == "[[Garden plan]]"


def test_the_link_that_is_typed_is_not_offered_to_itself() -> None:
    assert offered("//- src.md\n[[Garden<|>]]\n") == []


def test_excluded_notes_come_last() -> None:
    vault = (
        '//- .obsidian/app.json\n{"userIgnoreFilters": ["Archive/"]}\n'
        "//- Archive/Idea.md\n\n//- Notes/An idea.md\n\n//- src.md\n[[Idea<|>\n"
    )

    assert offered(vault) == ["An idea", "Idea"]


def test_near_notes_come_before_others_that_match_as_well() -> None:
    vault = "//- src.md\n[[Linked plan]]\n\n[[plan<|>]]\n//- Faraway plan.md\n\n//- Linked plan.md\n\n"

    assert offered(vault) == ["Linked plan", "Faraway plan"]


def test_before_anything_is_typed_near_notes_are_offered_with_their_aliases() -> None:
    vault = "//- src.md\n[[Friend]]\n\n[[<|>\n//- Other.md\n\n//- Friend.md\n---\naliases: [Pal]\n---\n"

    assert offered(vault) == ["Friend", "Pal", "Other", "src"]


def test_aliases_and_files_that_are_not_saved_yet_are_offered() -> None:
    built = completing(f"//- src.md\n---\naliases: [Selfsame]\n---\n[[Self<|>\n{NOTE}")

    assert built.labels() == ["Selfsame"]


def test_letters_without_their_marks_find_a_name() -> None:
    vault = "//- src.md\n[[cafe<|>\n//- Café Müller.md\n\n"

    assert accepted(vault, "Café Müller") == "[[Café Müller]]"


def test_what_clients_filter_by_begins_with_what_was_typed() -> None:
    item = completing("//- src.md\n[[my no<|>\n//- my notebook.md\n\n").item("my notebook")

    assert item.filter_text == "no my no my notebook"


def test_a_name_that_no_wikilink_can_hold_is_not_offered_in_one() -> None:
    vault = "//- src.md\n{}\n//- C# notes.md\n\n"

    assert offered(vault.format("[[notes<|>]]")) == []
    assert accepted(vault.format("[x](notes<|>)"), "C# notes") == "[x](C%23%20notes.md)"


@pytest.mark.parametrize(
    "text",
    [
        "```\n[[no<|>\n```\n",
        "    [[no<|>\n",
        "`[[no<|>`\n",
        "$[[no<|>$\n",
        "$$\n[[no<|>\n$$\n",
        "<!-- [[no<|> -->\n",
    ],
)
def test_nothing_is_offered_in_code_math_and_html(text: str) -> None:
    assert offered(f"//- src.md\n{text}{NOTE}") == []


def test_links_are_offered_in_comments() -> None:
    assert accepted(f"//- src.md\n%% [[no<|> %%\n{NOTE}", "note") == "%% [[note]] %%"


def test_a_long_list_is_cut_and_asked_for_again() -> None:
    notes = "".join(f"//- note {n}.md\n\n" for n in range(150))
    built = completing(f"//- src.md\n[[note<|>\n{notes}")

    assert len(built.result.items) == 50
    assert built.result.incomplete


def test_no_more_than_a_hundred_items_are_sent() -> None:
    headings = "".join(f"# Heading {n}\n" for n in range(150))
    built = completing(f"//- src.md\n[[N#<|>\n//- N.md\n{headings}")

    assert len(built.result.items) == 100
    assert built.result.incomplete
