"""Differences between TensorBoard's answers with its own reader and with mindviz.

docs/tensorboard.md describes the deliberate ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

FLOAT32 = "a float64 of the log, rounded to float32 by one of them"
RESTART = "a restart, which TensorBoard does not purge"

_SHOWN = 200
_FLOAT32_UNIT = 2.0**-22
_MISSING = "(nothing)"


@dataclass(frozen=True, slots=True)
class Difference:
    """One answer, or a part of it."""

    question: str
    path: tuple[str | int, ...]
    theirs: Any
    ours: Any
    scale: float = 0.0
    """The largest number of the list that theirs is part of."""

    def __str__(self) -> str:
        where = "".join(f"[{part!r}]" for part in self.path)
        return (
            f"{self.question}{where}\n"
            f"    TensorBoard: {_shortened(self.theirs)}\n"
            f"    mindviz:     {_shortened(self.ours)}"
        )


def _shortened(value: Any) -> str:
    text = value if value == _MISSING else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)})"


def differences(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[Difference]:
    """Between all answers of both."""
    for question in sorted(theirs.keys() | ours.keys()):
        yield from _between(
            question, (), theirs.get(question, _MISSING), ours.get(question, _MISSING)
        )


def _between(
    question: str, path: tuple[str | int, ...], theirs: Any, ours: Any, scale: float = 0.0
) -> Iterator[Difference]:
    if _rewritten(theirs, ours):
        yield Difference(question, path, theirs, ours)
    elif isinstance(theirs, dict) and isinstance(ours, dict):
        for key in sorted(theirs.keys() | ours.keys()):
            yield from _between(
                question, (*path, key), theirs.get(key, _MISSING), ours.get(key, _MISSING)
            )
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        scale = max((abs(one) for one in theirs if isinstance(one, float)), default=0.0)
        for index, (one, other) in enumerate(zip(theirs, ours, strict=True)):
            yield from _between(question, (*path, index), one, other, scale)
    elif theirs != ours:
        yield Difference(question, path, theirs, ours, scale)


def meant(difference: Difference) -> str | None:
    """The name of the difference if it is one that is meant."""
    theirs, ours = difference.theirs, difference.ours
    if isinstance(theirs, float | int) and isinstance(ours, float | int):
        if difference.question.startswith("distributions/distributions"):
            # Interpolated between edges that were rounded.
            rounded = abs(theirs - ours) <= _FLOAT32_UNIT * difference.scale
        else:
            with np.errstate(over="ignore"):
                rounded = bool(np.float32(theirs) == np.float32(ours))
        return FLOAT32 if rounded else None
    if _rewritten(theirs, ours):
        return RESTART
    if isinstance(theirs, list) and isinstance(ours, list) and _is_restart(difference):
        return RESTART
    return None


def _rewritten(theirs: Any, ours: Any) -> bool:
    """Whether ours is the later value of the same step. Of blobs TensorBoard keeps one."""
    if not (isinstance(theirs, dict) and isinstance(ours, dict) and "step" in theirs):
        return False
    name = "wall_time" if "wall_time" in theirs else "wallTime"
    later = bool(theirs.get(name, 0) < ours.get(name, 0))
    return later and theirs["step"] == ours.get("step")


def _is_restart(difference: Difference) -> bool:
    """Whether their steps go back, and ours are the rest without that."""
    theirs, ours = _steps(difference, difference.theirs), _steps(difference, difference.ours)
    if theirs is None or ours is None:
        return False
    rises = all(one < other for one, other in pairwise(theirs))
    return not rises and ours == sorted(set(ours)) and set(ours) <= set(theirs)


def _steps(difference: Difference, points: list[Any]) -> list[int] | None:
    """Of a series; None if this is none."""
    if not points:
        return None
    if all(isinstance(point, dict) and "step" in point for point in points):
        return [point["step"] for point in points]
    if all(isinstance(point, list) and len(point) == 3 for point in points):
        # A scalar, a histogram or a distribution: wall time, step, value.
        return [point[1] for point in points]
    return None
