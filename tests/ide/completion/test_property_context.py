"""What is being typed in the properties. `{}` marks what an accepted item replaces."""

import pytest

from knapper.ide.completion.context import Destination, TagUse, Wikilink
from knapper.ide.completion.property_context import (
    PropertyName,
    PropertyValue,
    in_properties,
    property_context_at,
)


def told(text: str) -> str:
    """The context at `<|>` in these properties, with the slot marked in its line."""
    offset = text.index("<|>")
    content = text.replace("<|>", "")
    start = content.rfind("\n", 0, offset) + 1
    end = content.find("\n", offset)
    line = content[start : end if end >= 0 else len(content)].rstrip("\r")
    found = property_context_at(content, start, line, offset - start)
    if found is None:
        return "nothing"
    slot = found.slot
    assert slot.typed == line[slot.start : offset - start]
    marked = f"{line[: slot.start]}{{{line[slot.start : slot.end]}}}{line[slot.end :]}"
    match found:
        case PropertyName():
            what = "name"
        case PropertyValue():
            quote = f" in {found.quote}{'' if found.closed else ', open'}" if found.quote else ""
            what = f"value of {found.name}{quote}{', flow' if found.flow else ''}"
        case TagUse():
            what = f"tag {found.query!r}"
        case Wikilink():
            what = f"link{' bare' if found.bare else ''}{' in ' + found.quote if found.quote else ''}"
            what += "" if found.quote_closed else ", open"
        case Destination():
            what = "destination"
        case _:
            what = "?"
    return f"{what}: {marked}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nta<|>\n---\n", "name: {ta}"),
        ("---\n<|>\n---\n", "name: {}"),
        ("---\nta<|>gs: x\n---\n", "name: {tags}: x"),
        ("---\na: 1\r\nta<|>\r\n---\r\n", "name: {ta}"),
        ("---\ntags: [pro<|>]\n---\n", "tag 'pro': tags: [{pro}]"),
        ("---\ntags: [a, pro<|>ject, b]\n---\n", "tag 'pro': tags: [a, {project}, b]"),
        ("---\ntags: pro<|>\n---\n", "tag 'pro': tags: {pro}"),
        ("---\ntags: a pro<|>\n---\n", "tag 'pro': tags: a {pro}"),
        ('---\ntags: ["#pro<|>"]\n---\n', "tag 'pro': tags: [\"{#pro}\"]"),
        ("---\ntags:\n  - a\n  - pro<|>\n---\n", "tag 'pro':   - {pro}"),
        ("---\ntags:\n- pro<|>\n---\n", "tag 'pro': - {pro}"),
        ("---\nTags:\n- #pro<|>\n---\n", "tag 'pro': - {#pro}"),
        ("---\nstatus: do<|>\n---\n", "value of status: status: {do}"),
        ("---\nstatus: in pro<|>gress\n---\n", "value of status: status: {in progress}"),
        ("---\nstatus: <|>\n---\n", "value of status: status: {}"),
        ('---\nstatus: "do<|>ne"\n---\n', 'value of status in ": status: "{done}"'),
        ("---\nstatus: 'do<|>\n---\n", "value of status in ', open: status: '{do}"),
        ("---\nx: [a, 'b c', do<|>]\n---\n", "value of x, flow: x: [a, 'b c', {do}]"),
        ("---\nx:\n  - a\n  - do<|>\n---\n", "value of x:   - {do}"),
        ('---\nup: "[[Par<|>"\n---\n', 'link in ": up: "[[{Par}"'),
        ('---\nup: "[[Par<|>]]"\n---\n', 'link in ": up: "[[{Par}]]"'),
        ('---\nup: "[[Par<|>\n---\n', 'link in ", open: up: "[[{Par}'),
        ("---\nup: [[Par<|>\n---\n", "link bare: up: [[{Par}"),
        ("---\nup: [[Par<|>]]\n---\n", "link bare: up: [[{Par}]]"),
        ("---\nup:\n  - [[Par<|>\n---\n", "link bare:   - [[{Par}"),
        ("---\nup: [ [[Par<|>\n---\n", "link bare: up: [ [[{Par}"),
        ("---\nup: see [[Par<|>\n---\n", "link: up: see [[{Par}"),
        ('---\nup: "[t](Par<|>)"\n---\n', 'destination: up: "[t]({Par})"'),
        ("---\naliases: [A<|>]\n---\n", "nothing"),
        ("---\na: 1 # com<|>\n---\n", "nothing"),
        ("---\ntext: |\n  some wor<|>\n---\n", "nothing"),
        ("---\n- x<|>\n---\n", "nothing"),
    ],
)
def test_what_is_typed_is_told_by_the_lines_up_to_the_cursor(text: str, expected: str) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na<|>\n---\n", True),
        ("---\na: 1\n---\nb<|>\n", False),
        ("---\n---\nb<|>\n", False),
        ("---  \r\na<|>\r\n---\r\n", True),
        ("\ufeff---\na<|>\n---\n", True),
        ("---\na<|>", True),
        ("---\n\ntext<|>", False),
        ("---\na: 1\n---x\nb<|>\n---\n", True),
        ("text\n---\na<|>\n---\n", False),
        ("--<|>-\na: 1\n---\n", False),
        ("---\na: 1\n--<|>-\n", False),
        ("a<|>", False),
    ],
)
def test_properties_lie_between_the_fences(text: str, expected: bool) -> None:
    offset = text.index("<|>")
    content = text.replace("<|>", "")

    assert in_properties(content, content.rfind("\n", 0, offset) + 1) is expected
