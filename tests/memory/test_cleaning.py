"""What of an answer is shown: its words, and links to where the notes lead."""

from __future__ import annotations

import pytest

from knapper.memory.asked import FoundPassage
from knapper.memory.cleaning import Cleaner, inert, written_out
from knapper.memory.markers import made
from knapper.memory.named import Named, named_in
from knapper.memory.sentences import Sentences
from knapper.text.span import Place
from knapper.vault.paths import NotePath

PASSAGE = FoundPassage(
    NotePath("Food/Bread.md"),
    "Bread",
    "",
    Place(0, 0, 5, 0),
    "See https://rye.org/a, [mills](https://mills.org/(b)?c=1) and [[Ada|her]]; ![crumb](img/crumb.png)"
    " ![[pic.png]] [run](command:app.quit) <me@rye.org>",
    "",
)
NAMED = named_in(PASSAGE)


def clean(text: str) -> str:
    """What is shown of a whole answer."""
    sentences, cleaner = Sentences(), Cleaner()
    units = [*sentences.feed(text), *sentences.end()]
    shown = [written_out(cleaner.clean(one, NAMED), begins_line=one.begins_line) for one in units]
    return "".join(shown) + cleaner.end()


def test_a_passage_names_notes_addresses_and_files() -> None:
    assert named_in(PASSAGE) == Named(
        frozenset(("food/bread", "bread", "ada")),
        frozenset(
            (
                "https://rye.org/a",
                "https://mills.org/(b)?c=1",
                "command:app.quit",
                "mailto:me@rye.org",
                "me@rye.org",
            )
        ),
        frozenset(("img/crumb.png", "pic.png")),
    )


@pytest.mark.parametrize(
    "text",
    [
        "Fold it **at dawn**, then *wait*: `a < b`, 3 < 4, x_1 & more.",
        "- one\n- two\n\n1. first\n2. second\n\n> quoted\n\n| a | b |\n| - | - |\n| 1 | 2 |\n",
        "See https://rye.org/a. And <https://rye.org/a>, [mills](https://mills.org/(b)?c=1).",
        "[[Bread]], [[Food/Bread#Oven|the oven]], [[ada]], ![[pic.png]]",
        "![crumb](img/crumb.png), [b](Bread.md)",
        "```python\nif a < b and c[1] > 2:\n    print('<b>')\n```\n",
        "Brackets [ ] and [x] stay, as does “quoted”, C++ and a@b.",
        "E = mc$^2$ costs $5.",
        "日本語の本。次の文。 [x]\n",
    ],
)
def test_what_is_harmless_stays_as_it_is(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<b>Go</b> <!-- no --> <img src='x'>now<br>here", "Go  now here"),
        ("x <script", "x < script"),
        ("<<b>script>alert(1)</script>", "alert(1)"),
        ("[here](http://evil.org/?q=secret) now", "here now"),
        ("[a](https://rye.org/a?q=secret)", "a"),
        ("see https://rye.org/a?q=secret, or www.evil.org", "see (link removed), or (link removed)"),
        ("![](https://evil.org/p.png)![alt](pic2.png)", "alt"),
        ("![[Diary]] [[Diary|my diary]] [[Diary#^x]] ![[Bread]]", "Diary my diary Diary#^x [[Bread]]"),
        ("[run](command:app.quit) [o](obsidian://open?vault=x) [j](JavaScript:alert(1))", "run o j"),
        ("obsidian://open?vault=x and javascript:alert(1)", "(link removed) and (link removed)"),
        ("[d]: http://evil.org/x\n[d]: Bread.md\n", "[d]\\: (link removed)\n[d]\\: Bread.md\n"),
        ("> - [d]: Bread.md", "> - [d]\\: Bread.md"),
        ("[a\nb](http://evil.org)", "[a\nb]\\((link removed))"),
        ("[a](\nhttp://evil.org)", "[a]\\(\n(link removed))"),
        ("[a](java&#115;cript:alert)", "a"),
        ("[![x](http://evil.org/1)](http://evil.org/2)", "x"),
        ("`a\n`<img src=x>`", "\\`a\n`<img src=x>`"),
        ("[[Bread|![x](http://evil.org)]]", "x"),
        ("%%hidden%% <%tp.x%>", "% % hidden% %  < %tp.x%>"),
        ("a&#x202e;b&zwnj;c&amp;", "abc&amp;"),
        ("`$= dv.pages()` and `= this.x`", "$= dv.pages() and = this.x"),
        ("$\\href{http://evil.org}{x}$", "$href{(link removed)"),
        ("$a$ `<b>$`", "$a$ `< b>$`"),
        ("[5] and [[7]] and `a[5]`", " and  and `a[5]`"),
        ("As ⟦1⟧ says, `x⟦0⟧`.", "As ⟦1⟧ says, `x[0]`."),
    ],
)
def test_what_could_harm_is_gone(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_fences_begin_at_the_margin_and_name_no_language_that_runs() -> None:
    text = "1. Do\n   ```dataviewjs\n   dv.x()\n   see http://evil.org\n     ```\n<b>x\n"

    assert clean(text) == "1. Do\n```\ndv.x()\nsee (link removed)\n```\nx\n"


def test_a_fence_that_is_left_open_is_closed() -> None:
    assert clean("```js\nx") == "```js\nx\n```\n"


def test_code_after_math_is_harmless_as_text_too() -> None:
    text = "$$\n```\n$$\n<img src=x> [a](b)\n```\n"

    assert clean(text) == "$$\n```\n$$\n< img src=x> [a] (b)\n```\n"


def test_a_line_without_end_is_broken() -> None:
    shown = clean("word " * 1000 + "<b>x</b>")

    assert [len(line) for line in shown.split("\n")] == [4000, 1001]


def test_brackets_that_nest_endlessly_are_no_work() -> None:
    for text in (
        "[" * 4000,
        "[a](" * 1000,
        "![[" * 1300,
        "<" * 4000,
        "`a``" * 1000,
        "<b" * 2000,
        "a@" * 2000,
    ):
        assert len(clean(text)) >= 1000


def test_our_markers_make_no_links() -> None:
    text = f"{made(3)}(see there) {made(3)}(http://evil.org) {made(3)}[x] ends{made(3)}{made(1)}."
    shown = inert(text, NAMED, begins_line=True)

    assert written_out(shown, begins_line=True) == "[3] (see there) [3] [3] [x] ends[3] [1]."
    assert written_out(f"- {made(1)}: https://rye.org/a", begins_line=True) == "- [1]\\: https://rye.org/a"
