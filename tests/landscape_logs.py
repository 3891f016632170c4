"""Small logs of loss landscapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing

NAME = "events.out.events.summary.1700000000.0.host_MS"

Coordinates = Sequence[ArrayLike]
"""x, y and z."""


@dataclass(frozen=True, slots=True)
class LandscapePath:
    """The path of a training."""

    intervals: Sequence[int]
    """Steps or epochs."""
    points: Coordinates
    """One per interval."""


def landscape(
    tag: str,
    points: Coordinates,
    *,
    path: LandscapePath | None = None,
    convergence_point: tuple[float, float, float] | None = None,
    unit: str = "step",
    step_per_epoch: int = 1,
) -> bytes:
    """A Summary.Value; `points` are x (n,), y (m,) and z (m, n)."""
    end = convergence_point
    content = mindspore.loss_landscape_content(
        _float32(points),
        intervals=() if path is None else path.intervals,
        path=None if path is None else _float32(path.points),
        convergence_point=None if end is None else _float32([[axis] for axis in end]),
        decomposition="PCA",
        unit=unit,
        step_per_epoch=step_per_epoch,
    )
    return mindspore.loss_landscape(tag, content)


def _float32(points: Coordinates) -> mindspore.Points:
    x, y, z = (np.asarray(axis, np.float32) for axis in points)
    return x, y, z


X = np.array([-1, 0, 1], np.float32)
Y = np.array([-2, 2], np.float32)


def surface(height: float = 0.0) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]:
    """x (3,), y (2,) and z (2, 3)."""
    return [X, Y, (np.add.outer(Y**2, X**2) + np.float32(height)).astype(np.float32)]


def interval(steps: Sequence[int], height: float = 0.0, tag: str = "") -> bytes:
    """The landscape around the path of these steps."""
    along = np.linspace(-1, 1, len(steps), dtype=np.float32)
    path = LandscapePath(steps, (along, along, along**2 + np.float32(height)))
    return landscape(tag or f"landscape_{list(steps)}", surface(height), path=path)


def final(height: float = 0.0) -> bytes:
    """The landscape around the result."""
    return landscape(
        "landscape_result", surface(height), convergence_point=(0.25, -0.5, height), unit="epoch"
    )


def log(*values: bytes, start: float = 1.7e9) -> bytes:
    """A summary file with one event per value, a second apart."""
    events = [mindspore.event(start + i, i, [value]) for i, value in enumerate(values)]
    return frames([mindspore.version_event(start), *events], Framing.TFRECORD)
