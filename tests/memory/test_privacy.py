"""What of a text is private: notes by their properties, sections by a marker."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.memory.privacy import private_spans


def public(text: str) -> str:
    """What is left of *text* without what is private."""
    left, at = "", 0
    for span in private_spans(text):
        left += text[at : span.start]
        at = span.end
    return left + text[at:]


@pytest.mark.parametrize(
    "head",
    [
        "private: true",
        "private: True",
        "private: yes",
        'private: "true"',
        "private: [true]",
        "private:\n  - true",
        "private:",
        "private: until 2027",
        "Private: true",
        "private : true",
        "private: true # keep",
        "'private': true",
        "tags: [a, b]\nprivate: true\nup: x",
        "private: false\nprivate: true",  # YAML has no such thing; the second is read by nobody else.
        "meta:\n  private: true",
        "{private: true}",
        "ai: false",
        "ai: no",
        "AI: Off",
        "ai: 'false'",
        "ai:",
        "ai: never",
    ],
)
def test_a_note_is_private_by_its_properties(head: str) -> None:
    assert public(f"---\n{head}\n---\nBody.\n") == ""


@pytest.mark.parametrize(
    "head", ["private: false", "private: no", "ai: true", "ai: yes", "ai: a draft by one"]
)
def test_a_note_is_not_private_by_a_property_that_allows(head: str) -> None:
    text = f"---\n{head}\n---\nBody.\n"
    assert public(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "---\ntags: [a\nprivate: true\n---\nBody.",  # Broken YAML.
        "---\ntitle: a: b: c\n\tprivate: true\n---\nBody.",
        "---\nprivate:true\n---\nBody.",
        "---\nprivate=true\n---\nBody.",
        "---\nprivate：true\n---\nBody.",
        "---\nai:false\n---\nBody.",
        "---\nprivate: true\nBody without an end of the properties.",
        "---\nprivate: true\n...\nBody.",
        "----\nprivate: true\n----\nBody.",
        "\n\n---\nprivate: true\n---\nBody.",
        "\ufeff---\nprivate: true\n---\nBody.",
        "---\r\nprivate: true\r\n---\r\nBody.\r\n",
        "---\rprivate: true\r---\rBody.\r",
    ],
)
def test_a_note_whose_properties_cannot_be_read_is_private_if_a_line_looks_so(text: str) -> None:
    assert public(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "private: true\n\nA note that only says so.",
        "---\ntags: [private]\n---\nprivate: true",
        "---\nprivate-ish: true\nai-made: false\n---\nBody.",
        "---\n# private: true\n---\nBody.",
        "Some text.\n\n---\nprivate: true\n---\n",
    ],
)
def test_words_elsewhere_make_no_note_private(text: str) -> None:
    assert public(text) == text


def test_a_section_is_private_from_the_marker_to_the_next_heading_of_its_level() -> None:
    text = "# A\n\nyes\n\n## B\n\nyes too\n%%private%%\nno\n\n### C\n\nno\n\n## D\n\nyes again\n"
    assert public(text) == "# A\n\nyes\n\n## B\n\nyes too\n## D\n\nyes again\n"


def test_a_private_section_ends_at_a_higher_heading_too() -> None:
    assert public("# A\n## B\n### C\n%%private%%\nno\n# D\nyes") == "# A\n## B\n### C\n# D\nyes"


def test_a_heading_with_the_marker_is_private_itself() -> None:
    assert public("# A\nyes\n## Diary %%private%%\nno\n### C\nno\n## D\nyes") == "# A\nyes\n## D\nyes"
    assert public("yes\n\nDiary\n%%private%%\n======\nno\n# D\nyes") == "yes\n\n# D\nyes"


def test_a_marker_above_all_headings_keeps_the_rest_of_the_note_private() -> None:
    assert public("yes\n%%private%%\nno\n# A\nno\n## B\nno") == "yes\n"


def test_the_whole_line_of_the_marker_is_private() -> None:
    assert public("# A\nyes\nno %%private%% no\nno\n# B\n") == "# A\nyes\n# B\n"


@pytest.mark.parametrize(
    "marker", ["%% private %%", "%%Private%%", "%%PRIVATE%%", "%%\nprivate\n%%", "\\%%private%%"]
)
def test_the_marker_may_be_written_with_blanks_and_capitals(marker: str) -> None:
    assert public(f"# A\nyes\n{marker}\nno\n# B\nyes") == "# A\nyes\n# B\nyes"


@pytest.mark.parametrize(
    "before",
    [
        "> [!note] Title\n> %%private%%\n> no",
        "- one\n  - %%private%%\n  no",
        "> %%private%%\nno",
        "1. %%private%%",
    ],
)
def test_a_marker_in_a_callout_or_list_counts_for_its_section(before: str) -> None:
    left = public(f"# A\nyes\n{before}\n\nno\n## C\nno\n# B\nyes")
    assert ("no\n" in left, left.endswith("# B\nyes")) == (False, True)


def test_a_heading_in_a_callout_or_list_ends_no_private_section() -> None:
    text = "## A\n%%private%%\nno\n\n> # Q\n> no\n\n- # L\n\n[^1]: # F\n\nno\n\n## B\nyes"
    assert public(text) == "## A\n## B\nyes"


def test_a_line_across_the_page_ends_no_private_section() -> None:
    assert public("## A\n%%private%%\nno\n---\nno\n-\nno\n\n## B\nyes") == "## A\n## B\nyes"
    assert public("One\n----\n%%private%%\nno\n\nTwo\n----\nyes") == "One\n----\nTwo\n----\nyes"


@pytest.mark.parametrize(
    "fence", ["```\n{}\n```", "~~~md\n{}\n~~~", "> ```\n> {}\n> ```", "- a\n  ```\n  {}\n  ```"]
)
def test_a_marker_between_fences_is_code(fence: str) -> None:
    text = f"# A\nyes\n\n{fence.format('%%private%%')}\n\nyes\n"
    assert public(text) == text


def test_a_marker_in_a_code_span_is_code() -> None:
    text = "# A\nWrite `%%private%%` above it.\n\nyes\n"
    assert public(text) == text


def test_a_marker_between_stray_backticks_of_two_lines_counts() -> None:
    assert public("# A\nyes\nof 5` and\n%%private%%\nno ` no\n# B\n") == "# A\nyes\nof 5` and\n# B\n"


def test_a_marker_that_is_only_indented_counts() -> None:
    assert public("# A\nyes\n\n    %%private%%\n\nno\n# B\n") == "# A\nyes\n\n# B\n"


def test_while_a_fence_is_open_every_marker_counts_and_to_the_end() -> None:
    assert public("# A\nyes\n```\n%%private%%\nno\n# no\n```\nno\n```\n") == "# A\nyes\n```\n"


def test_line_ends_of_every_kind_are_understood() -> None:
    text = "# A\nyes\n%%private%%\nno\n# B\nyes"
    for end in ("\r\n", "\r"):
        assert public(text.replace("\n", end)) == "# A\nyes\n# B\nyes".replace("\n", end)


def test_other_separators_end_no_line() -> None:
    assert public("# A\nno\u2028%%private%%\u2028no\n# B\nyes") == "# A\n# B\nyes"


def test_several_private_sections_are_apart() -> None:
    text = "# A\n%%private%%\nno\n# B\nyes\n# C\n%%private%%\nno\n%%private%%\nno\n# D\nyes"
    assert public(text) == "# A\n# B\nyes\n# C\n# D\nyes"
    assert len(private_spans(text)) == 2


LINES = st.sampled_from(["# A", "## B", "### C", "%%private%%", "text", ""])


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=20), st.sampled_from(["\n", "\r\n"]))
def test_line_by_line_the_same_is_private(lines: list[str], end: str) -> None:
    left, level, private = [], 0, 7  # `private` is the level whose headings end it; 7: nothing is private.
    for line in lines:
        if line[:1] == "#":
            level = line.count("#")
            private = 7 if level <= private else private
        if line == "%%private%%":
            private = min(private, level)
        if private == 7:
            left.append(line + end)

    assert public("".join(line + end for line in lines)) == "".join(left)
