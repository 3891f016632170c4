from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mindviz.summary.collecting.step_schedule import TENSOR_STEPS, StepSchedule


def taken(steps: StepSchedule, numbers: range) -> tuple[list[int], list[int]]:
    """The steps at which tensors and other data are collected."""
    tensors, others = [], []
    for number in numbers:
        if steps.is_due(number):
            of_tensors, of_others = steps.take(number)
            tensors += [number] if of_tensors else []
            others += [number] if of_others else []
    return tensors, others


def test_the_first_step_and_multiples_of_the_frequency() -> None:
    _, others = taken(StepSchedule(10, None, 35), range(1, 36))
    assert others == [1, 10, 20, 30]


def test_a_resumed_training_collects_its_first_step() -> None:
    _, others = taken(StepSchedule(10, None, None), range(1007, 1022))
    assert others == [1007, 1010, 1020]


def test_tensors_have_a_separate_frequency() -> None:
    tensors, others = taken(StepSchedule(10, 4, 20), range(1, 21))
    assert tensors == [1, 4, 8, 12, 16, 20]
    assert others == [1, 10, 20]


@given(freq=st.integers(1, 50), total=st.integers(1, 5000))
def test_tensors_are_collected_at_about_twenty_steps(freq: int, total: int) -> None:
    tensors, others = taken(StepSchedule(freq, None, total), range(1, total + 1))
    assert set(tensors) <= set(others)
    assert min(len(others), TENSOR_STEPS // 2) <= len(tensors) <= TENSOR_STEPS + 1


def test_without_a_total_the_interval_doubles() -> None:
    tensors, others = taken(StepSchedule(1, None, None), range(1, 10_001))
    assert len(others) == 10_000
    assert tensors[:TENSOR_STEPS] == list(range(1, TENSOR_STEPS + 1))
    assert len(tensors) < 12 * TENSOR_STEPS
    assert tensors[-1] > 9_000
