"""What is being typed, told from one line. `{}` marks what an accepted item replaces."""

import pytest

from knapper.ide.completion.context import (
    Callout,
    Destination,
    FootnoteUse,
    Label,
    TagUse,
    Wikilink,
    context_at,
)


def told(text: str, *, in_table: bool = False) -> str:
    """The context at `<|>`: what it is, the query, and the line with the slot marked."""
    column = text.index("<|>")
    line = text.replace("<|>", "")
    found = context_at(line, column, in_table=in_table)
    if found is None:
        return "nothing"
    slot = found.slot
    assert slot.typed == line[slot.start : column]
    marked = f"{line[: slot.start]}{{{line[slot.start : slot.end]}}}{line[slot.end :]}"
    match found:
        case Wikilink() | Destination():
            target = f" of {found.target!r}" if found.target else ""
            what = f"{'embedded ' if found.embed else ''}{found.part} {found.query!r}{target}"
        case TagUse():
            what = f"tag {found.query!r}"
        case Label() | FootnoteUse() | Callout():
            missing = f" + {found.missing}" if found.missing else ""
            what = f"{type(found).__name__.lower()} {slot.typed!r}{missing}"
    return f"{what}: {marked}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [[no<|>", "note 'no': see [[{no}"),
        ("see [[<|>", "note '': see [[{}"),
        ("see [[my no<|>]]", "note 'my no': see [[{my no}]]"),
        ("see [[no<|>te]] more", "note 'no': see [[{note}]] more"),
        ("see [[no<|>te#H|d]] more", "note 'no': see [[{note}#H|d]] more"),
        ("[[a<|> and [[b]]", "note 'a': [[{a} and [[b]]"),
        ("[[x]] and [[b<|>", "note 'b': [[x]] and [[{b}"),
        ("[[[b<|>", "note 'b': [[[{b}"),
        ("![[pict<|>", "embedded note 'pict': ![[{pict}"),
        ("[[Sq]ua<|>", "note 'Sq]ua': [[{Sq]ua}"),
        ("🎉 日本 [[no<|>", "note 'no': 🎉 日本 [[{no}"),
        ("[[N#Spring t<|>", "heading 'Spring t' of 'N': [[N#{Spring t}"),
        ("[[N#A#B<|>|d]]", "heading 'B' of 'N': [[N#A#{B}|d]]"),
        ("[[N#A<|>bc|d]]", "heading 'A' of 'N': [[N#{Abc}|d]]"),
        ("[[#Sec<|>]]", "heading 'Sec': [[#{Sec}]]"),
        ("[[##Sec<|>]]", "any-heading 'Sec': [[{##Sec}]]"),
        ("[[N#^ab<|>", "block 'ab' of 'N': [[N{#^ab}"),
        ("[[N^ab<|>", "block 'ab' of 'N': [[N{^ab}"),
        ("[[^ab<|>", "block 'ab': [[{^ab}"),
        ("[[#^ab<|>", "block 'ab': [[{#^ab}"),
        ("[[^^ab<|>]]", "any-block 'ab': [[{^^ab}]]"),
        ("[[N]] <|>", "nothing"),
        ("[[N]]<|>", "nothing"),
        ("[[N|dis<|>", "nothing"),
        ("\\[[N<|>", "nothing"),
    ],
)
def test_a_wikilink_is_told_by_what_stands_before_the_cursor(text: str, expected: str) -> None:
    assert told(text) == expected


