"""Whether what came back is what a case expects; each check raises CaseFailure with both.

Knows results and expectations; must not know requests.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.cases.client import CaseFailure
from tests.cases.folder import Folder

Expect = dict[str, Any]


def check_places(folder: Folder, result: Any, expect: Expect) -> None:
    """`at: [places]` or `none: true`; an expected place without a line matches any line of its file."""
    got = _places(folder, result)
    if expect.get("none") and got:
        raise CaseFailure(f"expected nothing, got {got}")
    if "at" in expect:
        wanted = sorted(str(place) for place in expect["at"])
        have = sorted(place if place in wanted else place.rsplit(":", 1)[0] for place in got)
        if have != wanted:
            raise CaseFailure(f"expected {wanted}, got {got}")


def check_text(text: str | None, expect: Expect, what: str) -> None:
    """`contains`, `lacks`: texts; `none: true`."""
    if expect.get("none"):
        if text:
            raise CaseFailure(f"expected no {what}, got {text[:300]!r}")
        return
    for wanted in expect.get("contains", []):
        if wanted not in (text or ""):
            raise CaseFailure(f"{what} lacks {wanted!r}: {(text or '')[:400]!r}")
    for unwanted in expect.get("lacks", []):
        if not text or unwanted in text:
            raise CaseFailure(f"{what} has {unwanted!r} or nothing: {(text or '')[:400]!r}")


def check_names(got: list[str], expect: Expect, what: str) -> None:
    """`has`, `lacks`, `exactly`, `first`: whole names; `contains`, `without`: a part; `none: true`."""
    problems = [
        (expect.get("none") and got, f"expected no {what}"),
        *((w not in got, f"{what} lack {w!r}") for w in expect.get("has", [])),
        *((u in got, f"{what} have {u!r}") for u in expect.get("lacks", [])),
        ("first" in expect and expect["first"] not in got[:1], f"expected {expect.get('first')!r} first"),
        (
            "exactly" in expect and sorted(got) != sorted(expect["exactly"]),
            f"expected exactly {expect.get('exactly')}",
        ),
        *((not _within(w, got), f"no {what} contains {w!r}") for w in expect.get("contains", [])),
        *((_within(u, got), f"some {what} contain {u!r}") for u in expect.get("without", [])),
    ]
    for wrong, message in problems:
        if wrong:
            raise CaseFailure(f"{message}: {got[:20]}")


def check_diagnostics(found: list[dict[str, Any]] | None, expect: Expect) -> None:
    """`lines`: one for each, from 1; `contains`: texts of messages; `none: true`."""
    if found is None:
        raise CaseFailure("no diagnostics were published")
    told = sorted((d["range"]["start"]["line"] + 1, d["message"]) for d in found)
    if expect.get("none") and found:
        raise CaseFailure(f"expected none, got {told}")
    if "lines" in expect and [line for line, _ in told] != sorted(expect["lines"]):
        raise CaseFailure(f"expected them on lines {expect['lines']}, got {told}")
    for wanted in expect.get("contains", []):
        if not _within(wanted, [message for _, message in told]):
            raise CaseFailure(f"no message has {wanted!r}: {told}")


def check_files(folder: Folder, before: dict[str, str], expect: Expect) -> None:
    """The named files are as expected, and every other file is as it was."""
    for name in expect.get("exists", []):
        if name not in folder.text:
            raise CaseFailure(f"{name} should be there; there are {sorted(folder.text)}")
    named = expect.get("files", {})
    for name, wanted in named.items():
        if wanted is None and name in folder.text:
            raise CaseFailure(f"{name} should be gone")
        if wanted is not None and folder.text.get(name) not in one_of(wanted):
            raise CaseFailure(f"{name} is {folder.text.get(name)!r}, expected {wanted!r}")
    for name in sorted(before.keys() | folder.text.keys()):
        untold = name not in named and name not in expect.get("exists", [])
        if untold and before.get(name) != folder.text.get(name):
            raise CaseFailure(f"{name} was to stay as it was, it is {folder.text.get(name)!r}")


def one_of(wanted: Any) -> list[Any]:
    """Where several answers are right, the case lists them."""
    return wanted if isinstance(wanted, list) else [wanted]


def _within(part: str, names: Iterable[str]) -> bool:
    return any(part in name for name in names)


def _places(folder: Folder, result: Any) -> list[str]:
    """Locations as `path:line`, lines counted from 1."""
    found = result if isinstance(result, list) else [result] if result else []
    out = []
    for item in found:
        span = item.get("range") or item.get("targetSelectionRange")
        uri = item.get("uri") or item.get("targetUri")
        out.append(f"{folder.name(uri)}:{span['start']['line'] + 1}")
    return sorted(out)
