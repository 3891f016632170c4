"""Values are read once, and then only in the rows that changed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest

from mindviz.datavisual.scratch_file import ScratchFile
from mindviz.datavisual.series.columns import Int64s
from mindviz.lineagemgr.run_column import NUMBER, ArrayColumn
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


def test_what_did_not_change_stays_where_it_is(tmp_path: Path) -> None:
    first = KeptValues(1, ScratchFile(tmp_path))
    array = first.get("a", lambda: np.zeros(10_000), lambda value, _: value)
    later = first.after(2, rows(1))
    assert later.get("a", lambda: np.zeros(10_000), lambda value, _: value) is array


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


def column(name: str) -> ArrayColumn:
    """Numbers and a text, so that ranks are derived."""
    places = np.full(2_000, NUMBER, np.int32)
    places[0] = 0
    return ArrayColumn(places, [name], np.where(places == NUMBER, np.arange(2_000.0), np.nan))


def test_what_is_derived_from_columns_in_files_is_dropped_before_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_values, "MAX_BYTES", 60_000)
    values = KeptValues(1, ScratchFile(tmp_path))
    read: list[str] = []

    def get(name: str) -> ArrayColumn:
        def every() -> ArrayColumn:
            read.append(name)
            return column(name)

        found: ArrayColumn = values.get(name, every, lambda old, _: old)
        return found

    names = list("abcdefgh")
    for name in names * 2:
        assert len(get(name).ranks) == 2_000
    assert read == names
    kept = [get(name) for name in names]
    in_memory = [array for one in kept for array in one.arrays if array.base is None]
    assert sum(array.nbytes for array in in_memory) <= 60_000


def test_nothing_is_read_ahead_into_memory_when_no_file_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_values, "MAX_BYTES", 20_000)
    values = KeptValues(1, ScratchFile(tmp_path / "missing"))
    assert values.has_room(30_000)
    values.put("a", np.zeros(1_000))
    assert not values.has_room(30_000)
    assert values.has_room(10_000)


def test_a_value_is_read_once_for_all_threads() -> None:
    values, barrier = KeptValues(1), Barrier(4)
    read: list[int] = []

    def get(_: int) -> None:
        def every() -> Int64s:
            read.append(1)
            return np.arange(3)

        barrier.wait(10)
        values.get("a", every, lambda old, _: old)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(get, range(4)))
    assert len(read) == 1
