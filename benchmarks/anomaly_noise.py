"""Noise with mean 0 and variance 1, for the shapes of `anomaly_shapes`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]
Random = np.random.Generator


def white(random: Random, points: int) -> Column:
    """Normal and independent."""
    return random.standard_normal(points)


def correlated(share: float) -> Callable[[Random, int], Column]:
    """Normal; `share` of each value is that of the previous one."""

    def noise(random: Random, points: int) -> Column:
        fresh = np.sqrt(1 - share * share) * random.standard_normal(points)
        drift = np.empty(points)
        last = 0.0
        for at, value in enumerate(fresh.tolist()):
            drift[at] = last = share * last + value
        return drift

    return noise


def student(freedom: int) -> Callable[[Random, int], Column]:
    """Student's t: polynomial tails."""

    def noise(random: Random, points: int) -> Column:
        values: Column = random.standard_t(freedom, points) * np.sqrt((freedom - 2) / freedom)
        return values

    return noise


def laplace(random: Random, points: int) -> Column:
    """Exponential tails."""
    return random.laplace(0, np.sqrt(0.5), points)


def averaged(random: Random, points: int) -> Column:
    """A moving average of 20 values, as of metrics that are logged smoothed."""
    sums = np.cumsum(random.standard_normal(points + 20))
    values: Column = (sums[20:] - sums[:-20]) / np.sqrt(20)
    return values


def growing(random: Random, points: int) -> Column:
    """Three times as much at the end as at the beginning."""
    return random.standard_normal(points) * np.linspace(0.5, 1.5, points)


def uniform(random: Random, points: int) -> Column:
    """Bounded, as of a metric that is an average over few samples."""
    return random.uniform(-np.sqrt(3), np.sqrt(3), points)


def exponential(random: Random, points: int) -> Column:
    """An exponential tail on one side, as of rewards and times."""
    return random.exponential(1.0, points) - 1.0


def logistic(random: Random, points: int) -> Column:
    """Between normal and Laplace."""
    return random.logistic(0, np.sqrt(3) / np.pi, points)


def gumbel(random: Random, points: int) -> Column:
    """Skewed, as of the worst of a batch."""
    values: Column = (random.gumbel(0, 1, points) - 0.5772) * np.sqrt(6) / np.pi
    return values


def contaminated(random: Random, points: int) -> Column:
    """Normal; one value in 20 has three times the deviation, as of batches of another source."""
    return random.standard_normal(points) * np.where(random.random(points) < 0.05, 3.0, 1.0)


def shrinking(random: Random, points: int) -> Column:
    """A third at the end of what it is at the beginning, as of a learning rate that decays."""
    return random.standard_normal(points) * np.linspace(1.5, 0.5, points)


def skewed(random: Random, points: int) -> Column:
    """Log-normal: a long tail on one side."""
    values: Column = (random.lognormal(0, 0.5, points) - np.exp(0.125)) / 0.604
    return values


def bursts(random: Random, points: int) -> Column:
    """Normal, with a deviation that drifts, as of data of changing difficulty."""
    return random.standard_normal(points) * np.exp(0.3 * correlated(0.95)(random, points))


def clustered(random: Random, points: int) -> Column:
    """Its variance follows the last squares (GARCH), as of batches that get unstable at times."""
    fresh = random.standard_normal(points)
    noise = np.empty(points)
    variance = last = 1.0
    for at, value in enumerate(fresh.tolist()):
        variance = 0.1 + 0.15 * last + 0.75 * variance
        noise[at] = value * np.sqrt(variance)
        last = noise[at] ** 2
    return noise


def gamma(random: Random, points: int) -> Column:
    """Skewed by one, with an exponential tail."""
    return (random.gamma(4.0, 1.0, points) - 4.0) / 2.0


def rare(random: Random, points: int) -> Column:
    """Normal; one value in 8 has two and a half times the deviation."""
    return random.standard_normal(points) * np.where(random.random(points) < 0.125, 2.5, 1.0) / 1.29


def halving(random: Random, points: int) -> Column:
    """Half as much from the middle on: the batch size is multiplied by 4."""
    return random.standard_normal(points) * np.where(np.arange(points) < points // 2, 1.0, 0.5)
