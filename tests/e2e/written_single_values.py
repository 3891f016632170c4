"""Writes a job with tensors with and without dimensions, for the browser tests.

python -m tests.e2e.written_single_values DIRECTORY

Job `run` has the tensors `scale`, a single 0.25, and `weights` of 4 x 4.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mindviz.summary import SummaryRecord


def write_single_values(directory: Path) -> None:
    """A job `run` below a directory."""
    with SummaryRecord(str(directory / "run")) as record:
        record.add_value("tensor", "scale", np.array(0.25, np.float32))
        record.add_value("tensor", "weights", np.eye(4, dtype=np.float32))
        record.record(1)


if __name__ == "__main__":
    write_single_values(Path(sys.argv[1]))
