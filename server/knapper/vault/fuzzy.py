"""Finds the names of a vault from a few letters of them, fast enough for every key that is typed.

Knows folded strings. Each entry has a bit mask of its letters, so that a numpy comparison leaves few to
look at, and classes of match are tried from the best one on until there is enough. Must not know why a
name is wanted; what makes a note likely is given to `search`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nsmallest
from itertools import chain
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from knapper.text.fold import name_fold
from knapper.vault.note import Note
from knapper.vault.paths import NotePath, folder_of, stem_of
from knapper.vault.persistent import PersistentMap

# How well an entry matches. Within a class shorter and likelier ones come first, never above a better class.
EXACT, PREFIX, WORD, ACRONYM, INSIDE, WORDS, SCATTERED = 700.0, 600.0, 500.0, 400.0, 300.0, 200.0, 100.0
_MOST_BOOST = 60.0
_MOST_LENGTH = 30.0
# A query of one or two letters leaves thousands; then only those where it begins a word are looked at first.
_MANY = 4000


@dataclass(frozen=True, slots=True)
class Entry:
    """A text that can be found, and the file it stands for. Kinds are `name`, `alias` or a caller's own."""

    text: str
    path: NotePath
    kind: str = "name"


class Match(NamedTuple):
    """An entry that was found. Only the order of scores means something."""

    entry: Entry
    score: float


def entries_of(path: NotePath, note: Note | None = None) -> Iterator[Entry]:
    """The name of a file, and the aliases of a note."""
    yield Entry(stem_of(path), path)
    for alias in note.aliases if note else ():
        yield Entry(alias, path, "alias")


_Masks = npt.NDArray[np.uint64]
_Numbers = npt.NDArray[np.int32]
_Rows = list[int]


def _no_masks() -> _Masks:
    return np.zeros(0, np.uint64)


