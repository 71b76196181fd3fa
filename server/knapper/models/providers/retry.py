"""When a request is worth repeating, and after how long. Must not know how requests are sent."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from knapper.base.cancel import CancelToken

AGAIN = 2
"""How often a request is repeated."""
LONGEST = 60.0
"""Seconds. Who asks for more is not waited for: the person is told instead."""
_FIRST, _MOST = 0.5, 8.0


def wait_for(seconds: float, token: CancelToken) -> None:
    """Sleep, but no longer than until the token is set; raises `Cancelled` then."""
    done = threading.Event()
    forget = token.on_cancel(done.set)
    try:
        done.wait(seconds)
    finally:
        forget()
    token.check()


@dataclass(frozen=True, slots=True)
class Clock:
    """The time and chance that retries need; tests have their own. *chance* is in [0, 1)."""

    now: Callable[[], float] = time.time
    wait: Callable[[float, CancelToken], None] = wait_for
    chance: Callable[[], float] = random.random


def is_passing(status: int) -> bool:
    """Whether the same request may succeed a little later."""
    return status in (408, 409, 429) or status >= 500


def delay(status: int, headers: Mapping[str, str], attempt: int, clock: Clock) -> float | None:
    """Seconds to wait before the next attempt; None if there should be none. *attempt* counts from 0."""
    verdict = headers.get("x-should-retry", "").strip().lower()
    if attempt >= AGAIN or verdict == "false" or not (is_passing(status) or verdict == "true"):
        return None
    asked = asked_delay(headers, clock.now())
    if asked is not None:
        return asked if asked <= LONGEST else None
    return float(min(_FIRST * 2**attempt, _MOST)) * (1 - clock.chance() / 4)


def asked_delay(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds that the provider asks for: in milliseconds, in seconds, or as a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        try:
            seconds = float(value) * unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        return max(parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - now, 0.0)
    except (ValueError, TypeError, OverflowError):
        return None
