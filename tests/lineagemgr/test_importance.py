from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from mindviz.datavisual.analysis.lineage import Lineage
from mindviz.lineagemgr.importance import (
    CORRELATION_JOBS,
    IDENTIFIER,
    NO_CORRELATION,
    TOO_FEW_SAMPLES,
    Target,
    columns_of,
    correlation,
    rank_parameters,
    ranks,
    search_targets,
)


def job(number: int, **fields: Any) -> Lineage:
    return Lineage(f"./{number}", 1, 0.0, 0.0, is_logged=True, **fields)


def only(jobs: list[Lineage]) -> Target:
    (target,) = search_targets(jobs).targets
    return target


def test_importance_is_the_size_of_the_correlation() -> None:
    jobs = [
        job(i, learning_rate=float(i), batch_size=batch, epoch=3, loss=10.0 - i)
        for i, batch in enumerate((8, 64, 16, 32))
    ]
    target = only(jobs)
    assert target.result.name == "loss"
    ranked = {score.name: (score.importance, score.reason_code) for score in target.importances}
    expected = abs(float(np.corrcoef([8, 64, 16, 32], [10, 9, 8, 7])[0, 1]))
    assert ranked == {
        "learning_rate": (pytest.approx(1), None),
        "batch_size": (pytest.approx(expected), None),
        "epoch": (0, NO_CORRELATION),
    }
    assert [score.name for score in target.importances] == ["learning_rate", "batch_size", "epoch"]


def test_ranks_find_monotonic_relations() -> None:
    target = only([job(i, learning_rate=10.0**i, loss=-float(i)) for i in range(6)])
    (score,) = target.importances
    assert score.spearman == pytest.approx(-1)
    assert score.importance < 0.8
    assert score.samples == 6


def test_one_diverged_job_does_not_dominate_the_ranks() -> None:
    # It has the largest seed; seeds and optimizers have no effect.
    seeds = np.random.default_rng(0).integers(0, 5, 40).tolist()
    rows = [
        job(
            i,
            user_defined={
                "seed": seeds[i] + 20 * (i == 39),
                "optimizer": "adam" if i // 10 % 2 else "sgd",
            },
            learning_rate=float(i % 10),
            loss=i % 10 + (1e9 if i == 39 else 0.0),
        )
        for i in range(40)
    ]
    names = ["learning_rate", "[U]seed", "[U]optimizer"]
    (target,) = rank_parameters(rows, names, ["loss"], columns_of(rows)).targets
    scores = {score.name: score for score in target.importances}
    assert scores["[U]seed"].importance > 0.9
    assert abs(scores["[U]seed"].spearman or 0.0) < 0.3
    assert scores["learning_rate"].importance < 0.5
    assert scores["learning_rate"].spearman == pytest.approx(1, abs=0.05)
    assert 0 <= (scores["[U]optimizer"].spearman or 0.0) < 0.3


def test_two_jobs_have_no_importance() -> None:
    jobs = [job(0, epoch=1, loss=1.0), job(1, epoch=2, loss=2.0), job(2, loss=3.0)]
    (score,) = only(jobs).importances
    assert (score.importance, score.reason_code, score.spearman) == (0, TOO_FEW_SAMPLES, None)


def test_columns_are_those_of_the_contract() -> None:
    jobs = [
        job(
            0,
            learning_rate=0.1,
            device_num=8,
            model_size=100,
            metric={"acc": 0.5, "per class": {"a": 1}},
            user_defined={"width": 8, "team": "a", "nothing": None, "on": True},
        ),
        job(1, epoch=2, metric={"acc": 1}, user_defined={"width": 16, "team": 3}),
        job(2),
    ]
    search = search_targets(jobs)
    assert search.train_ids == ("./0", "./1", "./2")
    assert {parameter.name: parameter.data for parameter in search.parameters} == {
        "learning_rate": (0.1, None, None),
        "epoch": (None, 2, None),
        "[U]width": (8, 16, None),
        "[U]on": (True, None, None),
    }
    assert search.unrecognized == ("[U]team",)
    assert [(target.result.name, target.result.data) for target in search.targets] == [
        ("[M]acc", (0.5, 1, None))
    ]


def test_equal_importances_are_sorted_by_name_user_defined_last() -> None:
    jobs = [
        job(i, learning_rate=float(i), epoch=2 * i, user_defined={"b": i, "a": -i}, loss=float(i))
        for i in range(5)
    ]
    names = [score.name for score in only(jobs).importances]
    assert names == ["epoch", "learning_rate", "[U]a", "[U]b"]


def test_targets_are_in_order_of_names() -> None:
    jobs = [job(0, loss=1.0, metric={"b": 1, "a": 2})]
    assert [target.result.name for target in search_targets(jobs).targets] == [
        "[M]a",
        "[M]b",
        "loss",
    ]


def test_numbers_that_are_not_usable_are_missing() -> None:
    losses = [0.0, 1.0, 2.0, math.nan, math.inf]
    jobs = [job(i, epoch=i, loss=loss) for i, loss in enumerate(losses)]
    jobs.append(job(9, epoch=10**400, loss=3.0))
    target = only(jobs)
    assert target.result.data == (0.0, 1.0, 2.0, None, None, 3.0)
    (score,) = target.importances
    assert score.importance == pytest.approx(1)
    assert score.samples == 3


