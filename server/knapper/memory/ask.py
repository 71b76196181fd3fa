"""A question to a vault, answered piece by piece from its notes.

Knows the order of things: what is found, what may be sent, who writes, what of it holds. Must not know how
any of these is done, nor who asks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from knapper.base.cancel import CancelToken
from knapper.memory.answer import Answer, DryRun, Part, Said, Sent
from knapper.memory.asked import Evidence, FoundPassage, Memory, Question
from knapper.memory.egress import notes_of
from knapper.memory.evidence import gather
from knapper.memory.extractive import extract
from knapper.memory.gates import is_private, sendable
from knapper.memory.writer import Writer
from knapper.models.providers.ports import End, Ending, Passage, Prompt, Text

NOT_IN_NOTES = "Your notes do not say."


def ask(question: Question, memory: Memory, writer: Writer | None, token: CancelToken) -> Iterator[Part]:
    """The answer as it is found or written: `Said` and `Cited`, in the end one `Answer`.

    Without a *writer* it is made of quotations. Raises `ProviderError` before the first piece, if the writer
    gives no answer; `Cancelled` at any time; and what the index raises. Dropping the iterator hangs up.
    """
    if writer is not None and question.origin is not None and is_private(question.origin, memory):
        writer = None
    evidence = gather(question, memory, sending=writer is not None, token=token)
    if not evidence.answers:
        yield Said(NOT_IN_NOTES)
        yield Answer(NOT_IN_NOTES, also=evidence.passages, in_notes=False, remarks=evidence.remarks)
    elif writer is None:
        yield from extract(question, evidence)
    else:
        yield from _written(question, memory, writer, evidence, token)


def dry_run(question: Question, memory: Memory, writer: Writer, token: CancelToken) -> DryRun:
    """What `ask` would send; nothing is sent or logged. Raises `Cancelled`, and what the index raises."""
    evidence = gather(question, memory, sending=True, token=token)
    passages, prompt = _prompt(question, memory, evidence)
    generator = writer.generator
    return DryRun(
        generator.host,
        writer.provider,
        generator.model,
        generator.tokens(prompt),
        generator.body(prompt),
        passages,
        evidence.withheld,
        evidence.remarks,
    )


def _written(
    question: Question, memory: Memory, writer: Writer, evidence: Evidence, token: CancelToken
) -> Iterator[Part]:
    passages, prompt = _prompt(question, memory, evidence)
    generator = writer.generator
    sent = Sent(
        generator.host,
        notes_of([passage.path for passage in passages]),
        len(passages),
        sum(len(passage.text) for passage in passages),
        generator.tokens(prompt),
    )
    writer.log.write(sent, writer.provider, generator.model)
    text, end = "", End(Ending.COMPLETE)
    with closing(generator.stream(prompt, token)) as pieces:  # type: ignore[type-var]
        for piece in pieces:
            if isinstance(piece, Text):
                text += piece.text
                yield Said(piece.text)
            elif isinstance(piece, End):
                end = piece
    yield Answer(
        text,
        also=passages,
        provider=writer.provider,
        model=generator.model,
        sent=sent,
        complete=end.how is Ending.COMPLETE,
        remarks=(*evidence.remarks, *filter(None, [end.sentence])),
    )


def _prompt(
    question: Question, memory: Memory, evidence: Evidence
) -> tuple[tuple[FoundPassage, ...], Prompt]:
    found = [(passage, sendable(passage, memory)) for passage in evidence.passages]
    passages = tuple(replace(now, score=old.score) for old, now in found if now is not None)
    quoted = tuple(Passage(n, passage.title, passage.text) for n, passage in enumerate(passages, 1))
    return passages, Prompt("Answer from the passages only; cite them as [1].", question.text, quoted)
