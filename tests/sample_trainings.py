"""A small log directory whose every byte and time is fixed, for golden answers and documents."""

from __future__ import annotations

import math
import os
from pathlib import Path

from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.lineage_logs import session_end, session_start, training, write_mindspore_job
from tests.written_logs import tensorboard_log, write

START = 1_700_000_000
SPIKE = 9_000
"""Step of the spike in `spiked`, which has 10,000 steps."""
HOSTILE = "x/<b>\x1b[31mred"
"""A tag with HTML and an escape sequence, in `damaged`."""


def write_trainings(base: Path) -> Path:
    """Five runs: two of a sweep, one with a spike, one of MindSpore, a damaged one."""
    for place, rate in enumerate((0.1, 0.01)):
        _write(base / f"resnet/lr_{rate}", _sweep_log(rate, START + 1_000 * place))
    _write(base / "spiked", _spiked_log(START + 3_000))
    write_mindspore_job(base / "lenet", training(learning_rate=0.05), start=START + 20_000)
    _write(base / "damaged", _damaged_log(START + 30_000))
    for path in sorted(base.rglob("*")):
        if path.is_file():
            os.utime(path, (START + 40_000, START + 40_000))
    return base


def _write(directory: Path, log: bytes) -> None:
    write(directory, f"events.out.tfevents.{START}.host", log)


def _wave(step: int) -> float:
    """Reproducible noise from -1 to 1."""
    return math.sin(step * 12.9898) * 0.5 + math.sin(step * 78.233) * 0.5


def _scalars(start: float, rows: list[tuple[int, dict[str, float]]]) -> bytes:
    version = frames([tensorboard.version_event(start)], Framing.TFRECORD)
    events = [
        tensorboard.event(
            start + step, step, [tensorboard.scalar(tag, value) for tag, value in values.items()]
        )
        for step, values in rows
    ]
    return version + frames(events, Framing.TFRECORD)


def _sweep_log(rate: float, start: float) -> bytes:
    parameters = {"lr": rate, "optimizer": "sgd", "batch_size": 32.0}
    session = [session_start(parameters), session_end()]
    head = frames([tensorboard.event(start, 0, [value]) for value in session], Framing.TFRECORD)
    rows = []
    for step in range(200):
        loss = 2.0 * math.exp(-step * rate / 4) + 0.1 + 0.01 * _wave(step)
        values = {"train/loss": loss}
        if step % 20 == 19:
            values["val/acc"] = 1 - loss / 2.5
        rows.append((step, values))
    return _scalars(start, rows) + head


def _spiked_log(start: float) -> bytes:
    rows = []
    for step in range(10_000):
        loss = 1.0 + math.exp(-step / 2_000) + 0.01 * _wave(step)
        norm = 0.5 + 0.01 * _wave(step + 7)
        if step == SPIKE:
            loss += 20
        if step == SPIKE - 2:
            norm += 5
        rows.append((step, {"train/loss": loss, "grad_norm": norm}))
    return _scalars(start, rows)


def _damaged_log(start: float) -> bytes:
    log = bytearray(tensorboard_log([(step, 1 / (step + 1)) for step in range(50)], start=start))
    size = len(log) // 51
    log[10 * size] ^= 0xFF  # within a value in the middle
    hostile = tensorboard.event(start + 60, 60, [tensorboard.scalar(HOSTILE, 1.0)])
    return bytes(log) + frames([hostile], Framing.TFRECORD)
