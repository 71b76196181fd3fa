"""Reads the judged collections that ranking is measured on: Cranfield and CISI, in their SMART files.

The collections are no part of this repository; see `ranking.py` for how to point it at them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Document:
    """One document; its number is its file name in the vault."""

    number: int
    title: str
    text: str


@dataclass(frozen=True)
class Judged:
    """A collection: documents, queries by number, and which documents are relevant to each."""

    name: str
    documents: tuple[Document, ...]
    queries: dict[int, str]
    relevant: dict[int, frozenset[int]]


def cranfield(folder: Path) -> Judged:
    """Cranfield: queries are numbered by position, not by what stands behind `.I`."""
    documents = []
    for number, fields in _records(folder / "cran.all.1400"):
        title, text = fields.get("T", ""), fields.get("W", "")
        documents.append(Document(number, title, text.removeprefix(title).strip()))
    records = _records(folder / "cran.qry")
    queries = {position: fields["W"] for position, (_, fields) in enumerate(records, 1)}
    pairs = []
    for line in (folder / "cranqrel").read_text().strip().split("\n"):
        query, document, code = map(int, line.split()[:3])
        if 1 <= code <= 4:
            pairs.append((query, document))
    return Judged("Cranfield", tuple(documents), queries, _judgements(pairs))


def cisi(folder: Path) -> Judged:
    """CISI: some queries have a title or an abstract as well; only those with judgements count."""
    documents = [
        Document(number, fields.get("T", ""), fields.get("W", ""))
        for number, fields in _records(folder / "CISI.ALL")
    ]
    queries = {number: fields.get("W", "") for number, fields in _records(folder / "CISI.QRY")}
    lines = (folder / "CISI.REL").read_text().strip().split("\n")
    pairs = [(int(line.split()[0]), int(line.split()[1])) for line in lines]
    return Judged("CISI", tuple(documents), queries, _judgements(pairs))


def _records(file: Path) -> list[tuple[int, dict[str, str]]]:
    """The records of a SMART file, each with its fields by letter, line breaks made blanks."""
    found = []
    for record in re.split(r"^\.I ", file.read_text(encoding="latin-1"), flags=re.MULTILINE)[1:]:
        number, _, rest = record.partition("\n")
        pieces = re.split(r"^\.([A-Z])[ \t]*$", rest, flags=re.MULTILINE)
        fields = {
            letter: " ".join(text.split()) for letter, text in zip(pieces[1::2], pieces[2::2], strict=True)
        }
        found.append((int(number), fields))
    return found


def _judgements(pairs: list[tuple[int, int]]) -> dict[int, frozenset[int]]:
    relevant: dict[int, set[int]] = {}
    for query, document in pairs:
        relevant.setdefault(query, set()).add(document)
    return {query: frozenset(documents) for query, documents in relevant.items()}
