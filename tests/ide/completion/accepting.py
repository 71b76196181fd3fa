"""Completes in a vault written as one string, and accepts an item exactly as a client would."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from knapper.base.cancel import CancelToken
from knapper.ide.completion.blocks import write_block_id
from knapper.ide.completion.complete import complete
from knapper.ide.completion.items import Client, Completions, Item
from knapper.ide.host import Host
from knapper.ide.results import TextEdit
from knapper.ide.snapshot import Snapshot
from knapper.text.lines import Text
from knapper.vault.paths import NotePath
from tests.scene import Scene, scene, snapshot_of

NOW = datetime(2025, 4, 11, 9, 30, tzinfo=UTC)
REPLACES = Client(replaces=True)


@dataclass(frozen=True)
class Completing:
    """A vault, its snapshot, and what is offered at its cursor."""

    scene: Scene
    snap: Snapshot
    result: Completions

    def labels(self) -> list[str]:
        """The labels in the order a client shows them."""
        return [item.label for item in sorted(self.result.items, key=lambda item: item.sort_text)]

    def item(self, label: str, detail: str = "") -> Item:
        """The first item with this label (and detail)."""
        found = [item for item in self.result.items if item.label == label and detail in item.detail]
        assert found, f"no {label!r} among {self.labels()}"
        return found[0]

    def files(self, label: str, detail: str = "") -> dict[str, str]:
        """The files that change once the item is accepted."""
        item = self.item(label, detail)
        path = self.scene.opened
        changed = {path: applied(self.scene.files[path], [item.edit, *item.extra_edits])}
        if item.command:
            edit = write_block_id(self.snap, item.command.arguments)
            assert edit is not None
            changed[edit.path] = applied(self.scene.files[edit.path], edit.edits)
        return dict(changed)

    def line(self, label: str, detail: str = "") -> str:
        """The cursor's line once the item is accepted and nothing else is written."""
        item = self.item(label, detail)
        content = applied(self.scene.files[self.scene.opened], [item.edit])
        return Text(content).line(item.edit.place.line)


def completing(
    text: str,
    *,
    client: Client = Client(),  # noqa: B008 -- It is frozen.
    settings: dict[str, object] | None = None,
    opened: Iterable[str] = (),
    crlf: bool = False,
) -> Completing:
    """What is offered at the cursor of the vault *text*, with Windows line ends if asked for."""
    built = scene(text)
    if crlf:
        built = with_crlf(built)
    snap = snapshot_of(built, settings, opened)
    result = complete(snap, built.opened, built.offset, CancelToken(), client, NOW)
    begins = {(item.edit.place.line, item.edit.place.start) for item in result.items}
    assert len(begins) <= 1, "Neovim shows nothing when items begin at different places"
    return Completing(built, snap, result)


def items_in(host: Host, path: str, offset: int) -> tuple[Item, ...]:
    """What is offered in an open note of *host*."""
    return complete(host.snapshot(), NotePath(path), offset, CancelToken(), now=NOW).items


def accepted(text: str, label: str, detail: str = "", **how: object) -> str:
    """The cursor's line once the item *label* is accepted."""
    return completing(text, **how).line(label, detail)  # type: ignore[arg-type]


def offered(text: str, **how: object) -> list[str]:
    """The labels that are offered."""
    return completing(text, **how).labels()  # type: ignore[arg-type]


def applied(content: str, edits: Iterable[TextEdit]) -> str:
    """*content* after *edits*, all of which count from it."""
    text = Text(content)
    spans = sorted(
        ((text.span(edit.place), edit.new) for edit in edits), key=lambda pair: pair[0], reverse=True
    )
    for (later, _), (earlier, _) in pairwise(spans):
        assert earlier.end <= later.start, "edits must not overlap"
    for span, new in spans:
        content = content[: span.start] + new + content[span.end :]
    return content


def with_crlf(built: Scene) -> Scene:
    """The same vault with Windows line ends."""
    assert built.cursor
    path, offset = built.cursor
    moved = offset + built.files[path].count("\n", 0, offset)
    files = {NotePath(name): content.replace("\n", "\r\n") for name, content in built.files.items()}
    return Scene(files, (path, moved))
