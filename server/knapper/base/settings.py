"""The settings: what can be set, to what, and what each means. Frozen once read.

Layers, the later ones win: defaults, `config.toml`, initialization options, `workspace/configuration`.
A vault's `.knapper.toml` comes last and can only narrow. Reading never fails: a wrong value falls back
to the default and becomes a sentence for the person. Must not know where the layers come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

SEVERITIES = ("error", "warning", "information", "hint", "off")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its dotted name below `knapper`, default, allowed values, and one sentence on it."""

    name: str
    default: object
    about: str
    choices: tuple[str, ...] = ()
    personal: bool = False  # must come from the person alone, never from a vault


SETTINGS = (
    Setting("embeddings.enabled", True, "Search by meaning, once a model is there."),
    Setting(
        "embeddings.model",
        "BAAI/bge-small-en-v1.5",
        "The embedding model: a fastembed name or a folder.",
        personal=True,
    ),
    Setting(
        "embeddings.pooling",
        "",
        "How a model folder pools: `mean` or `cls`; empty reads its own file.",
        ("", "mean", "cls"),
    ),
    Setting("embeddings.queryPrefix", "", "Text put before a query when it is embedded."),
    Setting("embeddings.passagePrefix", "", "Text put before a passage when it is embedded."),
    Setting(
        "embeddings.download",
        "ask",
        "Whether the model may be downloaded.",
        ("ask", "auto", "never"),
        personal=True,
    ),
    Setting(
        "reranker.model",
        "Xenova/ms-marco-MiniLM-L-6-v2",
        "The cross-encoder; empty switches it off.",
        personal=True,
    ),
    Setting("search.meaningWeight", 1.0, "How much meaning counts in a search beside words, which count 1."),
    Setting("salience.enabled", True, "Weigh search results by age and use."),
    Setting(
        "salience.evergreen",
        [],
        "Folders (`Reference/`), paths or `/regular expressions/` whose notes do not age.",
    ),
    Setting(
        "index.location",
        "cache",
        "Where the index lives: in the cache folder or in the vault.",
        ("cache", "vault"),
        personal=True,
    ),
    Setting(
        "index.exclude",
        [],
        "Folders (`Archive/`), paths or `/regular expressions/` hidden from search, as in Obsidian.",
    ),
    Setting(
        "index.always", False, "Index the workspace even if it is a home folder or very large.", personal=True
    ),
    Setting(
        "links.style",
        "vault",
        "How completed links are written; `vault` follows Obsidian's settings.",
        ("vault", "wikilink", "markdown"),
    ),
    Setting("lens.backlinks", True, "Show how many backlinks a note and its headings and blocks have."),
    Setting("lens.related", True, "Show related notes above a note."),
    Setting("related.dailyWeight", 0.8, "How much daily notes count among related notes, beside others."),
    Setting(
        "diagnostics.unresolved-note", "information", "A link to a note that does not exist.", SEVERITIES
    ),
    Setting(
        "diagnostics.missing-heading",
        "warning",
        "A link to a heading that its note does not have.",
        SEVERITIES,
    ),
    Setting(
        "diagnostics.missing-block",
        "warning",
        "A link to a block id that its note does not have.",
        SEVERITIES,
    ),
    Setting(
        "diagnostics.ambiguous-link",
        "hint",
        "A link whose name several notes share; the message names the winner.",
        SEVERITIES,
    ),
    Setting(
        "diagnostics.invalid-block-id",
        "warning",
        "A block id with other characters than letters, digits and hyphens.",
        SEVERITIES,
    ),
    Setting(
        "diagnostics.duplicate-block-id", "warning", "A block id that stands twice in a note.", SEVERITIES
    ),
    Setting(
        "diagnostics.unquoted-link",
        "warning",
        "A link in a property without quotes, which YAML reads as a list.",
        SEVERITIES,
    ),
    Setting("diagnostics.broken-yaml", "warning", "Properties that cannot be read.", SEVERITIES),
    Setting(
        "ask.provider",
        "none",
        "Who writes answers.",
        ("none", "anthropic", "openai", "openrouter", "compatible"),
        personal=True,
    ),
    Setting("ask.model", "", "The model that writes answers.", personal=True),
    Setting("ask.baseUrl", "", "The address of an OpenAI-compatible server.", personal=True),
    Setting("ask.context", 0, "How many tokens the model holds; 0 takes what is usual.", personal=True),
    Setting(
        "ask.keyFile",
        False,
        "Whether a provider's key may stand in a file that only you can read, where there is no keychain.",
        personal=True,
    ),
)

