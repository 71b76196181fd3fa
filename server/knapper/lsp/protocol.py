"""What comes in is told apart, answered or refused as the specification says. Must not know features.

pygls gives the types, the serializer and the requests to the client. Its own handlers are not used:
they keep other buffers than ours, leak a future for each change, and know neither the state before
`initialize` nor that after `shutdown`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any, Protocol

from lsprotocol import types as t
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol

from knapper.lsp.frames import Damage
from knapper.lsp.here import Encoded

logger = logging.getLogger(__name__)

OWN = "knapper/"
REQUEST_FAILED = -32803
"""The code for what was understood and cannot be done."""
NEW, RUNNING, SHUT_DOWN = "new", "running", "shut down"


class Dispatcher(Protocol):
    """Who runs handlers: for each method the dispatcher knows, whenever the protocol lets it through."""

    def knows(self, method: str) -> bool:
        """Whether there is a handler for *method*."""

    def request(self, message_id: str | int, method: str, params: Any) -> None:
        """Run the handler; answer by `KnapperProtocol.answer` or `.refuse`, once, now or later."""

    def notification(self, method: str, params: Any) -> None:
        """Run the handler at once."""

    def cancel(self, message_id: str | int) -> None:
        """Stop the request of this id if it is still at work."""


class KnapperProtocol(LanguageServerProtocol):
    """The state of one connection. Every method runs on the main thread, `cancelled_early` apart."""

    dispatcher: Dispatcher
    state = NEW
    on_exit: Callable[[int], None]

    def __init__(self, server: Any, converter: Any) -> None:
        super().__init__(server, converter)
        # Filled by the thread that reads, so that a cancel overtakes requests that wait in the queue.
        self.cancelled_early: set[str | int] = set()

    def _register_builtin_features(self) -> None:
        """Leave pygls's own handlers out."""

    def warm_up(self) -> None:
        """Let the converter make its code for what is sent and read most, before somebody waits for it."""
        span = t.Range(t.Position(0, 0), t.Position(0, 0))
        item = t.CompletionItem("", text_edit=t.TextEdit(span, ""))
        for sample in (
            t.CompletionList(False, [item]),
            t.Hover(t.MarkupContent(t.MarkupKind.Markdown, ""), span),
        ):
            self._converter.unstructure(sample)
        about: dict[str, Any] = {"uri": "", "version": 1}
        place = {"line": 0, "character": 0}
        change = {"range": {"start": place, "end": place}, "text": ""}
        for method, params in (
            (t.TEXT_DOCUMENT_DID_CHANGE, {"textDocument": about, "contentChanges": [change]}),
            (t.TEXT_DOCUMENT_COMPLETION, {"textDocument": about, "position": place}),
        ):
            self._params({"jsonrpc": self.VERSION, "id": 0, "method": method, "params": params})

    def exit_code(self) -> int:
        """What the specification asks the process to return now."""
        return 0 if self.state == SHUT_DOWN else 1

    # --- in ---

    def receive(self, frame: bytes | Damage) -> None:
        """Take in one frame, whatever it holds."""
        if isinstance(frame, Damage):
            self._refuse(None, JsonRpcParseError(frame.reason))
            return
        try:
            message = json.loads(frame)
        except (ValueError, RecursionError) as problem:
            self._refuse(None, JsonRpcParseError(f"The message is no JSON: {type(problem).__name__}."))
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            found = message.get("id") if isinstance(message, dict) else None
            reason = 'A message is one JSON object with "jsonrpc": "2.0".'
            self._refuse(found if _is_id(found) else None, JsonRpcInvalidRequest(reason))
        elif isinstance(message.get("method"), str):
            self._receive_call(message)
        elif _is_id(message.get("id")) and ("result" in message or "error" in message):
            self._receive_answer(message)
        else:
            self._refuse(None, JsonRpcInvalidRequest("A message has a method, or answers one."))

    def _receive_call(self, message: dict[str, Any]) -> None:
        method, params = message["method"], None
        if "id" not in message:
            if method == t.EXIT:
                self.on_exit(self.exit_code())
            elif self.state == RUNNING:
                self._notification(method, message)
            return
        message_id = message["id"]
        if not _is_id(message_id):
            self._refuse(None, JsonRpcInvalidRequest("An id is a text or a whole number."))
            return
        try:
            self._check_state(method)
            if not self.dispatcher.knows(method):
                raise JsonRpcMethodNotFound.of(method)
            params = self._params(message)
        except JsonRpcException as refusal:
            self._refuse(message_id, refusal)
            return
        self.dispatcher.request(message_id, method, params)

    def _check_state(self, method: str) -> None:
        if self.state == SHUT_DOWN:
            raise JsonRpcInvalidRequest("The server is shutting down.")
        if self.state == NEW and method != t.INITIALIZE:
            raise JsonRpcServerNotInitialized("The first request must be `initialize`.")
        if self.state == RUNNING and method == t.INITIALIZE:
            raise JsonRpcInvalidRequest("The server is initialized already.")

    def _notification(self, method: str, message: dict[str, Any]) -> None:
        if method != t.CANCEL_REQUEST and not self.dispatcher.knows(method):
            return  # Those that begin with `$/` may be ignored, and the others mean nothing to us.
        try:
            params = self._params(message)
        except JsonRpcException as problem:
            logger.warning("%s is left out: %s", method, problem.message)
            return
        if method == t.CANCEL_REQUEST:
            self.cancelled_early.discard(params.id)
            self.dispatcher.cancel(params.id)
        else:
            self.dispatcher.notification(method, params)

    def _params(self, message: dict[str, Any]) -> Any:
        if message["method"].startswith(OWN):
            return message.get("params")  # as it came: pygls would make renamed tuples of it
        cls = self.get_message_type(message["method"])
        if cls is None:
            raise JsonRpcMethodNotFound.of(message["method"])
        if cls is t.DidChangeTextDocumentNotification:
            _drop_null_ranges(message.get("params"))
        try:
            return self._converter.structure(message, cls).params
        except Exception as problem:
            raise JsonRpcInvalidParams(f"Invalid params: {described(problem)}") from problem

    def _receive_answer(self, message: dict[str, Any]) -> None:
        future = self._request_futures.pop(message["id"], None)
        result_type = self._result_types.pop(message["id"], None)
        if future is None or future.done():
            return
        try:
            if "error" in message:
                error = self._converter.structure(message, t.ResponseErrorMessage).error
                future.set_exception(JsonRpcException.from_error(error) if error else JsonRpcInternalError())
            elif result_type is None:
                future.set_result(message["result"])
            else:
                future.set_result(self._converter.structure(message, result_type).result)
        except Exception as problem:  # noqa: BLE001 -- Whatever a client answers, only its own question fails.
            future.set_exception(
                JsonRpcInternalError(f"The client's answer is damaged: {described(problem)}")
            )

    # --- out ---

    def answer(self, message_id: str | int, result: Any) -> None:
        """Answer a request."""
        try:
            if isinstance(result, Encoded):
                head = json.dumps({"jsonrpc": self.VERSION, "id": message_id})[:-1]
                self._write(f'{head},"result":{result.json}}}')
            else:
                # Not by the library's type for answers: its converter goes through every value of plain data.
                self._send_data({"jsonrpc": self.VERSION, "id": message_id, "result": result})
        except (TypeError, ValueError) as problem:
            # The client must not be left waiting. The problem's text may quote a note: it is not logged.
            logger.error(  # noqa: TRY400
                "an answer cannot be written: %s", type(problem).__name__
            )
            self._refuse(message_id, JsonRpcInternalError("The answer cannot be written."))

    def refuse(self, message_id: str | int, error: JsonRpcException) -> None:
        """Answer a request with an error."""
        self._refuse(message_id, error)

    def _send_data(self, data: Any) -> None:
        """Write one message; raises what the serializer raises, and ends the server if nobody listens."""
        self._write(json.dumps(data, default=self._serialize_message, separators=(",", ":")))

    def _write(self, message: str) -> None:
        body = message.encode()
        try:
            if self.writer is not None:
                self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        except (OSError, ValueError):
            self.writer = None
            self.on_exit(self.exit_code())

    def _refuse(self, message_id: str | int | None, error: JsonRpcException) -> None:
        # Written by hand: the library's type leaves out an id that is null, which must be there.
        problem = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": message_id, "error": problem})


def _drop_null_ranges(params: Any) -> None:
    """Some clients write a range of null for a whole text. Without it all later edits would go wrong."""
    changes = params.get("contentChanges") if isinstance(params, dict) else None
    for change in changes if isinstance(changes, list) else ():
        if isinstance(change, dict) and change.get("range", change) is None:
            del change["range"]


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def described(problem: BaseException) -> str:
    """What is wrong with params, in one line: the deepest message of cattrs' nested groups."""
    while isinstance(problem, BaseExceptionGroup) and problem.exceptions:
        problem = problem.exceptions[0]
    notes = [note for note in getattr(problem, "__notes__", ()) if isinstance(note, str)]
    where = notes[-1].removeprefix("Structuring class ") if notes else ""
    text = f"{type(problem).__name__} {problem}".strip()
    return f"{text} ({where})" if where else text
