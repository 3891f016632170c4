"""Values are read once, and then only in the rows that changed."""

from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.series.columns import Int64s
from mindviz.stored_lists import kept_values
from mindviz.stored_lists.kept_values import KeptValues


def rows(*numbers: int) -> Int64s:
    return np.array(numbers, np.int64)


class Reader:
    """Reads arrays and notes which rows it reads."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def get(self, values: KeptValues, key: str) -> None:
        def every() -> Int64s:
            self.read.append(f"{key}: all")
            return np.zeros(1_000, np.int64)

        def changed(value: Int64s, some: Int64s) -> Int64s:
            self.read.append(f"{key}: {some.tolist()}")
            return value

        values.get(key, every, changed)


def test_later_versions_read_the_changes_since_a_value_was_read() -> None:
    reader = Reader()
    first = KeptValues(1)
    reader.get(first, "a")
    reader.get(first, "a")
    second = first.after(2, rows(3, 7))
    reader.get(second, "b")
    third = second.after(5, rows(4, 7))
    reader.get(third, "a")
    reader.get(third, "b")
    reader.get(third, "b")
    reader.get(first, "a")
    assert reader.read == ["a: all", "b: all", "a: [3, 4, 7]", "b: [4, 7]"]


def test_what_missed_too_many_changes_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_values, "MOST_CHANGED", 3)
    reader = Reader()
    values = KeptValues(1)
    reader.get(values, "a")
    values = values.after(2, rows(1, 2))
    reader.get(values, "b")
    values = values.after(3, rows(3, 4))
    reader.get(values, "a")
    reader.get(values, "b")
    assert reader.read == ["a: all", "b: all", "a: all", "b: [3, 4]"]


def test_large_values_that_were_not_used_lately_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept_values, "MAX_BYTES", 20_000)
    values, reader = KeptValues(1), Reader()
    for key in ("a", "b", "a", "c", "a", "b"):
        reader.get(values, key)
    assert reader.read == ["a: all", "b: all", "c: all", "b: all"]
