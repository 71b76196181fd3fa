"""The vault that most search tests look into; it is indexed once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.search.library import Library, library

NOTES = {
    "Kitchen/Bread.md": (
        "---\naliases: [Loaf, Sour bread]\ntags: [kitchen/baking, Winter]\n---\n# Bread\n\n"
        "Flour and water.\n\n## Starter\n\n"
        "The sourdough starter wants rye flour twice a day, and it wants patience. "
        "Whoever feeds it less often bakes a brick; we have built half a wall of them by now.\n"
    ),
    "Kitchen/Oven.md": "The oven is fired with beech. A starter motor is of no use here.\n",
    "Garden/Log.md": "#garden\n\nThe valve DL-11 is leaking. You really don't need a gym.\n",
    "Garden/Server.md": "We run a self-hosted calendar; `getUserId` and snake_case_name are its functions.\n",
    "Gardens of old.md": "#gardening\n\nAll valves are fine.\n",
    "会议.md": "这里利用结构化知识足够有效精确的导向\n",
    "其他.md": "今天天气很好\n",
    "Café.md": "Der Weg führt über die Straße zum Fluß.\n",
    "Daily/2024-05-07.md": "Baked with rye, then slept.\n",
    "Daily/2024-04-30.md": "Rain.\n",
    "Plan.md": "---\ndate: 2023-02-03\n---\nOn 2024-05-07 the roof is due.\n",
    "Overview.md": "# The four beds\n\nCarrots in the first.\n",
    "Empty page.md": "",
    "Only properties.md": "---\ntags: [hollow]\n---\n",
    "Long.md": "The river was high and the bridge was closed again.\n" * 400
    + "And then came the zeppelin.\n",
    "Emoji.md": "🎉🎉 party at the quay\u2028and on\u2028the pier\r\nsecond line\r\n",
}


@pytest.fixture(scope="session")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """NOTES, indexed."""
    made = library(tmp_path_factory.mktemp("library"), NOTES)
    yield made
    made.reader.close()
