"""Messages as lines of JSON. Every line is ASCII: half a surrogate pair in a text survives the pipe."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, cast, get_args

from knapper.index import messages
from knapper.index.messages import Event, Request

_CLASSES: dict[str, Any] = {
    cls.__name__: cls for cls in (*get_args(messages.Request), *get_args(messages.Event))
}


def decode_request(line: bytes) -> Request:
    """The request in a line. Raises ValueError for anything else."""
    message = decode(line)
    if not isinstance(message, get_args(messages.Request)):
        raise ValueError(f"no request: {type(message).__name__}")  # noqa: TRY004 -- The line is wrong.
    return cast("Request", message)


def decode_event(line: bytes) -> Event:
    """The event in a line. Raises ValueError for anything else."""
    message = decode(line)
    if not isinstance(message, get_args(messages.Event)):
        raise ValueError(f"no event: {type(message).__name__}")  # noqa: TRY004 -- The same.
    return cast("Event", message)


def encode(message: Request | Event) -> bytes:
    """The line for a message, line break included."""
    fields = {field.name: getattr(message, field.name) for field in dataclasses.fields(message)}
    return json.dumps({"is": type(message).__name__, **fields}, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes) -> Request | Event:
    """The message in a line. Raises ValueError for anything else."""
    try:
        fields = json.loads(line)
        cls = _CLASSES[fields.pop("is")]
        message: Request | Event = cls(**{name: _frozen(value) for name, value in fields.items()})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no message: {error}") from error
    else:
        return message


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
