"""Logs of loss landscapes, as small as they can be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire.encode import frames
from mindviz.wire.encode_landscape import LandscapePath, landscape
from mindviz.wire.framing import Framing

NAME = "events.out.events.summary.1700000000.0.host_MS"
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
    """A summary file with an event, a second apart, for each of the values."""
    events = [mindspore.event(start + i, i, [value]) for i, value in enumerate(values)]
    return frames([mindspore.version_event(start), *events], Framing.TFRECORD)