def _no_numbers() -> _Numbers:
    return np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """The entries of a vault in columns, immutable. Rows of entries that are gone stay, without a bit set."""

    _entries: tuple[Entry, ...] = ()
    _texts: tuple[str, ...] = ()  # folded
    _letters: _Masks = field(default_factory=_no_masks)  # of the text
    _starts: _Masks = field(default_factory=_no_masks)  # of the letters that begin a word
    _firsts: _Masks = field(default_factory=_no_masks)  # of the first letter
    _in: _Numbers = field(default_factory=_no_numbers)  # the number of the folder
    _folders: tuple[str, ...] = ()  # folded, by number
    _numbers: PersistentMap[str, int] = field(default_factory=PersistentMap)  # of the folders
    _rows: PersistentMap[NotePath, tuple[int, ...]] = field(default_factory=PersistentMap)
    _gone: int = 0

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Self:
        """The table of these entries."""
        return cls().with_changes(entries)

    def with_changes(self, added: Iterable[Entry], gone: Iterable[NotePath] = ()) -> Self:
        """The table without all entries of the files *gone* and then with those *added*."""
        gone = {*gone}
        dead = [row for path in gone for row in self._rows.get(path, ())]
        if self._gone + len(dead) > 64 + len(self._entries) // 4:
            left = (
                entry
                for row, entry in enumerate(self._entries)
                if self._letters[row] and entry.path not in gone
            )
            return type(self).of(chain(left, added))
        new = tuple(added)
        texts = tuple(name_fold(entry.text) for entry in new)
        letters = np.concatenate((self._letters, _masks(texts)))
        starts = np.concatenate((self._starts, _masks(_word_starts(entry.text) for entry in new)))
        firsts = np.concatenate((self._firsts, _masks(text[:1] for text in texts)))
        letters[dead] = starts[dead] = 0
        folders = [_folder(entry.path) for entry in new]
        unknown = [folder for folder in dict.fromkeys(folders) if folder not in self._numbers]
        numbers = self._numbers.with_changes(
            {name: at for at, name in enumerate(unknown, len(self._folders))}
        )
        return type(self)(
            self._entries + new,
            self._texts + texts,
            letters,
            starts,
            firsts,
            np.concatenate((self._in, np.array([numbers[folder] for folder in folders], np.int32))),
            (*self._folders, *unknown),
            numbers,
            self._rows_with(new, gone),
            self._gone + len(dead),
        )

    def _rows_with(
        self, new: tuple[Entry, ...], gone: Iterable[NotePath]
    ) -> PersistentMap[NotePath, tuple[int, ...]]:
        rows: dict[NotePath, tuple[int, ...]] = dict.fromkeys(gone, ())
        for row, entry in enumerate(new, len(self._entries)):
            rows[entry.path] = (*rows.get(entry.path, self._rows.get(entry.path, ())), row)
        left = {path: there for path, there in rows.items() if there}
        return self._rows.with_changes(left, rows.keys() - left.keys())

    def __len__(self) -> int:
        return len(self._entries) - self._gone

    def search(
        self, query: str, limit: int = 100, boost: Mapping[NotePath, float] | None = None
    ) -> list[Match]:
        """The entries that *query* may mean, the likeliest first; `fold/no` finds `folder/note`.

        *boost*, from 0 to 1 by path, says how likely a file is (used lately, near, often linked).
        """
        likely = boost or {}
        wanted = name_fold(query).strip()
        if not wanted:
            return self._likeliest(limit, likely)
        found = self._matches(wanted, limit)
        if "/" in wanted:
            for row, score in self._in_folders(wanted, limit).items():
                found[row] = max(score, found.get(row, 0.0))
        return self._best(found, limit, likely)

    def _best(self, found: dict[int, float], limit: int, boost: Mapping[NotePath, float]) -> list[Match]:
        """The best rows; equal ones by text and path, so that the order of rows does not show."""
        entries, texts = self._entries, self._texts
        scores = found
        if boost:
            scores = {
                row: score + _MOST_BOOST * boost.get(entries[row].path, 0.0) for row, score in found.items()
            }
        rows: Iterable[int] = scores
        if len(scores) > 2 * limit:
            least = sorted(scores.values(), reverse=True)[limit]
            rows = [row for row, score in scores.items() if score >= least]

        def order(row: int) -> tuple[float, str, str, str]:
            return -scores[row], texts[row], entries[row].path, entries[row].kind

        return [Match(entries[row], scores[row]) for row in nsmallest(limit, rows, key=order)]

    def _likeliest(self, limit: int, boost: Mapping[NotePath, float]) -> list[Match]:
        """What to show before anything is typed: the likely files, then those with the shortest names."""
        boosted = {row: 0.0 for path in boost for row in self._rows.get(path, ())}
        found = self._best(boosted, limit, boost)
        if len(found) < limit:
            rows = np.flatnonzero(self._letters & _ALIVE).tolist()
            shortest = (
                (len(self._texts[row]), self._texts[row], self._entries[row].path, row) for row in rows
            )
            rest = [row for *_, row in nsmallest(limit + len(found), shortest) if row not in boosted]
            found += [Match(self._entries[row], 0.0) for row in rest[: limit - len(found)]]
        return found

    def _matches(self, wanted: str, limit: int) -> dict[int, float]:
        """Rows whose text matches, by class; classes below those that give enough are not looked for."""
        letters, first = _mask(wanted), _mask(wanted[0])
        holds = (self._letters & letters) == letters
        found = self._beginning_with(
            np.flatnonzero(holds & ((self._firsts & first) == first)).tolist(), wanted
        )
        if len(found) >= limit:
            return found
        heads = rows = np.flatnonzero(holds).tolist()
        if len(rows) > _MANY:
            heads = np.flatnonzero(holds & ((self._starts & first) == first)).tolist()
        found = self._at_word_starts(heads, wanted)
        acronyms = (
            np.flatnonzero((self._starts & letters) == letters).tolist()
            if len(wanted) > 1 and wanted.isalnum()
            else []
        )
        self._add_acronyms(found, acronyms, wanted)
        if len(found) < limit:
            self._add_inside(found, rows, wanted)
        if len(found) < limit:
            self._add_scattered(found, rows if len(rows) <= _MANY else heads, wanted)
        return found

    def _beginning_with(self, rows: _Rows, wanted: str) -> dict[int, float]:
        """The two best classes alone: for one or two letters they are enough, and quickly found."""
        texts, size = self._texts, len(wanted)
        return {
            row: EXACT if len(texts[row]) == size else PREFIX - _longer(texts[row], size)
            for row in rows
            if texts[row].startswith(wanted)
        }

    def _at_word_starts(self, rows: _Rows, wanted: str) -> dict[int, float]:
        texts, size, found = self._texts, len(wanted), {}
        for row in rows:
            text = texts[row]
            at = text.find(wanted)
            if at == 0:
                found[row] = EXACT if len(text) == size else PREFIX - _longer(text, size)
                continue
            while at > 0:
                if not text[at - 1].isalnum():
                    found[row] = WORD - _longer(text, size)
                    break
                at = text.find(wanted, at + 1)
        return found

    def _add_acronyms(self, found: dict[int, float], rows: _Rows, wanted: str) -> None:
        """`gtd` finds `Getting Things Done`."""
        for row in rows:
            if row not in found and _word_starts(self._entries[row].text).startswith(wanted):
                found[row] = ACRONYM - _longer(self._texts[row], len(wanted))

    def _add_inside(self, found: dict[int, float], rows: _Rows, wanted: str) -> None:
        texts, size = self._texts, len(wanted)
        for row in rows:
            if wanted in texts[row] and row not in found:
                found[row] = INSIDE - _longer(texts[row], size)
        words = sorted({*_WORD.findall(wanted)}, key=len, reverse=True)
        if len(words) > 1:
            left = [row for row in rows if words[0] in texts[row] and row not in found]
            for row in left:
                if all(word in texts[row] for word in words):
                    found[row] = WORDS - _longer(texts[row], size)

    def _add_scattered(self, found: dict[int, float], rows: _Rows, wanted: str) -> None:
        """`ntbk` finds `notebook`: the letters in their order and not too far apart."""
        letters = wanted.replace(" ", "")
        search, furthest = _scattered(letters).search, 3 * len(letters) + 4
        for row in rows:
            if row not in found and (match := search(self._texts[row])):
                spread = match.end() - match.start()
                if spread <= furthest:
                    found[row] = SCATTERED - min(spread, 50) - _longer(self._texts[row], len(letters)) / 2

    def _in_folders(self, wanted: str, limit: int) -> dict[int, float]:
        """Rows whose folder has the parts of the query in order, by how well its last matches the name."""
        *parts, name = (part.strip() for part in wanted.split("/"))
        letters = _mask(name)
        through = np.fromiter((_goes_through(folder, parts) for folder in self._folders), np.bool_)
        rows: _Rows = np.flatnonzero(((self._letters & letters) == letters) & through[self._in]).tolist()
        if not name:
            return {row: PREFIX - _longer(self._texts[row], 0) for row in rows}
        found = self._at_word_starts(rows, name)
        if len(found) < limit:
            self._add_inside(found, rows, name)
        if len(found) < limit:
            self._add_scattered(found, rows, name)
        return found


