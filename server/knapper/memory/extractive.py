"""An answer that nobody writes: the sentences that speak most of what was asked, word for word.

Knows texts; must not know how passages were found. The same evidence gives the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from knapper.memory.answer import Answer, Cited, Part, Said
from knapper.memory.answerable import Wanted, covered, held
from knapper.memory.asked import Evidence, FoundPassage, Question
from knapper.memory.quotable import quotables
from knapper.memory.quoting import headings_over, place_in
from knapper.memory.wording import understood
from knapper.memory.words import content_words, stem
from knapper.search.distinctive import idf
from knapper.text.span import Span

MOST_QUOTES = 6
FEWEST_QUOTES = 3
NOT_IN_NOTES = "Your notes do not say."
_MOST_CHARACTERS = 1600
_LONGEST_TABLE = 600
# What a sentence is worth: by what it says, what its neighbour says, what stands around it, and how well its
# passage was found, which counts less by a part for each passage before it. Tuned on the odd questions of
# tests/eval.
_SENTENCE, _NEIGHBOUR, _SURROUNDINGS, _FOUND, _LESS = 1.0, 0.3, 1.0, 2.0, 0.6
_SILENT = 0.5
_LESS_BEHIND = 0.15  # where nothing is named, and how a note begins is what is quoted
_OF_THE_BEST = 0.7  # What is worth less than this part of the best is not quoted.
_ANY_DAY = date(2000, 1, 1)

_HEADING = re.compile(r"#{1,6}[ \t]+(.*?)[ \t#]*\Z")
_SAYS_NOTHING = re.compile(r"!?\[\[[^\]\r\n]*\]\]|!\[[^\]]*\]\([^)]*\)|[\W_]*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_MARK = re.compile(r"(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?\Z")
_BLANKS = r"[ \t]*(?:\r\n|\r|\n)?[ \t>]*"
_BETWEEN = {
    "sentence": re.compile(_BLANKS),
    "item": re.compile(rf"{_BLANKS}(?:[-+*]|\d{{1,9}}[.)])[ \t]+(?:\[.\][ \t]+)?"),
    "table": re.compile(r"(?!)"),
    "code": re.compile(r"(?!)"),
}
_CODE = re.compile(r"(?<!`)(`+)(?!`)[^`\r\n]+?(?<!`)\1(?!`)")
# In the answer only our own numbers are numbers, and nothing is loaded, run or opened by itself.
_MEANS_SOMETHING = re.compile(r"[\\`*_<>\[\]|#]")
_LIVE = re.compile(
    r"""
    \[(?=\^?\d{1,3}\])                                               # a number that is not ours
    | (?<=!)\[                                                        # an image
    | <(?=[A-Za-z/!?])                                                # HTML
    | (?<=\])\((?!\s*<?(?:https?://|mailto:|[^:&\\()\r\n]*>?\)))     # a link that may run something
    | ^[ \t>]*\[(?=[^\]\r\n]+\]:)                                    # where such a link may be defined
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class _Quote:
    """A candidate: a span of the text of passage number `of`, and the headings it stands under."""

    of: int
    span: Span
    kind: str
    heading: str
    score: float = 0.0


def extract(question: Question, evidence: Evidence) -> Iterator[Part]:
    """The pieces of the answer, the whole last. Every quote is in its passage, character for character."""
    passages = evidence.passages
    quotes = _chosen(_candidates(question, passages), passages) if evidence.answers else []
    if not quotes:
        yield Said(NOT_IN_NOTES)
        yield Answer(NOT_IN_NOTES, also=passages, in_notes=False, remarks=evidence.remarks)
        return
    text, under = "", ""
    citations = []
    for number, quote in enumerate(quotes, 1):
        passage = passages[quote.of]
        cited = Cited(
            number,
            passage,
            quote.span.of(passage.text),
            place=place_in(passage, quote.span),
            heading=headings_over(passage, quote.span),
        )
        over = _name(passage, quote)
        piece = ("" if over == under else f"{over}\n\n") + _shown(cited.quote, quote.kind, number)
        piece = f"\n\n{piece}" if text else piece
        text, under = text + piece, over
        citations.append(cited)
        yield cited
        yield Said(piece)
    used = {quote.of for quote in quotes}
    also = tuple(passage for at, passage in enumerate(passages) if at not in used)
    yield Answer(text, tuple(citations), also, remarks=evidence.remarks)


def _candidates(question: Question, passages: Sequence[FoundPassage]) -> list[_Quote]:
    """Everything that could be quoted, as it stands, with what it is worth."""
    asked = understood(question.text, question.turns, _ANY_DAY)
    wants = _weighed(asked.words, passages)
    return [quote for at, passage in enumerate(passages) for quote in _worth(at, passage, wants)]


def _worth(at: int, passage: FoundPassage, wants: Sequence[Wanted]) -> Iterator[_Quote]:
    """What of a passage could be quoted; of one that was not found by words how it begins."""
    quotes = list(_quotable(at, passage))
    said = [covered(wants, quote.span.of(passage.text)) for quote in quotes]
    for place, quote in enumerate(quotes):
        if not wants:
            yield replace(quote, score=1 / (1 + _LESS_BEHIND * place))
            continue
        near = [
            said[i]
            for i in (place - 1, place + 1)
            if 0 <= i < len(quotes) and quotes[i].heading == quote.heading
        ]
        around = covered(wants, f"{passage.title}\n{quote.heading}\n{quote.span.of(passage.text)}")
        speaks = _SENTENCE * said[place] + _NEIGHBOUR * max(near, default=0.0) + _SURROUNDINGS * around
        # What says nothing of it comes behind all that does; if nothing does, meaning found the passages.
        score = speaks + _FOUND * _LESS**at if speaks else _SILENT * _LESS**at
        yield replace(quote, score=score)


def _weighed(words: Sequence[str], passages: Sequence[FoundPassage]) -> tuple[Wanted, ...]:
    """The words of the question; those in fewer passages tell them apart better."""
    stems = [(word,) if " " in word else (stem(word),) for word in words]
    texts = [frozenset(content_words(passage.text)) for passage in passages]
    holders = [sum(bool(held([Wanted(one, 1.0)], " ".join(text))) for text in texts) for one in stems]
    return tuple(Wanted(one, idf(count, len(passages))) for one, count in zip(stems, holders, strict=True))


def _quotable(at: int, passage: FoundPassage) -> Iterator[_Quote]:
    text, heading = passage.text, passage.heading
    for span, kind in quotables(text, Span(0, len(text))):
        written = span.of(text)
        if kind == "heading":
            named = _HEADING.match(written)
            heading = named[1] if named else heading
        elif kind == "table" and len(span) > _LONGEST_TABLE:
            rows = re.finditer(r"[^\r\n]+", written)
            yield from (_Quote(at, Span(*row.span()).shift(span.start), "item", heading) for row in rows)
        elif not _SAYS_NOTHING.fullmatch(written):
            yield _Quote(at, span, kind, heading)


def _chosen(candidates: Sequence[_Quote], passages: Sequence[FoundPassage]) -> list[_Quote]:
    """The best ones, in the order of the passages; neighbours as one, and nothing twice."""
    ordered = sorted((quote for quote in candidates if quote.kind != "code"), key=lambda quote: -quote.score)
    ordered = ordered or list(candidates)
    taken: list[_Quote] = []
    seen: set[str] = set()
    characters = 0
    for quote in ordered:
        text = " ".join(quote.span.of(passages[quote.of].text).casefold().split())
        worse = quote.score < _OF_THE_BEST * ordered[0].score and len(taken) >= FEWEST_QUOTES
        if len(taken) == MOST_QUOTES or worse or (taken and characters > _MOST_CHARACTERS):
            break
        if text not in seen:
            seen.add(text)
            taken.append(quote)
            characters += len(text)
    best = {quote.of: max(q.score for q in taken if q.of == quote.of) for quote in taken}
    taken.sort(key=lambda quote: (-best[quote.of], quote.of, quote.span))
    return _joined(taken, passages)


def _joined(quotes: Sequence[_Quote], passages: Sequence[FoundPassage]) -> list[_Quote]:
    """Sentences that follow each other are one quote, and so are items of one list."""
    joined: list[_Quote] = []
    for quote in quotes:
        last, text = joined[-1] if joined else None, passages[quote.of].text
        together = last and (last.of, last.kind, last.heading) == (quote.of, quote.kind, quote.heading)
        if last and together and _BETWEEN[quote.kind].fullmatch(text, last.span.end, quote.span.start):
            # With its mark the first item looks like the others.
            mark = _MARK.search(text, 0, last.span.start) if quote.kind == "item" else None
            joined[-1] = replace(last, span=Span(mark.start() if mark else last.span.start, quote.span.end))
        else:
            joined.append(quote)
    return joined


def _name(passage: FoundPassage, quote: _Quote) -> str:
    """The line above quotes from one place: `**Bread › Crust**`."""
    parts = [passage.title, *dict.fromkeys((passage.heading.rpartition(" > ")[2], quote.heading))]
    names = (" ".join(part.split()) for part in dict.fromkeys(parts) if part)
    return f"**{' › '.join(_MEANS_SOMETHING.sub(_escape, name) for name in names)}**"


def _shown(quote: str, kind: str, number: int) -> str:
    """A quotation in Markdown, with its number behind it."""
    lines = _LINE_END.split(quote if kind == "code" else _inert(quote))
    if kind in ("code", "table"):
        lines += ["", f"[{number}]"]
    else:
        lines[-1] = f"{lines[-1]} [{number}]"
    return "\n".join(f"> {line.lstrip('> ') if at else line}".rstrip() for at, line in enumerate(lines))


def _inert(text: str) -> str:
    r"""*text* looks the same and does nothing: `see [1] ![x](http://a.b)` is `see \[1] !\[x](http://a.b)`."""
    shown, at = "", 0
    for code in _CODE.finditer(text):
        shown += _escaped(text[at : code.start()]) + code[0]
        at = code.end()
    return shown + _escaped(text[at:])


def _escaped(text: str) -> str:
    return _LIVE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return f"{found[0][:-1]}\\{found[0][-1]}"
