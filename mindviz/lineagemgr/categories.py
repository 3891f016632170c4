"""Hyperparameters that are not numbers, one-hot encoded."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

MAX_CATEGORIES = 10
"""Columns of an encoding. With more categories, the last column is for all less frequent ones."""


def category_codes(values: Sequence[Any]) -> Numbers:
    """The column of each value, most frequent first; NaN if missing."""
    texts = [None if _is_missing(value) else _text(value) for value in values]
    counts = Counter(text for text in texts if text is not None)
    by_count = sorted(counts, key=lambda text: (-counts[text], text))
    codes = {text: min(code, MAX_CATEGORIES - 1) for code, text in enumerate(by_count)}
    return np.array([math.nan if text is None else codes[text] for text in texts], np.float64)


def count_values(values: Sequence[Any]) -> int:
    """The number of different values."""
    return len({_text(value) for value in values if not _is_missing(value)})


def one_hot(codes: Numbers) -> Numbers:
    """Shape (jobs, columns): 1 in the column of the category; only zeros if missing."""
    known = ~np.isnan(codes)
    width = int(codes[known].max()) + 1 if known.any() else 0
    encoded: Numbers = np.zeros((len(codes), width))
    encoded[known, codes[known].astype(np.intp)] = 1.0
    return encoded


def multiple_correlation(codes: Numbers, target: Numbers) -> float | None:
    """The correlation of `target` with its best linear prediction from the one-hot columns, 0 to 1.

    For two categories this is |Pearson's correlation|. Each further category reduces it, because it
    would otherwise grow with the number of categories, even by chance. None if either is constant.
    """
    if not len(codes) or codes.min() == codes.max() or target.min() == target.max():
        return None
    # Scaled, so that squares neither overflow nor underflow.
    y = target / np.abs(target).max()
    y = y - y.mean()
    y = y / np.abs(y).max()
    _, groups, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    sums = np.bincount(groups, weights=y)
    explained = min(1.0, float((sums**2 / sizes).sum() / (y @ y)))
    jobs, categories = len(codes), len(sizes)
    if jobs <= categories:
        return 0.0
    unexplained = (1.0 - explained) * (jobs - 2) / (jobs - categories)
    return math.sqrt(max(0.0, 1.0 - unexplained))


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
