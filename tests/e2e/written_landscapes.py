"""Writes two jobs with loss landscapes, for the browser tests.

python -m tests.e2e.written_landscapes DIRECTORY

Both have that of the steps 1 to 9, the second one's 3 higher; the first has one around its result.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from tests import landscape_logs
from tests.landscape_logs import LandscapePath, landscape
from tests.written_logs import write

AXIS = np.linspace(-2, 2, 21, dtype=np.float32)
STEPS = (1, 5, 9)


def _interval(height: float) -> bytes:
    surface = np.add.outer(AXIS**2, AXIS**2).astype(np.float32) + np.float32(height)
    along = np.array([-1, -0.5, 0], np.float32)
    path = LandscapePath(STEPS, (along, along, 2 * along**2 + np.float32(height)))
    return landscape("landscape_[1, 5, 9]", [AXIS, AXIS, surface], path=path)


def write_landscapes(directory: Path) -> None:
    """Jobs `first` and `second` below a directory."""
    first = landscape_logs.log(_interval(0), landscape_logs.final(2))
    write(directory / "first", landscape_logs.NAME, first)
    write(directory / "second", landscape_logs.NAME, landscape_logs.log(_interval(3)))


if __name__ == "__main__":
    write_landscapes(Path(sys.argv[1]))
