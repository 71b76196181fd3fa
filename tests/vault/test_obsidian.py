"""Obsidian's settings are read as they are, and no damage to them stops anything."""

from __future__ import annotations

import json

import pytest

from knapper.base.settings import Settings, read_settings
from knapper.vault.obsidian import DailyNotes, Obsidian, exclusion, read_obsidian


def read(files: dict[str, object]) -> tuple[Obsidian, list[str]]:
    texts = {
        f".obsidian/{name}.json": value if isinstance(value, str) else json.dumps(value)
        for name, value in files.items()
    }
    return read_obsidian(texts.get)


def test_without_files_the_defaults_are_obsidians() -> None:
    assert read({}) == (Obsidian(), [])


def test_every_setting_is_read() -> None:
    app = {
        "newLinkFormat": "relative",
        "useMarkdownLinks": True,
        "newFileLocation": "folder",
        "newFileFolderPath": "Inbox/",
        "attachmentFolderPath": "./files",
        "userIgnoreFilters": ["Archive/", "/draft/"],
        "vimMode": True,
    }
    files = {
        "app": app,
        "daily-notes": {"folder": "Log", "format": "YYYY/MM-DD", "template": "Templates/Day"},
        "templates": {"folder": "Templates"},
        "types": {"types": {"Due": "date", "aliases": "aliases"}},
    }

    assert read(files) == (
        Obsidian(
            new_link_format="relative",
            use_markdown_links=True,
            new_file_location="folder",
            new_file_folder="Inbox",
            attachment_folder="./files",
            ignore_filters=("Archive/", "/draft/"),
            daily=DailyNotes("Log", "YYYY/MM-DD", "Templates/Day"),
            templates_folder="Templates",
            property_types={"due": "date", "aliases": "aliases"},
        ),
        [],
    )


@pytest.mark.parametrize(
    "text", ["", " ", "null", "{}", "\ufeff{}", '{"newLinkFormat": null, "userIgnoreFilters": null}']
)
def test_nothing_and_null_are_no_damage(text: str) -> None:
    assert read({"app": text, "daily-notes": text, "templates": text, "types": text}) == (Obsidian(), [])


@pytest.mark.parametrize(
    ("app", "wrong"),
    [
        ("{", "it is no valid JSON"),
        ("[" * 100_000, "it is no valid JSON"),
        ("[1]", "it should hold one object"),
        (
            '{"newLinkFormat": "longest"}',
            "newLinkFormat should be one of shortest, relative, absolute, not 'longest'",
        ),
        ('{"useMarkdownLinks": "yes"}', "useMarkdownLinks should be true or false, not 'yes'"),
        ('{"userIgnoreFilters": "Archive/"}', "userIgnoreFilters should be a list of texts, not 'Archive/'"),
    ],
)
def test_damage_gives_the_defaults_and_one_sentence(app: str, wrong: str) -> None:
    knows_filters = app.startswith(('{"newLinkFormat"', '{"useMarkdownLinks"'))
    assert read({"app": app}) == (
        Obsidian(filters_are_known=knows_filters),
        [f".obsidian/app.json: {wrong}. Obsidian's default is used instead."],
    )


def test_all_damage_of_one_file_is_one_sentence_and_the_rest_is_used() -> None:
    obsidian, warnings = read(
        {"app": {"newLinkFormat": 3, "useMarkdownLinks": True, "userIgnoreFilters": ["a", 1, "/(/"]}}
    )

    assert obsidian == Obsidian(use_markdown_links=True, ignore_filters=("a",), filters_are_known=False)
    wrong = (
        "newLinkFormat should be text, not 3",
        "userIgnoreFilters should be a list of texts",
        "the excluded path /(/ is no regular expression",
    )
    assert warnings == [f".obsidian/app.json: {'; '.join(wrong)}. Obsidian's default is used instead."]


def test_what_is_hidden_comes_from_obsidian_and_from_the_settings() -> None:
    settings, _ = read_settings([{"index": {"exclude": ["Private/", "/[/"]}}])
    pattern, warnings = exclusion(Obsidian(ignore_filters=("Archive/",)), settings)

    assert pattern is not None
    assert [pattern.holds(path) for path in ("Archive/a.md", "Private/b.md", "c.md")] == [
        True,
        True,
        False,
    ]
    assert warnings == ["The setting knapper.index.exclude holds /[/, which is no regular expression."]
    assert exclusion(Obsidian(), Settings()) == (None, [])


def test_a_filter_with_flags_of_its_own_changes_no_other() -> None:
    obsidian, warnings = read({"app": {"userIgnoreFilters": ["/(?i)draft/", "Archive/"]}})
    found, _ = exclusion(obsidian, Settings())

    assert (obsidian.ignore_filters, warnings) == (("/(?i)draft/", "Archive/"), [])
    assert found is not None
    assert [path for path in ("a/DRAFT.md", "Archive/x.md", "archive/x.md") if found.holds(path)] == [
        "a/DRAFT.md",
        "Archive/x.md",
    ]
