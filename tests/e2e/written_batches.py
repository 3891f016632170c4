"""Writes jobs whose values have several parts, for the browser tests.

python -m tests.e2e.written_batches DIRECTORY

Job `images` has two images per step, the second redder; `meshes` two meshes, the second larger.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mindviz.summary import Mesh, SummaryRecord
from mindviz.summary.values.images import png
from mindviz.wire import encode_tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.written_logs import write

START = 1_700_000_000


def write_images(directory: Path) -> None:
    """Two images of 12 x 8 pixels at step 0 of the tag `batch`."""
    pictures = np.zeros((2, 8, 12, 3), np.uint8)
    pictures[0, ..., 0], pictures[1, ..., 0] = 10, 20
    batch = encode_tensorboard.image("batch", [png(one) for one in pictures], 12, 8)
    events = [encode_tensorboard.version_event(START), encode_tensorboard.event(START, 0, [batch])]
    write(directory, f"events.out.tfevents.{START}.host", frames(events, Framing.TFRECORD))


def write_meshes(directory: Path) -> None:
    """Two meshes at step 0 of the tag `shape`."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    meshes = Mesh(np.stack([corners, corners * 3]), None, np.stack([faces, faces]))
    with SummaryRecord(str(directory)) as record:
        record.add_value("mesh", "shape", meshes)
        record.record(0)


if __name__ == "__main__":
    write_images(Path(sys.argv[1]) / "images")
    write_meshes(Path(sys.argv[1]) / "meshes")
