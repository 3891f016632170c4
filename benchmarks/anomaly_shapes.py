"""Clean curves with their noise: the shapes of the series in `anomaly_suites`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from anomaly_noise import (
    Column,
    Random,
    averaged,
    bursts,
    clustered,
    contaminated,
    correlated,
    exponential,
    gamma,
    growing,
    gumbel,
    halving,
    laplace,
    logistic,
    rare,
    shrinking,
    skewed,
    student,
    uniform,
    white,
)
from numpy.typing import NDArray


@dataclass(frozen=True)
class Shape:
    """A clean curve over x from 0 to 1, from about 1 down to about 0, and its noise."""

    curve: Callable[[Column], Column]
    noise: Callable[[Random, int], Column] = white
    proportional: bool = False
    """Whether the noise shrinks with the curve."""
    digits: int | None = None
    """Decimal digits that are logged."""

    def loss(self, x: Column, offset: float, level: float, random: Random) -> Column:
        """A loss of this shape."""
        curve = self.curve(x)
        noise = level * self.noise(random, len(x))
        values = offset + curve + (noise * (offset + curve) if self.proportional else noise)
        return values if self.digits is None else np.round(values, self.digits)


# Shapes ---------------------------------------------------------------------------------------


def staircase(x: Column) -> Column:
    """A learning rate that is divided twice: the loss drops at once."""
    stair = np.floor(np.minimum(x * 3, 2.999))
    return 0.5**stair * (0.6 + 0.4 * np.exp(-8 * (x * 3 - stair)))


def warm_restarts(x: Column) -> Column:
    """Four cycles of a learning rate: each begins a little higher than the one before ended."""
    cycle = np.minimum(np.floor(4 * x), 3)
    return 0.6**cycle * (0.75 + 0.25 * np.cos(np.pi * (4 * x - cycle)))


TUNING_SHAPES = {
    "exponential": Shape(lambda x: np.exp(-5 * x)),
    "steep": Shape(lambda x: np.exp(-25 * x)),
    "power law": Shape(lambda x: (1 + 50 * x) ** -0.5),
    "linear": Shape(lambda x: 1 - 0.9 * x),
    "logistic": Shape(lambda x: 1 / (1 + np.exp(12 * (x - 0.4)))),
    "staircase": Shape(staircase),
    "cosine": Shape(lambda x: 0.55 + 0.45 * np.cos(np.pi * x)),
    "cyclic": Shape(lambda x: np.exp(-3 * x) + 0.1 * np.sin(40 * np.pi * x)),
    "constant": Shape(np.ones_like),
    "two scales": Shape(lambda x: 0.6 * np.exp(-30 * x) + 0.4 * np.exp(-2 * x)),
    "slow start": Shape(lambda x: 1 - 0.9 * x**3),
    "drifting": Shape(lambda x: np.exp(-3 * x), correlated(0.9)),
    "stretched exponential": Shape(lambda x: np.exp(-3 * np.sqrt(x))),
    "rational": Shape(lambda x: 1 / (1 + 9 * x)),
    "logarithmic": Shape(lambda x: 1 - 0.9 * np.log1p(50 * x) / np.log(51)),
    "parabola": Shape(lambda x: (1 - x) ** 2),
    "Gompertz": Shape(lambda x: 1 - np.exp(-5 * np.exp(-8 * x))),
    "two phases": Shape(
        lambda x: 0.6 * np.exp(-10 * x) + 0.4 / (1 + np.exp(25 * (x - 0.7)))
    ),  # it generalizes late
    "warm restarts": Shape(warm_restarts),
    "late drop": Shape(lambda x: np.exp(-2 * x) * np.where(x < 0.75, 1.0, 0.6)),
    "random drift": Shape(lambda x: np.exp(-4 * x), correlated(0.97)),
    "heavy tails": Shape(lambda x: np.exp(-3 * x), student(8)),
    "proportional noise": Shape(lambda x: np.exp(-4 * x), white, proportional=True),
    "three digits": Shape(lambda x: 1 / (1 + 4 * x), uniform, digits=3),
}


def curriculum(x: Column) -> Column:
    """The data get harder twice."""
    return np.exp(-4 * x) + 0.04 * (x > 1 / 3) + 0.04 * (x > 2 / 3)


TUNING_SHAPES |= {
    "flat power law": Shape(lambda x: (1 + 200 * x) ** -0.3),
    "two exponentials": Shape(lambda x: 0.5 * np.exp(-12 * x) + 0.5 * np.exp(-1.5 * x)),
    "arctangent": Shape(lambda x: 1 - 2 / np.pi * np.arctan(6 * x)),
    "tanh": Shape(lambda x: 1 - np.tanh(2.5 * x)),
    "square root": Shape(lambda x: 1 - 0.9 * np.sqrt(x)),
    "sine": Shape(lambda x: 1 - 0.9 * np.sin(np.pi * x / 2)),
    "one cycle": Shape(lambda x: 1 - 0.9 * (3 * x**2 - 2 * x**3)),
    "curriculum": Shape(curriculum),
    "epochs": Shape(lambda x: np.exp(-3 * x) + 0.03 * (20 * x % 1)),
    "smoothed": Shape(lambda x: np.exp(-3 * x), averaged),
    "exponential tails": Shape(lambda x: np.exp(-4 * x), laplace),
    "growing noise": Shape(lambda x: 1 / (1 + 6 * x), growing),
    "Student's t": Shape(lambda x: (1 + 20 * x) ** -0.5, student(5)),
    "constant, exponential tails": Shape(np.ones_like, laplace),
    "one-sided tail": Shape(lambda x: np.exp(-2 * x), exponential),
}

TUNING_SHAPES |= {
    "hyperbola": Shape(lambda x: (1 + 20 * x**2) ** -0.5, logistic),
    "cubic": Shape(lambda x: (1 - x) ** 3, student(6)),
    "exponential and line": Shape(lambda x: 0.7 * np.exp(-15 * x) + 0.3 * (1 - x)),
    "softplus": Shape(lambda x: np.log1p(np.exp(6 * (0.5 - x))) / np.log1p(np.exp(3))),
    "damped oscillation": Shape(lambda x: np.exp(-4 * x) * (1 + 0.15 * np.cos(30 * np.pi * x))),
    "two sigmoids": Shape(
        lambda x: 0.5 / (1 + np.exp(30 * (x - 0.2))) + 0.5 / (1 + np.exp(30 * (x - 0.6)))
    ),
    "fading epochs": Shape(lambda x: np.exp(-2 * x) * (1 + 0.05 * (30 * x % 1))),
    "worst of a batch": Shape(lambda x: 1 / (1 + 12 * x), gumbel),
    "two sources": Shape(lambda x: np.exp(-3.5 * x), contaminated),
    "larger batches": Shape(lambda x: 1 - 0.9 * np.sin(np.pi * x / 2) ** 0.7, halving),
    "autoregressive": Shape(lambda x: (1 + 30 * x) ** -0.4, correlated(0.6)),
    "logarithm, exponential tails": Shape(lambda x: 1 - np.log1p(9 * x) / np.log(11), laplace),
}


def longer_restarts(x: Column) -> Column:
    """Three cosine cycles of a learning rate, each twice as long as the one before."""
    cycle = np.minimum(np.floor(np.log2(7 * x + 1)), 2)
    phase = (7 * x + 1) / 2**cycle - 1
    return 0.9 * (1 + 15 * x) ** -0.6 + 0.05 * (1 + np.cos(np.pi * phase))


def memorized(x: Column) -> Column:
    """Half of the progress is made at the beginnings of 12 epochs, as of data seen again."""
    return 0.5 * np.exp(-2.5 * x) + 0.5 * np.exp(-2.5 * np.floor(12 * x) / 12)


def triangular(x: Column) -> Column:
    """A cyclic learning rate: the loss rises by a third of what it falls in each of 8 cycles."""
    return 1 - 0.8 * x + 0.1 * (1 - np.abs(2 * (8 * x % 1) - 1))


TUNING_SHAPES |= {
    "longer restarts": Shape(longer_restarts),
    "memorized epochs": Shape(memorized),
    "triangular learning rate": Shape(triangular, correlated(0.5)),
    "daily season": Shape(lambda x: 1 / (1 + 5 * x) + 0.05 * np.abs(np.sin(14 * np.pi * x))),
    "beat": Shape(
        lambda x: np.exp(-3 * x) + 0.03 * (np.sin(44 * np.pi * x) + np.sin(52 * np.pi * x))
    ),
    "fading ripple": Shape(
        lambda x: (1 + 8 * x) ** -0.7 * (1 + 0.1 * np.sin(18 * np.pi * x)), logistic
    ),
    "refreshed targets": Shape(
        lambda x: np.exp(-2 * x) + 0.06 * np.exp(-6 * (10 * x % 1)), student(6)
    ),
    "Weibull": Shape(lambda x: np.exp(-((2 * x) ** 1.5)), correlated(0.8)),
    "secant": Shape(lambda x: 1 / np.cosh(3 * x), student(7)),
    "saturating": Shape(lambda x: 1 - 1.2 * x / (x + 0.2), white, proportional=True),
    "late gain": Shape(lambda x: 1 - 0.9 * x**1.3, laplace),
    "quarter cosine": Shape(lambda x: np.cos(np.pi * x / 2), shrinking),
}


def sawtooth(x: Column) -> Column:
    """The learning rate jumps up 7 times and falls linearly."""
    return 0.94 * (1 + 10 * x) ** -0.5 + 0.06 * (1 - 7 * x % 1)


def pulses(x: Column) -> Column:
    """The loss is higher for a short time 14 times, as of old data that are seen again."""
    return np.exp(-3 * x) + 0.05 * (14 * x % 1 < 0.1)


def double_descent(x: Column) -> Column:
    """The loss rises and falls again in the middle."""
    return np.exp(-5 * x) + 0.15 * np.exp(-(((x - 0.45) / 0.08) ** 2))


TUNING_SHAPES |= {
    "sawtooth": Shape(sawtooth, logistic),
    "alternating data": Shape(lambda x: np.exp(-2.5 * x) + 0.05 * (np.floor(16 * x) % 2)),
    "chirp": Shape(lambda x: 1 / (1 + 6 * x) + 0.04 * np.sin(40 * np.pi * x**2), correlated(0.4)),
    "pulses": Shape(pulses, student(7)),
    "two seasons": Shape(
        lambda x: 1 - 0.8 * x**0.6 + 0.02 * np.sin(12 * np.pi * x) + 0.03 * np.sin(84 * np.pi * x)
    ),
    "edge of stability": Shape(lambda x: np.exp(-2 * x) + 0.06 * x * np.sin(60 * np.pi * x)),
    "double descent": Shape(double_descent, laplace),
    "Hill": Shape(lambda x: 1 / (1 + (3 * x) ** 3), white, digits=3),
    "inverse logarithm": Shape(lambda x: 1 / (1 + np.log1p(40 * x)), skewed),
    "broken power law": Shape(
        lambda x: (1 + 10 * x) ** -0.3 * (1 + (2 * x) ** 4) ** -0.3, correlated(0.7)
    ),
    "hyperbolic": Shape(lambda x: 1 - np.tanh(2 * x) ** 1.5, white, proportional=True),
    "changing difficulty": Shape(lambda x: np.exp(-2.5 * x**0.8), bursts),
}


def fading_square(x: Column) -> Column:
    """Two sources of data take turns, and differ less and less."""
    return 1 - 0.75 * x + 0.05 * (1 - x) * np.sign(np.sin(22 * np.pi * x))


def arcs(x: Column) -> Column:
    """The loss rises and falls smoothly 9 times while it decays."""
    phase = 9 * x % 1
    return np.exp(-2.2 * x) + 0.2 * phase * (1 - phase)


def swell(x: Column) -> Column:
    """Progress, then a rise for a while, late."""
    return np.exp(-3 * x) + 0.12 * np.exp(-(((x - 0.72) / 0.06) ** 2))


def slower(x: Column) -> Column:
    """From the middle on, progress is a quarter as fast."""
    return np.exp(-3.2 * np.minimum(x, 0.5) - 0.8 * np.maximum(x - 0.5, 0))


TUNING_SHAPES |= {
    "warm-up": Shape(lambda x: 0.9 * np.exp(-3 * x) + 0.1 * np.minimum(20 * x, 1)),
    "clustered noise": Shape(lambda x: np.exp(-2.5 * x), clustered),
    "gamma noise": Shape(lambda x: 1 / (1 + 5 * x), gamma),
    "two digits": Shape(lambda x: (1 + 15 * x) ** -0.6, white, digits=2),
    "log-periodic": Shape(
        lambda x: (1 + 10 * x) ** -0.6 * (1 + 0.06 * np.sin(9 * np.log1p(30 * x))), student(6)
    ),
    "fading square": Shape(fading_square, correlated(0.3)),
    "arcs": Shape(arcs),
    "swell": Shape(swell, logistic),
    "slower": Shape(slower, laplace),
    "rare large noise": Shape(lambda x: np.exp(-2 * x**0.7), rare),
    "smoothed, slow": Shape(lambda x: 1 - 0.85 * x**0.8, averaged),
    "proportional, skewed": Shape(lambda x: (1 + 12 * x) ** -0.5, skewed, proportional=True),
}


def drops(x: Column) -> Column:
    """Six drops, each half as high as the one before and less abrupt."""
    at = np.arange(6)[:, None]
    drop: Column = 0.5 ** (at + 1) / (1 + np.exp((60 - 8 * at) * (x - 0.1 - 0.15 * at)))
    return drop.sum(axis=0)


def skewed_teeth(x: Column) -> Column:
    """The loss rises fast and falls slowly 13 times, less and less."""
    phase = 13 * x % 1
    return (1 + 6 * x) ** -0.8 + 0.08 * np.exp(-x) * np.minimum(phase / 0.15, (1 - phase) / 0.85)


def slow_and_fast(x: Column) -> Column:
    """The loss falls faster and slower five times, and never rises."""
    return 1 - 0.85 * (x - np.sin(10 * np.pi * x) / (12 * np.pi))


TUNING_SHAPES |= {
    "drops": Shape(drops, logistic),
    "skewed teeth": Shape(skewed_teeth, student(7)),
    "slow and fast": Shape(slow_and_fast),
    "alternating, proportional": Shape(
        lambda x: np.exp(-2 * x) * (1 + 0.05 * np.sign(np.sin(18 * np.pi * x))),
        white,
        proportional=True,
    ),
    "early rise": Shape(lambda x: np.exp(-4 * x) + 0.3 * np.exp(-(((x - 0.12) / 0.04) ** 2))),
    "Weibull tail": Shape(lambda x: np.exp(-((3 * x) ** 0.7)), gamma),
    "Michaelis": Shape(lambda x: 1 - 0.9 * x / (x + 0.3), clustered),
    "root of exponential": Shape(lambda x: np.sqrt(np.exp(-3 * x)), contaminated),
    "half Gaussian": Shape(lambda x: np.exp(-2 * x * x), gumbel),
    "four digits": Shape(lambda x: 1 / (1 + 2 * x) ** 2, laplace, digits=4),
    "wobble": Shape(
        lambda x: (1 + 8 * x) ** -0.5 + 0.03 * np.sin(26 * np.pi * np.sqrt(x)), correlated(0.6)
    ),
    "long tail": Shape(lambda x: (1 + 30 * x) ** -0.7, skewed),
}


def fading_pulses(x: Column) -> Column:
    """The loss jumps up 8 times, and decays from each jump."""
    return np.exp(-2 * x) + 0.07 * np.exp(-10 * (8 * x % 1))


def half_waves(x: Column) -> Column:
    """The loss is level between 10 bumps, and decays over all."""
    return np.exp(-3 * x) + 0.05 * np.maximum(np.sin(20 * np.pi * x), 0)


def two_logarithms(x: Column) -> Column:
    """A fast and a slow one."""
    return 1 - 0.5 * np.log1p(30 * x) / np.log(31) - 0.4 * np.log1p(2 * x) / np.log(3)


# Five of the shapes oscillate or rise again. Progress stops in none.
HELD_OUT_SHAPES = {
    "inverse hyperbolic sine": Shape(
        lambda x: 1 - 0.9 * np.arcsinh(8 * x) / np.arcsinh(8), laplace
    ),
    "Lorentzian": Shape(lambda x: 1 / (1 + (4 * x) ** 2), student(9)),
    "hyperbolic cosine": Shape(lambda x: 1 - np.log(np.cosh(3 * x)) / 3),
    "cosine on a power law": Shape(
        lambda x: (1 + 12 * x) ** -0.5 * (1 + 0.08 * np.cos(22 * np.pi * x)), correlated(0.4)
    ),
    "fading pulses": Shape(fading_pulses, logistic),
    "half waves": Shape(half_waves),
    "rising teeth": Shape(lambda x: (1 + 6 * x) ** -0.6 + 0.04 * (11 * x % 1), gumbel),
    "slow return": Shape(lambda x: np.exp(-4 * x) + 0.08 * x**2, gamma),
    "two logarithms": Shape(two_logarithms, clustered),
    "tempered exponential": Shape(lambda x: np.exp(-2.5 * np.sqrt(x) - x), contaminated),
    "root of a sigmoid": Shape(lambda x: (1 + np.exp(9 * (x - 0.35))) ** -0.5, halving),
    "rational, three digits": Shape(lambda x: (1 + 3 * x) ** -1.5, rare, digits=3),
}


# Oscillations ---------------------------------------------------------------------------------

_WAVES: tuple[Callable[[Column], NDArray[Any]], ...] = (
    lambda phase: np.sin(2 * np.pi * phase),
    lambda phase: 2 * phase - 1,
    lambda phase: 1 - 2 * phase,
    lambda phase: 1 - 4 * np.abs(phase - 0.5),
    lambda phase: np.sign(0.5 - phase),
    lambda phase: 2.0 * (phase < 0.15) - 1,
    lambda phase: 2 * np.exp(-6 * phase) - 1,
    lambda phase: 2 * np.abs(np.sin(np.pi * phase)) - 1,
)
"""Over a phase from 0 to 1."""
_DECAYS: tuple[Callable[[Column, float], NDArray[Any]], ...] = (
    lambda x, rate: np.exp(-rate * x),
    lambda x, rate: (1 + 5 * rate * x) ** -0.6,
    lambda x, rate: 1 - 0.15 * rate * x,
)
_NOISES = (white, correlated(0.5), student(6), laplace, logistic, skewed)


def oscillation(points: int, random: Random) -> Column:
    """A decay with a wave of a random form, period, size and course, and with noise."""
    x = np.linspace(0, 1, points)
    decay = _DECAYS[random.integers(len(_DECAYS))](x, random.uniform(1, 6))
    cycles = np.exp(random.uniform(np.log(3), np.log(60)))
    warp = random.choice([0.5, 1.0, 1.0, 1.0, 2.0])
    size = np.exp(random.uniform(np.log(0.01), np.log(0.1)))
    course = decay if random.random() < 0.5 else np.ones(points)
    phase = (cycles * x**warp + random.random()) % 1
    wave = _WAVES[random.integers(len(_WAVES))](phase)
    level = np.exp(random.uniform(np.log(0.001), np.log(0.1)))
    noise = _NOISES[random.integers(len(_NOISES))](random, points)
    values: Column = 0.1 + decay + size * course * wave + level * noise
    return values
