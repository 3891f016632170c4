"""Writes jobs with ten thousand items of a kind, for the browser tests.

python -m tests.e2e.written_many DIRECTORY KIND...

Each kind is a job of that name with `MANY` tags, steps, rows or points, whatever is usual for it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from mindviz.summary import Embedding, Mesh, PrCurve, SummaryRecord
from mindviz.summary.torch import SummaryWriter
from mindviz.summary.values.images import png
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests import landscape_logs
from tests.landscape_logs import LandscapePath, landscape
from tests.lineage_logs import experiment, session_start, write_tensorboard_job
from tests.proto import tensorboard_pb2 as pb
from tests.sounds import wav
from tests.written_logs import write

MANY = 10_000
RUNS = 1_200


def _events(directory: Path, values: Iterable[tuple[int, bytes]]) -> None:
    """An event file with these values, each at its step."""
    events = [tensorboard.event(1.7e9 + step, step, [value]) for step, value in values]
    name = "events.out.tfevents.1700000000.host"
    write(directory, name, frames([tensorboard.version_event(1.7e9), *events], Framing.TFRECORD))


def _scalar(directory: Path) -> None:
    """Tags, five to a section; the last one is NaN."""
    values = [float(i) for i in range(MANY - 1)] + [float("nan")]
    tags = (f"layer_{i // 5}/value_{i}" for i in range(MANY))
    _events(directory, ((1, tensorboard.scalar(t, v)) for t, v in zip(tags, values, strict=True)))


def _histogram(directory: Path) -> None:
    """Steps."""
    edges = np.linspace(-1, 1, 11)
    counts = np.arange(1, 11)
    rows = ((i, tensorboard.histogram("weight", edges + i / MANY, counts)) for i in range(MANY))
    _events(directory, rows)


def _image(directory: Path) -> None:
    """Steps."""
    pixel = png(np.full((2, 2, 3), 90, np.uint8))
    _events(directory, ((i, tensorboard.image("camera", [pixel], 2, 2)) for i in range(MANY)))


def _text(directory: Path) -> None:
    """Steps of one tag, and as many tags."""
    steps = ((i, _text_of("diary", f"day {i}")) for i in range(MANY))
    tags = ((MANY, _text_of(f"note_{i}", f"note {i}")) for i in range(MANY))
    _events(directory, [*steps, *tags])


def _text_of(tag: str, text: str) -> bytes:
    return tensorboard.strings_tensor(tag, [text.encode()], (), plugin_name="text")


def _tensor(directory: Path) -> None:
    """Rows and columns: a million elements in each of three steps."""
    with SummaryRecord(str(directory)) as record:
        for step in range(3):
            record.add_value("tensor", "kernel", np.arange(MANY * 100.0).reshape(MANY, 100) + step)
            record.record(step)


def _audio(directory: Path) -> None:
    """Tags of one clip each."""
    clip = wav((np.sin(np.arange(800) * 0.1) * 9000).astype(np.int16))
    _events(directory, ((1, tensorboard.audio(f"clip_{i}", [clip])) for i in range(MANY)))


def _curves(directory: Path) -> None:
    """Steps."""
    labels = np.arange(100) % 2 == 0
    with SummaryRecord(str(directory)) as record:
        for step in range(MANY):
            scores = np.linspace(0, 1, 100) * 0.5 + labels * step / MANY / 2
            record.add_value("pr_curve", "detector", PrCurve(labels, scores))
            record.record(step)


def _mesh(directory: Path) -> None:
    """Points and faces: a sheet of a hundred by a hundred."""
    x, y = np.meshgrid(np.linspace(-1, 1, 100), np.linspace(-1, 1, 100))
    points = np.stack([x, y, np.sin(3 * x) * np.cos(3 * y)], axis=-1).reshape(-1, 3)
    corners = np.arange(MANY - 100).reshape(-1, 100)[:, :-1].reshape(-1, 1)
    with SummaryRecord(str(directory)) as record:
        record.add_value(
            "mesh", "sheet", Mesh(points, faces=np.hstack([corners, corners + 1, corners + 100]))
        )
        record.record(1)


def _embedding(directory: Path) -> None:
    """Points."""
    points = np.random.default_rng(0).normal(size=(MANY, 8)) + np.arange(MANY)[:, None] % 10 * 4
    with SummaryRecord(str(directory)) as record:
        labels = [[f"word {i}", str(i % 10)] for i in range(MANY)]
        record.add_value("embedding", "words", Embedding(points, labels, ["word", "group"]))
        record.record(1)


def _landscape(directory: Path) -> None:
    """Points of the surface, and steps of the path over it."""
    axis = np.linspace(-2, 2, 100, dtype=np.float32)
    surface = np.add.outer(axis**2, axis**2)
    along = np.linspace(-2, 0, MANY, dtype=np.float32)
    steps = tuple(range(1, MANY + 1))
    path = LandscapePath(steps, (along, along, 2 * along**2))
    value = landscape("landscape_[1, 10000]", [axis, axis, surface], path=path)
    write(directory, landscape_logs.NAME, landscape_logs.log(value))


def _layout(directory: Path) -> None:
    """Charts laid out, of ten tags."""
    charts = {f"Chart {i}": ["Multiline", [f"^loss/{i % 10}$"]] for i in range(MANY)}
    with SummaryWriter(str(directory)) as writer:
        writer.add_custom_scalars({"Training": charts})
        for i in range(10):
            writer.add_scalar(f"loss/{i}", i, 1)


def _other(directory: Path) -> None:
    """Tags of an unknown plugin."""
    kind = pb.DATA_CLASS_TENSOR
    value = np.ones((2, 2))
    tags = (f"matrix_{i}" for i in range(MANY))
    _events(
        directory,
        ((1, tensorboard.tensor(t, value, plugin_name="acme", data_class=kind)) for t in tags),
    )


def _health(directory: Path) -> None:
    """Findings: a log with as many damaged records between whole ones."""
    name = "events.out.tfevents.1700000000.host"
    record = frames(
        [tensorboard.event(1.7e9, 1, [tensorboard.scalar("loss", 1.0)])], Framing.TFRECORD
    )
    damaged = record[:-6] + bytes([record[-6] ^ 255]) + record[-5:]
    write(directory, name, (record + damaged) * MANY)


def _runs(directory: Path) -> None:
    """Runs of a sweep, with hyperparameters and metrics."""
    for i in range(RUNS):
        settings = {"lr": 0.001 * (i % 100 + 1), "optimizer": ("adam", "sgd")[i % 2], "seed": i}
        write_tensorboard_job(
            directory / f"run_{i}",
            [session_start(settings), experiment("accuracy")],
            {"accuracy": i / RUNS, "loss": 1 - i / RUNS},
        )


if __name__ == "__main__":
    for kind in sys.argv[2:]:
        globals()[f"_{kind}"](Path(sys.argv[1]) / kind)
