"""What can be clicked."""

from __future__ import annotations

from knapper.ide.document_links import document_links
from tests.ide.render import said
from tests.scene import scene, snapshot_of


def check(text: str, *expected: str) -> None:
    """Each link as `text -> path:line#fragment` or `text -> address`."""
    built = scene(text)
    snap = snapshot_of(built)
    found = []
    for link in document_links(snap, built.opened):
        target = link.url or (
            f"{link.path}{'' if link.line is None else f':{link.line + 1}'}"
            f"{f'#{link.fragment}' if link.fragment else ''}"
        )
        found.append(f"{said(snap, built.opened, link.place)} -> {target}")
    assert found == [*expected]


def test_files_that_are_there_can_be_clicked_and_addresses() -> None:
    check(
        """
        ---
        up: "[[b]]"
        ---
        [[b]] and [x](c.md) and ![[pic.png]] and [[board.canvas]] and [[doc.pdf#page=3]]

        [[b#Part]] [[b#^id]] [[b#Nope]] [[Gone]] `[[b]]` [t][l]

        [a](https://x.org) <https://y.org>

        [l]: c.md
        //- /b.md
        One ^id

        ## Part
        //- /c.md
        //- /pic.png
        //- /board.canvas
        //- /doc.pdf
        """,
        "[[b]] -> b.md",
        "[[b]] -> b.md",
        "[x](c.md) -> c.md",
        "![[pic.png]] -> pic.png",
        "[[board.canvas]] -> board.canvas",
        "[[doc.pdf#page=3]] -> doc.pdf#page=3",
        "[[b#Part]] -> b.md:3",
        "[[b#^id]] -> b.md:1",
        "[[b#Nope]] -> b.md",
        "[t][l] -> c.md",
        "[a](https://x.org) -> https://x.org",
        "<https://y.org> -> https://y.org",
        "[l]: c.md -> c.md",
    )


def test_addresses_that_run_something_cannot_be_clicked() -> None:
    check(
        """
        [a](command:workbench.action.quit) [b](JavaScript:alert) <command:x>
        [c](data:text/html,x) [d](mailto:a@b)
        [e](file://host/share/x.md) [f](file:////host/x) <FILE://host/x> [g](file:///home/me/x.md)
        """,
        "[d](mailto:a@b) -> mailto:a@b",
        "[g](file:///home/me/x.md) -> file:///home/me/x.md",
    )
