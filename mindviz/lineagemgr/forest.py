"""Permutation importances by random forests; needs scikit-learn, the extra `importance`.

A forest learns the result from all hyper-parameters at once, so what counts only together with
others, or up and down again, is found where correlations see nothing. How much worse it predicts
jobs it has not seen when one hyper-parameter is shuffled is that one's importance. Source: Breiman,
Random Forests, 2001. Each of some samples of the jobs (bootstrap) has its own forest and is judged
by the jobs left out; how far they differ is the interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestRegressor

from mindviz.lineagemgr.importance import ranks

Numbers = NDArray[np.float64]

BOOTSTRAPS = 20
TREES = 40
SHUFFLES = 4
"""Of each hyper-parameter, per bootstrap."""
MAX_SAMPLES = 2_000
"""Of more jobs a random part is looked at."""
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


def forest_importances(
    parameters: Sequence[Numbers], target: Numbers, *, seed: int = 0
) -> list[ForestImportance] | None:
    """One per parameter; None if the jobs are too few, or all have the same result.

    Arrays of shape (jobs,), NaN for what a job does not have: jobs without the result are left out,
    missing parameters stand for a value of their own.
    """
    known = np.flatnonzero(~np.isnan(target))
    random = np.random.default_rng(seed)
    if len(known) > MAX_SAMPLES:
        known = np.sort(random.choice(known, MAX_SAMPLES, replace=False))
    if len(known) < MIN_SAMPLES or not parameters:
        return None
    x = np.stack([_ranked(values[known]) for values in parameters], axis=1)
    # Scaled, so that no square of an error is infinite or zero.
    y = target[known] / (np.abs(target[known]).max() or 1.0)
    y = y - y.mean()
    if not y.any():
        return None
    y = y / np.abs(y).max()
    drops = [drop for _ in range(BOOTSTRAPS) if (drop := _drops(x, y, random)) is not None]
    if not drops:
        return None
    table = np.stack(drops)
    low, high = np.percentile(table, INTERVAL, axis=0)
    return [
        ForestImportance(*map(float, row))
        for row in zip(table.mean(axis=0), low, high, strict=True)
    ]


def _ranked(values: Numbers) -> Numbers:
    """Ranks, as a tree only splits, and splits float32; what is missing is before everything."""
    found = np.full(len(values), -1.0)
    there = ~np.isnan(values)
    found[there] = ranks(values[there])
    return found


def _drops(x: Numbers, y: Numbers, random: np.random.Generator) -> Numbers | None:
    """One bootstrap: by how much of the variance each parameter's shuffling worsens it."""
    jobs, width = x.shape
    drawn = random.integers(jobs, size=jobs)
    left_out = np.setdiff1d(np.arange(jobs), drawn)
    variance = float(np.var(y))
    if not len(left_out):
        return None
    forest = RandomForestRegressor(
        n_estimators=TREES, min_samples_leaf=2, random_state=int(random.integers(2**31))
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
