"""The same scalars, written in every format by every writer of ours; others: parity_values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from mindviz.cli.compared_locations import ParityOptions, compare_locations
from mindviz.datavisual.analysis.series_parity import Tolerance
from mindviz.summary import SummaryRecord
from mindviz.summary.torch import SummaryWriter
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.written_logs import write

Scalars = Mapping[str, np.ndarray]
"""Tag -> float32 values of steps 0, 1, 2 and so on."""
START = 1_700_000_000.0


def scalars(points: int = 500) -> dict[str, np.ndarray]:
    """Values whose text does not survive rounding, with NaN and infinities."""
    generator = np.random.default_rng(17)
    loss = (5 * np.exp(-np.arange(points) / 100) + generator.normal(0, 0.1, points)).astype("f4")
    accuracy = generator.random(points).astype("f4")
    accuracy[:3] = np.nan, np.inf, -np.inf
    return {"train/loss": loss, "accuracy": accuracy}


def write_mindspore(directory: Path, values: Scalars) -> None:
    events = [mindspore.version_event(START)]
    events += (mindspore.scalars_event(START + step, step, row) for step, row in rows(values))
    log = frames(events, Framing.TFRECORD)
    write(directory, "x.out.events.summary.1700000000.0.h_MS", log)


def write_tensorboard(directory: Path, values: Scalars) -> None:
    events = [tensorboard.version_event(START)]
    events += (tensorboard.scalars_event(START + step, step, row) for step, row in rows(values))
    write(directory, "events.out.tfevents.1700000000.h", frames(events, Framing.TFRECORD))


def write_tensors(directory: Path, values: Scalars) -> None:
    """As TensorFlow 2 writes scalars: tensors without dimensions."""
    events = [tensorboard.version_event(START)]
    for step, row in rows(values):
        tensors = [tensorboard.scalar_tensor(tag, np.float32(value)) for tag, value in row.items()]
        events.append(tensorboard.event(START + step, step, tensors))
    write(directory, "events.out.tfevents.1700000000.h", frames(events, Framing.TFRECORD))


def write_visualdl(directory: Path, values: Scalars) -> None:
    records = [visualdl.meta(START)]
    for step, row in rows(values):
        records += (visualdl.scalar(START + step, step, tag, row[tag]) for tag in row)
    write(directory, "vdlrecords.1700000000.log", frames(records, Framing.LENGTH_PREFIXED))


def write_recorder(directory: Path, values: Scalars) -> None:
    with SummaryRecord(directory) as record:
        for step, row in rows(values):
            for tag, value in row.items():
                record.add_value("scalar", tag, value)
            record.record(step)


def write_summary_writer(directory: Path, values: Scalars) -> None:
    with SummaryWriter(directory) as writer:
        for step, row in rows(values):
            for tag, value in row.items():
                writer.add_scalar(tag, value, step)


def rows(values: Scalars) -> list[tuple[int, dict[str, float]]]:
    """(step, value of each tag)."""
    columns = {tag: column.tolist() for tag, column in values.items()}
    points = max(map(len, columns.values()))
    return [
        (step, {tag: column[step] for tag, column in columns.items()}) for step in range(points)
    ]


def unequal_writers(peer: Path, ours: Path, values: Scalars) -> list[str]:
    """Our writers whose logs, written below `ours`, are not equal to the log of a peer."""
    exact = ParityOptions(Tolerance())
    unequal = []
    for name, writer in WRITERS.items():
        writer(ours / name, values)
        if not compare_locations(str(peer), str(ours / name), exact).equal:
            unequal.append(name)
    return unequal


WRITERS: dict[str, Callable[[Path, Scalars], None]] = {
    "mindspore": write_mindspore,
    "tensorboard": write_tensorboard,
    "tensors": write_tensors,
    "visualdl": write_visualdl,
    "recorder": write_recorder,
    "summary_writer": write_summary_writer,
}
