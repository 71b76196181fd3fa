"""The log of what has left this program: to whom, of which notes, how much. Never text, never a key.

One JSON object a line, written before the bytes go: what cannot be logged is not sent. Several processes may
write to one log. Must not know who sends.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from knapper.base.appending import append
from knapper.base.folders import state_folder
from knapper.memory.answer import Sent
from knapper.models.providers.ports import ProviderError
from knapper.vault.paths import NotePath

LONGEST = 1_000_000
"""Bytes; a longer log becomes `sent.old.jsonl`, in place of the one before."""
_PATIENCE = 5.0  # seconds for another process that is writing


def egress_file() -> Path:
    """Where the log lies."""
    return state_folder() / "sent.jsonl"


@dataclass(frozen=True, slots=True)
class EgressLog:
    """The log in *file* for questions to the vault called *vault*."""

    file: Path
    vault: str = ""

    def write(self, sent: Sent, provider: str, model: str) -> None:
        """Add a line on what is about to be sent. Raises `ProviderError` if that cannot be written."""
        line = json.dumps(
            {
                "at": datetime.now(UTC).isoformat(timespec="seconds"),
                "host": sent.host,
                "provider": provider,
                "model": model,
                "vault": self.vault,
                "notes": list(sent.notes),
                "passages": sent.passages,
                "characters": sent.characters,
                "tokens": sent.tokens,
            }
        )  # Escaped, because a file name may hold what is no text (lone surrogates).
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(f"{self.file}.lock").acquire(timeout=_PATIENCE):
                self._make_room()
                append(self.file, f"{line}\n")
        except (OSError, Timeout) as error:
            why = getattr(error, "strerror", None) or "another program holds it"
            raise ProviderError(
                "request", f"Nothing was sent, for the log of what is sent cannot be written ({why}): {_NEXT}"
            ) from None

    def _make_room(self) -> None:
        if self.file.exists() and self.file.stat().st_size > LONGEST:
            self.file.replace(self.file.with_suffix(".old.jsonl"))


_NEXT = "check that Knapper's state folder can be written and the disk is not full."


def notes_of(paths: Sequence[NotePath]) -> tuple[NotePath, ...]:
    """*paths*, each once, in their order."""
    return tuple(dict.fromkeys(paths))
