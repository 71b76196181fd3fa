"""What a person excludes, by the files as they are at this moment.

For what leaves this machine the state that was read when a vault was opened will not do: of two servers on a
vault only one watches it. Must not know what is sent.
"""

from __future__ import annotations

from pathlib import Path

from knapper.base.exclusion import Exclusion
from knapper.base.settings import Settings, read_settings
from knapper.index.vaults import user_layer, vault_layer
from knapper.vault.obsidian import Read, exclusion, read_obsidian

_EXCLUDE = "index.exclude"
_UNSURE = "It cannot be known which notes are excluded, so nobody was asked: {}"
_DAMAGED = ".obsidian/app.json is damaged; open the settings of Obsidian, or mend it."


def excluded_now(root: Path, read: Read, settings: Settings) -> tuple[Exclusion | None, str]:
    """What is excluded in the vault at *root*; and why that may not be all, empty if it is.

    *read* gives the text of a file of the vault. *settings* are those in force.
    """
    obsidian, _ = read_obsidian(read)
    found, bad = exclusion(obsidian, settings)
    files = (user_layer(), vault_layer(root))
    wrong = [complaint for _, complaint in files if complaint]
    given = (settings, *(read_settings([layer])[0] for layer, _ in files))
    wrong += [one.faults[_EXCLUDE] for one in given if _EXCLUDE in one.faults]
    wrong += bad if obsidian.filters_are_known else [_DAMAGED, *bad]
    return found, _UNSURE.format(wrong[0]) if wrong else ""
