"""`knapper status`: what the index holds, without changing it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from knapper.base.settings import Settings
from knapper.cli.opened import find_root, settings_of
from knapper.cli.options import Trouble, vault_command
from knapper.cli.output import counted, faint, print_json, say, where
from knapper.index.local import owner_of
from knapper.index.location import locate
from knapper.store.embeddings import Meaning
from knapper.store.errors import StoreError
from knapper.store.reader import Reader


@click.command()
@vault_command
@click.pass_context
def status(ctx: click.Context, vault: Path | None, as_json: bool) -> None:
    """Say what the index holds, where it lies and who keeps it, as it is now. Exit code 1: there is none."""
    root = find_root(vault)
    found = _status(root, settings_of(root))
    if as_json:
        print_json(found)
    else:
        _show(found)
    if found["state"] == "missing":
        ctx.exit(1)


def _status(root: Path, settings: Settings) -> dict[str, Any]:
    database = locate(root, settings["index.location"]).database
    if not database.exists():
        return {
            "vault": str(root),
            "state": "missing",
            "index": {"path": str(database), "bytes": 0, "owner": None},
        }
    try:
        reader = Reader(database)
        try:
            counts = reader.counts()
            passed = float(reader.meta("passed") or 0)
            touched = int(reader.meta("touched") or 0)
            problems = reader.problems()
        finally:
            reader.close()
    except StoreError as error:
        raise Trouble(
            f"The index {database} cannot be used ({error}); `knapper rebuild` makes a new one."
        ) from error
    owner = owner_of(root, settings)
    return {
        "vault": str(root),
        "state": "indexing" if counts.building or counts.pending else "ready",
        "pending": counts.pending,
        "files": counts.files,
        "notes": counts.notes,
        "links": counts.links,
        "unresolved": counts.unresolved,
        "chunks": counts.chunks,
        **_meaning(counts.meaning),
        "index": {"path": str(database), "bytes": database.stat().st_size, "owner": owner},
        "lastPass": {"at": datetime.fromtimestamp(passed, UTC).isoformat(), "touched": touched}
        if passed
        else None,
        "problems": [{"path": path, "reason": reason} for path, reason in problems.items()],
    }


def _meaning(meaning: Meaning) -> dict[str, Any]:
    return {
        "embedded": meaning.embedded,
        "notEmbedded": [{"path": path, "reason": reason} for path, reason in meaning.failed],
        "model": meaning.model,
        "modelReason": meaning.reason,
        "reranker": meaning.reranker,
        "rerankerReason": meaning.reranker_reason,
        "memory": meaning.memory,
    }


def _show(found: dict[str, Any]) -> None:
    say(f"{click.style('vault', bold=True)}   {found['vault']}")
    index = found["index"]
    if found["state"] == "missing":
        say("        There is no index yet; `knapper index` makes one.")
        return
    say(
        f"        {counted(found['notes'], 'note')}, {counted(found['links'], 'link')}"
        f" ({found['unresolved']:,} unresolved), {counted(found['chunks'], 'passage')}"
    )
    owner = f"kept by process {index['owner']}" if index["owner"] else "nobody keeps it just now"
    say(f"{click.style('index', bold=True)}   {index['path']}")
    say(f"        {index['bytes'] / 1e6:.1f} MB, {found['state']}, {owner}")
    if found["lastPass"]:
        say(faint(f"        looked at as a whole {found['lastPass']['at'][:16].replace('T', ' ')} UTC"))
    if found["embedded"]:
        of = f"{found['embedded']:,} of {counted(found['chunks'], 'passage')}"
        say(f"{click.style('vectors', bold=True)} {of}, by {found['model'] or 'a model of before'}")
    for problem in (*found["problems"], *found["notEmbedded"]):
        say(f"        {where(problem['path'])}  {problem['reason']}")
