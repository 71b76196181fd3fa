"""How a request is run: one of five ways, which the table of handlers names. Must not know features.

    on_edit     at once, on the main thread; changes what the server holds
    on_read     at once, on the main thread; for what takes a few milliseconds at most
    on_typing   on the main thread; an older one for the same document answers null as soon as a newer came
    on_job      in a job thread
    on_task     a coroutine on the main thread, for what waits: for the index, for a person

Handlers of the middle three are plain functions of a frozen `Here` (or of all `Vault`s, if `across`) and
the params, so a test calls them without a server.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcRequestCancelled

from knapper.base.cancel import Cancelled, CancelToken
from knapper.lsp.here import Here, NotThere, Vault
from knapper.lsp.jobs import Jobs, log_problem
from knapper.lsp.protocol import KnapperProtocol

logger = logging.getLogger(__name__)
MessageId = str | int
_SLOW_S = 0.05
_BURST_S = 0.05
_CHECKPOINT_S = 0.002


def nothing(_params: Any) -> Any:
    """Answer null."""
    return None


@dataclass(frozen=True, slots=True)
class Handler:
    """A method and how it is run. `absent` is what a document that is not there is answered with."""

    method: str
    function: Callable[..., Any]
    runs: str
    options: Any = None
    across: bool = False
    absent: Callable[[Any], Any] = nothing


def on_edit(method: str, function: Callable[..., Any], options: Any = None) -> Handler:
    """Run `function(server, params)` at once."""
    return Handler(method, function, "edit", options)


def on_read(method: str, function: Callable[..., Any], options: Any = None, **more: Any) -> Handler:
    """Run `function(here, params)` at once."""
    return Handler(method, function, "read", options, **more)


def on_typing(method: str, function: Callable[..., Any], options: Any = None) -> Handler:
    """Run `function(here, params)` soon, unless a newer one of the same document comes in."""
    return Handler(method, function, "typing", options)


def on_job(method: str, function: Callable[..., Any], options: Any = None, **more: Any) -> Handler:
    """Run `function(here, params)` in a job thread."""
    return Handler(method, function, "job", options, **more)


def on_task(method: str, function: Callable[..., Any], options: Any = None) -> Handler:
    """Run `await function(server, params, token)`."""
    return Handler(method, function, "task", options)


class World(Protocol):
    """What the dispatcher needs of the server."""

    def here(self, params: Any, token: CancelToken) -> Here:
        """The document that *params* are about; raises `NotThere`."""

    def all_vaults(self) -> tuple[Vault, ...]:
        """Every vault of this client."""


class TableDispatcher:
    """Runs handlers and answers for them. Everything here happens on the main thread."""

    def __init__(
        self, handlers: tuple[Handler, ...], protocol: KnapperProtocol, world: World, jobs: Jobs
    ) -> None:
        self._handlers = {handler.method: handler for handler in handlers}
        self._protocol = protocol
        self._world = world
        self._jobs = jobs
        self._running: dict[MessageId, asyncio.Task[Any]] = {}
        self._typed: dict[tuple[str, str], tuple[int, float]] = {}

    def knows(self, method: str) -> bool:
        """Whether there is a handler for *method*."""
        return method in self._handlers

    def notification(self, method: str, params: Any) -> None:
        """Run the handler of a notification at once."""
        try:
            with timed(method):
                self._handlers[method].function(self._world, params)
        except Exception as problem:  # noqa: BLE001 -- No message takes the server down.
            log_problem(method, problem)

    def request(self, message_id: MessageId, method: str, params: Any) -> None:
        """Run the handler of a request; it is answered now or when its task is done."""
        handler = self._handlers[method]
        if message_id in self._protocol.cancelled_early:
            self._protocol.refuse(message_id, JsonRpcRequestCancelled("The request was cancelled."))
            return
        token = CancelToken()
        try:
            with timed(method):
                result = self._begin(handler, params, token)
        except Exception as problem:  # noqa: BLE001 -- No request takes the server down.
            self._fail(message_id, handler, params, problem)
            return
        if asyncio.iscoroutine(result):
            task = self._jobs.start(result, logged=False)
            self._running[message_id] = task
            task.add_done_callback(lambda done: self._done(message_id, handler, params, done))
        else:
            self._protocol.answer(message_id, result)

    def cancel(self, message_id: MessageId) -> None:
        """Stop a request that is still at work; it is answered that it was cancelled."""
        if task := self._running.get(message_id):
            task.cancel()

    def cancel_all(self) -> None:
        """Stop every request that is still at work."""
        for task in tuple(self._running.values()):
            task.cancel()

    def _begin(self, handler: Handler, params: Any, token: CancelToken) -> Any:
        """The result, or a coroutine that gives it. The state it is about is that of this moment."""
        world, call = self._world, handler.function
        if handler.runs == "edit":
            return call(world, params)
        if handler.runs == "task":
            return call(world, params, token)
        if handler.runs == "typing":
            return self._typing(handler, params, token)
        about = world.all_vaults() if handler.across else world.here(params, token)
        if handler.runs == "read" and not (isinstance(about, Here) and about.is_heavy):
            return call(about, params)
        return self._jobs.run(lambda: call(about, params), token)

    async def _typing(self, handler: Handler, params: Any, token: CancelToken) -> Any:
        key = (handler.method, params.text_document.uri)
        number, before = self._typed.get(key, (0, 0.0))
        number, now = number + 1, time.monotonic()
        self._typed[key] = (number, now)
        # Let in what the client has sent since. In a burst the messages come a moment apart.
        await asyncio.sleep(_CHECKPOINT_S if now - before < _BURST_S else 0)
        if self._typed.get(key, (number,))[0] != number:
            return None
        with timed(handler.method):
            return handler.function(self._world.here(params, token), params)

    def _done(self, message_id: MessageId, handler: Handler, params: Any, task: asyncio.Task[Any]) -> None:
        # Here and not in a coroutine: a task that is cancelled before its first step never runs one.
        if self._running.get(message_id) is task:
            del self._running[message_id]
        if task.cancelled():
            self._fail(message_id, handler, params, Cancelled())
        elif problem := task.exception():
            self._fail(message_id, handler, params, problem)
        else:
            self._protocol.answer(message_id, task.result())

    def _fail(self, message_id: MessageId, handler: Handler, params: Any, problem: BaseException) -> None:
        if isinstance(problem, NotThere):
            self._protocol.answer(message_id, handler.absent(params))
        elif isinstance(problem, Cancelled):
            self._protocol.refuse(message_id, JsonRpcRequestCancelled("The request was cancelled."))
        elif isinstance(problem, JsonRpcException):
            self._protocol.refuse(message_id, problem)
        else:
            log_problem(handler.method, problem)
            reason = f"{handler.method} failed ({type(problem).__name__}); the log says where."
            self._protocol.refuse(message_id, JsonRpcInternalError(reason))


class timed:  # noqa: N801 -- Reads as what it does: `with timed(method)`.
    """Log a turn of the loop that took long, with the name of what took it."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        self._start = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        spent = time.perf_counter() - self._start
        if spent > _SLOW_S:
            logger.info("%s took %.0f ms of the main thread", self._what, spent * 1000)
