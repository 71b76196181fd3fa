"""PROTOCOL.md names what the code has, and nothing else."""

import re
from pathlib import Path

from knapper.lsp.custom import COMMANDS, REQUESTS
from knapper.lsp.handlers.commands import RUN
from knapper.lsp.table import HANDLERS

DOCUMENT = (Path(__file__).parents[2] / "server" / "PROTOCOL.md").read_text(encoding="utf-8")


def test_every_request_has_a_section_and_every_section_a_request() -> None:
    sections = set(re.findall(r"^### `(knapper/\w+)`$", DOCUMENT, re.MULTILINE))

    assert sections == set(REQUESTS)


def test_every_command_is_named_and_every_named_command_is_there() -> None:
    named = set(re.findall(r"`(knapper\.\w+)`", DOCUMENT))

    assert named == set(COMMANDS) == set(RUN)


def test_the_table_answers_every_request_of_ours() -> None:
    assert {h.method for h in HANDLERS if h.method.startswith("knapper/")} == set(REQUESTS)


def test_no_method_stands_twice_in_the_table() -> None:
    methods = [handler.method for handler in HANDLERS]

    assert sorted(methods) == sorted(set(methods))
