"""A server over real stdio, on a vault, with a provider on this machine: what tests of asking begin with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from knapper.models.providers.choice import PROVIDERS
from tests.e2e.raw_client import RawClient, raw_client, vault
from tests.models.providers.streams import chat, chunk
from tests.models.providers.wire import Answer, Silence, Wire, stream

NO_KEYS = {
    "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
    **{known.key_name: "" for known in PROVIDERS.values()},
}
"""An environment in which no key of whoever runs the tests is found."""
NOTES = {
    "Bread.md": "# Bread\n\n## Dough\n\nFold the dough every half hour, four times. Let it rest overnight.\n",
    "Bees.md": "# Bees\n\nThe hive swarms in May, when the linden is not yet in flower.\n",
    "Tax.md": "# Tax\n\nThe annual return is due in July; keep every receipt.\n",
}
QUESTION = "How often do I fold the dough?"
FOLD = "Fold the dough every half hour, four times [1]."
CLIENT: dict[str, Any] = {
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]},
    },
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
    "textDocument": {},
}


class Asked:
    """A client whose server knows a provider, and that provider."""

    def __init__(self, client: RawClient, root: Path, provider: Wire) -> None:
        self.client, self.root, self.provider = client, root, provider

    def ask(self, question: str = QUESTION, **params: Any) -> dict[str, Any]:
        """The result of a question."""
        return dict(self.client.result("knapper/ask", {"question": question, **params}))

    def refusal(self, **params: Any) -> dict[str, Any]:
        """The error that a question is answered with."""
        return dict(self.client.request("knapper/ask", params)["error"])

    def pieces(self, token: str) -> list[dict[str, Any]]:
        """The values told under a token so far."""
        told = (message["params"] for message in self.client.messages("$/progress"))
        return [params["value"] for params in told if params["token"] == token]

    def run(self, name: str, *arguments: Any) -> dict[str, Any]:
        """The whole answer to a command."""
        params = {"command": name, "arguments": list(arguments)}
        return self.client.request("workspace/executeCommand", params)

    def bodies(self) -> list[str]:
        """What the provider was sent."""
        return [received.body.decode() for received in self.provider.received]


def settings(provider: Wire | None, **more: Any) -> dict[str, Any]:
    """Initialization options that choose *provider*, or nobody."""
    chosen = {"provider": "compatible", "baseUrl": provider.base, "model": "small"} if provider else {}
    return {"ask": chosen, "embeddings": {"enabled": False}, **more}


@contextmanager
def asked(
    folder: Path, provider: Wire, *, files: Mapping[str, str] | None = None, nobody: bool = False, **more: Any
) -> Iterator[Asked]:
    """A server that is ready to be asked. With *nobody* no provider is chosen."""
    root = vault(folder, NOTES if files is None else files)
    with raw_client(folder, environment=NO_KEYS) as client:
        client.answers["window/showDocument"] = lambda _: {"success": True}
        options = settings(None if nobody else provider)
        client.start(root, **{"capabilities": CLIENT, "options": options, **more})
        client.wait_until_ready()
        yield Asked(client, root, provider)


def says(*texts: str) -> Answer:
    """A provider that says this."""
    return stream(chat(*texts), 11)


def stalls(*texts: str) -> Answer:
    """A provider that says this and then nothing more, without an end."""
    said = "".join(chunk({"content": text}) for text in texts)
    headers = {"Content-Type": "text/event-stream"}
    return Answer(headers=headers, parts=[*([said.encode()] if said else []), Silence()])


def drips(*texts: str, pause: float) -> Answer:
    """A provider that says one text after the other, with pauses between."""
    parts: list[bytes | float | Silence] = []
    for text in texts:
        parts += [chunk({"content": text}).encode(), pause]
    parts.append(chat(done=True).encode())
    return Answer(headers={"Content-Type": "text/event-stream"}, parts=parts)
