"""What deserves a word, and what does not. A fixture names every report and nothing else is reported."""

from __future__ import annotations

import pytest

from knapper.base.settings import Settings
from knapper.ide.diagnostics import diagnostics
from knapper.ide.host import Host
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView
from tests.scene import scene, snapshot_of


def check(text: str, settings: dict[str, object] | None = None) -> None:
    """The marks of the opened file are its diagnostics: `//^ "Gone" unresolved-note: There is no …`."""
    built = scene(text)
    snap = snapshot_of(built, settings)
    opened = snap.document(built.opened)
    assert opened
    found = [
        (opened.text.span(item.place).of(opened.text.content), f"{item.code}: {item.message}")
        for item in diagnostics(snap, built.opened)
    ]
    content = opened.text.content
    marks = sorted((mark for mark in built.marks if mark.path == built.opened), key=lambda mark: mark.span)
    assert found == [(mark.span.of(content), mark.text) for mark in marks]


def test_links_to_missing_notes_are_reported_where_their_target_is_written() -> None:
    check(
        """
        ---
        up: "[[Gone up]]"
        //^ "Gone up" unresolved-note: There is no note “Gone up”.
        ---
        [[Here]] [[Gone|x]] and [y](gone%20too.md)
        //^ "Gone" unresolved-note: There is no note “Gone”.
        //^ "gone%20too.md" unresolved-note: There is no note “gone too.md”.

        ![[lost.png]] ![[pic.png#outline]]
        //^ "lost.png" unresolved-note: There is no file “lost.png”.

        [one][label] and [two][label]

        [label]: ./away.md
        //^ "./away.md" unresolved-note: There is no note “./away.md”.
        //- /Here.md
        //- /pic.png
        """
    )


def test_a_missing_heading_or_block_is_reported_with_its_name() -> None:
    check(
        """
        [[N#Here]] [[N#Nope]] [x](N.md#No%20Heading) [[#^gone]]
        //^ "Nope" missing-heading: “N” has no heading “Nope”.
        //^ "No%20Heading" missing-heading: “N” has no heading “No Heading”.
        //^ "^gone" missing-block: This note has no block “^gone”.
        [[N#^real]] [[N#^nope]] [[doc.pdf#page=3]] [x](doc.pdf#chapter)
        //^ "^nope" missing-block: “N” has no block “^nope”.
        //- /N.md
        ## Here

        Text ^real
        //- /doc.pdf
        """
    )


def test_what_is_no_link_is_not_reported() -> None:
    check(
        """
        [[]] and [[ ]] and [[|x]] and [[#]] and [[/]] and [[https://example.com]] and [[mailto:a@b.c]]
        [x](/) and [y]() and [](  ) and [z](#) and `[[code]]` and $[[math]]$ and [todo]
        [a](https://x.org/N.md) <https://x.org> \\[[escaped]]
        """
    )


def test_an_alias_is_no_link_target() -> None:
    check(
        """
        [[AI]]
        //^ "AI" unresolved-note: There is no note “AI”.
        //- /Artificial Intelligence.md
        ---
        aliases: [AI]
        ---
        """
    )


def test_a_hash_in_a_name_is_explained() -> None:
    built = scene("[[C# notes]]\n//- /C# notes.md\n")
    assert [item.message for item in diagnostics(snapshot_of(built), built.opened)] == [
        "There is no note “C”. A link cannot lead to “C# notes”: what follows # is taken for a heading."
    ]


def test_a_name_that_notes_share_is_reported_with_the_winner() -> None:
    check(
        """
        [[Ant]] [[bb/Ant]] [[z/Ant]] [[./Other]]
        //^ "Ant" ambiguous-link: Several notes are called “Ant”. This leads to z/Ant.md, not to bb/Ant.md.
        //- /bb/Ant.md
        //- /z/Ant.md
        //- /Other.md
        //- /c/Other.md
        """
    )


@pytest.mark.parametrize(
    "vault",
    [
        "[[Note]]\n//- /Note.md\n//- /b/Note.md\n",
        "//- /b/x.md\n[[Note<|>]]\n//- /b/Note.md\n//- /a/Note.md\n",
        "[[note]]\n//- /Note.md\n//- /note.md\n[[Note]]\n",
        "[[Note]]\n//- /a/Note.md\n//- /a/Note.pdf\n",
    ],
)
def test_a_link_that_is_clear_is_not_called_ambiguous(vault: str) -> None:
    check(vault)


def test_a_destination_that_other_tools_read_differently_is_reported() -> None:
    check(
        """
        //- /b/x.md
        [y](N.md<|>) [[N]] [z](./N.md)
        //^ "N.md" ambiguous-link: This leads to N.md; other Markdown tools take it for b/N.md.
        //- /N.md
        //- /b/N.md
        """
    )


def test_what_parsing_finds_is_reported() -> None:
    built = scene("---\nup: [[Note]]\n---\nOne ^a_b\n\nTwo ^x\n\nThree ^x\n//- /Note.md\n")
    snap = snapshot_of(built)
    found = [(item.code, item.place.line + 1) for item in diagnostics(snap, built.opened)]
    assert found == [("unquoted-link", 2), ("invalid-block-id", 4), ("duplicate-block-id", 8)]


def test_repeated_headings_are_fine() -> None:
    check("# 2\n\n### Fixed\n\n# 1\n\n### Fixed\n\nAs in [[#Fixed]].\n")


def test_each_code_has_its_severity_and_can_be_switched_off() -> None:
    built = scene("[[Gone]] [[#Nope]]\n")
    found = diagnostics(snapshot_of(built), built.opened)
    assert [(item.code, item.severity) for item in found] == [
        ("unresolved-note", "information"),
        ("missing-heading", "warning"),
    ]
    snap = snapshot_of(built, {"diagnostics": {"unresolved-note": "off", "missing-heading": "error"}})
    found = diagnostics(snap, built.opened)
    assert [(item.code, item.severity) for item in found] == [("missing-heading", "error")]


def test_a_file_alone_reports_only_what_it_can_know() -> None:
    host = Host(VaultView.build(()), Settings(), alone=True)
    path = NotePath("loose.md")
    host.open(path, 1, "# A\n\n[[Gone]] [[#A]] [[#B]]\n")
    found = diagnostics(host.snapshot(), path)
    assert [item.message for item in found] == ["This note has no heading “B”."]
