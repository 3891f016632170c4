"""Writes a run with a tensor of 60 rows, for the browser tests.

python -m tests.e2e.written_matrix DIRECTORY
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mindviz.summary import SummaryRecord


def write_matrix(directory: Path) -> None:
    """The tensor `weights`, at one step."""
    with SummaryRecord(str(directory)) as record:
        record.add_value("tensor", "weights", np.arange(120, dtype=np.float32).reshape(60, 2))
        record.record(0)


if __name__ == "__main__":
    write_matrix(Path(sys.argv[1]) / "run")