def test_a_bar_ends_a_link_in_a_table() -> None:
    assert told("| [[a<|> | b]] |", in_table=True) == "note 'a': | [[{a} | b]] |"
    assert told("| [[a | b<|> |", in_table=True) == "nothing"
    assert told("| [[a<|>b\\|d]] | c |", in_table=True) == "note 'a': | [[{ab}\\|d]] | c |"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[text](My<|>)", "note 'My': [text]({My})"),
        ("[text](My<|>", "note 'My': [text]({My}"),
        ("[text](My no<|>)", "note 'My no': [text]({My no})"),
        ("[text](My<|>%20Note.md#H)", "note 'My': [text]({My%20Note.md}#H)"),
        ('[text](My<|>%20Note.md "title")', "note 'My': [text]({My%20Note.md} \"title\")"),
        ("[text](<My no<|>>)", "note 'My no': [text](<{My no}>)"),
        ("[text](<My no<|>", "note 'My no': [text](<{My no}"),
        ("![](pic<|>", "embedded note 'pic': ![]({pic}"),
        ("[text](N.md#Sp<|>)", "heading 'Sp' of 'N.md': [text](N.md#{Sp})"),
        ("[text](#Sp<|>)", "heading 'Sp': [text](#{Sp})"),
        ("[text](N.md#^b<|>)", "block 'b' of 'N.md': [text](N.md#{^b})"),
        ("[label]: My<|>", "note 'My': [label]: {My}"),
        ("[text](a(b<|>", "note 'a(b': [text]({a(b}"),
        ("[text](a) b<|>", "nothing"),
        ("[text](https://x.org<|>", "nothing"),
        ('[text](N.md "ti<|>', "nothing"),
        ("text](N<|>", "nothing"),
        ("[[N]](N<|>", "nothing"),
        ("[^1]: My<|>", "nothing"),
    ],
)
def test_a_destination_is_told_by_the_brackets_before_it(text: str, expected: str) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[text][la<|>", "label 'la' + ]: [text][{la}"),
        ("[text][la<|>bel] more", "label 'la': [text][{label}] more"),
        ("text[^no<|>", "footnoteuse 'no' + ]: text[^{no}"),
        ("text[^no<|>]", "footnoteuse 'no': text[^{no}]"),
        ("> [!wa<|>", "callout 'wa' + ]: > [!{wa}"),
        ("> > [!<|>] Title", "callout '': > > [!{}] Title"),
        ("- > [!wa<|>]", "callout 'wa': - > [!{wa}]"),
        ("[!wa<|>]", "nothing"),
        ("see #pro<|>", "tag 'pro': see {#pro}"),
        ("see #pro<|>ject/a, b", "tag 'pro': see {#project/a}, b"),
        ("#<|>", "tag '': {#}"),
        ("see #<|>", "tag '': see {#}"),
        ("#19<|>", "tag '19': {#19}"),
        ("(#a<|>)", "tag 'a': ({#a})"),
        ("#読書/小<|>", "tag '読書/小': {#読書/小}"),
        ("[see #t<|>", "tag 't': [see {#t}"),
        ("[a](b and so on #ta<|>", "tag 'ta': [a](b and so on {#ta}"),
        ("##<|>", "nothing"),
        ("# Hea<|>", "nothing"),
        ("x#a<|>", "nothing"),
        ("\\#a<|>", "nothing"),
        ("#a b<|>", "nothing"),
        ("plain<|>", "nothing"),
        ("<|>", "nothing"),
    ],
)
def test_labels_footnotes_callouts_and_tags_are_told_by_their_opening(text: str, expected: str) -> None:
    assert told(text) == expected


def test_the_nearest_opener_counts() -> None:
    assert told("[[a and [b](c<|>") == "note 'c': [[a and [b]({c}"
    assert told("[a](b and [[c<|>") == "note 'c': [a](b and [[{c}"
    assert told("[[a [^1<|>") == "footnoteuse '1' + ]: [[a [^{1}"


def test_a_single_closing_bracket_counts_as_one() -> None:
    found = context_at("[[no]", 4)

    assert isinstance(found, Wikilink)
    assert found.closing == 1


def test_of_a_very_long_line_only_what_is_near_is_looked_at() -> None:
    far = "x " * 100_000

    assert told(far + "see [[no<|>te]] " + far) == f"note 'no': {far}see [[{{note}}]] {far}"
    assert told(far + "#t<|>") == f"tag 't': {far}{{#t}}"
    assert told("[[" + far + "<|>") == "nothing"
