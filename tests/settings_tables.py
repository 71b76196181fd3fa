"""Where the settings are written down besides the code: the README's table and the VS Code extension.

    python -m tests.settings_tables

writes both anew from `base.settings.SETTINGS`; a test says when that is due.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from knapper.base.settings import SETTINGS, Setting

PROJECT = Path(__file__).parents[1]
README = PROJECT / "README.md"
EXTENSION = PROJECT / "editors/vscode/package.json"
BEGIN, END = "<!-- settings -->\n", "<!-- end of settings -->\n"
TYPES = {bool: "boolean", str: "string", list: "array", float: "number", int: "integer"}
OWN = ("knapper.server.command", "knapper.trace.server")  # settings of the extension itself


def readme_table() -> str:
    """The table as it stands in the README between its two marks."""
    rows = ["| setting | default | |", "| --- | --- | --- |", *(_row(setting) for setting in SETTINGS)]
    return "\n".join(rows) + "\n"


def vscode_properties() -> dict[str, Any]:
    """What the extension's `contributes.configuration.properties` holds besides its own settings."""
    return {f"knapper.{setting.name}": _property(setting) for setting in SETTINGS}


def table_in_readme() -> str:
    """What stands in the README."""
    return README.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]


def properties_in_extension() -> dict[str, Any]:
    """What stands in the extension's package.json, its own settings left out."""
    package = json.loads(EXTENSION.read_text(encoding="utf-8"))
    properties: dict[str, Any] = package["contributes"]["configuration"]["properties"]
    return {name: value for name, value in properties.items() if name not in OWN}


def _row(setting: Setting) -> str:
    default = json.dumps(setting.default)
    allowed = ", ".join(f"`{choice}`" for choice in setting.choices if choice)
    about = f"{setting.about} One of {allowed}." if allowed else setting.about
    personal = " Yours alone: a vault cannot set it." if setting.personal else ""
    return f"| `{setting.name}` | `{default}` | {about}{personal} |"


def _property(setting: Setting) -> dict[str, Any]:
    of_texts = {"items": {"type": "string"}} if isinstance(setting.default, list) else {}
    choices = {"enum": list(setting.choices)} if setting.choices else {}
    return {
        "type": TYPES[type(setting.default)],
        **of_texts,
        **choices,
        "default": setting.default,
        "scope": "machine" if setting.personal else "window",
        "markdownDescription": setting.about,
    }


def main() -> None:
    """Write both anew."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    README.write_text(before + BEGIN + readme_table() + END + after, encoding="utf-8")
    package = json.loads(EXTENSION.read_text(encoding="utf-8"))
    configuration = package["contributes"]["configuration"]
    own = {name: configuration["properties"][name] for name in OWN}
    configuration["properties"] = {**own, **vscode_properties()}
    EXTENSION.write_text(json.dumps(package, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
