"""Models' work is done most urgent first, in steps, and not while the person types."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Generator
from pathlib import Path

from knapper.index.model_thread import PASSAGES, QUERY, ModelThread
from knapper.index.tried import ENOUGH, Tried


def _steps(log: list[str], name: str, count: int, gate: threading.Event) -> Generator[int, None, str]:
    for number in range(count):
        gate.wait(10)
        log.append(f"{name}{number}")
        yield number
    return name


def test_a_query_waits_for_one_step_only() -> None:
    calls: queue.SimpleQueue[object] = queue.SimpleQueue()
    thread = ModelThread(calls.put)
    log: list[str] = []
    gate = threading.Event()
    told: list[object] = []
    thread.submit(PASSAGES, _steps(log, "passage", 3, gate), told.append, told.append)
    time.sleep(0.05)  # It waits in its first step.
    thread.submit(QUERY, _steps(log, "query", 1, gate), told.append)
    gate.set()
    while "passage" not in told:
        calls.get(timeout=10)()  # type: ignore[operator]
    assert log == ["passage0", "query0", "passage1", "passage2"]
    assert told == [0, "query", 1, 2, "passage"]


def test_no_passage_is_begun_during_a_pause_and_a_query_is() -> None:
    calls: queue.SimpleQueue[object] = queue.SimpleQueue()
    thread = ModelThread(calls.put)
    log: list[str] = []
    gate = threading.Event()
    gate.set()
    told: list[object] = []
    thread.pause(0.3)
    began = time.monotonic()
    thread.submit(PASSAGES, _steps(log, "passage", 1, gate), told.append)
    thread.submit(QUERY, _steps(log, "query", 1, gate), told.append)
    while "passage" not in told:
        calls.get(timeout=10)()  # type: ignore[operator]
    assert log == ["query0", "passage0"]
    assert time.monotonic() - began >= 0.3


def test_of_work_that_is_cancelled_what_a_step_made_is_kept_and_no_end_is_told() -> None:
    calls: queue.SimpleQueue[object] = queue.SimpleQueue()
    thread = ModelThread(calls.put)
    begun, gate = threading.Event(), threading.Event()
    told: list[object] = []

    def steps() -> Generator[int, None, str]:
        begun.set()
        yield from _steps([], "a", 5, gate)
        return "a"

    job = thread.submit(PASSAGES, steps(), told.append, told.append)
    begun.wait(10)
    job.cancelled = True
    thread.submit(PASSAGES, _steps([], "b", 1, gate), told.append)
    gate.set()
    while "b" not in told:
        calls.get(timeout=10)()  # type: ignore[operator]
    assert told == [0, "b"]


def test_what_ends_the_process_again_and_again_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "tried.json"
    for number in range(ENOUGH):
        tried = Tried(file)
        assert (tried.is_suspect("bad"), tried.is_guilty("bad")) == (number > 0, False)
        tried.begin(["bad", "good"])
        if number == 0:
            tried.end(["good"])
            tried.begin(["bad"])
    assert Tried(file).is_guilty("bad")
    Tried(file).end(["bad"])
    assert not Tried(file).is_suspect("bad")


def test_a_process_that_ends_as_it_should_accuses_nothing(tmp_path: Path) -> None:
    tried = Tried(tmp_path / "tried.json")
    tried.begin(["a"])
    tried.close()
    assert not Tried(tmp_path / "tried.json").is_suspect("a")
    (tmp_path / "tried.json").write_text('{"a": 5')
    assert not Tried(tmp_path / "tried.json").is_suspect("a")
