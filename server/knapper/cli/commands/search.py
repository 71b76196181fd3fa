"""`knapper search`: by words and by meaning, one hit a note."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import click

from knapper.cli.aids import aids_for
from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import faint, print_json, range_of, remarks, say, where
from knapper.search.hybrid import Mode
from knapper.search.pipeline import SearchOptions
from knapper.search.pipeline import search as run
from knapper.search.results import Hit, Stage
from knapper.store.lexical import LexicalReader


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option(
    "--limit", default=10, type=click.IntRange(1, 1000), help="At most so many notes.  [default: 10]"
)
@click.option(
    "--mode",
    type=click.Choice(get_args(Mode)),
    default="hybrid",
    help="Search by words and meaning, by words alone, or by meaning alone.  [default: hybrid]",
)
@click.option("--explain", is_flag=True, help="Show how each score came about.")
@vault_command
@click.pass_context
def search(ctx: click.Context, /, query: tuple[str, ...], vault: Path | None, **chosen: Any) -> None:
    """Find notes by words and by meaning.

    QUERY is plain text. Understood are "phrases", -not, tag:x, path:x, title:x, and dates such as 2024-05
    or last week. A word that begins with a dash comes after `--`: knapper search -- bread -rye
    """
    explain: bool = chosen["explain"]
    with opened(vault) as it:
        options = SearchOptions(
            today=datetime.now().astimezone().date(),
            limit=chosen["limit"],
            hidden=it.hidden,
            mode=chosen["mode"],
            meaning_weight=it.settings["search.meaningWeight"],
            explain=explain,
        )
        aids, troubles = aids_for(it, options.mode, options.today)
        results = run(LexicalReader(it.reader.connection), " ".join(query), options, aids=aids)
    said = [*results.remarks, *troubles]
    if chosen["as_json"]:
        print_json({"items": [_item(hit, it.root, explain=explain) for hit in results.hits], "remarks": said})
    else:
        for hit in results.hits:
            _show(hit, explain=explain)
        remarks(said)
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
        parts = " ".join(
            f"{stage.score:+.3f} {stage.name} #{stage.rank}{_value(stage)}" for stage in hit.trace
        )
        say(faint(f"    {hit.score:.3f} = {parts.removeprefix('+')}"))


def _value(stage: Stage) -> str:
    """What a stage measured itself: ` (0.62)` for a cosine."""
    return "" if stage.value is None else f" ({stage.value:.2f})"
