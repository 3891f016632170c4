from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mindviz.lineagemgr import forest
from mindviz.lineagemgr.categories import one_hot
from mindviz.lineagemgr.forest import (
    MAX_COST,
    ForestImportance,
    forest_importances,
    forest_size,
)
from mindviz.lineagemgr.importance import FEW_SAMPLES

Numbers = NDArray[np.float64]


def jobs(count: int, parameters: int = 5) -> Numbers:
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


def test_a_diverged_run_does_not_hide_what_matters_to_the_others() -> None:
    x = jobs(24, 3)
    target = x[0] + 0.1 * x[1]
    expected = forest_importances(list(x), target)
    target[5] = 722_400.0
    scores = forest_importances(list(x), target)
    assert scores is not None
    assert expected is not None
    assert scores[0].low > scores[1].high
    assert scores[0].importance > expected[0].importance / 2


def category_of_four(codes: Numbers) -> Numbers:
    return np.array([0.0, 2.0, 1.0, 3.0])[codes.astype(np.intp)]


def scaled(values: Numbers) -> Numbers:
    divided: Numbers = values / values.std()
    return divided


@dataclass(frozen=True)
class Sweep:
    """Random jobs: a learning rate, two categories, and four parameters without effect."""

    rate: Numbers
    optimizer: Numbers
    network: Numbers
    without_effect: Numbers

    @classmethod
    def of(cls, seed: int, count: int) -> Sweep:
        random = np.random.default_rng(seed)
        return cls(
            random.uniform(-4, -1, count),
            random.integers(0, 2, count).astype(np.float64),
            random.integers(0, 4, count).astype(np.float64),
            np.vstack([random.integers(0, 5, count), random.uniform(size=(3, count))]),
        )

    def importances(self, result: Numbers) -> list[ForestImportance]:
        """Of the rate, the optimizer, the network, and those without effect."""
        categories = [one_hot(self.optimizer), one_hot(self.network)]
        found = forest_importances([10**self.rate, *categories, *self.without_effect], result)
        assert found is not None
        return found


EFFECTS: dict[str, tuple[Callable[[Sweep], Numbers], set[int]]] = {
    "monotonic": (lambda sweep: scaled(sweep.rate), {0}),
    "optimum in the middle": (lambda sweep: scaled(-((sweep.rate + 2.5) ** 2)), {0}),
    "category": (lambda sweep: scaled(category_of_four(sweep.network)), {2}),
    "interaction": (lambda sweep: scaled((sweep.rate + 2.5) * (sweep.optimizer - 0.5)), {0, 1}),
}


@pytest.mark.parametrize("effect", EFFECTS)
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=4)
def test_no_parameter_without_effect_outranks_one_that_has_one(effect: str, seed: int) -> None:
    sweep = Sweep.of(seed, 100)
    noise = np.random.default_rng(seed + 1).normal(0, 0.3, 100)
    function, strongest = EFFECTS[effect]
    scores = sweep.importances(function(sweep) + noise)
    least = min(scores[number].importance for number in strongest)
    others = [score.importance for number, score in enumerate(scores) if number not in strongest]
    assert least > max(others)
    assert least > 0.1 > max(others)


def test_an_optimum_in_the_middle_outranks_a_smaller_monotonic_effect_in_48_jobs() -> None:
    for seed in range(10):
        sweep = Sweep.of(seed, 48)
        optimum = scaled(-((sweep.rate + 2.5) ** 2))
        scores = sweep.importances(optimum + 0.4 * (2 * sweep.optimizer - 1))
        assert max(scores, key=lambda score: score.importance) is scores[0]


@given(st.integers(0, 2**32 - 1), st.integers(10, 60))
@settings(max_examples=8)
def test_chance_explains_nothing(seed: int, count: int) -> None:
    scores = Sweep.of(seed, count).importances(np.random.default_rng(seed + 1).normal(size=count))
    assert np.mean([score.importance for score in scores]) < 0.1
    # A 90 % interval lies above 0 by chance now and then.
    assert sum(score.low > 0 for score in scores) <= 2


def test_an_importance_is_a_share_of_the_variance() -> None:
    x = jobs(2_000, 3)
    scores = forest_importances(list(x), 3 * x[0] + np.abs(x[1] - 0.5) * 4)
    assert scores is not None
    # Variances of 9/12 and 16/48.
    assert scores[0].importance == pytest.approx(0.69, abs=0.07)
    assert scores[1].importance == pytest.approx(0.31, abs=0.07)
    assert scores[2].importance == pytest.approx(0.0, abs=0.01)


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


@pytest.mark.parametrize("count", [0, 1, FEW_SAMPLES - 1])
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
    assert category.low > 0.5 > number.high > number.low > 0
    assert unrelated.low <= 0.01 >= unrelated.importance
