"""Which hashtags are tags. Ids are those of the list of Obsidian's cases."""

from __future__ import annotations

import pytest

from knapper.markup.tags import is_tag, tag_at
from tests.markup.reading import tags


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("#1984 #y1984 #2024/plan", ["y1984", "2024/plan"], id="F6 digits"),
        pytest.param(
            "#a/b #a-b_c #日本 #読書/小説 #🔥 #✅done",
            ["a/b", "a-b_c", "日本", "読書/小説", "🔥", "✅done"],
            id="F6",
        ),
        pytest.param("#👨‍👩‍👧 #می‌خواهم #été", ["👨‍👩‍👧", "می‌خواهم", "été"], id="F6 joiners and marks"),
        pytest.param("#a. #b/ #end, #x: #q?", ["a", "b", "end", "x", "q"], id="F6 punctuation behind"),
        pytest.param("#标签，后面 「#引用」", ["标签", "引用"], id="F6 full-width punctuation"),
        pytest.param("\\#a x#a ##a #", [], id="F6 none"),
        pytest.param("(#a) **#b** ==#c==", ["a", "b", "c"], id="F6 in brackets and emphasis"),
        pytest.param("#Inbox #inbox", ["Inbox", "inbox"], id="F7"),
        pytest.param("`#a` ```#b```", [], id="F8 code"),
        pytest.param("# H #a\n## #b", ["a", "b"], id="F8 heading"),
        pytest.param("x/#tag https://x.org/#tag [[N#tag]] [t](N.md#tag)", [], id="F8 addresses and targets"),
        pytest.param("[#a](N.md) [[N|#b]]", ["a"], id="F8 link text"),
        pytest.param("https://ex.org/g.html#install, C#12, issue#7, &#39; and \\#escaped #real", ["real"]),
        pytest.param("- #a\n> #b\n\n| x |\n|---|\n| #c |", ["a", "b", "c"], id="in blocks"),
        pytest.param("#a\n#b\n\n#c", ["a", "b", "c"], id="at the start of a line, without a blank"),
        pytest.param("text #a", ["a"], id="at the end of the file"),
        pytest.param("$#a$ <b c='#a'> <!-- #a --> %%#b%%", ["b"], id="hidden"),
        pytest.param("#a#b #c\u2028#d #e\u00a0f", ["a", "c", "d", "e"], id="what parts two"),
    ],
)
def test_which_hashtags_count(text: str, expected: list[str]) -> None:
    assert tags(text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("a", True), ("a/b", True), ("2024/p", True), ("日本", True), ("_", True), ("-1", True)),
        *(("1984", False), ("1/2", False), ("", False), ("a b", False), ("a/", False), ("/a", False)),
    ],
)
def test_is_tag_knows_the_alphabet(name: str, expected: bool) -> None:
    assert is_tag(name) is expected


def test_tag_at_reads_the_tag_under_a_hash() -> None:
    assert [tag_at("#a x#b #c/", at) for at in (0, 4, 7)] == ["a", None, "c"]
