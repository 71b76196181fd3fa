"""`knapper search`: full text, one hit a note."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import faint, print_json, range_of, remarks, say, where
from knapper.search.pipeline import SearchOptions
from knapper.search.pipeline import search as run
from knapper.search.results import Hit
from knapper.store.lexical import LexicalReader


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--limit", default=10, type=click.IntRange(1, 1000), help="At most so many notes.  [default: 10]"
)
@click.option("--explain", is_flag=True, help="Show how each score came about.")
@vault_command
@click.pass_context
def search(
    ctx: click.Context, query: tuple[str, ...], limit: int, explain: bool, vault: Path | None, as_json: bool
) -> None:
    """Find notes by words.

    QUERY is plain text. Understood are "phrases", -not, tag:x, path:x, title:x, and dates such as 2024-05
    or last week. A word that begins with a dash comes after `--`: knapper search -- bread -rye
    """
    with opened(vault) as it:
        options = SearchOptions(
            today=datetime.now().astimezone().date(),
            limit=limit,
            hidden=it.hidden,
        )
        results = run(LexicalReader(it.reader.connection), " ".join(query), options)
    if as_json:
        items = [_item(hit, it.root, explain=explain) for hit in results.hits]
        print_json({"items": items, "remarks": list(results.remarks)})
    else:
        for hit in results.hits:
            _show(hit, explain=explain)
        remarks(results.remarks)
    if not results.hits:
        ctx.exit(1)


def _item(hit: Hit, root: Path, *, explain: bool) -> dict[str, Any]:
    item = {
        "path": hit.path,
        "uri": (root / hit.path).as_uri(),
        "title": hit.title,
        "heading": hit.heading,
        "line": hit.place.line + 1,
        "range": range_of(hit.place),
        "snippet": hit.snippet,
        "score": hit.score,
    }
    if explain:
        item["trace"] = [stage._asdict() for stage in hit.trace]
    return item


def _show(hit: Hit, *, explain: bool) -> None:
    named = click.style(hit.title, bold=True) + (faint(f" › {hit.heading}") if hit.heading else "")
    say(f"{where(hit.path, hit.place.line)}  {named}")
    if hit.snippet:
        say(f"    {hit.snippet}")
    if explain:
        parts = " + ".join(f"{stage.name} #{stage.rank} {stage.score:.2f}" for stage in hit.trace)
        say(faint(f"    {parts} = {hit.score:.2f}"))
