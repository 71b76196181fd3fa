"""Whatever is typed, saved, closed or changed behind the editor's back, only the texts as they are count.

A host that went through it all answers like one that saw nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.base.settings import Settings
from knapper.ide.backlinks import backlinks
from knapper.ide.diagnostics import diagnostics
from knapper.ide.host import Host
from knapper.ide.snapshot import Snapshot
from knapper.text.lines import Text
from knapper.text.span import Span
from knapper.vault.paths import NotePath
from knapper.vault.view import Delta, VaultView
from tests.scene import note_from

PATHS = [NotePath(name) for name in ("a.md", "b.md", "x/a.md", "x/y/a.md", "x/c.md")]
PIECES = (
    *("[[a]]", "[[x/a]]", "[y](../a.md)", "![[c#H]]", "[[b#^i]]", "[[gone]]", "[[#H]]", "`", "```\n", "%%"),
    *("\n", "\n\n", "# H\n", "text ^i\n", "#t", "---\naliases: [al]\n---\n", "| a |\n|--|\n", "é🎈", "- "),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["open", "edit", "edit", "replace", "save", "close", "write", "delete", "ask"]),
        st.sampled_from(PATHS),
        TEXTS,
        st.integers(0, 60),
        st.integers(0, 20),
    ),
    max_size=12,
)


@dataclass
class Editor:
    """A host with the files on disk that it is told of."""

    disk: dict[NotePath, str] = field(default_factory=dict)
    opened: dict[NotePath, str] = field(default_factory=dict)
    view: VaultView = field(default_factory=lambda: VaultView.build(()))

    def __post_init__(self) -> None:
        self.host = Host(self.view, Settings(), read=self.disk.get)

    def take(self, what: str, path: NotePath, text: str, start: int, length: int) -> None:
        if what == "open":
            self.opened[path] = self.disk.get(path, text)
            self.host.open(path, 1, self.opened[path])
        elif what == "close":
            self.opened.pop(path, None)
            self.host.close(path)
        elif what == "write":
            self.write(path, text)
        elif what == "delete" and self.disk.pop(path, None) is not None:
            self.rebase(Delta(self.view.seq + 1, gone=(path,)))
        elif what == "ask":
            answers(self.host.snapshot())
        elif path in self.opened:
            self.type(what, path, text, Span(start, start + length))

    def type(self, what: str, path: NotePath, text: str, span: Span) -> None:
        old = Text(self.opened[path])
        if what == "save":
            self.write(path, old.content)
        elif what == "replace":
            self.opened[path] = text
            self.host.change(path, 2, [(None, text)])
        else:
            span = Span(min(span.start, len(old)), min(span.end, len(old)))
            self.opened[path] = old.splice(span, text).content
            self.host.change(path, 2, [(old.place(span), text)])

    def write(self, path: NotePath, text: str) -> None:
        self.disk[path] = text
        self.rebase(Delta(self.view.seq + 1, notes=(note_from(path, text),)))

    def rebase(self, delta: Delta) -> None:
        self.view = self.view.apply(delta)
        self.host.rebase(self.view)


def answers(snap: Snapshot) -> list[object]:
    """What features build on, for every path."""
    paths = [*PATHS, NotePath("missing.md")]
    return [
        [
            (
                path,
                snap.note(path) if path in snap.overlays else snap.view.notes.get(path),
                snap.outgoing(path),
                snap.sources(path),
                backlinks(snap, path),
                diagnostics(snap, path),
            )
            for path in paths
        ],
        [list(snap.links_to_missing(name)) for name in ("gone", "c", "a")],
        snap.called("al"),
        sorted(note.path for note in snap.notes()),
    ]


@given(STEPS)
@settings(max_examples=150, deadline=None)
def test_any_script_gives_the_answers_of_a_fresh_host(
    steps: list[tuple[str, NotePath, str, int, int]],
) -> None:
    editor = Editor()
    for step in steps:
        editor.take(*step)
    fresh = VaultView.build([note_from(path, text) for path, text in editor.disk.items()])
    host = Host(fresh, Settings(), read=editor.disk.get)
    for path, text in editor.opened.items():
        host.open(path, 1, text)
    assert answers(editor.host.snapshot()) == answers(host.snapshot())
