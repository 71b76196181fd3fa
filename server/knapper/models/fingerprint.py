"""What makes two vectors comparable, as one short name. Pure."""

from __future__ import annotations

import hashlib
import json

from knapper.markup.chunk import CHUNKER_VERSION

NORMALISER = "l2"


def fingerprint(
    *, model: str, files: str, dimensions: int, pooling: str, prefixes: tuple[str, str], texts: int
) -> str:
    """Sixteen hexadecimal digits that change with anything a vector depends on besides its text.

    *files* is a hash of the model's files, *texts* the version of how embedded texts are made. A folder
    that is moved keeps its fingerprint: *model* is empty for folders.
    """
    parts = [model, files, dimensions, pooling, *prefixes, CHUNKER_VERSION, texts, NORMALISER]
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=8).hexdigest()