BY_NAME = {setting.name: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force. `settings["lens.backlinks"]` is the value of that setting.

    `faults` has a sentence for each setting that was given a value which cannot be used.
    """

    values: Mapping[str, Any] = field(default_factory=lambda: {s.name: s.default for s in SETTINGS})
    faults: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def severity(self, code: str) -> str:
        """One of SEVERITIES for a diagnostic code."""
        return str(self.values[f"diagnostics.{code}"])

    def as_layer(self) -> dict[str, Any]:
        """The settings as one nested layer, for handing to another process."""
        return {"knapper": dict(self.values)}


def read_settings(
    layers: Iterable[Mapping[str, Any] | None], vault: Mapping[str, Any] | None = None
) -> tuple[Settings, list[str]]:
    """The settings of *layers*, and a sentence for each value that cannot be used.

    A layer is nested (`{"lens": {"related": false}}`), dotted (`{"lens.related": false}`) or both, with
    or without a `knapper` around it; null is unset. *vault* is a vault's own file, which only narrows.
    """
    settings = Settings()
    complaints: list[str] = []
    for layer in layers:
        settings = _laid_over(settings, layer or {}, complaints)
    return (_narrowed(settings, vault, complaints) if vault else settings), complaints


def unknown_names(layer: Mapping[str, Any]) -> list[str]:
    """What *layer* sets that is no setting: `{"lens": {"relatd": false}}` gives `["lens.relatd"]`."""
    return [name for name in _given(layer) if name not in BY_NAME]


def _laid_over(settings: Settings, layer: Mapping[str, Any], complaints: list[str]) -> Settings:
    values, faults = dict(settings.values), dict(settings.faults)
    for name, value in _given(layer).items():
        setting = BY_NAME.get(name)
        if setting is None or value is None:
            continue
        if complaint := _complaint(setting, value):
            complaints.append(complaint)
            faults[name] = complaint
        else:
            values[name] = value
    return replace(settings, values=values, faults=faults)


def _given(layer: Mapping[str, Any]) -> dict[str, Any]:
    inner = layer.get("knapper")
    return dict(_flat(inner if isinstance(inner, Mapping) else layer))


def _flat(layer: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    """`{"lens": {"related": false}}` gives `("lens.related", False)`."""
    for name, value in layer.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + str(name), value


_WANTED = {
    bool: "true or false",
    str: "text",
    list: "a list of texts",
    float: "a number",
    int: "a whole number",
}


def _complaint(setting: Setting, value: object) -> str | None:
    wanted = _WANTED[type(setting.default)]
    name = f"knapper.{setting.name}"
    default = f"{setting.default!r} is used instead"
    whole_number = type(value) is int and type(setting.default) is float
    if type(value) is not type(setting.default) and not whole_number:
        return f"The setting {name} should be {wanted}, not {value!r}; {default}."
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        return f"The setting {name} should be {wanted}; {default}."
    if setting.choices and value not in setting.choices:
        allowed = ", ".join(repr(choice) for choice in setting.choices)
        return f"The setting {name} should be one of {allowed}, not {value!r}; {default}."
    return None


def _narrowed(settings: Settings, vault: Mapping[str, Any], complaints: list[str]) -> Settings:
    """The settings with what a vault's own file may say: exclude more, switch off, never on."""
    asked = _laid_over(settings, vault, complaints)
    values = dict(settings.values)
    for setting in SETTINGS:
        name, old, new = setting.name, settings[setting.name], asked[setting.name]
        if isinstance(old, bool) and not setting.personal:
            values[name] = old and new
        elif name == "index.exclude":
            values[name] = [*old, *(item for item in new if item not in old)]
        elif name.startswith("diagnostics."):
            values[name] = max(old, new, key=SEVERITIES.index)
        elif new != old and not (name == "ask.provider" and new == "none"):
            complaints.append(f"A vault cannot set knapper.{name}; the line in .knapper.toml is left out.")
        else:
            values[name] = new
    return replace(asked, values=values)
