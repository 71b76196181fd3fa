"""Our own requests and commands: their names, params and types. PROTOCOL.md describes each, a test compares.

Each request `knapper/x` is also the command `knapper.x`. Must not know what they do.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

import attrs
import cattrs
from cattrs.gen import make_dict_structure_fn, override
from pygls.exceptions import JsonRpcInvalidParams

T = TypeVar("T")
ProgressToken = str | int | None
STATUS = "knapper/status"
SEARCH = "knapper/search"
RELATED = "knapper/related"
SUGGEST_LINKS = "knapper/suggestLinks"
CLUSTERS = "knapper/clusters"
BACKLINKS = "knapper/backlinks"
GRAPH = "knapper/graph"
REBUILD = "knapper/rebuild"
ASK = "knapper/ask"
SAVE_ANSWER = "knapper.saveAnswer"
CREATE_NOTE = "knapper.createNote"
OPEN_IN_OBSIDIAN = "knapper.openInObsidian"
SHOW_REFERENCES = "knapper.showReferences"
WRITE_BLOCK_ID = "knapper.writeBlockId"
FETCH_MODEL = "knapper.fetchModel"


@attrs.frozen
class Params:
    """What every params object may have: the vault (any URI in it), and whether to show the answer."""

    vault: str | None = None
    show: bool = False


@attrs.frozen
class StatusParams(Params):
    """Nothing more."""


@attrs.frozen(kw_only=True)
class SearchParams(Params):
    """A query as a person types it; nothing is found by an empty one."""

    query: str | None = None
    limit: int = attrs.field(default=20, validator=attrs.validators.ge(1))
    mode: str = attrs.field(default="hybrid", validator=attrs.validators.in_(("hybrid", "text", "semantic")))
    explain: bool = False


@attrs.frozen(kw_only=True)
class NoteParams(Params):
    """A note; without `uri` it is the document that was used last."""

    uri: str | None = None


@attrs.frozen
class At:
    """A position: a line and a UTF-16 column."""

    line: int = attrs.field(validator=attrs.validators.ge(0))
    character: int = attrs.field(default=0, validator=attrs.validators.ge(0))


@attrs.frozen
class Between:
    """A range."""

    start: At
    end: At


@attrs.frozen(kw_only=True)
class RelatedParams(NoteParams):
    """A note, or with `position` the section around it, and how many related notes are wanted."""

    position: At | None = None
    limit: int = attrs.field(default=10, validator=attrs.validators.ge(1))


@attrs.frozen(kw_only=True)
class SuggestParams(NoteParams):
    """A note, or with `range` a part of it, and how many links are wanted."""

    range: Between | None = None
    limit: int = attrs.field(default=20, validator=attrs.validators.ge(1))


@attrs.frozen(kw_only=True)
class GraphParams(NoteParams):
    """The whole graph, or with `uri` what is at most `depth` links away from a note.

    With `clusters` each node tells its topic.
    """

    depth: int = attrs.field(default=1, validator=attrs.validators.ge(1))
    clusters: bool = False


@attrs.frozen(kw_only=True)
class FetchParams(Params):
    """A model to download; without `name` all that the settings want and that are not there."""

    name: str = ""


@attrs.frozen(kw_only=True)
class CreateParams(NoteParams):
    """A note to create: `target` as a link in the note at `uri` writes it."""

    target: str = ""


@attrs.frozen(kw_only=True)
class ReferencesParams(NoteParams):
    """A note, or with `subpath` a heading (`Plan`) or block (`^id`) of it."""

    subpath: str | None = None


@attrs.frozen(kw_only=True)
class BlockIdParams(NoteParams):
    """A block of the note at `uri`, known by the digest of its text, and the id it is to get."""

    digest: str = ""
    line: int = 0
    id: str = ""


@attrs.frozen(kw_only=True)
class ScopeParams:
    """The part of the vault to answer from: a note, a folder, a tag, or the notes linked with a note."""

    uri: str | None = None
    folder: str | None = None
    tag: str | None = None
    linked_from: str | None = None


@attrs.frozen(kw_only=True)
class OriginParams:
    """Where the text of a question was selected."""

    uri: str
    range: Between


@attrs.frozen(kw_only=True)
class AskParams(NoteParams):
    """A question as a person types it; without one it is what stands at `range` in the note `uri`."""

    question: str | None = None
    range: Between | None = None
    conversation: str | None = None
    scope: ScopeParams | None = None
    origin: OriginParams | None = None
    dry_run: bool = False
    work_done_token: ProgressToken = None
    partial_result_token: ProgressToken = None


@attrs.frozen(kw_only=True)
class SaveAnswerParams(Params):
    """The last answer of a conversation, and how the note is to be called."""

    conversation: str = ""
    title: str | None = None


REQUESTS: dict[str, type[Params]] = {
    STATUS: StatusParams,
    SEARCH: SearchParams,
    RELATED: RelatedParams,
    BACKLINKS: NoteParams,
    SUGGEST_LINKS: SuggestParams,
    CLUSTERS: Params,
    GRAPH: GraphParams,
    REBUILD: Params,
    ASK: AskParams,
}
COMMANDS: dict[str, type[Params]] = {
    **{method.replace("/", "."): params for method, params in REQUESTS.items()},
    CREATE_NOTE: CreateParams,
    OPEN_IN_OBSIDIAN: NoteParams,
    SHOW_REFERENCES: ReferencesParams,
    WRITE_BLOCK_ID: BlockIdParams,
    FETCH_MODEL: FetchParams,
    SAVE_ANSWER: SaveAnswerParams,
}


def params_of(cls: type[T], given: Any, what: str) -> T:
    """The params of *what*; raises `JsonRpcInvalidParams` with a reason in plain words."""
    if given is not None and not isinstance(given, dict):
        raise JsonRpcInvalidParams(f"{what} takes one params object, not {type(given).__name__}.")
    try:
        return _strict.structure(given or {}, cls)
    except Exception as problem:
        reasons = "; ".join(cattrs.transform_error(problem, what, format_exception=_in_words))
        raise JsonRpcInvalidParams(f"Invalid params: {_camel(reasons)}") from problem


def _in_words(problem: BaseException, expected: type | None) -> str:
    if isinstance(problem, KeyError):
        return "is missing"
    text = str(problem.args[0]) if problem.args else type(problem).__name__
    return text if expected is None or isinstance(problem, TypeError) else f"{text}"


def _exactly(kind: type) -> Any:
    def structure(value: Any, _: Any) -> Any:
        if isinstance(value, float) and value.is_integer() and kind is int:
            return int(value)  # Lua has one kind of number
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(f"should be {_WORDS[kind]}, not {type(value).__name__}")
        return value

    return structure


def _progress_token(value: Any, _: Any) -> ProgressToken:
    if value is None or (isinstance(value, str | int) and not isinstance(value, bool)):
        return value
    raise TypeError(f"should be a text or a whole number, not {type(value).__name__}")


def _camel(name: str) -> str:
    """`dry_run` is `dryRun` on the wire."""
    return re.sub(r"(?<=[a-z])_([a-z])", lambda found: found[1].upper(), name)


def _reader(cls: type[T]) -> Any:
    names: Any = {field.name: override(rename=_camel(field.name)) for field in attrs.fields(cls)}  # type: ignore[arg-type]
    return make_dict_structure_fn(cls, _strict, **names)


_WORDS = {str: "a text", int: "a whole number", bool: "true or false"}
_strict = cattrs.Converter()
for _kind in _WORDS:
    _strict.register_structure_hook(_kind, _exactly(_kind))
_strict.register_structure_hook(ProgressToken, _progress_token)
_strict.register_structure_hook_factory(attrs.has, _reader)
