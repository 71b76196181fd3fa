"""Stand between an editor and a server, pass every byte on, and write down every message.

    python recorder.py OUT.jsonl -- knapper serve

Each line of OUT.jsonl is `{"t": seconds, "dir": "c>s" | "s>c", "msg": {...}}`. Only the standard library:
an editor starts this with whatever Python there is. Must not change, delay or understand what it passes on.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

TO_SERVER, TO_CLIENT = "c>s", "s>c"


class Recorder:
    """The file that both directions write to."""

    def __init__(self, path: Path) -> None:
        self.out = path.open("a", encoding="utf-8", buffering=1)
        self.began = time.monotonic()
        self.lock = threading.Lock()

    def write(self, direction: str, body: bytes) -> None:
        """Add one message. A body that is no JSON is kept as text under `unreadable`."""
        try:
            message = json.loads(body)
        except ValueError:
            message = {"unreadable": body.decode(errors="replace")}
        entry = {"t": round(time.monotonic() - self.began, 4), "dir": direction, "msg": message}
        with self.lock:
            self.out.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def pass_on(self, source: BinaryIO, sink: BinaryIO, direction: str) -> None:
        """Record and pass on every message until *source* ends; then end *sink*."""
        try:
            while (body := _read_message(source)) is not None:
                # Recorded first: a reply must never stand above the request it answers.
                self.write(direction, body)
                sink.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
                sink.flush()
            sink.close()
        except (BrokenPipeError, ValueError):
            return  # The other side is gone; its end is what the editor is to see.


def _read_message(source: BinaryIO) -> bytes | None:
    length = 0
    while line := source.readline():
        if line == b"\r\n":
            return source.read(length)
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return None


def main() -> int:
    """Start the server and pass messages on until it ends; its exit status is ours."""
    split = sys.argv.index("--")
    recorder = Recorder(Path(sys.argv[1]))
    server = subprocess.Popen(sys.argv[split + 1 :], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin
    assert server.stdout
    ways = (sys.stdin.buffer, server.stdin, TO_SERVER)
    threading.Thread(target=recorder.pass_on, args=ways, daemon=True).start()
    recorder.pass_on(server.stdout, sys.stdout.buffer, TO_CLIENT)
    return server.wait()


if __name__ == "__main__":
    sys.exit(main())
