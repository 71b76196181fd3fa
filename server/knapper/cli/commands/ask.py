"""`knapper ask`: an answer from the notes, printed as it is written, and the passages it rests on."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from knapper.base.cancel import CancelToken
from knapper.cli.asking import as_json, journalled, memory_of, scope_of, trial_as_json
from knapper.cli.opened import OpenedVault, opened
from knapper.cli.options import Trouble, vault_command
from knapper.cli.output import counted, faint, harmless, print_json, remark, remarks, say, where
from knapper.memory.answer import Answer, Cited, DryRun, Part, Said
from knapper.memory.ask import ask as answered
from knapper.memory.ask import dry_run as tried
from knapper.memory.asked import FoundPassage, Memory, Question
from knapper.memory.writer import Writer, writer_of
from knapper.models.providers.ports import ProviderError

_QUOTES = "With --no-provider the answer is made of quotes from the notes, and nothing is sent."


@click.command()
@click.argument("question", nargs=-1, required=True)
@click.option("--note", metavar="NOTE", help="Answer from this note alone.")
@click.option("--folder", metavar="FOLDER", help="Answer from a folder and those below it.")
@click.option("--tag", metavar="TAG", help="Answer from notes with a tag or one below it.")
@click.option("--linked", metavar="NOTE", help="Answer from a note and those linked with it.")
@click.option("--dry-run", is_flag=True, help="Show what would be sent, and to whom; send nothing.")
@click.option("--no-provider", is_flag=True, help="Answer with quotes from the notes, and send nothing.")
@vault_command
@click.pass_context
def ask(ctx: click.Context, /, question: tuple[str, ...], vault: Path | None, **chosen: Any) -> None:
    """Answer a question from the notes, with the passages it rests on.

    Without a provider (`knapper provider set`) the answer is made of quotes and nothing leaves this machine.
    Exit code 1 if the notes do not say, or the answer was cut off.
    """
    words = " ".join(question).strip()
    if not words:
        raise Trouble("The question is empty: type one, as in `knapper ask when is the bread baked`.")
    today = datetime.now().astimezone().date()
    with opened(vault) as it:
        memory, troubles = memory_of(it, today)
        scope = scope_of(it, **{name: chosen[name] for name in ("note", "folder", "tag", "linked")})
        asked = Question(words, scope)
        try:
            writer = None if chosen["no_provider"] else writer_of(it.settings, it.root.name)
            if chosen["dry_run"]:
                _show_trial(asked, memory, writer, it, as_document=chosen["as_json"])
                return
            answer = _answer(asked, memory, writer, it, as_document=chosen["as_json"])
        except ProviderError as error:
            raise Trouble(f"{error} {_QUOTES}") from None
        journalled(it, answer, today)
    remarks(troubles)
    if not (answer.in_notes and answer.complete):
        ctx.exit(1)


def _answer(
    question: Question, memory: Memory, writer: Writer | None, vault: OpenedVault, *, as_document: bool
) -> Answer:
    """The answer, shown while it comes, or whole as JSON."""
    if writer and sys.stderr.isatty():
        remark(f"Asking {writer.generator.host} …")
    parts = answered(question, memory, writer, CancelToken())
    if as_document:
        answer = _last(parts)
        print_json(as_json(answer, vault.root))
        return answer
    answer = _last(_printed(parts))
    _show_sources(answer)
    return answer


def _last(parts: Iterable[Part]) -> Answer:
    """The whole answer, which comes last."""
    whole = [part for part in parts if isinstance(part, Answer)]
    return whole[-1]


def _printed(parts: Iterable[Part]) -> Iterable[Part]:
    """*parts*, their words printed as they come."""
    text = ""
    try:
        for part in parts:
            if isinstance(part, Said):
                text = harmless(part.text)
                click.echo(text, nl=False)
                sys.stdout.flush()
            yield part
    finally:
        if text and not text.endswith("\n"):
            say()  # Whatever comes next, even a shell's prompt, begins a line.


def _show_sources(answer: Answer) -> None:
    if answer.citations:
        say()
    for cited in answer.citations:
        _show_source(cited, quotes=answer.sent is not None)
    if answer.also:
        say(faint("\nalso looked at"))
    for passage in answer.also:
        say(f"    {_place(passage)}")
    remarks(f"The note that it cites does not bear this out: {text}" for text in answer.unverified)
    remarks(answer.remarks)
    if sent := answer.sent:
        notes, tokens = counted(len(sent.notes), "note"), counted(sent.tokens, "token")
        remark(
            f"Written by {answer.model} at {sent.host}, which was sent passages of {notes} (about {tokens})."
        )


def _show_source(cited: Cited, *, quotes: bool) -> None:
    """The place that a marker means; with the words, unless the answer is made of them."""
    changed = faint(" (changed since)") if cited.changed else ""
    say(f"[{cited.number}] {_place(cited.passage, cited)}{changed}")
    if quotes and cited.quote:
        say(f"    {' '.join(cited.quote.split())}")


def _place(passage: FoundPassage, quote: Cited | None = None) -> str:
    at = quote or passage
    named = click.style(passage.title, bold=True) + (faint(f" › {at.heading}") if at.heading else "")
    return f"{where(passage.path, at.place.line)}  {named}"


def _show_trial(
    question: Question, memory: Memory, writer: Writer | None, vault: OpenedVault, *, as_document: bool
) -> None:
    """What would be sent. Raises `Trouble` if nobody would be asked."""
    if writer is None:
        raise Trouble("Nobody writes answers, so nothing would be sent. `knapper provider set` changes that.")
    run = tried(question, memory, writer, CancelToken())
    if as_document:
        print_json(trial_as_json(run, vault.root))
        return
    _show_run(run)


def _show_run(run: DryRun) -> None:
    if run.body:
        passages = counted(len(run.passages), "passage")
        say(f"{run.host} ({run.model}) would be sent {passages}, about {counted(run.tokens, 'token')}:")
    else:
        say(f"Nothing would be sent to {run.host}.")
    for passage in run.passages:
        say(f"    {_place(passage)}")
    if run.withheld:
        remark(f"{counted(run.withheld, 'passage')} would not be sent, being private.")
    remarks(run.remarks)
    if run.body:
        say()
        say(json.dumps(json.loads(run.body), ensure_ascii=False, indent=2))
