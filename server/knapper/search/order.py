"""The last stages of a search, which put hits in another order and lose none: reranker and salience.

What a stage does to a score is written into its trace as a difference, so that traces add up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knapper.search.lexical import Candidate
from knapper.search.port import LexicalIndex, Passage, Reranker
from knapper.search.rerank import DEPTH, blended, trouble_with
from knapper.search.results import Stage
from knapper.search.salience import Salience

FUSED_STRENGTH = 0.5
"""The power of salience's factor on scores that meaning had a part in.

They fall slowly: the tenth of both sides still has 0.87 of the first. With ages at random, which say nothing,
the whole factor cost 1.9 of nDCG@10 on Cranfield's odd queries, its root 0.9. The scores of words alone fall
faster, and there the whole factor cost 0.1.
"""


def reranked(
    best: list[Candidate], passages: Mapping[int, Passage], query: str, reranker: Reranker
) -> tuple[list[Candidate], str]:
    """*best* with its first hits as the reranker's blend has them, and why that could not be done, or `""`.

    The scores stay and are handed out in the new order.
    """
    read, rest = best[:DEPTH], best[DEPTH:]
    if len(read) < 2:
        return best, ""
    scores, why = reranker.scores(query, [read_text(passages[candidate.chunk]) for candidate in read])
    if scores is None:
        return best, why or "The reranker did not answer."
    if trouble := trouble_with(scores, len(read)):
        return best, f"The reranker was left out: {trouble}."
    totals = [candidate.score for candidate in read]
    order = []
    for total, (at, rank) in zip(totals, blended(scores), strict=True):
        read[at].trace.append(Stage("reranker", rank, total - totals[at], scores[at]))
        order.append(read[at])
    return order + rest, ""


def read_text(passage: Passage) -> str:
    """What the reranker reads of a passage: where it stands, and what it says."""
    headings = [heading for heading in passage.headings if heading != passage.title]
    return f"{' > '.join([passage.title, *headings])}\n{passage.text}"


def weighed(
    index: LexicalIndex, best: Sequence[Candidate], salience: Salience, *, by_meaning: bool
) -> list[Candidate]:
    """*best* in the order of their scores times the salience of their notes; *by_meaning*: times its root."""
    facts = index.facts({candidate.note for candidate in best})
    factors = {note: salience.factor(fact) for note, fact in facts.items()}
    strength = FUSED_STRENGTH if by_meaning else 1.0
    scores = {
        id(candidate): candidate.score * factors.get(candidate.note, 1.0) ** strength for candidate in best
    }
    order = sorted(best, key=lambda candidate: -scores[id(candidate)])
    for rank, candidate in enumerate(order, 1):
        factor = factors.get(candidate.note, 1.0)
        added = scores[id(candidate)] - candidate.score
        candidate.trace.append(Stage("salience", rank, added, factor))
    return order
