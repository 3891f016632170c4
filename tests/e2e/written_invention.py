"""Writes a log of an unknown plugin, for the browser tests.

python -m tests.e2e.written_invention DIRECTORY

Job `run` has, at steps 1 and 2, a tensor and a sequence of two blobs of plugin `acme`, with
declared data classes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.proto import tensorboard_pb2 as pb


def write_invention(directory: Path) -> None:
    """Job `run` below a directory."""
    events = [tensorboard.event(1e9 + step, step, _values(step)) for step in (1, 2)]
    log = directory / "run" / "events.out.tfevents.1000000000.acme"
    log.parent.mkdir(parents=True)
    log.write_bytes(frames(events, Framing.TFRECORD))


def _values(step: int) -> list[bytes]:
    matrix = np.full((2, step), step, np.int64)
    return [
        tensorboard.tensor("matrix", matrix, plugin_name="acme", data_class=pb.DATA_CLASS_TENSOR),
        tensorboard.strings_tensor(
            "parts",
            [b"one", b"number " + str(step).encode()],
            (2,),
            plugin_name="acme",
            data_class=pb.DATA_CLASS_BLOB_SEQUENCE,
        ),
    ]


if __name__ == "__main__":
    write_invention(Path(sys.argv[1]))
