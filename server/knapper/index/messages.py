"""What the server and the index process say to each other: one JSON object a line, over two pipes.

The server numbers what it asks for with *tickets*; `Committed` returns them when what they asked for
can be read from the database. `vault` is the vault's root as a string, on both sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# --- from the server ---


@dataclass(frozen=True, slots=True)
class OpenVault:
    """Begin to keep the index of this vault equal to its files; `open_notes` are looked at first."""

    vault: str
    ticket: int
    settings: dict[str, Any]  # the `knapper` settings, as base.settings reads them
    open_notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CloseVault:
    """Stop; drop this server's unsaved rows."""

    vault: str


@dataclass(frozen=True, slots=True)
class Touch:
    """These files or folders may have changed on disk: look at them now. Nothing else is looked at."""

    vault: str
    ticket: int
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overlay:
    """The note at `path` has this unsaved text in the server's editor."""

    vault: str
    ticket: int
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class DropOverlay:
    """The note at `path` has no unsaved text any more: saved or closed. It is also touched."""

    vault: str
    ticket: int
    path: str


@dataclass(frozen=True, slots=True)
class Configure:
    """The settings, or a file in `.obsidian`, changed."""

    vault: str
    ticket: int
    settings: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scan:
    """Look at every file of the vault again."""

    vault: str
    ticket: int


@dataclass(frozen=True, slots=True)
class Rebuild:
    """Drop the index and build it anew. `Failed` if another server owns the index."""

    vault: str
    ticket: int


@dataclass(frozen=True, slots=True)
class EmbedQuery:
    """Give the vector of a query: `QueryVector`. Not said again to a new process: nobody waits so long."""

    vault: str
    ticket: int
    text: str


@dataclass(frozen=True, slots=True)
class Rerank:
    """Score these passages for a query: `Reranked`. Not said again to a new process."""

    vault: str
    ticket: int
    query: str
    passages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FetchModel:
    """Download a model now: the person wants it. Ends with `ModelFetched`; `Indexing` tells how far it is."""

    vault: str
    ticket: int
    name: str = ""  # empty: every model of the settings that is missing or damaged


# --- from the index process ---


@dataclass(frozen=True, slots=True)
class Opened:
    """The database can be read. Sent again when the owner or the file changes."""

    vault: str
    database: str  # absolute path
    owner: bool  # whether this process writes it
    owner_pid: int | None  # of the other process that does


@dataclass(frozen=True, slots=True)
class Committed:
    """The database holds state `seq`; everything asked for with these tickets is in it."""

    vault: str
    seq: int
    tickets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Indexing:
    """How far the work at hand is; `done == total` ends it."""

    vault: str
    what: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A pass over the whole vault is complete (`first`: all full text is in for the first time)."""

    vault: str
    at: float  # seconds since 1970
    touched: int  # how many files had changed behind everybody's back
    first: bool


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person must be told, once, in words. Levels: `error`, `warning`, `info`."""

    vault: str
    level: str
    message: str


@dataclass(frozen=True, slots=True)
class ObsidianChanged:
    """A settings file in `.obsidian`, or `.knapper.toml`, changed on disk: read them again."""

    vault: str


@dataclass(frozen=True, slots=True)
class Failed:
    """What was asked for with this ticket cannot be done, and why.

    With the ticket of an `OpenVault`: the vault is not indexed because it is a home folder or too large,
    unless `index.always` is set; `Configure` with that set begins after all.
    """

    vault: str
    ticket: int
    message: str


@dataclass(frozen=True, slots=True)
class QueryVector:
    """The vector of a query, to be compared with the set of the same fingerprint only; or None and why."""

    vault: str
    ticket: int
    fingerprint: str
    vector: tuple[float, ...] | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Reranked:
    """One score for each passage, more is better; or None and why."""

    vault: str
    ticket: int
    scores: tuple[float, ...] | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Embedded:
    """So many passages have a vector; `done + failed == total` when all is done.

    `reason` is why there are none or no more just now, in words, or None. While the vectors of a former model
    serve, `lacking` passages have none of these.
    """

    vault: str
    done: int
    total: int
    failed: int
    reason: str | None = None
    lacking: int | None = None


@dataclass(frozen=True, slots=True)
class ModelWanted:
    """The vault would gain by a model that is not there: offer to download it. At most once a week."""

    vault: str
    name: str
    megabytes: int


@dataclass(frozen=True, slots=True)
class ModelFetched:
    """A download has ended; with `reason` it failed, and that says why and what to do."""

    vault: str
    ticket: int  # of `FetchModel`, 0 for a download that the settings allow
    name: str
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """Made by the client, not sent: the index process ended.

    `again` is the delay of its restart in seconds, or None if it will not be started again (the server is
    then degraded).
    """

    again: float | None
    vault: str = ""


Asking = EmbedQuery | Rerank | FetchModel
"""What is asked of models, not of the index; it changes nothing that `Committed` tells of."""

Request = OpenVault | CloseVault | Touch | Overlay | DropOverlay | Configure | Scan | Rebuild | Asking
Answer = QueryVector | Reranked | Embedded | ModelWanted | ModelFetched
Event = Opened | Committed | Indexing | Passed | Notice | ObsidianChanged | Failed | Answer | Ended
