"""One question on its way in a job thread: the vault as memory, who writes, and what is told meanwhile.

Knows how a vault of the editor becomes a `Memory`. Must not know what the client is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from knapper.base.cancel import CancelToken
from knapper.index.excluded import excluded_now
from knapper.lsp.aids import Remembered, aids_of
from knapper.lsp.answers import piece_of
from knapper.lsp.here import Vault
from knapper.lsp.jobs import Jobs
from knapper.lsp.telling import Telling
from knapper.lsp.usage import today
from knapper.memory.answer import Answer, Cited, DryRun
from knapper.memory.ask import ask, dry_run
from knapper.memory.asked import Memory, Question
from knapper.memory.excerpt import digest_of
from knapper.memory.writer import Writer, writer_of
from knapper.models.providers.ports import Generator, Piece, Prompt
from knapper.store.lexical import LexicalReader
from knapper.vault.paths import NotePath

LOOKING = "Looking in the notes"
_NOBODY = "No provider is chosen, so nothing would be sent."


@dataclass(frozen=True, slots=True)
class Answering:
    """A question and all that answering needs. `text_now` gives the text of a note at any moment.

    Nobody is asked if `is_local`, whoever is chosen.
    """

    vault: Vault
    it: Remembered
    text_now: Callable[[NotePath], str | None]
    question: Question
    is_local: bool
    telling: Telling

    def answer(self, jobs: Jobs, token: CancelToken) -> Answer:
        """The answer, once all of it is told. Raises `ProviderError` and `Cancelled`."""
        token.check()
        writer = self._writer()
        token.check()
        for part in ask(self.question, self._memory(jobs), writer and self._announced(writer), token):
            if isinstance(part, Answer):
                return replace(part, citations=tuple(map(self._as_of_now, part.citations)))
            if piece := piece_of(self.vault, part):
                self.telling.piece(piece)
        raise AssertionError("An answer ends with the whole of it.")

    def tried(self, jobs: Jobs, token: CancelToken) -> DryRun:
        """What would be sent. Raises `ProviderError` and `Cancelled`."""
        writer = self._writer()
        if writer is None:
            return DryRun("", "none", "", 0, b"", remarks=(_NOBODY,))
        return dry_run(self.question, self._memory(jobs), writer, token)

    def _as_of_now(self, cited: Cited) -> Cited:
        """The citation, once more compared with its note: a person writes on while an answer streams."""
        text = self.text_now(cited.passage.path)
        return replace(cited, changed=text is None or digest_of(text) != cited.passage.digest)

    def _writer(self) -> Writer | None:
        return None if self.is_local else writer_of(self.vault.snap.settings, self.vault.root.name)

    def _announced(self, writer: Writer) -> Writer:
        return replace(writer, generator=_Announced(writer.generator, self.telling.stage))

    def _memory(self, jobs: Jobs) -> Memory:
        assert self.vault.database is not None
        reader, snap = jobs.reader(self.vault.database), self.vault.snap

        def linked(path: NotePath) -> Collection[NotePath]:
            return {*filter(None, snap.outgoing(path)), *snap.sources(path)}

        now, unsure = excluded_now(self.vault.root, lambda path: self.text_now(NotePath(path)), snap.settings)

        def hidden(path: NotePath) -> bool:
            return snap.view.is_excluded(path) or (now is not None and now.holds(path))

        return Memory(
            index=LexicalReader(reader.connection, reader.server),
            aids=aids_of(self.it, snap.settings, "hybrid"),
            today=today(),
            text_of=self.text_now,
            hidden=snap.view.is_excluded if now == snap.view.excluded else hidden,
            linked=linked,
            unsure=unsure,
        )


@dataclass(frozen=True, slots=True)
class _Announced:
    """A generator that says when it is asked."""

    generator: Generator
    say: Callable[[str], None]

    @property
    def host(self) -> str:
        return self.generator.host

    @property
    def model(self) -> str:
        return self.generator.model

    @property
    def room(self) -> int:
        return self.generator.room

    def tokens(self, prompt: Prompt) -> int:
        return self.generator.tokens(prompt)

    def body(self, prompt: Prompt) -> bytes:
        return self.generator.body(prompt)

    def stream(self, prompt: Prompt, token: CancelToken) -> Iterator[Piece]:
        self.say(f"Asking {self.host}")
        return self.generator.stream(prompt, token)
