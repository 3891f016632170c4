from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.series import series_view
from mindviz.datavisual.series.series_view import (
    AsData,
    NewRows,
    SeriesView,
    ValuesView,
    element_count,
)
from mindviz.deadline import LongWorkAhead, allow, doing
from mindviz.errors import AnswerTooLarge, Cancelled, DamagedValue


def eager(rows: int = 4, *, epoch: str = "e") -> SeriesView:
    return SeriesView(
        np.arange(rows) * 10,
        np.arange(0.5, rows),
        epoch,
        {"value": np.arange(rows), "name": [str(row) for row in range(rows)]},
        {2: "damaged"},
    )


def fetched(read: list[int], rows: int = 4) -> ValuesView:
    def show(row: int) -> dict[str, object]:
        read.append(row)
        if row == 2:
            raise DamagedValue("It is damaged.")
        return {"square": row * row}

    return ValuesView(np.arange(rows), np.arange(0.5, rows), "e", ("square",), show)


def test_a_view_shows_the_requested_rows_and_their_problems() -> None:
    rows_read = eager().read(np.array([1, 2]))
    assert np.asarray(rows_read.columns["value"]).tolist() == [1, 2]
    assert rows_read.columns["name"] == ["1", "2"]
    assert rows_read.problems == {1: "damaged"}


def test_only_requested_values_are_read() -> None:
    read: list[int] = []
    view = fetched(read)
    assert read == []
    assert view.read(np.array([2, 3])).columns["square"] == [None, 9]
    assert read == [2, 3]
    assert view.whole().problems == {2: "It is damaged."}


def test_new_rows_come_after_seen_ones() -> None:
    assert eager(5).new_since(eager(3).seen) == NewRows(3)
    assert eager(3).new_since(eager(3).seen) == NewRows(3)
    assert eager(2).new_since(eager(3).seen) is None
    assert eager(5).new_since(eager(3, epoch="other").seen) is None
    rewound = SeriesView(np.array([0, 5, 20]), np.arange(0.5, 3), "e", {})
    assert rewound.new_since(eager(2).seen) is None


def test_the_size_of_a_view_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_view, "MAX_ELEMENTS", 2)
    read: list[int] = []
    assert fetched(read).read(np.array([0, 1])).columns["square"] == [0, 1]
    read.clear()
    with pytest.raises(AnswerTooLarge, match="2 numbers"):
        fetched(read, 100).whole()
    assert len(read) < 5


@pytest.mark.parametrize(
    ("cell", "count"),
    [
        (None, 1),
        (1.5, 1),
        ("four", 4),
        (np.zeros((2, 3)), 6),
        (np.array([b"ab", b"cde"], object), 5),
        ([1, [2, "ab"]], 4),
        ({"a": [1, 2], "b": None}, 3),
    ],
)
def test_numbers_and_characters_are_counted(cell: object, count: int) -> None:
    assert element_count(cell) == count


def test_a_view_can_serve_as_data() -> None:
    view = AsData.of(eager())
    assert view.read(np.array([1, 2])).columns["data"] == [{"value": 1, "name": "1"}, None]
    assert view.new_since(eager().seen) == NewRows(4)
    assert AsData.of(fetched([])).read(np.array([3])).columns["data"] == [9]


def test_a_slow_view_continues_as_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_view, "SHORT_READ", -1.0)
    read: list[int] = []
    with doing(allow(60, is_short=True)), pytest.raises(LongWorkAhead):
        fetched(read).whole()
    assert read == []
    with doing(allow(60)):
        fetched(read).whole()
    assert read == [0, 1, 2, 3]


def test_a_view_ends_when_its_client_disconnects() -> None:
    read: list[int] = []
    work = allow(60)
    work.cancelled = True
    with doing(work), pytest.raises(Cancelled):
        fetched(read).whole()
    assert read == []
