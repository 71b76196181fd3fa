"""Obsidian's own settings of a vault, as far as they change what Knapper writes or hides.

Knows the names of Obsidian's keys; reads through a function it is given and never fails: what cannot
be used falls back to Obsidian's default, with one sentence for each damaged file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from knapper.base.exclusion import Exclusion, read_exclusion
from knapper.base.settings import Settings
from knapper.vault.paths import key


@dataclass(frozen=True, slots=True)
class DailyNotes:
    """Where daily notes are and how they are named; `format` is in the tokens of moment.js."""

    folder: str = ""
    format: str = "YYYY-MM-DD"
    template: str = ""


@dataclass(frozen=True, slots=True)
class Obsidian:
    """The settings that matter here; the defaults are Obsidian's.

    `filters_are_known` is False if `ignore_filters` may lack some, because the file is damaged.
    """

    new_link_format: str = "shortest"  # or "relative", "absolute"
    use_markdown_links: bool = False
    new_file_location: str = "root"  # or "current", "folder"
    new_file_folder: str = ""  # for "folder"
    attachment_folder: str = "/"  # "/" the root, "./" beside the note, "./x" a folder there, else a path
    ignore_filters: tuple[str, ...] = ()
    filters_are_known: bool = True
    daily: DailyNotes = DailyNotes()
    templates_folder: str = ""
    property_types: Mapping[str, str] = field(default_factory=dict)  # folded name: type


Read = Callable[[str], str | None]
"""Gives the text of a file of the vault, None if there is none (or it cannot be read)."""

_FORMATS = ("shortest", "relative", "absolute")
_LOCATIONS = ("root", "current", "folder")


def read_obsidian(read: Read) -> tuple[Obsidian, list[str]]:
    """The settings in `.obsidian`, and a sentence for each file with something that cannot be used."""
    warnings: list[str] = []
    app = _File(read, ".obsidian/app.json", warnings)
    daily = _File(read, ".obsidian/daily-notes.json", warnings)
    templates = _File(read, ".obsidian/templates.json", warnings)
    types = _File(read, ".obsidian/types.json", warnings)
    obsidian = Obsidian(
        new_link_format=app.choice("newLinkFormat", _FORMATS),
        use_markdown_links=app.flag("useMarkdownLinks"),
        new_file_location=app.choice("newFileLocation", _LOCATIONS),
        new_file_folder=_folder(app.text("newFileFolderPath")),
        attachment_folder=app.text("attachmentFolderPath", "/"),
        ignore_filters=(filters := _usable(app.texts("userIgnoreFilters"), app)),
        filters_are_known=not app.is_damaged("userIgnoreFilters", filters),
        daily=DailyNotes(
            _folder(daily.text("folder")),
            daily.text("format") or DailyNotes().format,
            daily.text("template"),
        ),
        templates_folder=_folder(templates.text("folder")),
        property_types=_types(types),
    )
    for file in (app, daily, templates, types):
        file.close()
    return obsidian, warnings


def exclusion(obsidian: Obsidian, settings: Settings) -> tuple[Exclusion | None, list[str]]:
    """What is hidden from search, graph, mentions and ask, and a sentence for each bad filter in *settings*.

    Notes that match come last in completion; links to them still resolve and are still renamed.
    """
    found, bad = read_exclusion((*obsidian.ignore_filters, *settings["index.exclude"]))
    sentence = "The setting knapper.index.exclude holds {}, which is no regular expression."
    return found, [sentence.format(item) for item in bad]


def too_slow(exclusion: Exclusion | None) -> list[str]:
    """A sentence for each filter that turned out to take too long for some paths."""
    sentence = "The excluded path {} takes too long to compare with some names; what has these is excluded."
    return [sentence.format(item) for item in exclusion.slow] if exclusion else []


def _folder(text: str) -> str:
    """`/`, `./`, `Inbox/` and `Inbox` as a folder of the vault: `""` and `Inbox`."""
    return "/".join(part for part in text.split("/") if part not in {"", "."})


def _usable(filters: tuple[str, ...], app: _File) -> tuple[str, ...]:
    _, bad = read_exclusion(filters)
    if bad:
        app.complain(f"the excluded path {bad[0]} is no regular expression")
    return tuple(item for item in filters if item not in bad)


def _types(file: _File) -> dict[str, str]:
    return {key(name): kind for name, kind in file.mapping("types").items() if isinstance(kind, str)}


class _File:
    """One JSON object on disk; counts what is wrong in it and says so once."""

    def __init__(self, read: Read, path: str, warnings: list[str]) -> None:
        self._path, self._warnings = path, warnings
        self._wrong: list[str] = []
        self._values: dict[str, Any] = {}
        self._unread = False
        text = read(path)
        if text is None or not text.strip():
            return
        try:
            values = json.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError):
            self._unread = True
            self.complain("it is no valid JSON")
            return
        if isinstance(values, dict):
            self._values = values
        elif values is not None:
            self._unread = True
            self.complain("it should hold one object")

    def complain(self, what: str) -> None:
        self._wrong.append(what)

    def is_damaged(self, name: str, used: tuple[str, ...]) -> bool:
        """Whether the list called *name* may hold more than what is *used* of it."""
        value = self._values.get(name)
        return self._unread or (value is not None and (type(value) is not list or len(value) > len(used)))

    def close(self) -> None:
        """Tell what was wrong, in one sentence for the file."""
        if self._wrong:
            wrong = "; ".join(self._wrong)
            self._warnings.append(f"{self._path}: {wrong}. Obsidian's default is used instead.")

    def text(self, name: str, default: str = "") -> str:
        value = self._of_type(name, str, "text")
        return default if value is None else str(value)

    def flag(self, name: str) -> bool:
        return bool(self._of_type(name, bool, "true or false"))

    def choice(self, name: str, choices: tuple[str, ...]) -> str:
        """One of *choices*, of which the first is the default."""
        value = self._of_type(name, str, "text")
        if value is None or value in choices:
            return value or choices[0]
        self.complain(f"{name} should be one of {', '.join(choices)}, not {value!r}")
        return choices[0]

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._of_type(name, list, "a list of texts") or []
        good = tuple(item for item in value if isinstance(item, str))
        if len(good) < len(value):
            self.complain(f"{name} should be a list of texts")
        return good

    def mapping(self, name: str) -> dict[str, Any]:
        return self._of_type(name, dict, "an object") or {}

    def _of_type(self, name: str, wanted: type, words: str) -> Any:
        """The value, None if it is missing, null or of another type."""
        value = self._values.get(name)
        if value is None or type(value) is wanted:
            return value
        self.complain(f"{name} should be {words}, not {value!r}")
        return None