_ALIVE = np.uint64(1 << 63)
_WORD = re.compile(r"[^\W_]+")
_WORD_START = re.compile(r"(?<![^\W_])[^\W_]|(?<=[a-z])[A-Z]|[^\w\x00-\x7f]")


class _Bits(dict[str, int]):
    """The bit of a letter: one each for a to z, digits and the slash, 26 for all beyond ASCII; no other."""

    def __missing__(self, letter: str) -> int:
        code = ord(letter)
        if "a" <= letter <= "z":
            bit = 1 << (code - 97)
        elif "0" <= letter <= "9":
            bit = 1 << (26 + code - 48)
        else:
            bit = 1 << (36 + code % 26) if code > 127 else 0
        self[letter] = bit
        return bit


_BITS = _Bits({"/": 1 << 62})


def _mask(text: str) -> np.uint64:
    """The letters of a folded text as bits, and the bit of a row that is alive."""
    mask = 1 << 63
    for letter in set(text):
        mask |= _BITS[letter]
    return np.uint64(mask)


def _word_starts(text: str) -> str:
    """The folded letters that begin the words: `Getting things done` and `gettingThingsDone` give `gtd`."""
    return name_fold("".join(_WORD_START.findall(text)))


def _masks(texts: Iterable[str]) -> _Masks:
    return np.array([_mask(text) for text in texts], np.uint64)


def _folder(path: NotePath) -> str:
    return name_fold(folder_of(path))


def _goes_through(folder: str, parts: Iterable[str]) -> bool:
    """Whether *parts* stand in the folders' names from left to right: `pro/al` in `projects/old/alpha`."""
    folders = iter(folder.split("/"))
    return all(any(part in name for name in folders) for part in parts if part)


def _longer(text: str, size: int) -> float:
    return min(len(text) - size, _MOST_LENGTH)


@lru_cache(maxsize=64)
def _scattered(letters: str) -> re.Pattern[str]:
    """Finds *letters* in their order. Each class ends at the next letter, so that a search is never slow."""
    rest = (f"[^{re.escape(letter)}]*{re.escape(letter)}" for letter in letters[1:])
    return re.compile("".join((re.escape(letters[0]), *rest)))