@pytest.mark.parametrize(
    ("losses", "buckets"),
    [
        ([0.0, 1.0, 10.0], [(0, 2, 2), (2, 2, 0), (4, 2, 0), (6, 2, 0), (8, 2, 1)]),
        ([3.0, 3.0], [(2.5, 0.2, 0), (2.7, 0.2, 0), (2.9, 0.2, 2), (3.1, 0.2, 0), (3.3, 0.2, 0)]),
        (
            [math.nan],
            [(-0.5, 0.2, 0), (-0.3, 0.2, 0), (-0.1, 0.2, 0), (0.1, 0.2, 0), (0.3, 0.2, 0)],
        ),
    ],
)
def test_the_distribution_of_a_result(
    losses: list[float], buckets: list[tuple[float, float, int]]
) -> None:
    counted = only([job(i, loss=loss) for i, loss in enumerate(losses)]).buckets
    assert np.array(counted) == pytest.approx(np.array(buckets))


@pytest.mark.parametrize(
    "losses",
    [
        [1e300, 1e300],
        [-1.7e308, 1.7e308],
        [1.7e308, 1.7e308],
        [0.0, 5e-324],
        [1.0, 1.0000000000000002],
        [1e17, 1e17],
    ],
    ids=str,
)
def test_the_distribution_of_extreme_results(losses: list[float]) -> None:
    buckets = only([job(i, loss=loss) for i, loss in enumerate(losses)]).buckets
    assert sum(count for _, _, count in buckets) == 2
    assert np.isfinite(np.array(buckets)).all()
    assert all(width > 0 for _, width, _ in buckets)


def test_few_samples_are_warned_of() -> None:
    few, enough = ([job(i, loss=float(i)) for i in range(count)] for count in (9, 10))
    warning = only(few).warning
    assert warning is not None
    assert "9 jobs" in warning
    assert only(enough).warning is None


def test_user_defined_parameters_are_limited_as_in_the_contract() -> None:
    jobs = [job(0, user_defined={f"p{i}": i for i in range(150)})]
    assert len(search_targets(jobs).parameters) == 100


def test_no_jobs_have_no_targets() -> None:
    search = search_targets([])
    assert (search.train_ids, search.parameters, search.targets) == ((), (), ())


vectors = st_numpy.arrays(np.float64, st.integers(3, 20), elements=st.floats(-100, 100, width=16))


@given(x=vectors, seed=st.integers(0, 100))
def test_a_correlation_is_numpys(x: Any, seed: int) -> None:
    y = np.random.default_rng(seed).normal(size=len(x))
    computed = correlation(x, y)
    if np.ptp(x) == 0:
        assert computed is None
    else:
        assert computed == pytest.approx(float(np.corrcoef(x, y)[0, 1]), abs=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e300, 1.7e308])
def test_a_correlation_does_not_depend_on_the_scale(scale: float) -> None:
    x = np.array([-1.0, 0.25, 0.5, 1.0])
    assert correlation(x * scale, x) == pytest.approx(1)


def test_equal_values_share_their_rank() -> None:
    assert ranks(np.array([5.0, 1.0, 5.0, 2.0])).tolist() == [2.5, 0.0, 2.5, 1.0]


def test_very_many_targets_are_limited_and_the_others_listed() -> None:
    metric = {f"m{number:02}": float(number) for number in range(20)}
    search = search_targets(
        [job(i, epoch=i, metric=metric) for i in range(5)], max_cost=10 * (5 + CORRELATION_JOBS)
    )
    assert [target.result.name for target in search.targets] == [f"[M]m{i:02}" for i in range(10)]
    assert search.omitted == tuple(f"[M]m{i}" for i in range(10, 20))


def ranked(
    values: dict[str, list[Any]], losses: list[float]
) -> dict[str, tuple[float, int | None]]:
    jobs = [job(i, loss=loss) for i, loss in enumerate(losses)]
    columns = {**values, "loss": losses}
    (target,) = rank_parameters(jobs, list(values), ["loss"], columns.__getitem__).targets
    return {item.name: (round(item.importance, 6), item.reason_code) for item in target.importances}


def test_categories_are_ranked_with_numbers() -> None:
    losses = [float(i % 2) + 0.01 * i for i in range(12)]
    parameters: dict[str, list[Any]] = {
        "width": [float(i) for i in range(12)],
        "optimizer": ["adam", "sgd"] * 6,
        "amp": [True, None] * 6,
        "shape": [[3, 3], [5, 5]] * 6,
        "nothing": [None] * 12,
        "mixed": [1, "auto", 2, 2] * 3,
    }
    found = ranked(parameters, losses)
    assert set(found) == {"width", "optimizer", "amp", "shape", "mixed"}
    assert found["optimizer"] == found["shape"]
    assert found["optimizer"][0] > 0.99 > found["width"][0]
    assert found["amp"] == (0, NO_CORRELATION)
    assert found["mixed"][1] is None


def test_constants_and_identifiers_are_not_ranked() -> None:
    losses = [float(i) for i in range(12)]
    parameters: dict[str, list[Any]] = {
        "seed": [3] * 12,
        "model": ["resnet50"] * 12,
        "output_dir": [f"/runs/{i}" for i in range(12)],
        "date": [f"Jun {i - i % 5 % 2}" for i in range(12)],
        "[U]run_id": list(range(12)),
        "width": list(range(12)),
        "grid": list(range(12)),
        "task_id": [0, 1] * 6,
    }
    assert {name: reason for name, (_, reason) in ranked(parameters, losses).items()} == {
        "seed": NO_CORRELATION,
        "model": NO_CORRELATION,
        "output_dir": IDENTIFIER,
        "date": IDENTIFIER,
        "[U]run_id": IDENTIFIER,
        "width": None,
        "grid": None,
        "task_id": None,
    }


def test_columns_are_found_by_the_contracts_names() -> None:
    column = columns_of([job(0, epoch=3, metric={"acc": 1}, user_defined={"lr": 0.1}), job(1)])
    assert [column(name) for name in ("epoch", "[M]acc", "[U]lr", "[U]none")] == [
        [3, None],
        [1, None],
        [0.1, None],
        [None, None],
    ]
