"""Which file a link means. The only module that knows Obsidian's rules for it.

Knows names, never the text of a note: aliases and titles resolve no link, they only help while typing.
Evidence in comments: [H] Obsidian's help, [A] its typings, [O] observed in 1.13.7, [W] several write-ups
agree, [D] our decision, [U] unverified and therefore in a function of its own, to be flipped there.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Protocol

from knapper.markup.note import LinkKind
from knapper.vault.names import Names
from knapper.vault.paths import NotePath, folder_of, key, linkable, name_of

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S|(?:mailto|tel|sms|data|magnet|urn):\S", re.IGNORECASE)


class Written(Protocol):
    """What of a link decides where it leads: `markup.note.Link` and `vault.note.NoteLink` have it."""

    @property
    def kind(self) -> LinkKind: ...  # noqa: D102 -- See those.
    @property
    def target(self) -> str: ...  # noqa: D102
    @property
    def markdown(self) -> bool: ...  # noqa: D102


def resolve_link(names: Names, source: NotePath, link: Written) -> NotePath | None:
    """The file that *link* in *source* means."""
    return resolve(names, source, _asked(link))


def resolve(names: Names, source: NotePath, target: str) -> NotePath | None:
    """The file that *target*, written in *source*, means; `""` means the source itself."""
    if not target:
        return source
    for name in _file_names(head(target)):
        paths = names.paths_named(name)
        if len(paths) == 1 and "/" not in target:  # Nearly every link: one file has the name.
            return paths[0]
        if paths and (found := _best(names, paths, source, _Wanted(source, target, name))):
            return found
    return None


def candidates(names: Names, source: NotePath, target: str) -> tuple[NotePath, ...]:
    """Every file that *target* could mean, the one it does mean first."""
    winner = resolve(names, source, target)
    if winner is None or not target:
        return () if winner is None else (winner,)
    wanted = _Wanted(source, target, key(name_of(winner)))
    others = [path for path in names.paths_named(wanted.name) if wanted.may_be(path) and path != winner]
    return (winner, *others)


def elsewhere(names: Names, source: NotePath, target: str) -> NotePath | None:
    """The file that other Markdown tools take *target* for: the one at that path from the source's folder.

    Where Obsidian means another, the person should be told.
    """
    return resolve(names, source, target if target.startswith(("/", "./", "../")) else f"./{target}")


def is_address(target: str) -> bool:
    """Whether *target* is a web or mail address, which in double brackets is no missing note [D]."""
    return _ADDRESS.match(target) is not None


def ignorable(target: str) -> bool:
    """Whether *target* can name no file (`""`, `/`, `..`): nothing to report, nothing to create [D]."""
    return not target.strip("/. \t")


@lru_cache(maxsize=4096)  # A link's head is asked for several times in a row, and many links have one target.
def head(target: str) -> str:
    """The folded last part of *target*, under which it is looked up: `b/Note` gives `note`.

    A link can change its meaning only when a file comes or goes that `heads` gives this head for.
    """
    name = name_of(target)
    return "" if name in {".", ".."} else key(name)


def heads(path: str) -> tuple[str, ...]:
    """The heads of all links that may mean the file at *path*: `a/Note.md` gives `note.md` and `note`."""
    name = key(name_of(path))
    return (name, name[:-3]) if name.endswith(".md") else (name,)


def meant_path(source: NotePath, target: str) -> str:
    """Folded, what links to one missing note share: `[[Gone]]`, `[[gone.md]]`, and `../gone` in a folder."""
    path = path_from(source, target)
    return key(linkable(target.strip("/") if path is None else path))


class _Wanted:
    """What one link asks of a file with a given folded name."""

    __slots__ = ("folded", "name", "rooted", "source_folder", "suffix", "written")

    def __init__(self, source: NotePath, target: str, name: str) -> None:
        path = path_from(source, target)
        self.name = name
        self.written = target if path is None else path
        self.rooted = target.startswith(("/", "./", "../"))
        # None: the link leaves the vault, and then nothing is its target, whatever lies there on disk [D].
        self.folded = None if path is None else _folded_as(path, name)
        self.suffix = f"/{self.folded}"
        self.source_folder = folder_of(source)

    def may_be(self, path: NotePath) -> bool:
        """Whether the link could mean the file: by its whole path, or by whole parts at its end [O]."""
        if self.folded is None:
            return False
        folded = key(path)
        return folded == self.folded or (not self.rooted and folded.endswith(self.suffix))

    def is_spelled(self, path: NotePath) -> bool:
        """Whether the file is spelled exactly as the link is written."""
        return any(form.endswith(self.written) for form in (path, linkable(path)))


def _folded_as(path: str, name: str) -> str:
    """The folded *path*, with `.md` where the folded *name* has it and the path has not."""
    folded = key(path)
    return folded if folded.endswith(name) else folded + ".md"


def path_from(source: NotePath, target: str) -> str | None:
    """The vault path that *target* writes, `.` and `..` worked out; None if it leaves the vault.

    `./x` and `../x` count from the folder of *source* [O], `/x` and everything else from the root.
    """
    parts = folder_of(source).split("/") if target.startswith(("./", "../")) else []
    if "." not in target and "//" not in target and not target.startswith("/"):
        return target
    for part in target.split("/"):
        if part == "..":
            if not any(parts):
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(filter(None, parts))


def _file_names(name: str) -> tuple[str, ...]:
    """The folded file names that the folded last part of a link may stand for, in order.

    What has a dot is tried as it is (`data.csv`, `v1.2`), then as a note [O]. What has none is a note;
    files of other kinds need their extension [H], so that only a file without any comes after it [U].
    """
    if not name:
        return ()
    return (name, name + ".md") if "." in name else (name + ".md", name)


def _best(names: Names, paths: tuple[NotePath, ...], source: NotePath, wanted: _Wanted) -> NotePath | None:
    """Of the files with the wanted name the one that the link means."""
    if wanted.folded is None:
        return None
    # (a) The exact path from the root wins [O], even over a file beside the source.
    if found := names.paths_at(wanted.folded):
        return _spelled_first(found, wanted)
    if wanted.rooted:
        return None
    # (b) Then a file in the folder of the source.
    if found := _beside(names, source, wanted):
        return _spelled_first(found, wanted)
    # (c) Then the shortest path as a string [O]; `paths` has it first. (d) Of equally long ones the
    # one spelled as written, then the first by folded path [D]: Obsidian's own choice is unstable.
    return _shortest(paths, wanted)


def _beside(names: Names, source: NotePath, wanted: _Wanted) -> tuple[NotePath, ...]:
    """The files in the source's own folder that the link could mean. No other folder counts [O].

    One write-up says that folders below it count as well [U].
    """
    folder = folder_of(source)
    if not folder:
        return ()
    beside = f"{key(folder)}/{wanted.name}"
    return names.paths_at(beside) if beside.endswith(wanted.suffix) else ()


def _shortest(paths: tuple[NotePath, ...], wanted: _Wanted) -> NotePath | None:
    equal: list[NotePath] = []
    for path in paths:
        if equal and len(path) > len(equal[0]):
            break
        if wanted.may_be(path):
            equal.append(path)
    return _spelled_first(tuple(equal), wanted)


def _spelled_first(paths: tuple[NotePath, ...], wanted: _Wanted) -> NotePath | None:
    """The first that is spelled as written, else in another normal form, else the first."""
    if len(paths) < 2:
        return paths[0] if paths else None
    written = unicodedata.normalize("NFC", wanted.written)
    for path in paths:
        if wanted.is_spelled(path):
            return path
    for path in paths:
        normal = unicodedata.normalize("NFC", path)
        if normal.endswith(written) or linkable(normal).endswith(written):
            return path
    return paths[0]


def _asked(link: Written) -> str:
    """The target to look up for a link, by the way it is written."""
    if link.kind is LinkKind.CANVAS:
        return f"/{link.target}"  # A canvas writes whole paths.
    if link.markdown and not _MARKDOWN_VAULT_WIDE and not link.target.startswith("/"):
        return f"./{link.target}"
    return link.target


# Markdown destinations are looked up in the whole vault like wikilinks [O]. That they also prefer a
# path from the root to a file beside the source is only the natural reading [U].
_MARKDOWN_VAULT_WIDE = True
