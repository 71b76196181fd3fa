"""From the text of a note to everything that stands in it."""

from __future__ import annotations

from knapper.markup.assemble import assemble
from knapper.markup.blocks import read_blocks
from knapper.markup.frontmatter import read_frontmatter
from knapper.markup.note import Parse


def parse(text: str) -> Parse:
    """Everything that stands in *text*. It never fails and takes time in proportion to the text's length.

    Whatever the text holds is a note: broken properties are a `Problem`, what is left open goes to the end.
    """
    front = read_frontmatter(text)
    return assemble(text, front, read_blocks(text, front.body, len(text)))
