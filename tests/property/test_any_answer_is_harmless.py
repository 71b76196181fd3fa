"""Whatever a model writes, what is shown leads nowhere that the notes do not: two other readers judge."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from knapper.markup.parse import parse
from knapper.memory.cleaning import Cleaner, written_out
from knapper.memory.named import Named, trimmed
from knapper.memory.sentences import Sentences
from knapper.memory.visible import Visible, visible

URL, NOTE, PICTURE = "https://a.org/x", "Bread", "crumb.png"
NAMED = Named(frozenset(("bread",)), frozenset((URL,)), frozenset((PICTURE,)))
READERS = (MarkdownIt("commonmark"), MarkdownIt("commonmark").enable(["table", "strikethrough"]))
BARE = re.compile(
    r"(?:[A-Za-z]+://|www\.|javascript:)[^\s<]+"
)  # what editors and other readers make links of

PARTS = st.sampled_from(
    [
        *"a.b!?`~<>[]()\\/:*_|$%&#\"'=+- \n\r\t",
        *(
            "\n\n",
            "``",
            "```",
            "~~~",
            "$$",
            "%%",
            "](",
            "]:",
            "![",
            "[[",
            "]]",
            "> ",
            "- ",
            "1. ",
            "    ",
            ". A",
        ),
        *("<b>", "</b>", "<img src=x>", "<!--", "-->", "<a href='", "<script>", "<br/>", "<?", "<![CDATA["),
        *(
            "http://evil.org/",
            "//evil.org/q",
            "www.evil.org",
            "me@evil.org",
            "javascript:x",
            "command:a.b",
            URL,
        ),
        *("[1]", "[x]", "[x](http://evil.org)", "[x]: http://evil.org", "![x](crumb.png)", f"[x]({URL})"),
        *(
            "[[Secret]]",
            "[[Bread|x]]",
            "![[crumb.png]]",
            "&#x202e;",
            "&lt;",
            "\\<",
            "\\`",
            "\\[",
            "x",
            "。",
            "word",
        ),
        *("\u200b", "\u202e", "\u200d", "é", "\ufdd0", "\ufdd01\ufdd1", "\u2028"),
    ]
)
ANSWERS = st.lists(PARTS, max_size=40).map("".join)


def shown(answer: str, sizes: list[int] | None = None) -> str:
    """What is shown of an answer that comes in pieces of *sizes*, the last for ever."""
    seen, sentences, cleaner, text = Visible(), Sentences(), Cleaner(), ""
    units = []
    for piece in pieces(answer, sizes or [len(answer) or 1]):
        units += sentences.feed(seen.feed(piece))
    units += [*sentences.feed(seen.end()), *sentences.end()]
    for unit in units:
        text += written_out(cleaner.clean(unit, NAMED), begins_line=unit.begins_line)
    return text + cleaner.end()


def pieces(text: str, sizes: list[int]) -> list[str]:
    found, at = [], 0
    while at < len(text):
        size = sizes[min(len(found), len(sizes) - 1)]
        found.append(text[at : at + size])
        at += size
    return found


def harm(text: str) -> list[str]:
    """What a reader would make of *text* that it must not."""
    found = []
    for reader in READERS:
        for token in _flat(reader.parse(text)):
            if token.type in ("html_block", "html_inline"):
                found.append(token.content)
            elif token.type == "link_open" and trimmed(str(token.attrs["href"])) not in (URL, NOTE, PICTURE):
                found.append(str(token.attrs["href"]))
            elif token.type == "image" and token.attrs["src"] != PICTURE:
                found.append(str(token.attrs["src"]))
    found += [bare for bare in BARE.findall(text.replace(f"]({URL})", "]")) if trimmed(bare) != URL]
    ours = parse(text)
    found += [link.target for link in ours.links if link.target not in (NOTE, PICTURE)]
    found += [address.url for address in ours.addresses if trimmed(address.url) != URL]
    found += [definition.label for definition in ours.definitions]
    return found


def _flat(tokens: list[Token]) -> list[Token]:
    return [one for token in tokens for one in (token, *_flat(token.children or []))]


@settings(max_examples=200, deadline=None)
@given(ANSWERS)
def test_nothing_of_an_answer_leads_elsewhere(answer: str) -> None:
    assert harm(shown(answer)) == []


@settings(max_examples=200, deadline=None)
@given(ANSWERS, st.lists(st.integers(1, 7), min_size=1, max_size=20))
def test_what_is_shown_does_not_depend_on_how_an_answer_comes(answer: str, sizes: list[int]) -> None:
    assert shown(answer, sizes) == shown(answer)


@settings(max_examples=100, deadline=None)
@given(ANSWERS)
def test_what_was_cleaned_is_clean(answer: str) -> None:
    once = shown(answer)

    assert harm(shown(once)) == []
    assert visible(once) == once


@settings(max_examples=100, deadline=None)
@given(ANSWERS)
def test_units_together_are_the_answer(answer: str) -> None:
    sentences = Sentences()
    units = [*sentences.feed(answer), *sentences.end()]

    assert "".join(unit.text for unit in units) == answer
    assert [unit.span.start for unit in units] == [0, *(unit.span.end for unit in units[:-1])][: len(units)]
