"""Writes images of two sizes, for the browser tests.

python -m tests.e2e.written_pixels DIRECTORY

Run `pixels` has the images `small` (8 x 8 pixels) and `large` (1600 x 800).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mindviz.summary import Image, SummaryRecord


def write_pixels(directory: Path) -> None:
    """Gradients at step 0."""
    with SummaryRecord(str(directory)) as record:
        for tag, (height, width) in (("small", (8, 8)), ("large", (800, 1600))):
            gradient = np.linspace(0, 255, width, dtype=np.uint8)
            pixels = np.broadcast_to(gradient[None, :, None], (height, width, 3))
            record.add_value("image", tag, Image(np.ascontiguousarray(pixels), "HWC"))
        record.record(0)


if __name__ == "__main__":
    write_pixels(Path(sys.argv[1]) / "pixels")
