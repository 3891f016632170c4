from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.data_transform.snapshots.step_order import (
    counting_points,
    counting_points_of_segments,
)

STEPS = st.lists(st.integers(min_value=0, max_value=12), max_size=40)


def steps_of(*steps: int) -> np.ndarray:
    return np.array(steps, dtype=np.int64)


def by_the_book(steps: list[int]) -> list[int]:
    """The rule in its plainest form: one point after the other, in quadratic time."""
    # Equal neighbours are one point, the later one.
    raw = [i for i, step in enumerate(steps) if i + 1 == len(steps) or steps[i + 1] != step]
    kept: dict[int, int] = {}
    highest: int | None = None
    for at, i in enumerate(raw):
        step = steps[i]
        follower = steps[raw[at + 1]] if at + 1 < len(raw) else None
        late = highest is not None and step < highest and (follower is None or follower > highest)
        if not late:
            kept = {known: index for known, index in kept.items() if known < step}
            highest = step
        kept[step] = i
    return [kept[step] for step in sorted(kept)]


@given(STEPS)
def test_points_that_count_follow_the_rule(steps: list[int]) -> None:
    assert counting_points(steps_of(*steps)).tolist() == by_the_book(steps)


@given(STEPS)
def test_served_steps_increase_strictly(steps: list[int]) -> None:
    served = steps_of(*steps)[counting_points(steps_of(*steps))]
    assert (np.diff(served) > 0).all()


def test_a_restart_supersedes_what_it_rewrites() -> None:
    steps = steps_of(1, 2, 3, 4, 5, 3, 4, 9)
    assert counting_points(steps).tolist() == [0, 1, 5, 6, 7]


def test_a_late_point_is_sorted_in() -> None:
    assert counting_points(steps_of(1, 2, 5, 3, 6)).tolist() == [0, 1, 3, 2, 4]


def test_a_last_point_that_goes_back_is_late_until_its_successor_tells() -> None:
    assert counting_points(steps_of(1, 2, 5, 3)).tolist() == [0, 1, 3, 2]
    assert counting_points(steps_of(1, 2, 5, 3, 4)).tolist() == [0, 1, 3, 4]


def test_a_log_whose_steps_are_all_zero_serves_its_last_point() -> None:
    assert counting_points(np.zeros(300_000, dtype=np.int64)).tolist() == [299_999]


def test_steps_may_span_all_of_int64() -> None:
    smallest, largest = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    assert counting_points(steps_of(smallest, 0, largest)).tolist() == [0, 1, 2]


def test_a_later_segment_supersedes_from_its_smallest_step() -> None:
    segments = [steps_of(1, 2, 3, 4), steps_of(3, 4, 5)]
    assert counting_points_of_segments(segments).tolist() == [0, 1, 4, 5, 6]


@given(st.lists(st.lists(st.integers(0, 12), max_size=12, unique=True).map(sorted), max_size=4))
def test_rising_segments_count_like_one_file_that_was_restarted(segments: list[list[int]]) -> None:
    kept: list[tuple[int, int]] = []
    base = 0
    for segment in segments:
        if segment:
            kept = [(step, i) for step, i in kept if step < segment[0]]
            kept += [(step, base + i) for i, step in enumerate(segment)]
        base += len(segment)
    answer = counting_points_of_segments([steps_of(*segment) for segment in segments])
    assert answer.tolist() == [i for _, i in kept]
