"""Writes jobs of MindSpore's lineage, for the browser tests.

    python -m tests.e2e.written_datasets DIRECTORY

`a` and `b` are trained with one dataset, `c` with another; their accuracies are 0.9, 0.8 and 0.7.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.lineage_logs import dataset, evaluation, training, write_mindspore_job


def write_datasets(directory: Path) -> None:
    """Jobs `a`, `b` and `c` below a directory."""
    for name, batch_size, accuracy in (("a", 32, 0.9), ("b", 32, 0.8), ("c", 64, 0.7)):
        write_mindspore_job(
            directory / name,
            training(learning_rate=1 - accuracy),
            evaluation({"accuracy": accuracy}),
            dataset(batch_size),
        )


if __name__ == "__main__":
    write_datasets(Path(sys.argv[1]))
