"""What a search says about vectors that are not there."""

from __future__ import annotations

import pytest

from knapper.index.messages import Embedded
from knapper.lsp.aids import missing_said


@pytest.mark.parametrize(
    ("embedded", "said"),
    [
        (None, ""),
        (Embedded("v", 8, 9, 1), ""),
        (Embedded("v", 8, 9, 0), "1 of 9 passages have no vector yet."),
        (Embedded("v", 2, 9, 0, lacking=0), ""),
        (
            Embedded("v", 2, 9, 0, lacking=1),
            "1 passage is found by words alone until the vectors of the new model are there.",
        ),
        (
            Embedded("v", 0, 0, 0, "There is no model.", lacking=3),
            "3 passages are found by words alone until the vectors of the new model are there.",
        ),
    ],
)
def test_while_a_former_model_serves_only_what_it_lacks_is_told(embedded: Embedded | None, said: str) -> None:
    assert missing_said(embedded) == said
