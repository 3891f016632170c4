from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.snapshots.step_order import (
    FROM_FIRST_STEP,
    counting_points,
    counting_points_of_segments,
)

STEPS = st.lists(st.integers(min_value=0, max_value=12), max_size=40)


def steps_of(*steps: int) -> np.ndarray:
    return np.array(steps, dtype=np.int64)


class Book:
    """The simplest form of the rule: one rising run after another, in quadratic time."""

    def __init__(self, steps: list[int]) -> None:
        self.steps = steps
        self.line: list[int] = []
        self.late: list[int] = []
        self.aside: list[int] = []
        self.distance: int | None = None
        for run in self.runs():
            rest = run[self.dealt_with(run) :]
            self.line += rest

    def runs(self) -> list[list[int]]:
        """Runs of rising steps; of equal neighbors the later one."""
        runs: list[list[int]] = []
        for i, step in enumerate(self.steps):
            if self.steps[i + 1 : i + 2] == [step]:
                continue
            if runs and step > self.steps[runs[-1][-1]]:
                runs[-1].append(i)
            else:
                runs.append([i])
        return runs

    def dealt_with(self, run: list[int]) -> int:
        if not self.line:
            return 0
        first, highest = self.steps[run[0]], self.steps[self.line[-1]]
        behind = [i for i in run if self.steps[i] <= highest]
        if not behind:
            return 0
        if first < highest:
            if self.is_aside(behind, run[len(behind) :]):
                self.set_aside(behind)
                return len(behind)
            if len(behind) == 1:
                self.late.append(run[0])
                return 1
            self.aside, self.distance = [], None
        self.line = [i for i in self.line if self.steps[i] < first]
        self.late = [i for i in self.late if self.steps[i] < first]
        return 0

    def is_aside(self, behind: list[int], rest: list[int]) -> bool:
        first, gaps = self.steps[behind[0]], self.gaps(behind)
        continues = (
            self.distance is not None
            and 0 < first - self.steps[self.aside[-1]] <= 2 * self.distance
        )
        if not gaps:
            known = [self.steps[i] for i in (*self.line, *self.late)]
            return continues or first in known or first < self.steps[self.line[0]]
        if not rest:
            return continues
        usual = self.gaps(self.line[-2:])
        (here,), (jump,) = self.gaps([self.line[-1], rest[0]]), self.gaps([behind[-1], rest[0]])
        misfit = jump > 2 * max(gaps) or (len(gaps) > 1 and 2 * jump < min(gaps))
        return bool(usual) and here <= usual[0] and misfit

    def set_aside(self, behind: list[int]) -> None:
        between = self.gaps([*self.aside[-1:], behind[0]])
        gaps = self.gaps(behind)
        self.distance = max(gaps) if gaps else between[0] if between and between[0] > 0 else None
        self.aside = behind

    def gaps(self, indices: list[int]) -> list[int]:
        return [self.steps[b] - self.steps[a] for a, b in itertools.pairwise(indices)]


def by_the_book(steps: list[int]) -> list[int]:
    book = Book(steps)
    return sorted((*book.line, *book.late), key=lambda i: steps[i])


@given(STEPS)
def test_points_that_count_follow_the_rule(steps: list[int]) -> None:
    assert counting_points(steps_of(*steps)).tolist() == by_the_book(steps)


@given(STEPS)
def test_served_steps_increase_strictly(steps: list[int]) -> None:
    served = steps_of(*steps)[counting_points(steps_of(*steps))]
    assert (np.diff(served) > 0).all()


def test_a_restart_supersedes_rewritten_points() -> None:
    steps = steps_of(1, 2, 3, 4, 5, 3, 4, 9)
    assert counting_points(steps).tolist() == [0, 1, 5, 6, 7]


def test_a_late_point_is_sorted_in() -> None:
    assert counting_points(steps_of(1, 2, 5, 3, 6)).tolist() == [0, 1, 3, 2, 4]


def test_a_last_point_that_goes_back_is_late_until_its_successor_decides() -> None:
    assert counting_points(steps_of(1, 2, 5, 3)).tolist() == [0, 1, 3, 2]
    assert counting_points(steps_of(1, 2, 5, 3, 4)).tolist() == [0, 1, 3, 4]


def test_a_log_whose_steps_are_all_zero_serves_its_last_point() -> None:
    assert counting_points(np.zeros(300_000, dtype=np.int64)).tolist() == [299_999]


