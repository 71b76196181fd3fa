"""How texts are made alike for searching."""

from __future__ import annotations

import unicodedata

import pytest

from knapper.text.fold import cjk_runs, name_fold, search_fold


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Straße", "strasse"),
        ("ёлка Ёж", "елка еж"),
        ("Café NAÏVE", "cafe naive"),
        ("ﬁle ２", "file 2"),
        ("ΟΔΟΣ οδος", "οδοσ οδοσ"),
        ("日本", " 日 本 "),
        ("在Obsidian中", " 在 obsidian 中 "),
        ("がっこう ガ", " が っ こ う   ガ "),
        ("ﾊﾟ", " パ "),
        ("한국", " 한 국 "),
        ("𠀀𠀁a", " 𠀀 𠀁 a"),
        ("हिन्दी", "हिन्दी"),
        ("snake_case self-hosted", "snake_case self-hosted"),
        ("getUserId!", "getuserid get user id !"),
        ("XMLHttpRequest2 x", "xmlhttprequest2 xml http request  x"),
        ("HTMLParser", "htmlparser html parser "),
        ("PDFs IDs ABC ÄÖabc", "pdfs ids abc aoabc"),
        ("", ""),
    ],
)
def test_search_fold_makes_texts_alike(text: str, expected: str) -> None:
    assert search_fold(text) == expected


def test_composed_and_decomposed_fold_alike() -> None:
    for text in ("é", "が", "한", "ё"):
        assert search_fold(unicodedata.normalize("NFD", text)) == search_fold(text)


def test_name_fold_keeps_words_together() -> None:
    assert [name_fold(name) for name in ("Café Ω", "getUserId", "日本", "ABC")] == [
        "cafe ω",
        "getuserid",
        "日本",
        "abc",
    ]


def test_cjk_runs_are_told_by_offsets() -> None:
    assert [list(cjk_runs(text)) for text in ("ab", "ab日本c", "々𠀀")] == [[], [(2, 4)], [(0, 2)]]
