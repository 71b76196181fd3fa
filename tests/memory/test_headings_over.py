"""Under which headings a quote stands, where its passage is of several sections."""

from __future__ import annotations

from pathlib import Path

import pytest

from knapper.markup.chunk import chunk
from knapper.memory.asked import Question
from knapper.memory.excerpt import Source
from knapper.memory.quoting import headings_over
from knapper.text.span import Span
from knapper.vault.paths import NotePath
from tests.memory.notebook import Notebook
from tests.memory.writing import answer_of, parts_of, said, writer
from tests.models.providers.wire import wire
from tests.search.library import library

BREAD = NotePath("Bread.md")
TEXT = (
    "# Bread\n\nUnder the title.\n\n## Starter\n\nFeed it.\n\n### Flour\n\nTake rye.\n\n## Oven\n\n"
    "Heat it.\n\n### Flour\n\nDust it.\n"
)
OVER = {
    "Under the title.": "",
    "Feed it.": "Starter",
    "Take rye.": "Starter > Flour",
    "Heat it.": "Oven",
    "Dust it.": "Oven > Flour",
}


@pytest.mark.parametrize("quote", OVER)
def test_a_quote_has_the_headings_of_its_place_whatever_its_passage_is(quote: str) -> None:
    source = Source(BREAD, TEXT)
    at = Span(TEXT.index(quote), TEXT.index(quote) + len(quote))
    sections = [heading.section for heading in source.parse.headings if heading.section.covers(at)]
    spans = [at, Span(0, len(TEXT)), *sections, *(Span(section.start, at.end) for section in sections)]
    found = {span: headings_over(source.passage(span), at.shift(-span.start)) for span in spans}

    assert found == dict.fromkeys(spans, OVER[quote])


def test_every_quote_has_the_headings_of_its_chunk() -> None:
    source = Source(BREAD, TEXT)
    for piece in chunk(TEXT, source.parse, source.title):
        for quote, over in OVER.items():
            at = TEXT.index(quote)
            if piece.span.holds(at):
                span = Span(at - piece.span.start, at + len(quote) - piece.span.start)
                assert headings_over(source.passage(piece.span), span) == over


def test_an_answer_cites_the_heading_of_its_quote(tmp_path: Path) -> None:
    vault = Notebook(library(tmp_path / "Garden", {BREAD: TEXT}))
    question = Question("What flour do I take for bread, rye?")
    with wire(said("compatible", "Take rye [1].")) as server:
        written = answer_of(parts_of(question, vault.memory, writer(server, tmp_path / "sent.jsonl")))
    quoted = answer_of(parts_of(question, vault.memory, None))

    assert [(one.quote, one.heading) for one in written.citations] == [("Take rye.", "Starter > Flour")]
    assert {(one.quote, one.heading) for one in quoted.citations if "rye" in one.quote} == {
        ("Take rye.", "Starter > Flour")
    }
