from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mindviz.lineagemgr.regression_trees import MIN_SPLIT, RegressionTrees, grow_trees

Numbers = NDArray[np.float64]


def grown(seed: int, rows: int, columns: int, trees: int = 3) -> tuple[Numbers, RegressionTrees]:
    """Rows with repeated values, and trees that predict a noisy sum of them."""
    random = np.random.default_rng(seed)
    x = random.integers(0, 6, (rows, columns)).astype(np.float64)
    y = x.sum(axis=1) + random.normal(size=rows)
    return x, grow_trees(x, y, trees, max(1, columns // 2), random)


sizes = st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(1, 5))


@given(sizes, st.integers(1, 4))
def test_a_node_is_the_mean_of_its_rows_and_all_large_ones_are_split(
    size: tuple[int, int, int], trees: int
) -> None:
    random = np.random.default_rng(size[0])
    _, rows, columns = size
    x = random.integers(0, 6, (rows, columns)).astype(np.float64)
    y = random.normal(size=rows)
    grown = grow_trees(x, y, trees, columns, random)
    predicted = []
    for root in range(trees):
        below = {root: np.arange(rows)}
        values = np.empty(rows)
        while below:
            node, members = below.popitem()
            assert grown.value[node] == pytest.approx(y[members].mean())
            if grown.column[node] < 0:
                is_equal = np.ptp(x[members], axis=0).max() == 0 or np.ptp(y[members]) == 0
                assert len(members) < MIN_SPLIT or is_equal
                values[members] = grown.value[node]
                continue
            is_right = x[members, grown.column[node]] > grown.threshold[node]
            left = int(grown.left[node])
            below |= {left: members[~is_right], left + 1: members[is_right]}
        predicted.append(values)
    np.testing.assert_allclose(grown.predict(x), np.mean(predicted, axis=0))


@given(sizes, st.integers(1, 3))
def test_changes_are_those_of_predictions_for_shuffled_rows(
    size: tuple[int, int, int], shuffles: int
) -> None:
    x, trees = grown(*size)
    rows, columns = x.shape
    random = np.random.default_rng(size[0] + 1)
    # The first two columns are one category.
    parameter = np.maximum(np.arange(columns) - 1, 0)
    parameters = parameter[-1] + 1
    source = random.integers(0, rows, (parameters, shuffles, rows))
    predicted, change = trees.shuffled(x, parameter, source)
    np.testing.assert_allclose(predicted, trees.predict(x))
    for number in range(parameters):
        for shuffle in range(shuffles):
            shuffled = np.where(parameter == number, x[source[number, shuffle]], x)
            np.testing.assert_allclose(
                predicted + change[number, shuffle], trees.predict(shuffled), atol=1e-9
            )


def test_a_step_is_learned() -> None:
    x = np.arange(100.0)[:, None]
    y = np.where(x[:, 0] < 37, 0.0, 5.0)
    trees = grow_trees(x, y, 20, 1, np.random.default_rng(0))
    far = np.abs(x[:, 0] - 36.5) > MIN_SPLIT
    np.testing.assert_array_equal(trees.predict(x[far]), y[far])


def test_equal_results_or_equal_rows_have_no_splits() -> None:
    random = np.random.default_rng(0)
    for x, y in (
        (random.normal(size=(10, 2)), np.ones(10)),
        (np.ones((10, 2)), random.normal(size=10)),
    ):
        trees = grow_trees(x, y, 2, 2, random)
        assert len(trees.value) == 2
        np.testing.assert_allclose(trees.predict(x), y.mean())
