"""Packed columns represent their cells."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.packed_columns import coded, packed
from tests.unpacked_columns import cells

CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, 1.0, math.nan, math.inf, -math.inf]),
    st.sampled_from(["adam", "sgd", "1", ""]),
)


def as_text(cell: Any) -> Any:
    if isinstance(cell, float) and not math.isfinite(cell):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(cell, "NaN")
    return cell


@given(st.lists(CELLS, max_size=60))
def test_cells_keep_their_values_and_types(values: list[Any]) -> None:
    found = cells(packed(values))
    assert [(type(one), one) for one in found] == [
        (type(as_text(one)), as_text(one)) for one in values
    ]


def test_repeated_texts_are_encoded_once() -> None:
    assert packed(["adam", "sgd", None, "adam", "sgd", "adam", "adam"]) == {
        "values": ["adam", "sgd", None],
        "codes": [0, 1, 2, 0, 1, 0, 0],
    }
    assert packed(["a", "b", "c"]) == ["a", "b", "c"]


def test_lists_and_objects_are_encoded_per_row() -> None:
    assert packed([[1, math.nan], {"deep": math.inf}, None]) == [
        [1, "NaN"],
        {"deep": "Infinity"},
        None,
    ]


def test_cells_with_equal_keys_are_encoded_once() -> None:
    shown = []

    def show(cell: list[int]) -> int:
        shown.append(cell)
        return len(cell)

    assert coded([[1], [1], [2, 3]], key=tuple, shown=show) == {
        "values": [1, 2],
        "codes": [0, 0, 1],
    }
    assert shown == [[1], [2, 3]]
