"""How much memory this process takes."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path


def memory() -> int:
    """Bytes of this process in memory now; where the system does not tell, the most there were, or 0."""
    with suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf(
            "SC_PAGE_SIZE"
        )
    if sys.platform == "win32":
        return 0
    import resource  # noqa: PLC0415 -- Windows has no such module.

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
