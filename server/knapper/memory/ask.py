"""A question to a vault, answered piece by piece from its notes.

Knows the order of things: what is found, what may be sent, who writes, what of it holds. Must not know how
any of these is done, nor who asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from knapper.base.cancel import CancelToken
from knapper.memory.answer import Answer, DryRun, Part, Said, Sent
from knapper.memory.asked import Evidence, FoundPassage, Memory, Question, Turn
from knapper.memory.compose import Composer
from knapper.memory.egress import notes_of
from knapper.memory.evidence import gather
from knapper.memory.excerpt import digest_of
from knapper.memory.extractive import extract
from knapper.memory.gates import is_private, selected, sendable, still_public
from knapper.memory.prompt import Asking, Packed, overhead, packed
from knapper.memory.writer import Writer
from knapper.models.providers.ports import End, Ending, Generator, Piece, Text

NOT_IN_NOTES = "Your notes do not say."
LONGEST = 100_000
"""Characters of an answer: far more than anybody asks for, and little enough to be checked in a moment."""

_FROM_PRIVATE = (
    "The question was selected in private text, so nobody was asked: this is from your notes alone."
)
_PRIVATE_ONLY = "Only private text may answer this, so nobody was asked: this is from your notes alone."
_TURNS_PRIVATE = "What was asked before rests on text that is private now, so it was not sent along."
_NO_ROOM = (
    "The model has no room for the question with a passage, so nobody was asked: ask a shorter question, or"
    " set knapper.ask.context to what the model holds."
)
_CHANGED = "The notes changed while they were read, so nobody was asked: ask again."
_SILENT = "{host} gave an empty answer: ask again, or ask another model."
_ENDLESS = "{host} wrote on and on, so it was stopped here: ask again, or ask another model."
_UNTRACED = "No sentence of this answer could be traced to a passage of your notes."
_NOT = r"(?:can ?not|can['’]t|could not|couldn['’]t|do(?:es)? not|don['’]t|did not|didn['’]t)"
_THEM = r"(?:the|your|these|any of the) (?:given |provided )?(?:notes?|passages?)"
_NOT_FOUND = re.compile(
    rf"\W*(?:i(?:'m| am) (?:sorry|afraid)\W+)?(?:but )?"
    rf"(?:(?:i )?{_NOT} (?:find|see|answer)\b.{{0,80}}\b{_THEM}"
    rf"|(?:this|that|it|the answer) is not (?:in|mentioned in|covered by) {_THEM}"
    rf"|{_THEM} {_NOT} (?:say|mention|answer|contain|tell|hold|provide))",
    re.IGNORECASE | re.DOTALL,
)


def ask(question: Question, memory: Memory, writer: Writer | None, token: CancelToken) -> Iterator[Part]:
    """The answer as it is found or written: `Said` and `Cited`, in the end one `Answer`.

    Without a *writer* it is made of quotations. Raises `ProviderError` before the first piece, if the writer
    gives no answer; `Cancelled` at any time; and what the index raises. Dropping the iterator hangs up.
    """
    plan = _plan(question, memory, writer, token)
    if writer is None or plan.packed is None:
        yield from _local(question, plan, memory)
        return
    sent = _sent(plan.packed, writer.generator)
    token.check()
    writer.log.write(sent, writer.provider, writer.generator.model)
    if _unsettled(plan, plan.packed, memory):  # The log may have had to wait.
        evidence = gather(question, memory, sending=False, token=token)
        yield from _local(question, _Plan(evidence, (_CHANGED,)), memory)
        return
    yield from _written(plan, plan.packed, sent, writer, memory, token)


def dry_run(question: Question, memory: Memory, writer: Writer, token: CancelToken) -> DryRun:
    """What `ask` would send; nothing is sent or logged. The `body` is empty if nobody would be asked.

    The bytes are those of `ask` but for the boundary in them, which is made anew each time. Raises
    `Cancelled`, and what the index raises.
    """
    plan = _plan(question, memory, writer, token)
    generator, found = writer.generator, plan.packed
    return DryRun(
        host=generator.host,
        provider=writer.provider,
        model=generator.model,
        tokens=generator.tokens(found.prompt) if found else 0,
        body=generator.body(found.prompt) if found else b"",
        passages=found.passages if found else (),
        withheld=plan.withheld,
        remarks=plan.remarks if found or plan.evidence.answers else (*plan.remarks, NOT_IN_NOTES),
    )


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is known before anybody is asked. Without a prompt nobody is."""

    evidence: Evidence
    own_remarks: tuple[str, ...] = ()
    packed: Packed | None = None
    withheld: int = 0
    rests_on: tuple[FoundPassage, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.own_remarks, *self.evidence.remarks)))


