"""Claims about URIs: a file has one path, however its URI is written, and the way back is clean."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.lsp.uris import path_of, uri_of


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///v/N.md", "/v/N.md"),
        ("file:/v/N.md", "/v/N.md"),
        ("FILE:///v/N.md", "/v/N.md"),
        ("file://localhost/v/N.md", "/v/N.md"),
        ("file:///v/a%20b%23%25%2B+c.md", "/v/a b#%++c.md"),
        ("file:///v/a b#1?.md", "/v/a b#1?.md"),
        ("file:///v/Caf%C3%A9.md", "/v/Café.md"),
        ("file:///v/Cafe%CC%81.md", "/v/Cafe\u0301.md"),
        ("file:///v/Café.md", "/v/Café.md"),
        ("file:///v/./x/../N.md", "/v/N.md"),
        ("file:///v/%2e%2e/etc/passwd", "/etc/passwd"),
        ("file:///v/", "/v"),
    ],
)
def test_every_spelling_of_a_uri_gives_one_path(uri: str, path: str) -> None:
    assert path_of(uri) == Path(path)


@pytest.mark.parametrize(
    "uri", ["file:///c%3A/v/N.md", "file:///c:/v/N.md", "file:///C:/v/N.md", "file:///C%3a/v/N.md"]
)
def test_a_drive_letter_has_one_spelling(uri: str) -> None:
    assert path_of(uri) == Path("c:/v/N.md")


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "http://x.org/N.md",
        "vscode-vfs://github/x/N.md",
        "N.md",
        "",
        "file:N.md",
        "file:///a%00b",
        "file://[x/y",
    ],
)
def test_what_is_no_file_has_no_path(uri: str) -> None:
    assert path_of(uri) is None


def test_a_uri_is_written_with_all_signs_encoded() -> None:
    assert uri_of("/My Vault #1/50% a+b ü/Nöte & more.md") == (
        "file:///My%20Vault%20%231/50%25%20a%2Bb%20%C3%BC/N%C3%B6te%20%26%20more.md"
    )


def test_a_windows_path_and_a_share_have_uris() -> None:
    assert uri_of("C:/v/a b.md") == "file:///c:/v/a%20b.md"
    assert uri_of("//server/share/a.md") == "file://server/share/a.md"


def test_a_file_name_that_is_no_text_keeps_its_bytes() -> None:
    path = path_of("file:///v/caf%E9.md")

    assert path is not None
    assert uri_of(path) == "file:///v/caf%E9.md"


@settings(max_examples=100)
@given(
    st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1).filter(
        lambda name: name not in {".", ".."}
    )
)
def test_a_path_survives_the_way_through_its_uri(name: str) -> None:
    assert path_of(uri_of(f"/v/{name}")) == Path(f"/v/{name}")
