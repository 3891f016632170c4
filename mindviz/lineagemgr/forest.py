"""Permutation importances by random forests; needs scikit-learn, the extra `importance`.

A forest learns the result from all hyper-parameters at once, so what counts only together with
others, or up and down again, is found where correlations see nothing. How much worse it predicts
jobs it has not seen when one hyper-parameter is shuffled is that one's importance. Source: Breiman,
Random Forests, 2001. Each of some samples of the jobs (bootstrap) has its own forest and is judged
by the jobs left out; how far they differ is the interval.

What learning costs is estimated before: more jobs, parameters and results get smaller forests.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mindviz.deadline import check
from mindviz.lineagemgr.importance import ranks

Numbers = NDArray[np.float64]

BOOTSTRAPS, MIN_BOOTSTRAPS = 20, 8
TREES, MIN_TREES = 40, 8
"""Per bootstrap."""
SHUFFLES = 4
"""Of each hyper-parameter, per bootstrap."""
MAX_SAMPLES, ENOUGH_SAMPLES, FEWEST_SAMPLES = 2_000, 500, 150
"""Of more jobs a random sample is learnt from; a smaller one where all would take too long."""
MAX_COST = 2.0
"""Seconds of CPU, about, for all results of one answer."""
FEW_PARAMETERS = 8
"""Up to so many, each split may choose from all; else from a third, as Breiman advises."""
MIN_SAMPLES = 5
"""With fewer, hardly any job is left out to judge by."""
INTERVAL = (5.0, 95.0)
"""Percentiles."""


@dataclass(frozen=True, slots=True)
class ForestImportance:
    """What a forest makes of one hyper-parameter."""

    importance: float
    """How much of the result's variance is no longer explained without it: about 0 to 1, or more
    where several only count together."""
    low: float
    high: float
    """90 % of the bootstraps lie between these."""
    samples: int
    """Jobs that it was learnt from."""


@dataclass(frozen=True, slots=True)
class ForestSize:
    """How much is learnt of one result."""

    samples: int
    bootstraps: int = BOOTSTRAPS
    trees: int = TREES

    def cost(self, parameters: int) -> float:
        """Seconds of CPU, about: measured with scikit-learn 1.9 on one core of 2.5 GHz."""
        visits = self.samples * math.log2(self.samples + 1)
        tree = (
            7e-4
            + 25e-9 * visits * parameters * _share_of_split(parameters)
            + 7e-9 * visits * 0.37 * (1 + parameters * SHUFFLES)
        )
        return tree * self.trees * self.bootstraps


def forest_size(jobs: int, parameters: int, targets: int = 1) -> ForestSize:
    """The largest size whose cost for each of so many targets adds up to no more than MAX_COST.

    Importances are means over all trees: fewer trees blur them less than fewer jobs, up to a point.
    """
    size = ForestSize(min(jobs, MAX_SAMPLES))
    while size.cost(parameters) * targets > MAX_COST:
        if size.trees > MIN_TREES:
            size = replace(size, trees=max(MIN_TREES, size.trees * 3 // 4))
        elif size.samples > ENOUGH_SAMPLES:
            size = replace(size, samples=max(ENOUGH_SAMPLES, size.samples * 3 // 4))
        elif size.bootstraps > MIN_BOOTSTRAPS:
            size = replace(size, bootstraps=size.bootstraps - 1)
        elif size.samples > FEWEST_SAMPLES:
            size = replace(size, samples=max(FEWEST_SAMPLES, size.samples * 3 // 4))
        else:
            break
    return size


def forest_importances(
    parameters: Sequence[Numbers], target: Numbers, *, targets: int = 1, seed: int = 0
) -> list[ForestImportance] | None:
    """One per parameter; None if the jobs are too few, or all have the same result.

    `targets`: how many results share the time of one answer.

    Arrays of shape (jobs,), NaN for what a job does not have: jobs without the result are left out,
    missing parameters stand for a value of their own.
    """
    known = np.flatnonzero(~np.isnan(target))
    random = np.random.default_rng(seed)
    size = forest_size(len(known), len(parameters), targets)
    if len(known) > size.samples:
        known = np.sort(random.choice(known, size.samples, replace=False))
    if len(known) < MIN_SAMPLES or not parameters:
        return None
    x = np.stack([_ranked(values[known]) for values in parameters], axis=1)
    # Scaled, so that no square of an error is infinite or zero.
    y = target[known] / (np.abs(target[known]).max() or 1.0)
    y = y - y.mean()
    if not y.any():
        return None
    y = y / np.abs(y).max()
    drops = [
        drop
        for _ in range(size.bootstraps)
        if (drop := _drops(x, y, size.trees, random)) is not None
    ]
    if not drops:
        return None
    table = np.stack(drops)
    low, high = np.percentile(table, INTERVAL, axis=0)
    return [
        ForestImportance(float(mean), float(least), float(most), len(known))
        for mean, least, most in zip(table.mean(axis=0), low, high, strict=True)
    ]


def _ranked(values: Numbers) -> Numbers:
    """Ranks, as a tree only splits, and splits float32; what is missing is before everything."""
    found = np.full(len(values), -1.0)
    there = ~np.isnan(values)
    found[there] = ranks(values[there])
    return found


def _share_of_split(parameters: int) -> float:
    """Of all parameters those that a split may choose from."""
    return 1.0 if parameters <= FEW_PARAMETERS else 1 / 3


def _drops(x: Numbers, y: Numbers, trees: int, random: np.random.Generator) -> Numbers | None:
    """One bootstrap: by how much of the variance each parameter's shuffling worsens it."""
    check()
    jobs, width = x.shape
    drawn = random.integers(jobs, size=jobs)
    left_out = np.setdiff1d(np.arange(jobs), drawn)
    variance = float(np.var(y))
    if not len(left_out):
        return None
    # Not before it is needed: it imports scipy.stats and pandas, 1 s of CPU and 100 MB.
    from sklearn.ensemble import RandomForestRegressor  # noqa: PLC0415

    forest = RandomForestRegressor(
        n_estimators=trees,
        min_samples_leaf=2,
        max_features=_share_of_split(width),
        random_state=int(random.integers(2**31)),
    )
    forest.fit(x[drawn], y[drawn])
    unseen, result = x[left_out], y[left_out]
    # All variants in one call: predicting has a price per call, not per row.
    variants = np.tile(unseen, (1 + width * SHUFFLES, 1, 1))
    for parameter in range(width):
        for shuffle in range(SHUFFLES):
            column = variants[1 + parameter * SHUFFLES + shuffle, :, parameter]
            column[:] = random.permutation(column)
    predicted = forest.predict(variants.reshape(-1, width)).reshape(len(variants), -1)
    errors = ((predicted - result) ** 2).mean(axis=1)
    drops: Numbers = (errors[1:] - errors[0]).reshape(width, SHUFFLES).mean(axis=1) / variance
    return drops
