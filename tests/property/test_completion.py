"""Whatever stands in a note and wherever the cursor is, completion answers with edits a client can apply."""

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.base.cancel import CancelToken
from knapper.ide.completion.complete import complete
from knapper.ide.completion.items import Client
from knapper.markup.parse import parse
from knapper.text.lines import Text
from knapper.vault.paths import NotePath
from tests.ide.completion.accepting import NOW, applied
from tests.scene import Scene, host_of

PIECES = [
    *("[[", "]]", "![[", "](", ")", "][", "[^", "#", "##", "^", "^^", "|", "\\|", "<", ">", "> [!", "---\n"),
    *(
        "N",
        "no",
        "Hea",
        "tags: ",
        "up: ",
        '"',
        "'",
        "- ",
        "[",
        ", ",
        "\n",
        "\r\n",
        " ",
        "`",
        "```\n",
        "$",
        "%%",
    ),
    *("| a | b |\n|---|---|\n", "🎉", "日本", "\u2028", "text", " ^id", "# Heading\n", "[x]: ", "\\"),
]
OTHERS = {
    NotePath("N.md"): "---\naliases: [no one]\ntags: [tag]\nup: x\n---\n# Heading\n\nblock\n\n- item ^id\n",
    NotePath("f/N.md"): "[[Missing]] #tag/sub\n",
    NotePath("pic.png"): "",
}


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12), st.data(), st.booleans(), st.booleans())
def test_every_item_can_be_applied(
    pieces: list[str], data: st.DataObject, replaces: bool, markdown: bool
) -> None:
    content = "".join(pieces)
    offset = data.draw(st.integers(0, len(content)))
    path = NotePath("src.md")
    host = host_of(
        Scene({**OTHERS, path: content}, (path, offset)), {"links.style": "markdown"} if markdown else None
    )
    text = Text(content)
    cursor = text.position(offset)

    found = complete(host.snapshot(), path, offset, CancelToken(), Client(replaces), NOW)

    assert len({item.edit.place.start for item in found.items}) <= 1
    for item in found.items:
        place = item.edit.place
        assert place.line == place.end_line == cursor.line
        assert place.start <= cursor.character <= place.end
        assert "\n" not in item.edit.new
        parse(applied(content, [item.edit, *item.extra_edits]))
