"""Permutation importances. scikit-learn is an extra for users, but not for these tests."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from mindviz.lineagemgr import forest
from mindviz.lineagemgr.forest import MAX_COST, MIN_SAMPLES, forest_importances, forest_size


def jobs(count: int, parameters: int = 5) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.random.default_rng(1).uniform(size=(parameters, count))


def test_the_ranking_of_an_additive_function_is_recovered_from_200_jobs() -> None:
    x = jobs(200)
    noise = np.random.default_rng(2).normal(0, 0.05, 200)
    # The second is not monotonic, so correlations miss it.
    target = 6 * x[0] + 14 * (x[1] - 0.5) ** 2 + 2 * x[2] + 0.8 * x[3] + noise
    scores = forest_importances(list(x), target)
    assert scores is not None
    contributions = [6 * x[0], 14 * (x[1] - 0.5) ** 2, 2 * x[2], 0.8 * x[3], 0 * x[4]]
    expected = np.argsort([-part.var() for part in contributions])
    assert np.argsort([-score.importance for score in scores]).tolist() == expected.tolist()
    assert all(score.low <= score.importance <= score.high for score in scores)
    assert scores[0].low > scores[2].high > 0
    assert scores[4].low <= 0.01 >= scores[4].importance


NOTHING_TO_LEARN = """
import sys
import numpy as np
from mindviz.lineagemgr.forest import MIN_SAMPLES, forest_importances

few, enough = np.arange(MIN_SAMPLES - 1.0), np.arange(20.0)
assert forest_importances([few], few) is None
assert forest_importances([], enough) is None
assert forest_importances([enough], np.ones(20)) is None
assert not {"sklearn", "scipy", "pandas"} & set(sys.modules)
"""


def test_scikit_learn_is_imported_only_for_forests() -> None:
    subprocess.run([sys.executable, "-c", NOTHING_TO_LEARN], check=True)


def test_interactions_count() -> None:
    x = jobs(200, 3) - 0.5
    scores = forest_importances(list(x), x[0] * x[1] * 10)
    assert scores is not None
    assert min(scores[0].importance, scores[1].importance) > 10 * abs(scores[2].importance)


def test_the_same_jobs_give_the_same_answer() -> None:
    x = jobs(30, 2)
    assert forest_importances(list(x), x[0]) == forest_importances(list(x), x[0])


def test_missing_parameters_are_a_distinct_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest, "BOOTSTRAPS", 4)
    x = jobs(60, 2)
    x[0, ::2] = np.nan
    scores = forest_importances(list(x), np.isnan(x[0]).astype(np.float64))
    assert scores is not None
    assert scores[0].importance > 0.5 > scores[1].importance


def test_jobs_without_the_result_are_left_out_and_parameters_may_be_all_missing() -> None:
    x = jobs(20, 2)
    x[1] = np.nan
    target = np.where(np.arange(20) < 10, x[0], np.nan)
    scores = forest_importances(list(x), target)
    assert scores is not None
    assert scores[1].importance == 0


@pytest.mark.parametrize("count", [0, 1, MIN_SAMPLES - 1])
def test_too_few_jobs_give_no_forest(count: int) -> None:
    x = jobs(20, 1)
    target = np.where(np.arange(20) < count, x[0], np.nan)
    assert forest_importances(list(x), target) is None


def test_equal_results_or_no_parameters_give_no_forest() -> None:
    assert forest_importances(list(jobs(20, 1)), np.ones(20)) is None
    assert forest_importances([], jobs(20, 1)[0]) is None


def test_very_many_jobs_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forest, "MAX_SAMPLES", 50)
    monkeypatch.setattr(forest, "BOOTSTRAPS", 2)
    x = jobs(5000, 2)
    scores = forest_importances(list(x), x[0] * 1e300)
    assert scores is not None
    assert scores[0].importance > scores[1].importance
    assert scores[0].samples == 50


@pytest.mark.parametrize("jobs", [1, 200, 4_000, 100_000])
@pytest.mark.parametrize("parameters", [1, 10, 103])
@pytest.mark.parametrize("targets", [1, 10])
def test_forests_of_one_answer_have_a_bounded_cost(
    jobs: int, parameters: int, targets: int
) -> None:
    size = forest_size(jobs, parameters, targets)
    assert size.cost(parameters) * targets <= 1.5 * MAX_COST


def test_a_few_hundred_jobs_and_one_result_have_whole_forests() -> None:
    assert forest_size(200, 5) == forest.ForestSize(200)


def test_of_many_jobs_parameters_and_results_the_strongest_is_still_found() -> None:
    x = jobs(4_000, 40)
    noise = np.random.default_rng(2).normal(0, 0.05, 4_000)
    target = 6 * x[7] + 14 * (x[11] - 0.5) ** 2 + noise
    scores = forest_importances(list(x), target, targets=10)
    assert scores is not None
    strongest = sorted(range(40), key=lambda number: scores[number].importance)[-2:]
    assert strongest == [11, 7]


def test_the_columns_of_a_category_are_one_parameter() -> None:
    random = np.random.default_rng(3)
    codes = random.integers(0, 4, 120)
    other = random.integers(0, 3, 120)
    rate = random.uniform(size=120)
    target = np.array([0.0, 5.0, 1.0, 6.0])[codes] + rate
    scores = forest_importances([rate, np.eye(4)[codes], np.eye(3)[other]], target)
    assert scores is not None
    number, category, unrelated = scores
    assert category.low > 1 > number.high > number.low > 0
    assert unrelated.low <= 0.01 >= unrelated.importance
