"""When the person was asked on this machine whether a model may be downloaded, and what the answer was.

Must not know who asks.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path

from knapper.base.folders import state_folder

DOWNLOAD, NOT_NOW, NEVER = "Download", "Not now", "Never"
_AGAIN = timedelta(days=7)


def may_offer(today: date) -> bool:
    """Whether the person may be asked: never after “Never”, and a week after any other question."""
    try:
        lines = _file().read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return True
    except (OSError, UnicodeDecodeError):
        return False
    if NEVER in lines[1:2]:
        return False
    try:
        # However far the clock was off, it cannot put the question off for years.
        return abs(today - date.fromisoformat(lines[2])) >= _AGAIN
    except (IndexError, ValueError):
        return True


def remember_offer(name: str, answer: str, today: date) -> None:
    """Write down what was asked and answered: the model, the answer and the day, one a line."""
    with suppress(OSError):
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().write_text(f"{name}\n{answer}\n{today.isoformat()}\n", encoding="utf-8")


def _file() -> Path:
    return state_folder() / "model-offered"
