from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.snapshots.series_totals import NO_TOTALS, SeriesTotals
from tests.written_logs import batches, events

PIECES = st.lists(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(-5, 20), st.floats(width=32, allow_nan=True)),
        max_size=8,
    ),
    max_size=4,
)


@given(PIECES)
def test_totals_of_pieces_add_up(
    pieces: list[list[tuple[str, int, float]]],
) -> None:
    tags = list(dict.fromkeys(tag for piece in pieces for tag, _, _ in piece))
    log = [
        b"".join(events([(step, value)], tag=tag) for tag, step, value in piece) for piece in pieces
    ]
    totals: SeriesTotals = NO_TOTALS
    for batch in batches(*log):
        totals = totals.extended(
            max(len(totals.count), batch.scalars.series.max() + 1), batch.scalars
        )
    stats = totals.stats
    assert len(totals.count) == len(tags)
    for series, tag in enumerate(tags):
        points = [(step, value) for piece in pieces for t, step, value in piece if t == tag]
        steps, values = zip(*points, strict=True)
        numbers = [(value, step) for step, value in points if not math.isnan(value)]
        assert totals.count[series] == len(points)
        assert np.array_equal(stats.first[series], values[0], equal_nan=True)
        assert np.array_equal(stats.last[series], values[-1], equal_nan=True)
        assert (stats.first_step[series], stats.last_step[series]) == (steps[0], steps[-1])
        assert stats.nan_count[series] == len(points) - len(numbers)
        assert stats.increasing[series] == all(a < b for a, b in pairwise(steps))
        if numbers:
            assert stats.min[series] == min(value for value, _ in numbers)
            assert stats.max[series] == max(value for value, _ in numbers)
            assert (stats.min[series], stats.min_step[series]) in numbers
            assert (stats.max[series], stats.max_step[series]) in numbers
        else:
            assert math.isnan(stats.min[series])
            assert math.isnan(stats.max[series])


def test_earlier_totals_are_not_touched_by_later_points() -> None:
    first, second = batches(events([(1, 1.0)]), events([(2, 5.0)]))
    before = NO_TOTALS.extended(1, first.scalars)
    after = before.extended(1, second.scalars)
    assert (before.count[0], before.stats.max[0]) == (1, 1.0)
    assert (after.count[0], after.stats.max[0], after.stats.max_step[0]) == (2, 5.0, 2)
