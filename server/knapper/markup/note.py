"""What one note holds: the frozen values that parsing a text gives.

Every span counts code points from the start of the text. Equal texts give equal values.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from knapper.text.span import Span


class LinkKind(StrEnum):
    """How a link is written."""

    WIKILINK = "wikilink"  # [[Note]]
    EMBED = "embed"  # ![[Note]]
    MARKDOWN = "markdown"  # [text](Note.md)
    IMAGE = "image"  # ![text](pic.png)
    REFERENCE = "reference"  # [text][label], [label][], [label]: the use, not the definition
    PROPERTY = "property"  # up: "[[Note]]" or up: "[text](Note.md)"
    CANVAS = "canvas"  # a file node of a .canvas file; never made by parsing a note


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a note or file of the vault. Links with a scheme are `Address`es, not links.

    For `see [[Ada Lovelace#Early life|Ada]]` the span is `[[Ada Lovelace#Early life|Ada]]`, the target
    `Ada Lovelace`, the subpath `Early life` and the display `Ada`. A block link `[[N#^id]]` has the
    subpath `^id`, a nested one `[[N#A#B]]` the subpath `A#B`, a link within the note `[[#H]]` the
    target `""`. Without a `#` the subpath is None.

    In Markdown links target and subpath are decoded (`My%20Note.md` gives `My Note.md`); their spans
    cover what is written. For a reference both spans lie in its definition. In YAML and JSON the spans
    cover what is written between the quotes.
    """

    kind: LinkKind
    span: Span
    target: str
    target_span: Span
    subpath: str | None = None
    subpath_span: Span | None = None  # without the leading `#`
    display: str | None = None
    display_span: Span | None = None
    markdown: bool = False  # the destination is written as Markdown's, percent-encoded
    angle: bool = False  # <My Note.md>
    in_table: bool = False  # the bar is written `\|`
    in_comment: bool = False  # inside %% %%
    partial: bool = False  # in a property: only a part of the value is the link


@dataclass(frozen=True, slots=True)
class Address:
    """A link that leaves the vault: `[a](https://x.org)`, `<mailto:a@b.c>`, a bare `https://…`."""

    span: Span  # of the whole link
    url: str
    url_span: Span
    display_span: Span | None = None


@dataclass(frozen=True, slots=True)
class Definition:
    """A link reference definition: for `[label]: ./n.md "title"` the target is `./n.md`."""

    span: Span
    label: str  # as written
    label_span: Span
    target: str  # decoded, without the subpath
    target_span: Span
    subpath: str | None
    external: bool  # has a scheme


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: for `## See [[Other]] **now** #tag` the text is `See Other now #tag`.

    The text is what a reader sees: links replaced by what they show, emphasis and code marks gone.
    """

    level: int
    text: str
    span: Span  # the whole heading, marks included, without the line break (both lines of a setext one)
    text_span: Span  # what is written between the marks
    section: Span  # from the heading's start to the next heading of the same or a higher level


@dataclass(frozen=True, slots=True)
class BlockId:
    """A block id: for `Some text ^abc-1` the id is `abc-1`."""

    id: str
    span: Span  # `^abc-1`
    block: Span  # the paragraph, list item (children included), table, quotation, … that it names
    valid: bool  # Latin letters, digits and hyphens only


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag as written, without `#`: `project/alpha`. In frontmatter the span has no `#`, in text it has."""

    name: str
    span: Span
    in_properties: bool = False


@dataclass(frozen=True, slots=True)
class Property:
    """One top-level property. Scalars stay as written: `date: 2025-04-11` has the value `"2025-04-11"`.

    `values` lists the scalars: one for a plain value, one each for a list, none for null or a mapping.
    """

    name: str
    name_span: Span
    span: Span  # from the name to the end of the value
    kind: str  # "text", "number", "checkbox", "date", "datetime", "list", "null", "mapping"
    values: tuple[str, ...]
    value_spans: tuple[Span, ...]  # of each value, quotes excluded


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote's definition `[^1]: …` or a use of it `[^1]`; ids compare without case."""

    id: str
    span: Span  # `[^1]`
    body: Span | None  # of a definition: what it says


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a note that an editor may fold or that is no prose.

    Kinds: `frontmatter`, `code` (fenced or indented), `code-span`, `math`, `math-span`, `comment`
    (`%%`), `html`, `table`, `callout`, `quote`, `list`, `item`, `paragraph`.
    """

    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a person should know about this note. Codes are those of the diagnostics.

    Here: `invalid-block-id`, `duplicate-block-id`, `unquoted-link`, `broken-yaml`.
    """

    code: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Parse:
    """Everything that stands in one note, each tuple in the order of the text."""

    links: tuple[Link, ...] = ()
    addresses: tuple[Address, ...] = ()
    definitions: tuple[Definition, ...] = ()
    headings: tuple[Heading, ...] = ()
    block_ids: tuple[BlockId, ...] = ()
    tags: tuple[Tag, ...] = ()
    properties: tuple[Property, ...] = ()
    footnotes: tuple[Footnote, ...] = ()
    callouts: tuple[tuple[str, Span], ...] = ()  # type as written (`note`), and the span of the type
    regions: tuple[Region, ...] = ()
    problems: tuple[Problem, ...] = ()
    aliases: tuple[str, ...] = ()
    title: str | None = None  # property `title`, else a level-1 heading that is the first block
    body: int = 0  # where the text behind the frontmatter begins


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a note for searching: sections, split at paragraphs and sentences when long."""

    span: Span
    text: str  # the original characters of the span
    headings: tuple[str, ...]  # the texts of the headings above it, outermost first
    tokens: int  # estimated: a CJK character counts 1, other text a quarter of its length
    digest: str  # hash of the text and the heading path
