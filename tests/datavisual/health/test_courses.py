from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.series.columns import Float64s
from tests.datavisual.health.test_windows import python_source

courses = python_source("courses")


def due(values: Float64s, points: int = 8) -> tuple[object, list[int]]:
    """The course of blocks of these values, and after how many of them a comparison is due."""
    course = courses.Course()
    blocks = values[: len(values) // points * points].reshape(-1, points)
    at = [
        number + 1
        for number, block in enumerate(blocks)
        if course.push(
            block.mean(), ((block - block.mean()) ** 2).sum(), points, number * points, 0.0
        )
    ]
    return course, at


def test_comparisons_are_due_at_20_to_32_blocks_which_then_become_half_as_many() -> None:
    _, at = due(np.zeros(8 * 130))
    assert at == [20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 112, 128]


@pytest.mark.parametrize("blocks", [32, 33, 64, 104])
def test_blocks_have_the_means_and_squares_of_all_points(blocks: int) -> None:
    values = np.random.default_rng(blocks).normal(3, 2, 8 * blocks)
    course, _ = due(values)
    count, length = course.count, 8 * course.length  # type: ignore[attr-defined]
    parts = values[: count * length].reshape(count, length)
    assert np.allclose(course._means[:count], parts.mean(axis=1))  # type: ignore[attr-defined]
    squares = ((parts - parts.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    assert np.allclose(course._squares[:count], squares)  # type: ignore[attr-defined]
    steps = list(range(0, count * length, length))
    assert list(course._steps[:count]) == steps  # type: ignore[attr-defined]
