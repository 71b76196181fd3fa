"""The rules of the house that a program can hold: who imports whom, how long things are, their names.

The ranks and their reasons are in server/ARCHITECTURE.md.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "server/knapper"
MODULES = sorted(PACKAGE.rglob("*.py"))

RANKS = "base text markup vault store models search memory index ide lsp cli".split()
ONLY_IN = {
    "sqlite3": {"store"},
    "pygls": {"lsp"},
    "lsprotocol": {"lsp"},
    "asyncio": {"lsp"},
    "httpx": {"models"},
    "fastembed": {"models"},
    "onnxruntime": {"models"},
    "watchfiles": {"index"},
}
# These take what they need of the store as arguments.
NEVER = {"ide": {"store"}, "search": {"store"}}
LONGEST_FUNCTION, LONGEST_MODULE = 40, 400
EMPTY_WORDS = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc"}


def test_a_layer_imports_only_its_own_and_lower_ones() -> None:
    wrong = [
        f"{_name(path)} imports knapper.{layer}"
        for path in MODULES
        for layer in _layers_imported(path)
        if _rank(layer) > _rank(_layer(path))
    ]
    assert wrong == []


def test_some_layers_never_import_others() -> None:
    wrong = [
        f"{_name(path)} imports knapper.{layer}"
        for path in MODULES
        for layer in _layers_imported(path)
        if layer in NEVER.get(_layer(path), ())
    ]
    assert wrong == []


def test_a_library_is_known_to_one_layer_only() -> None:
    wrong = [
        f"{_name(path)} imports {library}"
        for path in MODULES
        for library in {name.split(".")[0] for name in _imports(path)}
        if library in ONLY_IN and _layer(path) not in ONLY_IN[library]
    ]
    assert wrong == []


def test_the_server_does_not_load_the_models_libraries() -> None:
    program = (
        "import sys, knapper.lsp.main, knapper.cli.main; "
        "print([m for m in ('fastembed', 'onnxruntime', 'httpx', 'watchfiles') if m in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(PROJECT / "server")},
    )
    assert found.stdout == "[]\n"


def test_functions_are_short() -> None:
    long = [
        f"{_name(path)}:{node.lineno} {node.name}: {length} lines"
        for path, node in _functions()
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    assert long == []


def test_modules_are_short() -> None:
    long = [f"{_name(p)}: {n} lines" for p in MODULES if (n := _text(p).count("\n")) > LONGEST_MODULE]
    assert long == []


def test_modules_say_what_they_know() -> None:
    silent = [_name(path) for path in MODULES if not ast.get_docstring(_tree(path))]
    assert silent == []


def test_no_module_has_an_empty_name() -> None:
    empty = [_name(p) for p in MODULES if EMPTY_WORDS & set(re.split(r"[_/.]", _name(p)))]
    assert empty == []


def test_no_class_is_a_manager() -> None:
    names = [
        f"{_name(path)}: {node.name}"
        for path in MODULES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.ClassDef) and re.search(r"Manager|Helper|Util", node.name)
    ]
    assert names == []


def test_no_note_is_split_at_unicode_separators() -> None:
    """`str.splitlines` takes U+2028, U+0085 and form feeds for ends of lines; an editor does not."""
    found = [
        f"{_name(path)}:{node.lineno}"
        for path in MODULES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Attribute) and node.attr == "splitlines"
    ]
    assert found == []


def test_nothing_is_printed_but_by_the_command_line() -> None:
    """A stray print would break the stream that the editor reads."""
    found = [
        f"{_name(path)}:{node.lineno}"
        for path in MODULES
        if _layer(path) != "cli"
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert found == []


def test_no_test_is_left_out() -> None:
    """A test that does not run tells nothing; one for today's wrong answer asserts it, with a FIXME."""
    pattern = re.compile(r"\b(import(?:or)skip|mark\.(skip|xfail)|pytest\.(skip|xfail))\b")
    found = [
        path.relative_to(PROJECT).as_posix()
        for path in (PROJECT / "tests").rglob("*.py")
        if path != Path(__file__) and pattern.search(_text(path))
    ]
    assert found == []


def test_no_path_of_somebodys_machine_is_in_the_project() -> None:
    """`/home/me` and `/path/to` in examples are nobody's."""
    pattern = re.compile(r"/(?:root|Users|work|home(?!/me\b))/[\w.]")
    found = [
        f"{path.relative_to(PROJECT)}: {match[0]}"
        for path in _tracked()
        if path != Path(__file__)
        for match in pattern.finditer(_text(path))
    ]
    assert found == []


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE.parent).as_posix()


def _layer(path: Path) -> str:
    """The package below `knapper`; modules right in `knapper` stand above all layers."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def _rank(layer: str) -> int:
    return RANKS.index(layer) if layer else len(RANKS)


def _layers_imported(path: Path) -> set[str]:
    names = (name.split(".") for name in _imports(path))
    return {parts[1] for parts in names if parts[0] == "knapper" and len(parts) > 1 and parts[1] in RANKS}


def _imports(path: Path) -> Iterator[str]:
    """The full names that a module imports: `knapper.text.span` for `from knapper.text import span`."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{_name(path)} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in MODULES:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def _tracked() -> list[Path]:
    """The project's text files: what git knows, or all there is in a copy without git."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=False)
    names = listed.stdout.decode().split("\0") if listed.returncode == 0 else []
    paths = [PROJECT / name for name in names if name] or [*MODULES, *(PROJECT / "tests").rglob("*.py")]
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()]


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(_text(path))
