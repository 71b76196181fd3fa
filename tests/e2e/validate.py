"""Whether a recorded session keeps to the protocol.

Every message of the server must parse as its type, survive the way back without losing a key, go in the
right direction and keep positions within range; every request must get exactly one answer.

    python validate.py RECORD.jsonl…
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import converters
from lsprotocol import types as t

OURS = "knapper/"
_CONVERTER = converters.get_converter()
_SENDERS = {"c>s": "clientToServer", "s>c": "serverToClient"}
_OTHER = {"c>s": "s>c", "s>c": "c>s"}
_LARGEST = 2**31 - 1


def problems_in(record: Path) -> list[str]:
    """What is wrong with the server's side of a recorded session, one sentence each."""
    lines = record.read_text(encoding="utf-8").split("\n")
    session = _Session()
    for number, line in enumerate(lines, 1):
        if line:
            entry = json.loads(line)
            session.take(number, entry["dir"], entry["msg"])
    return session.problems


@dataclass
class _Session:
    """What has been said so far: the questions that wait for an answer, by who asked and the id."""

    problems: list[str] = field(default_factory=list)
    waiting: dict[tuple[str, str], str] = field(default_factory=dict)

    def take(self, number: int, direction: str, message: dict[str, Any]) -> None:
        if "method" in message:
            found = self._call(direction, message)
        else:
            found = self._answer(direction, message)
        about = message.get("method", "answer")
        if direction == "s>c":
            self.problems += [f"{number}: {about}: {problem}" for problem in found]

    def _call(self, direction: str, message: dict[str, Any]) -> list[str]:
        method = message["method"]
        if "id" in message:
            key = (direction, json.dumps(message["id"]))
            if key in self.waiting:
                return [f"the id {message['id']} is in use"]
            self.waiting[key] = method
        if method.startswith(OURS):
            return []
        if method not in t.METHOD_TO_TYPES:
            return ["there is no such method"]
        if t.message_direction(method) not in {_SENDERS[direction], "both"}:
            return [f"must not be sent {direction}"]
        return list(differences(message, t.METHOD_TO_TYPES[method][0]))

    def _answer(self, direction: str, message: dict[str, Any]) -> list[str]:
        method = self.waiting.pop((_OTHER[direction], json.dumps(message.get("id"))), None)
        if method is None:
            return [f"answers {message.get('id')}, which nobody asked"]
        if "error" in message:
            return list(differences(message, t.ResponseErrorMessage))
        if "result" not in message:
            return [f"to {method} has neither result nor error"]
        if method.startswith(OURS):
            return []
        kind = t.METHOD_TO_TYPES[method][1]
        return [f"to {method}{problem}" for problem in differences(message, kind)] if kind else []


def differences(message: dict[str, Any], kind: type) -> Iterator[str]:
    """How a message differs from what is left of it once it was read as *kind* and written again."""
    try:
        back = _CONVERTER.unstructure(_CONVERTER.structure(message, kind), unstructure_as=kind)
    except Exception as problem:  # noqa: BLE001 -- Whatever it is, the message is wrong.
        yield f" cannot be read as {kind.__name__}: {problem!r:.200}"
        return
    yield from _lost(_without_nulls(message), _without_nulls(json.loads(json.dumps(back))), "")
    yield from _out_of_range(message, "")


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list | tuple) else value


def _lost(sent: Any, back: Any, where: str) -> Iterator[str]:
    if isinstance(sent, dict) and isinstance(back, dict):
        for name, value in sent.items():
            if name in back:
                yield from _lost(value, back[name], f"{where}.{name}")
            else:
                yield f"{where}.{name} is not in the type"
    elif isinstance(sent, list) and isinstance(back, list) and len(sent) == len(back):
        for at, (one, other) in enumerate(zip(sent, back, strict=True)):
            yield from _lost(one, other, f"{where}[{at}]")
    elif sent != back or type(sent) is not type(back):
        yield f"{where} is {sent!r:.60} and should be {back!r:.60}"


def _out_of_range(value: Any, where: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name in ("line", "character"):
            number = value.get(name)
            if isinstance(number, int) and not 0 <= number <= _LARGEST:
                yield f"{where}.{name} is {number}"
        for name, inner in value.items():
            yield from _out_of_range(inner, f"{where}.{name}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _out_of_range(inner, f"{where}[{at}]")


def main(records: Iterable[str]) -> int:
    found = {record: problems_in(Path(record)) for record in records}
    for record, problems in found.items():
        print(f"{record}: {len(problems)} problems", *problems, sep="\n  ")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
