"""The conversations of one client, and which vault each is about. Owned by the main thread."""

from __future__ import annotations

from knapper.lsp.session import Session
from knapper.memory.answer import Answer
from knapper.memory.asked import Turn
from knapper.memory.conversation import Conversations, Exchange


class Talks:
    """What was asked and answered, for as long as `Conversations` remembers it."""

    def __init__(self) -> None:
        self._conversations = Conversations()
        self._vaults: dict[str, Session] = {}

    def add(self, session: Session, question: str, answer: Answer, conversation: str) -> str:
        """Remember an answer; gives the id of its conversation, a new one if that was forgotten."""
        known = self._conversations.add(question, answer, conversation)
        self._vaults[known] = session
        for gone in [old for old in self._vaults if not self._conversations.exchanges(old)]:
            del self._vaults[gone]
        return known

    def vault(self, conversation: str) -> Session | None:
        """The vault that a conversation is about."""
        return self._vaults.get(conversation) if self._conversations.exchanges(conversation) else None

    def were_sent(self, conversation: str) -> bool:
        """Whether nothing in the conversation is known here alone: a provider has written all its answers."""
        exchanges = self._conversations.exchanges(conversation)
        return bool(exchanges) and all(exchange.answer.sent for exchange in exchanges)

    def turns(self, conversation: str) -> tuple[Turn, ...]:
        """What was asked before, oldest first."""
        return self._conversations.turns(conversation)

    def last(self, conversation: str) -> Exchange | None:
        """The last question with its answer."""
        return self._conversations.last(conversation)
