"""A vault's view: what links to what, what is missing, tags and properties, and how it changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import pytest

from knapper.base.settings import Settings, read_settings
from knapper.markup.note import LinkKind
from knapper.text.span import Place
from knapper.vault import graph as graph_module
from knapper.vault.note import Note, NoteLink, NoteProperty, NoteTag
from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath
from knapper.vault.view import Delta, VaultView, differences


def note(
    path: str,
    *targets: str,
    tags: Iterable[str] = (),
    properties: Iterable[tuple[str, str]] = (),
    modified: float = 0,
) -> Note:
    """A note that links to these targets, one on a line."""
    return Note(
        path=NotePath(path),
        links=tuple(link(target, line) for line, target in enumerate(targets)),
        tags=tuple(NoteTag(tag, Place(0, 0, 0, 1), in_properties=False) for tag in tags),
        properties=tuple(NoteProperty(name, "text", (value,)) for name, value in properties),
        modified=modified,
    )


def link(target: str, line: int = 0) -> NoteLink:
    kind = LinkKind.WIKILINK
    return NoteLink(kind, f"[[{target}]]", target, None, None, False, Place(line, 0, line, 1), "")


def paths(*given: str) -> tuple[NotePath, ...]:
    return tuple(map(NotePath, given))


def backlinks(view: VaultView, path: str) -> list[tuple[str, int]]:
    return [(found.source, found.link.place.line) for found in view.backlinks(NotePath(path))]


def test_backlinks_are_the_links_of_other_notes() -> None:
    view = VaultView.build(
        [note("A.md", "B", "a", ""), note("c/B.md", "A", "gone", "A.md"), note("D.md", "A")]
    )

    assert backlinks(view, "A.md") == [("D.md", 0), ("c/B.md", 0), ("c/B.md", 2)]
    assert view.graph.sources(NotePath("A.md")) == ("A.md", "D.md", "c/B.md")
    assert view.graph.outgoing(NotePath("A.md")) == ("c/B.md", "A.md", "A.md")


def test_a19_a20_aliases_and_titles_resolve_no_link() -> None:
    aliased = dataclasses.replace(note("Note.md"), aliases=("AL",), title="Big Title")
    view = VaultView.build([aliased, note("src.md", "AL", "Big Title")])

    assert view.graph.outgoing(NotePath("src.md")) == (None, None)


def test_a_new_note_takes_over_the_links_that_mean_it_now() -> None:
    view = VaultView.build([note("a/b/N.md"), note("src.md", "N", "b/N", "x")])
    changed = view.apply(Delta(1, notes=(note("c/N.md"),)))

    assert view.graph.outgoing(NotePath("src.md")) == ("a/b/N.md", "a/b/N.md", None)
    assert changed.graph.outgoing(NotePath("src.md")) == ("c/N.md", "a/b/N.md", None)
    assert differences(changed) == []


def test_a_note_that_goes_leaves_its_links_to_the_next_best() -> None:
    view = VaultView.build([note("N.md"), note("a/N.md"), note("src.md", "N")])
    changed = view.apply(Delta(1, gone=paths("N.md")))
    again = changed.apply(Delta(2, gone=paths("a/N.md")))

    assert changed.graph.outgoing(NotePath("src.md")) == ("a/N.md",)
    assert again.graph.outgoing(NotePath("src.md")) == (None,)
    assert differences(again) == []


def test_files_without_a_note_are_targets_too() -> None:
    view = VaultView.build([note("src.md", "pic.png", "New")], paths("pic.png", "New.md"))

    assert view.graph.outgoing(NotePath("src.md")) == ("pic.png", "New.md")
    assert NotePath("New.md") not in view.notes


def test_a_change_looks_only_at_links_of_the_names_that_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    view = VaultView.build([note(f"{n}.md", f"{n + 1}", "Target", "Target v1.2") for n in range(500)])
    looked_up: list[str] = []
    resolve_link = graph_module.resolve_link

    def counted(names: object, source: object, written: NoteLink) -> object:
        looked_up.append(written.target)
        return resolve_link(names, source, written)  # type: ignore[arg-type]

    monkeypatch.setattr(graph_module, "resolve_link", counted)
    view.apply(Delta(1, notes=(note("7.md", "8", "9"),), files=paths("x/Target v1.2.md", "pic.png")))

    assert sorted({*looked_up}) == ["8", "9", "Target v1.2"]
    assert len(looked_up) == 2 + 499


def test_missing_files_are_grouped_by_what_the_links_mean() -> None:
    view = VaultView.build(
        [note("a/x.md", "./Gone", "Other"), note("b.md", "a/gone", "a/Gone.md", "/", "https://x.org")]
    )
    found = [
        (item.target, [(source, link.place.line) for source, link in item.links])
        for item in view.unresolved()
    ]

    assert found == [("./Gone", [("a/x.md", 0), ("b.md", 0), ("b.md", 1)]), ("Other", [("a/x.md", 1)])]
    assert [source for source, _ in view.links_to_missing(NotePath("b.md"), "a/GONE")] == [
        "a/x.md",
        "b.md",
        "b.md",
    ]
    assert view.links_to_missing(NotePath("b.md"), "never") == ()


def test_a_missing_file_that_comes_is_missing_no_more() -> None:
    view = VaultView.build([note("a.md", "Gone"), note("b.md", "gone")])
    changed = view.apply(Delta(1, files=paths("c/Gone.md")))

    assert changed.unresolved() == []
    assert differences(changed) == []


def test_neighbours_are_linked_in_either_direction() -> None:
    view = VaultView.build(
        [note("a.md", "b", "gone", "pic.png"), note("b.md"), note("c.md", "a")], paths("pic.png")
    )

    assert view.neighbours(NotePath("a.md")) == ("b.md", "c.md", "pic.png")


def test_orphans_have_no_link_in_either_direction() -> None:
    notes = [
        note("a.md", "b"),
        note("b.md"),
        note("lone.md", "gone", ""),
        note("Archive/x.md"),
        note("c.canvas"),
    ]
    view = VaultView.build(notes, obsidian=Obsidian(ignore_filters=("Archive/",)))

    assert view.orphans() == ("lone.md",)


def test_a32_excluded_notes_still_resolve() -> None:
    settings, _ = read_settings([{"index": {"exclude": ["/draft$/"]}}])
    obsidian = Obsidian(ignore_filters=("Archive/",))
    view = VaultView.build([note("Archive/old.md"), note("src.md", "old")], (), obsidian, settings)
    hidden = [view.is_excluded(path) for path in ("Archive/old.md", "Archive2/x.md", "a/draft", "a/draft.md")]

    assert hidden == [True, False, True, False]
    assert view.graph.outgoing(NotePath("src.md")) == ("Archive/old.md",)
    assert not view.configured(Obsidian(), Settings()).is_excluded("Archive/old.md")


def test_f7_tags_are_one_in_any_case_shown_as_first_seen_and_hold_those_below() -> None:
    view = VaultView.build([note("b.md", tags=["inbox", "a/b"]), note("a.md", tags=["Inbox", "A", "inbox"])])
    seen = {name: (use.display, use.count, use.notes) for name, use in view.tags.items()}

    assert seen == {
        "inbox": ("Inbox", 3, ("a.md", "b.md")),
        "a": ("A", 2, ("a.md", "b.md")),
        "a/b": ("a/b", 1, ("b.md",)),
    }


def test_a_tag_goes_with_its_last_note_and_its_display_with_its_first() -> None:
    view = VaultView.build(
        [note("a.md", tags=["Inbox"]), note("b.md", tags=["inbox"]), note("c.md", tags=["x"])]
    )
    changed = view.apply(Delta(1, gone=paths("a.md", "c.md")))

    assert {name: (use.display, use.count) for name, use in changed.tags.items()} == {"inbox": ("inbox", 1)}
    assert differences(changed) == []


def test_f11_properties_are_one_in_any_case_with_their_values_counted() -> None:
    notes = [
        note("a.md", properties=[("Status", "done")]),
        note("b.md", properties=[("status", "done")]),
        note("c.md", properties=[("status", "open"), ("url", "x" * 200)]),
    ]
    view = VaultView.build(notes)
    changed = view.apply(Delta(1, notes=(note("b.md", properties=[("status", "open")]),)))

    assert view.properties["status"].display == "Status"
    assert view.properties["status"].common_values() == [("done", 2), ("open", 1)]
    assert changed.properties["status"].common_values(1) == [("open", 2)]
    assert view.properties["url"].common_values() == []


def test_dates_and_numbers_are_not_kept_as_values_to_offer() -> None:
    dated = dataclasses.replace(note("a.md"), properties=(NoteProperty("date", "date", ("2025-04-11",)),))

    assert VaultView.build([dated]).properties["date"].common_values() == []


def test_the_notes_changed_last_come_first() -> None:
    view = VaultView.build([note("a.md", modified=1), note("b.md", modified=3), note("c.md", modified=2)])

    assert view.recent(2) == ("b.md", "c.md")
    assert view.recent(300) == ("b.md", "c.md", "a.md")


def test_problems_stay_until_new_ones_are_given() -> None:
    view = VaultView.build([], problems={NotePath("a.md"): "It is too large."})
    same = view.apply(Delta(1))

    assert same.problems == {"a.md": "It is too large."}
    assert same.apply(Delta(2, problems={})).problems == {}


def test_a_path_both_gone_and_there_was_replaced() -> None:
    view = VaultView.build([note("a.md", "b", tags=["x"]), note("b.md")])
    replaced = view.apply(Delta(1, notes=(note("a.md", tags=["y"]),), gone=paths("a.md")))
    emptied = view.apply(Delta(1, files=paths("a.md"), gone=paths("a.md")))

    assert (list(replaced.tags), replaced.graph.outgoing(NotePath("a.md"))) == (["y"], ())
    assert (len(emptied.notes), emptied.names.has("a.md"), list(emptied.tags)) == (1, True, [])
    assert differences(replaced) == differences(emptied) == []


def test_a_difference_is_told() -> None:
    view = VaultView.build([note("a.md", "b"), note("b.md")])
    broken = dataclasses.replace(view, graph=graph_module.Graph())

    assert differences(broken) == ["The view is not what it should be in its graph."]
