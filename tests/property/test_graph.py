"""However a vault changes, its view is the one that would be built from what is there now."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.markup.note import LinkKind
from knapper.text.span import Place
from knapper.vault.note import Note, NoteLink, NoteProperty, NoteTag
from knapper.vault.paths import NotePath
from knapper.vault.view import Delta, VaultView, differences

# Few names, so that they meet: in folders, in two cases, with dots, without an extension.
FOLDERS = ("", "a/", "b/", "a/b/", "A/")
NAMES = ("Note.md", "note.md", "Note", "v1.2.md", "v1.2", "straße.md", "STRASSE.md", "pic.png", "x.canvas")
TARGETS = (
    *("", "note", "Note.md", "b/Note", "./note", "../Note", "/note", "/", "../../x", "v1.2", "v1.2.md"),
    *("Strasse", "pic.png", "pic", "x.canvas", "gone", "GONE.md", "https://x.org", "a//Note", "note/"),
)

paths = st.builds(
    lambda folder, name: NotePath(folder + name), st.sampled_from(FOLDERS), st.sampled_from(NAMES)
)
links = st.builds(
    lambda target, kind: NoteLink(
        kind, f"[[{target}]]", target, None, None, kind is LinkKind.MARKDOWN, Place(0, 0, 0, 1), ""
    ),
    st.sampled_from(TARGETS),
    st.sampled_from((LinkKind.WIKILINK, LinkKind.MARKDOWN, LinkKind.CANVAS)),
)
tags = st.builds(
    lambda name, in_properties: NoteTag(name, Place(0, 0, 0, 1), in_properties),
    st.sampled_from(("a", "A", "a/b", "A/c", "straße", "STRASSE")),
    st.booleans(),
)
properties = st.builds(
    NoteProperty,
    st.sampled_from(("up", "Up", "status", "date")),
    st.sampled_from(("text", "list", "date")),
    st.lists(st.sampled_from(("x", "y", "X")), max_size=2).map(tuple),
)
notes = st.builds(
    lambda path, links, tags, properties: Note(path=path, links=links, tags=tags, properties=properties),
    paths.filter(lambda path: path.endswith((".md", ".canvas"))),
    st.lists(links, max_size=4).map(tuple),
    st.lists(tags, max_size=3).map(tuple),
    st.lists(properties, max_size=2).map(tuple),
)
deltas = st.builds(
    lambda notes, files, gone: Delta(
        0, tuple({n.path: n for n in notes}.values()), tuple(files), tuple(gone)
    ),
    st.lists(notes, max_size=3),
    st.lists(paths, max_size=2),
    st.lists(paths, max_size=3),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(notes, max_size=8), st.lists(paths, max_size=4), st.lists(deltas, max_size=4))
def test_changes_one_by_one_give_what_building_from_scratch_gives(
    first: list[Note], files: list[NotePath], changes: list[Delta]
) -> None:
    view = VaultView.build(first, files)
    for seq, delta in enumerate(changes, 1):
        view = view.apply(replace(delta, seq=seq))

        assert (view.seq, differences(view)) == (seq, [])


@settings(max_examples=100, deadline=None)
@given(st.lists(notes, max_size=8), st.lists(paths, max_size=4), deltas)
def test_a_change_leaves_the_view_before_it_as_it_was(
    first: list[Note], files: list[NotePath], change: Delta
) -> None:
    view = VaultView.build(first, files)
    view.apply(change)

    assert differences(view) == []


@settings(max_examples=100, deadline=None)
@given(st.lists(notes, max_size=8), deltas)
def test_backlinks_are_the_links_the_other_way_round(first: list[Note], change: Delta) -> None:
    view = VaultView.build(first).apply(change)
    forward = {
        (target, path, link)
        for path, note in view.notes.items()
        for link, target in zip(note.links, view.graph.outgoing(path), strict=True)
        if target is not None and target != path
    }
    backward = {(path, found.source, found.link) for path in view.names for found in view.backlinks(path)}

    assert backward == forward
