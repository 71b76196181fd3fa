"""An answer made harmless: what it shows is its words, and it leads only where the notes lead.

Raw HTML goes, and pictures that no cited note shows, links that none contains, links to notes that none
names, addresses of programs, definitions of links, comments; the text of a link stays. Every piece is
harmless by itself: whatever stands before or behind it, it cannot be half of a link, of code or of a tag. So
nothing depends on how an answer comes. Must not know who wrote it, nor which claims hold.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from knapper.markup.destination import Destination, decode, decode_url, find_destination, is_external
from knapper.memory.markers import MADE, MARKER
from knapper.memory.named import ADDRESS, Named, trimmed
from knapper.memory.sentences import Fence, Unit
from knapper.memory.visible import CLOSE, OPEN, without_hidden_entities
from knapper.text.span import Span

REMOVED = "(link removed)"

_ATTRIBUTE = r"""[ \t]++[A-Za-z_:][\w.:-]*+(?:[ \t]*+=[ \t]*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?+"""
_TAG = rf"</?[A-Za-z][A-Za-z0-9:-]*+(?:{_ATTRIBUTE})*+[ \t]*+/?>|<!--.*?-->"
_TOKEN = re.compile(
    rf"""(?P<made>{OPEN}\d+{CLOSE})
    |(?P<escape>\\[!-/:-@\[-`{{-~])
    |(?P<ticks>`+)
    |(?P<auto><[A-Za-z][A-Za-z0-9+.-]{{1,31}}:[^\s<>]*+>|<[\w.+-]{{1,64}}@[\w.-]{{1,200}}>)
    |(?P<tag>{_TAG})
    |(?P<less><(?=[A-Za-z/!?%$]))
    |(?P<address>{ADDRESS.pattern})
    |(?P<stray>{MARKER.pattern})
    |(?P<wiki>!?\[\[(?!\[)(?:(?!\[\[|\]\])[^\n])+\]\])
    |(?P<open>!?\[)
    |(?P<close>\])
    |(?P<comment>%%+)
    |(?P<tex>\\(?:href|url|includegraphics|require|html\w*|class|cssId|style|def|let|newcommand|input)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_CONTAINER = re.compile(r"(?:[\s>*+-]|\d{1,9}[.)](?=\s))*+\Z")
_SAFE_URL = re.compile(r"[^\s<>()\[\]\\`\"'|]+(?:\([^\s<>()\[\]\\`\"'|]*\))?[^\s<>()\[\]\\`\"'|]*")
_PLAIN_WIKILINK = re.compile(r"!?\[\[[^\[\]<>`!\\|%$\ufdd0]+(?:\\?\|[^\[\]<>`!\\|%$\ufdd0]*)?\]\]")
_LIVE_IN_CODE = re.compile(r"<(?=[A-Za-z/!?%$])|\](?=\()|\[(?=\[)")
_RUNS = re.compile(r"\A[ \t]*\$?=")  # Some plugins of Obsidian run such code when a note is shown.
_BREAKERS = re.compile(r"[<>\[\]()!`\\]")
_PASSES = 8
_NEUTRAL = re.compile(r"⟦(\^?\d[\d \t,;&^–-]*)⟧")
_LANGUAGES = frozenset(
    """bash bat c clojure cmake cpp cs csharp css csv dart diff dockerfile elixir elm erlang fish fsharp go
    graphql groovy js haskell hcl html http ini java javascript jinja json jsx julia kotlin latex lisp lua
    makefile markdown matlab md nginx nix objc ocaml perl php plain powershell proto ps1 py python r rb regex
    ruby rust scala scheme scss sh shell sql svelte swift tex text toml ts tsx txt typescript vim vue xml yaml
    yml zig zsh""".split()  # noqa: SIM905 -- More easily read than a list.
)


class Cleaner:
    """Cleans the pieces of one answer, in their order."""

    def __init__(self) -> None:
        self._fence = Fence()
        self._indent = 0
        self._has_math = False  # as `$…$`, where readers disagree on what is code
        self._has_math_blocks = False

    @property
    def in_fence(self) -> bool:
        """Whether the next line stands in code."""
        return bool(self._fence.mark)

    def is_code(self, unit: Unit) -> bool:
        """Whether *unit*, which is the next, is a line of a fence."""
        return unit.begins_line and Fence(self._fence.mark).step(unit.text.partition("\n")[0]) != "text"

    def clean(self, unit: Unit, named: Named) -> str:
        """The text of *unit* to be shown, our own markers still to be written out."""
        line, end, blanks = unit.text.partition("\n")
        end += blanks
        role = self._fence.step(line) if unit.begins_line else "text"
        if role == "text":
            self._has_math = self._has_math or "$" in line
            self._has_math_blocks = self._has_math_blocks or "$$" in line
            shown = inert(line, named, begins_line=unit.begins_line, strict=self._has_math)
        else:
            shown = self._code(line, role, named)
        return shown + ("\n" if unit.broken else end)

    def end(self) -> str:
        """What closes the code that was left open, so that what is shown behind the answer is no code."""
        mark, self._fence.mark = self._fence.mark, ""
        return f"\n{mark}\n" if mark else ""

    def _code(self, line: str, role: str, named: Named) -> str:
        """A line of a fence. Fences begin at the margin, so that all readers see the same ends of them."""
        text = line.lstrip(" \t")
        if role == "opens":
            self._indent = len(line) - len(text)
            mark = self._fence.mark
            language = text[len(mark) :].strip().lower()
            return mark + (language if language in _LANGUAGES else "")
        if role == "closes":
            return text.rstrip()
        text = line[min(len(line) - len(text), self._indent) :]
        return _code(text, named, strict=self._has_math_blocks)


def inert(text: str, named: Named, *, begins_line: bool, strict: bool = False) -> str:
    """One line or sentence, harmless: `<b>Go</b> [here](http://x.org)` gives `Go here`.

    *strict* also takes apart what is in code spans: where there is math, readers disagree on what is code.
    """
    core = text.strip(" \t")
    before = text[: len(text) - len(text.lstrip(" \t"))] if core else ""
    behind = text[len(before) + len(core) :]
    for _ in range(_PASSES):
        new = _Pass(core, named, begins_line=begins_line, strict=strict).clean()
        if new == core:
            break
        core = new
    else:
        core = _BREAKERS.sub("", MADE.sub("", core))  # Nothing that a person reads is nested so deep.
    return before + core + behind


def written_out(text: str, *, begins_line: bool) -> str:
    """*text* with our markers as they are shown, `[2]`; what stands behind makes no link of one."""

    def shown(found: re.Match[str]) -> str:
        behind = text[found.end() : found.end() + 1]
        if behind in ("(", "[", OPEN):
            return f"[{found[1]}] "
        opens_line = begins_line and _CONTAINER.match(text[: found.start()])
        return f"[{found[1]}]\\" if behind == ":" and opens_line else f"[{found[1]}]"

    return MADE.sub(shown, text)


@dataclass(slots=True)
class _Token:
    """A piece that may do harm. A closing bracket or a marker may have a destination behind it."""

    kind: str
    start: int
    end: int
    destination: Destination | None = None
    match: int = -1  # of an opening bracket: its closing one

    @property
    def behind(self) -> int:
        """Where the text goes on."""
        return self.destination.end if self.destination else self.end


@dataclass(slots=True)
class _Pass:
    """One look at a text. What is taken out may join what stood beside it, so there is another."""

    text: str
    named: Named
    begins_line: bool
    strict: bool
    tokens: list[_Token] = field(default_factory=list)
    skipped: int = 0

    def __init__(self, text: str, named: Named, *, begins_line: bool, strict: bool) -> None:
        self.text = without_hidden_entities(text)
        self.named, self.begins_line, self.strict = named, begins_line, strict
        self.tokens = _tokens(self.text, named)
        _match_brackets(self.tokens)

    def clean(self) -> str:
        return self._emit(0, len(self.tokens), 0, len(self.text))

    def _emit(self, first: int, last: int, start: int, end: int) -> str:
        """What is shown of *start* to *end*, in which the tokens from *first* to before *last* lie."""
        parts: list[str] = []
        at, index = start, first
        while index < last:
            token = self.tokens[index]
            parts.append(self.text[at : token.start])
            if token.kind == "open" and token.match >= 0:
                shown, at = self._brackets(index)
                index = token.match
            else:
                shown, at = self._shown(token)
            parts.append(shown)
            index += 1
        return "".join([*parts, self.text[at:end]])

    def _shown(self, token: _Token) -> tuple[str, int]:
        """What is shown for a token that holds no others, and where the text goes on."""
        written, end = self.text[token.start : token.end], token.end
        if token.kind == "made":
            return written, token.behind
        if token.kind == "close":
            return ("]\\" if self.text[end : end + 1] in ("(", ":") else "]"), end
        if token.kind == "open" and "[" in (
            self.text[end : end + 1],
            self.text[token.start - 1 : token.start],
        ):
            return written[:-1] + "\\[", end  # Half of a wikilink.
        if token.kind == "wiki":
            return self._wikilink(written) + (" " if self.text[end : end + 1] == "(" else ""), end
        show: dict[str, Callable[[str], str]] = {
            "ticks": lambda ticks: "\\`" * len(ticks),
            "code": self._code,
            "auto": lambda auto: auto if self.named.has_address(auto[1:-1]) else REMOVED,
            "tag": lambda tag: " " if tag.lower().startswith("<br") else "",
            "less": lambda _: "< ",
            "address": lambda address: _address(address, self.named),
            "stray": lambda _: "",  # The markers that hold are written in our own way by now.
            "comment": lambda signs: "% " * len(signs),
            "tex": lambda command: command[1:],
        }
        return show.get(token.kind, str)(written), end

    def _brackets(self, index: int) -> tuple[str, int]:
        """What is shown for brackets and the destination behind them, and where the text goes on."""
        token = self.tokens[index]
        closing = self.tokens[token.match]
        inner = self._emit(index + 1, token.match, token.end, closing.start)
        opener, behind = self.text[token.start : token.end], self.text[closing.end : closing.end + 1]
        found = closing.destination
        if found is None:
            defines = behind == ":" and self.begins_line and _CONTAINER.match(self.text[: token.start])
            return opener + inner + ("]\\" if behind == "(" or defines else "]"), closing.end
        written = self.text[found.start : found.stop]
        if opener == "![":
            is_shown = not is_external(written) and self.named.has_file(decode(written))
        else:
            is_shown = self._leads(written)
        if is_shown and _SAFE_URL.fullmatch(written) and "[" not in inner and "]" not in inner:
            return f"{opener}{inner}]({written})", found.end
        return inner, found.end

    def _leads(self, written: str) -> bool:
        if is_external(written):
            return self.named.has_address(decode_url(written))
        target = decode(written).partition("#")[0]
        return bool(target) and (self.named.has_note(target) or self.named.has_file(target))

    def _wikilink(self, written: str) -> str:
        inner = written.removeprefix("!")[2:-2]
        target, bar, display = inner.partition("|")
        name = target.rstrip("\\").partition("#")[0].strip()
        if not _PLAIN_WIKILINK.fullmatch(written) or ADDRESS.search(written):
            return display if bar and display.strip() else target
        if written[0] == "!" and self.named.has_file(name):
            return written
        if name and self.named.has_note(name):
            return written.removeprefix("!")
        return (display if bar and display.strip() else target.rstrip("\\")).strip()

    def _code(self, written: str) -> str:
        if _RUNS.match(written.strip("`")):
            return written.strip("`")
        return _code(MADE.sub("", written).replace("%%", "% %"), self.named, strict=self.strict)


def _tokens(text: str, named: Named) -> list[_Token]:
    """The tokens of *text*; code spans as readers see them, and the ticks that belong to none."""
    runs: dict[int, list[int]] = {}
    for run in re.finditer("`+", text):
        runs.setdefault(len(run[0]), []).append(run.start())
    tokens: list[_Token] = []
    at = 0
    while found := _TOKEN.search(text, at):
        kind, start, at = found.lastgroup or "", found.start(), found.end()
        if kind == "ticks":
            starts = runs.get(at - start, [])
            following = bisect_right(starts, start)
            if following < len(starts):
                kind, at = "code", starts[following] + at - start
        elif kind == "address" and named.has_address(trimmed(found[0])):
            at = start + len(trimmed(found[0]))  # What ends the sentence may begin something else.
        tokens.append(_Token(kind, start, at))
        if kind in ("close", "made") and text[at : at + 1] == "(":
            tokens[-1].destination = find_destination(text, at)
            at = tokens[-1].behind
    return tokens


def code_spans(text: str) -> list[Span]:
    """Where code stands in a line: there `[1]` is no marker."""
    return [Span(token.start, token.end) for token in _tokens(text, Named()) if token.kind == "code"]


def _match_brackets(tokens: list[_Token]) -> None:
    open_ones: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind == "open":
            open_ones.append(index)
        elif token.kind == "close" and open_ones:
            tokens[open_ones.pop()].match = index


def _address(written: str, named: Named) -> str:
    address = trimmed(written)
    return written if named.has_address(address) else REMOVED + written[len(address) :]


def _code(text: str, named: Named, *, strict: bool) -> str:
    """Code as it is shown: addresses in it are found by editors, and templates run it."""
    text = ADDRESS.sub(lambda found: _address(found[0], named), text).replace("<%", "< %")
    text = _NEUTRAL.sub(r"[\1]", text)  # In code nobody takes it for a marker.
    return _LIVE_IN_CODE.sub(r"\g<0> ", text) if strict else text
