"""Notes about a train job; invalid ones are tested where they must not change anything."""

from __future__ import annotations

from typing import Any

import pytest

from mindviz.errors import InvalidAnnotation
from mindviz.lineagemgr.annotation import checked_changes


@pytest.mark.parametrize("changes", [{"tag": 0}, {"tag": 10}, {"remark": "ü" * 128}, {"notes": ""}])
def test_valid_notes_are_accepted(changes: dict[str, Any]) -> None:
    assert checked_changes(changes) == changes


def test_null_resets_our_own_keys() -> None:
    assert checked_changes({"notes": None, "group": None}) == {"notes": None, "group": None}
    with pytest.raises(InvalidAnnotation, match="'remark' must be a string"):
        checked_changes({"remark": None})
