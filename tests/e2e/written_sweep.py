"""Writes a sweep of jobs with hyperparameters and metrics, for the browser tests.

python -m tests.e2e.written_sweep DIRECTORY COUNT [SEEDS]

Job i has learning rate 0.001 * (i + 1), optimizer adam or sgd in turn, seed i % 4, accuracy that
falls with the learning rate (0.1 less with sgd), and the scalars accuracy and train/loss. With
SEEDS, that many consecutive jobs have the same settings, seeds from 0, and accuracies that grow by
0.001 with the seed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.lineage_logs import experiment, session_end, session_start, write_tensorboard_job


def write_sweep(directory: Path, count: int, seeds: int | None = None) -> None:
    """Jobs `adam/run_0`, `sgd/run_1`, ... below a directory."""
    for number in range(count):
        setting, seed = divmod(number, seeds) if seeds else (number, number % 4)
        optimizer = ("adam", "sgd")[setting % 2]
        learning_rate = round(0.001 * (setting + 1), 6)
        accuracy = 0.95 - learning_rate - (0.1 if optimizer == "sgd" else 0.0)
        accuracy += 0.001 * seed if seeds else 0.0
        settings = {"lr": learning_rate, "optimizer": optimizer, "seed": seed, "dropout": 0.5}
        group = f"setting {setting}" if seeds else ""
        write_tensorboard_job(
            directory / optimizer / f"run_{number}",
            [
                session_start(settings, group),
                experiment("accuracy"),
                session_end(2 if number == 0 else 1),
            ],
            {"accuracy": accuracy, "train/loss": 1.0 - accuracy},
        )


if __name__ == "__main__":
    write_sweep(Path(sys.argv[1]), *map(int, sys.argv[2:]))