def test_steps_may_span_all_of_int64() -> None:
    smallest, largest = np.iinfo(np.int64).min, np.iinfo(np.int64).max
    assert counting_points(steps_of(smallest, 0, largest)).tolist() == [0, 1, 2]


COUNTER = [*range(1, 101)]


@pytest.mark.parametrize(
    ("written", "counting"),
    [
        # A resume that continues.
        ([*COUNTER, *range(81, 121)], [*range(80), *range(100, 140)]),
        ([*range(10, 101, 10), 85, 95, 105], [*range(8), 10, 11, 12]),
        # A stray value: at a used step, before the first, at the end or in between.
        ([*COUNTER, 1], [*range(100)]),
        ([*COUNTER, 0], [*range(100)]),
        ([*COUNTER, 50, 101], [*range(100), 101]),
        # Validation next to training, with its own counter or every ten steps.
        ([*COUNTER, *range(1, 11), *range(101, 201)], [*range(100), *range(110, 210)]),
        ([*COUNTER, *range(10, 101, 10), *range(101, 201)], [*range(100), *range(110, 210)]),
        (
            [*COUNTER, *range(1, 11), *range(101, 201), *range(11, 21), 201],
            [*range(100), *range(110, 210), 220],
        ),
        (
            [
                10,
                1,
                20,
                2,
                30,
                3,
                40,
                4,
                50,
                5,
                60,
                6,
                70,
                7,
                80,
                8,
                90,
                9,
                100,
                10,
                110,
                11,
                120,
                12,
            ],
            [*range(0, 24, 2)],
        ),
    ],
)
def test_a_point_counts_unless_there_is_evidence_against_it(
    written: list[int], counting: list[int]
) -> None:
    assert counting_points(steps_of(*written)).tolist() == counting


def test_a_known_second_counter_stays_set_aside_while_it_grows() -> None:
    log = [*COUNTER, *range(1, 11), *range(101, 201), *range(11, 21)]
    for length in range(211, len(log) + 1):
        counting = counting_points(steps_of(*log[:length]))
        assert counting.tolist() == [*range(100), *range(110, 210)]


@pytest.mark.parametrize(
    ("later", "kept", "skipped"),
    [
        # The best value, written last, at step 0, as by add_hparams.
        ([0], 100, 1),
        ([50], 100, 1),
        # At the last step it replaces the last value, beyond it the series continues.
        ([100], 99, 0),
        ([101], 100, 0),
        # A rerun, a resume; one value is not enough.
        ([0, 1], 0, 0),
        ([90], 100, 1),
        ([90, 91], 89, 0),
        # A value at step 0 before the writer continues after the end.
        ([0, 101, 102], 100, 1),
        ([95, 101, 102], 100, 1),
    ],
)
def test_a_later_writer_needs_a_second_step_to_be_a_restart(
    later: list[int], kept: int, skipped: int
) -> None:
    answer = counting_points_of_segments([steps_of(*COUNTER), steps_of(*later)])
    assert answer.tolist() == [*range(kept), *range(100 + skipped, 100 + len(later))]


@pytest.mark.parametrize(("declared", "kept"), [(45, 44), (FROM_FIRST_STEP, 49)])
def test_a_declared_restart_needs_no_further_evidence(declared: int, kept: int) -> None:
    answer = counting_points_of_segments([steps_of(*COUNTER), steps_of(50)], [None, declared])
    assert answer.tolist() == [*range(kept), 100]


def test_a_later_segment_supersedes_from_its_smallest_step() -> None:
    segments = [steps_of(1, 2, 3, 4), steps_of(3, 4, 5)]
    assert counting_points_of_segments(segments).tolist() == [0, 1, 4, 5, 6]


@given(st.lists(st.lists(st.integers(0, 12), max_size=12, unique=True).map(sorted), max_size=4))
def test_declared_restarts_supersede_from_their_first_step(segments: list[list[int]]) -> None:
    kept: list[tuple[int, int]] = []
    base = 0
    for segment in segments:
        if segment:
            kept = [(step, i) for step, i in kept if step < segment[0]]
            kept += [(step, base + i) for i, step in enumerate(segment)]
        base += len(segment)
    answer = counting_points_of_segments(
        [steps_of(*segment) for segment in segments], [FROM_FIRST_STEP] * len(segments)
    )
    assert answer.tolist() == [i for _, i in kept]