def _plan(question: Question, memory: Memory, writer: Writer | None, token: CancelToken) -> _Plan:
    """Decide who answers, and from what. What is to be sent has passed the gates twice."""
    if writer is None:
        return _Plan(gather(question, memory, sending=False, token=token))
    if memory.unsure:
        return _Plan(gather(question, memory, sending=False, token=token), (memory.unsure,))
    if question.origin is not None and is_private(question.origin, memory):
        return _Plan(gather(question, memory, sending=False, token=token), (_FROM_PRIVATE,))
    generator = writer.generator
    before = tuple(turn for turn in question.turns if turn.host == generator.host)
    turns = tuple(turn for turn in before if all(still_public(one, memory) for one in turn.rests_on))
    remarks = (_TURNS_PRIVATE,) if turns != before else ()
    asking = Asking(question.text, memory.today, turns, by_results=writer.provider == "anthropic")
    room = max(generator.room - overhead(asking, generator), 0)
    evidence = gather(question, memory, sending=True, room=room, token=token)
    passages = _still_sendable(evidence.passages, memory) if evidence.answers else ()
    found = packed(asking, passages, generator) if passages else None
    if found:
        shown = _rests_on(question, found, turns, memory)
        return _Plan(evidence, remarks, found, evidence.withheld, shown)
    if not (evidence.answers or evidence.withheld):
        return _Plan(evidence)
    local = gather(question, memory, sending=False, token=token)
    why = _PRIVATE_ONLY
    if evidence.answers:
        why = _CHANGED if evidence.passages and not passages else _NO_ROOM
    return _Plan(local, (why,) if local.answers else (), None, evidence.withheld)


def _still_sendable(passages: tuple[FoundPassage, ...], memory: Memory) -> tuple[FoundPassage, ...]:
    found = ((passage, sendable(passage, memory)) for passage in passages)
    return tuple(replace(now, score=old.score) for old, now in found if now is not None)


def _rests_on(
    question: Question, found: Packed, turns: tuple[Turn, ...], memory: Memory
) -> tuple[FoundPassage, ...]:
    """All of the notes that is sent: passages, what the question was selected in, and that of the turns."""
    sent = turns[len(turns) - len(found.prompt.turns) :]
    before = (one for turn in sent for one in turn.rests_on)
    shown = (*found.passages, *_origin(question, memory), *before)
    return tuple({(one.path, one.text): one for one in shown}.values())


def _unsettled(plan: _Plan, found: Packed, memory: Memory) -> bool:
    """Whether what was decided to be sent would not be now, word for word."""
    now = _still_sendable(found.passages, memory)
    if [one.text for one in now] != [one.text for one in found.passages]:
        return True
    return not all(still_public(one, memory) for one in plan.rests_on)


def _local(question: Question, plan: _Plan, memory: Memory) -> Iterator[Part]:
    """The answer without anybody's help."""
    origin = _origin(question, memory)
    if not plan.evidence.answers:
        yield Said(NOT_IN_NOTES)
        yield Answer(
            NOT_IN_NOTES,
            also=plan.evidence.passages,
            in_notes=False,
            remarks=plan.remarks,
            rests_on=origin,
        )
        return
    for part in extract(question, plan.evidence):
        if isinstance(part, Answer):
            remarks = tuple(dict.fromkeys((*plan.own_remarks, *part.remarks)))
            quoted = tuple(cited.passage for cited in part.citations)
            part = replace(part, remarks=remarks, rests_on=(*quoted, *origin))  # noqa: PLW2901 -- The same answer, with what is known here.
        yield part


def _origin(question: Question, memory: Memory) -> tuple[FoundPassage, ...]:
    """What the question was selected in, if it was."""
    found = selected(question.origin, memory) if question.origin else None
    return (found,) if found else ()


def _sent(found: Packed, generator: Generator) -> Sent:
    prompt = found.prompt
    texts = [prompt.system, prompt.question]
    texts += [text for passage in prompt.passages for text in (passage.title, passage.text)]
    texts += [text for turn in prompt.turns for text in (turn.question, turn.answer)]
    return Sent(
        generator.host,
        notes_of([passage.path for passage in found.passages]),
        len(found.passages),
        sum(map(len, texts)),
        generator.tokens(prompt),
    )


def _written(
    plan: _Plan, found: Packed, sent: Sent, writer: Writer, memory: Memory, token: CancelToken
) -> Iterator[Part]:
    """The answer that *writer* gives."""

    def has_changed(passage: FoundPassage) -> bool:
        text = memory.text_of(passage.path)
        return text is None or digest_of(text) != passage.digest

    composer, end = Composer(found.passages, has_changed), End(Ending.INCOMPLETE)
    with closing(writer.generator.stream(found.prompt, token)) as pieces:  # type: ignore[type-var]
        for piece in _bounded(pieces, sent.host):
            if isinstance(piece, End):
                end = piece
            else:
                yield from composer.add(piece)
    yield from composer.end()
    text, is_whole = composer.text, end.how is Ending.COMPLETE
    in_notes = bool(composer.citations) or not _NOT_FOUND.match(text)
    remarks = list(plan.remarks)
    if is_whole and not text.strip():
        remarks.append(_SILENT.format(host=sent.host))
    elif in_notes and not composer.citations and end.how in (Ending.COMPLETE, Ending.CUT_OFF):
        remarks.append(_UNTRACED)
    yield Answer(
        text,
        tuple(composer.citations),
        composer.left(),
        tuple(composer.unverified),
        writer.provider,
        writer.generator.model,
        sent,
        complete=is_whole and bool(text.strip()),
        in_notes=in_notes,
        remarks=tuple(filter(None, (*remarks, end.sentence))),
        rests_on=plan.rests_on,
    )


def _bounded(pieces: Iterator[Piece], host: str) -> Iterator[Piece]:
    """*pieces* of at most `LONGEST` characters together."""
    room = LONGEST
    for piece in pieces:
        if isinstance(piece, Text):
            if len(piece.text) > room:
                yield Text(piece.text[:room])
                yield End(Ending.INCOMPLETE, _ENDLESS.format(host=host))
                return
            room -= len(piece.text)
        yield piece
