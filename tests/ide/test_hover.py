"""What is shown beside the cursor."""

from __future__ import annotations

import textwrap

from knapper.ide.hover import hover
from knapper.ide.preview import readable_size, shortened
from tests.scene import scene, snapshot_of


def check(text: str, expected: str, image: str | None = None) -> None:
    """The hover at the cursor; an empty text stands for none."""
    built = scene(text)
    found = hover(snapshot_of(built), built.opened, built.offset)
    assert (found.markdown if found else "") == textwrap.dedent(expected).strip()
    assert (found.image if found else None) == image


def test_a_link_shows_its_note_without_properties_and_who_else_links_there() -> None:
    check(
        """
        See [[Sour<|>dough]].
        //- /bread/Sourdough.md
        ---
        tags: [bread]
        ---
        # Sourdough

        Feed the starter.
        //- /a.md
        Bake [[Sourdough]]
        today.
        //- /b.md
        ![[Sourdough]] [[Sourdough]]
        """,
        """
        **Sourdough** — bread/Sourdough.md

        # Sourdough

        Feed the starter.

        ---

        4 backlinks

        - a: Bake [[Sourdough]]
        - b: ![[Sourdough]] [[Sourdough]]
        - b: ![[Sourdough]] [[Sourdough]]
        """,
    )


def test_a_link_to_a_section_shows_that_section_only() -> None:
    check(
        """
        ![[N#Fir<|>st]]
        //- /N.md
        ## First

        Alpha text.

        ### Below

        ## Second

        Beta text.
        """,
        """
        **N** — N.md

        ## First

        Alpha text.

        ### Below

        ---

        1 backlink
        """,
    )


def test_a_link_to_a_list_item_shows_the_item_and_not_its_neighbours() -> None:
    check(
        """
        [[N#^l<|>i]]
        //- /N.md
        - apples
          - pears ^li
            - ripe
          - plums
        """,
        """
        **N** — N.md

        - pears ^li
          - ripe

        ---

        1 backlink
        """,
    )


def test_a_link_to_a_block_shows_what_its_id_names() -> None:
    check(
        """
        [[N#^t<|>bl]]
        //- /N.md
        Before it.

        | fruit |
        |-------|
        | quince |

        ^tbl

        After it.
        """,
        """
        **N** — N.md

        | fruit |
        |-------|
        | quince |

        ---

        1 backlink
        """,
    )


def test_a_missing_note_is_told_with_where_it_would_be_created() -> None:
    check(
        """
        //- /notes/src.md
        [[Xe<|>non]]
        //- /.obsidian/app.json
        {"newFileLocation": "folder", "newFileFolderPath": "Inbox"}
        //- /x.md
        [[xenon]]
        """,
        """
        “Xenon” does not exist yet.

        It would be created as Inbox/Xenon.md.

        1 other link leads to it.
        """,
    )
    check("![[lo<|>st.png]]\n", "There is no file “lost.png”.")


def test_a_bare_alias_is_told_whose_it_is() -> None:
    check(
        "[[A<|>I]]\n//- /Artificial Intelligence.md\n---\naliases: [AI]\n---\n",
        """
        “AI” does not exist yet.

        It would be created as AI.md.

        It is what Artificial Intelligence is also called; a link needs the name.
        """,
    )


def test_a_missing_heading_is_told() -> None:
    check("[[N#No<|>pe]]\n//- /N.md\n", "“N” has no heading “Nope”.")
    check("[[#^no<|>pe]]\n", "This note has no block “^nope”.")


def test_an_image_is_shown() -> None:
    check(
        "![[pi<|>c.png|200]]\n//- /media/pic.png\nabc\n",
        "**pic.png** — Image, 4 bytes — media/pic.png\n\n---\n\n1 backlink",
        image="media/pic.png",
    )


def test_a_tag_is_counted_with_those_below_it() -> None:
    check("#boo<|>k and #Book/read\n//- /a.md\n#book\n", "**#book** — 3 times in 2 notes")


def test_a_footnote_shows_what_it_says() -> None:
    check("Text[^<|>1].\n\n[^1]: The *note*.\n", "The *note*.")


def test_a_heading_shows_who_links_to_it() -> None:
    check(
        "# Pl<|>an\n//- /x.md\nSee [[note#Plan]].\n",
        "---\n\n1 backlink\n\n- x: See [[note#Plan]].",
    )
    check("# Pl<|>an\n", "")


def test_there_is_nothing_to_say_about_plain_text_and_a_bare_address() -> None:
    check("pl<|>ain\n", "")
    check("<https://x<|>.org>\n", "")
    check("[a](https://x<|>.org)\n", "https://x.org")


def test_a_long_text_is_cut_at_a_line_and_open_code_is_closed() -> None:
    long = "```py\n" + "x = 1\n" * 40 + "```\n"
    assert shortened(long, lines=3) == "```py\nx = 1\nx = 1\n```\n\n…"
    assert shortened("a" * 50, characters=10) == "a" * 10 + "\n\n…"
    assert shortened("one\ntwo\nthree", characters=9) == "one\ntwo\n\n…"
    assert shortened("one\r\ntwo\r\n") == "one\ntwo"


def test_sizes_are_told_as_a_person_would() -> None:
    assert [readable_size(n) for n in (1, 999, 34_200, 1_240_000)] == [
        "1 byte",
        "999 bytes",
        "34 kB",
        "1.2 MB",
    ]
