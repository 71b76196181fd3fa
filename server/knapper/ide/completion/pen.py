"""Writes what an accepted item puts into a link, in the vault's own way of writing links.

Closes brackets once, escapes bars in tables, sets quotes in properties. Knows the text around the cursor
and how links are written; must not know how choices are found.
"""

from __future__ import annotations

from dataclasses import dataclass

from knapper.ide.completion.context import Destination, Part, Slot, Wikilink
from knapper.ide.snapshot import Snapshot
from knapper.vault.paths import NotePath
from knapper.vault.write import (
    encoded_subpath,
    fits_wikilink,
    link_to,
    markdown_destination,
    uses_markdown,
    wikilink_target,
)


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes into one `[[` link of the note at *path*.

    Nearly always only the part at the cursor is replaced. The whole link is written anew where it becomes
    a Markdown link, and in a property where quotes are missing around it.
    """

    snap: Snapshot
    path: NotePath
    link: Wikilink
    line: str
    in_table: bool
    replaces: bool

    @property
    def markdown(self) -> bool:
        """Whether the vault writes Markdown links."""
        return uses_markdown(self.snap.view.obsidian, self.snap.settings["links.style"])

    @property
    def slot(self) -> Slot:
        """What the written text replaces."""
        link, slot = self.link, self.link.slot
        end = slot.end
        if self._is_whole or (self.replaces and self._closes):
            end += len(link.subpath) + len(link.bar) + link.closing
        if not self._is_whole:
            return Slot(slot.start, end, slot.typed)
        cursor = slot.start + len(slot.typed)
        return Slot(link.opener, end, self.line[link.opener : cursor])

    def can_write(self, target: NotePath) -> bool:
        """Whether a link of this kind can name the file: a wikilink cannot name `C#.md`."""
        return self.markdown or fits_wikilink(target)

    def note(self, target: NotePath, alias: str | None = None) -> str:
        """The text for a link to the file *target*, shown as *alias*."""
        link = self.link
        if self.markdown:
            return self._markdown(target, link.subpath[1:] or None, self._display or alias)
        if not self._closes:
            return self._close(self._target(target))
        written = self._link("wikilink", target, None, alias)
        return self._close(written[written.index("[[") + 2 : -2])

    def unresolved(self, target: str) -> str:
        """The text for a link to a note that does not exist, written as *target* elsewhere."""
        return self._close(target)

    def subpath(self, target: NotePath, subpath: str, display: str | None = None) -> str:
        """The text for a link to `target#subpath`, of which only the part at the cursor may be new.

        *display* is what a Markdown link shows, which shows something always.
        """
        if self.markdown:
            return self._markdown(target, subpath, self._display or display)
        if self.link.part in (Part.ANY_HEADING, Part.ANY_BLOCK):
            name = "" if target == self.path else self._target(target)
            return self._close(f"{name}#{subpath}")
        if self.link.part is Part.BLOCK:
            return self._close(f"#{subpath}")
        return self._close(subpath.removeprefix("".join(f"{parent}#" for parent in self.link.parents)))

    # --- parts of it ---

    @property
    def _is_whole(self) -> bool:
        return self.markdown or self.link.bare or not self.link.quote_closed

    @property
    def _closes(self) -> bool:
        """Whether nothing of the link is left between the cursor's part and its brackets."""
        return not self.link.subpath and not self.link.bar

    @property
    def _display(self) -> str | None:
        return self.link.bar.lstrip("\\").removeprefix("|") or None

    def _target(self, target: NotePath) -> str:
        return wikilink_target(self.snap.names, self.snap.view.obsidian, self.path, target)

    def _markdown(self, target: NotePath, subpath: str | None, display: str | None) -> str:
        return self._quoted(self._link("markdown", target, subpath, display))

    def _link(self, style: str, target: NotePath, subpath: str | None, display: str | None) -> str:
        return link_to(
            self.snap.names,
            self.snap.view.obsidian,
            style,
            self.path,
            target,
            subpath=subpath,
            display=display,
            embed=self.link.embed,
            in_table=self.in_table,
        )

    def _close(self, piece: str) -> str:
        """*piece* for the part at the cursor, closed as far as it is not closed already."""
        link = self.link
        if self._is_whole:
            before = self.line[link.opener : link.slot.start]
            return self._quoted(f"{before}{piece}{link.subpath}{link.bar}]]")
        if not self._closes:
            return self._escaped(piece)
        return self._escaped(piece) + ("]]" if self.replaces else "]]"[link.closing :])

    def _escaped(self, piece: str) -> str:
        if self.link.quote == "'":
            return piece.replace("'", "''")
        if self.link.quote == '"' or self.link.bare:
            return piece.replace("\\", "\\\\").replace('"', '\\"')
        return piece

    def _quoted(self, link: str) -> str:
        """The whole link with the quotes that are missing around it."""
        quote = '"' if self.link.bare else self.link.quote
        opening = quote if self.link.bare else ""
        closing = quote if self.link.bare or not self.link.quote_closed else ""
        return f"{opening}{self._escaped(link)}{closing}"


@dataclass(frozen=True, slots=True)
class DestinationPen:
    """Writes into the destination of one Markdown link of the note at *path*."""

    snap: Snapshot
    path: NotePath
    link: Destination
    replaces: bool

    @property
    def slot(self) -> Slot:
        """What the written text replaces."""
        return self.link.slot

    def note(self, target: NotePath, _alias: str | None = None) -> str:
        """The destination of a link to the file *target*; what is shown stands in the link's text."""
        snap = self.snap
        written = markdown_destination(
            snap.names, snap.view.obsidian, self.path, target, angle=self.link.angle
        )
        return written + ("" if self.link.subpath else self.link.missing)

    def subpath(self, _target: NotePath, subpath: str, _display: str | None = None) -> str:
        """What follows the `#`."""
        return encoded_subpath(subpath, angle=self.link.angle) + self.link.missing
