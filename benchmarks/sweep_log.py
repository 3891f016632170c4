"""The log of a sweep, for pages that show or group many runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
from generated_logs import (
    CACHE,
    STARTED,
    one_value_per_event,
    recorded,
    simple_value,
    tensorboard_file,
)
from numpy.typing import NDArray
from record_bytes import Bytes

TAGS = (b"train/loss", b"train/top1", b"valid/loss", b"valid/top1")


def sweep_log() -> Path:
    """1,000 runs x 4 tags x 500 steps, with 100 learning rates and 10 seeds; written if missing."""
    directory = CACHE / "logs" / "sweep"
    if not directory.is_dir():
        unfinished = directory.with_name("sweep.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        for number in range(1000):
            _write_run(unfinished / f"run{number:03d}", *divmod(number, 10))
        unfinished.rename(directory)
    return directory


def _write_run(directory: Path, rate: int, seed: int) -> None:
    # As in a sweep, all curves differ.
    shift = np.float32(0.02 * rate + 0.003 * seed)

    def encode(tag: bytes, values: NDArray[np.float32]) -> Bytes:
        return simple_value(tag, values + shift)

    tensorboard_file(directory, one_value_per_event(TAGS, 500, encode))
    with recorded(directory, lambda: STARTED) as record:
        config = {"lr": round(1e-4 * (rate + 1), 6), "seed": seed}
        record.add_value("custom_lineage_data", "config", config)
        record.record(0)
