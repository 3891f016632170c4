"""`mindviz demo DIR`: writes a few small runs in all three formats."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from mindviz.cli.demo_training import IMAGE_SIZE, Training, train
from mindviz.errors import StartError
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing

SAMPLES = 10
"""Histograms, images and tensors of one run: this many steps of each."""


@dataclass(frozen=True, slots=True)
class Span:
    """When the steps of a run took place: `at(step)` is a wall time."""

    start: float
    seconds_per_step: float
    first: int = 0

    def at(self, step: int) -> float:
        """Unix seconds of a step, in milliseconds: no more is kept by VisualDL."""
        return round(self.start + (step - self.first) * self.seconds_per_step, 3)


@click.command(short_help="Write demo logs.")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
def demo(directory: Path) -> None:
    """Write a few small training runs in all three formats into DIRECTORY.

    It is created if need be, and must be empty.
    """
    runs = write_demo(directory, now=time.time())
    click.echo(f"{runs} runs written to {directory}. Look at them:")
    click.echo(f"  mindviz start --summary-base-dir {directory}")


def write_demo(directory: Path, *, now: float, seed: int = 0) -> int:
    """Write the demo's runs, the newest of which ends at `now` (Unix seconds); how many there are.

    The same arguments give the same bytes. Raises StartError if the directory is not empty or
    cannot be written.
    """
    now = float(int(now))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise StartError(f"{directory} is not empty: demo logs need a directory of their own.")
        runs = list(_runs(now, seed))
        for path, payloads, framing, end in runs:
            file = directory / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(frames(payloads, framing))
            os.utime(file, (end, end))
    except OSError as error:
        raise StartError(
            f"Demo logs cannot be written to {directory}: {error.strerror}."
        ) from error
    return len({path.rpartition("/")[0] for path, *_ in runs})


_File = tuple[str, Iterable[bytes], Framing, float]
"""Path below the directory, payloads, framing, wall time of the last one."""


def _runs(now: float, seed: int) -> Iterator[_File]:
    hour = 3600.0
    for age, name, learning_rate in (
        (30, "resnet/lr_0.100", 0.1),
        (29, "resnet/lr_0.010", 0.01),
        (28, "resnet/lr_0.001", 0.001),
    ):
        seed += 1
        training = train(seed, learning_rate=learning_rate, noise=0.02 + learning_rate)
        span = Span(now - age * hour, 1.7)
        yield _tensorboard_file(f"tensorboard/{name}", training, span, 0, training.steps)
    # Stopped at step 1,300, resumed from the checkpoint of step 1,000.
    seed += 1
    training, again = train(seed, noise=0.08), train(seed, noise=0.1)
    first = Span(now - 20 * hour, 2.4)
    yield _tensorboard_file("tensorboard/resnet/resumed", training, first, 0, 1300)
    second = Span(now - 18 * hour, 2.4, first=1000)
    yield _tensorboard_file("tensorboard/resnet/resumed", again, second, 1000, 2000)
    seed += 1
    training = train(seed, learning_rate=0.3, noise=0.15, diverges_at=1100)
    yield _tensorboard_file("tensorboard/diverged", training, Span(now - 9 * hour, 1.1), 0, 1500)
    for age, name, learning_rate in ((6, "lenet_adam", 0.02), (5, "lenet_sgd", 0.005)):
        seed += 1
        training = train(seed, learning_rate=learning_rate)
        yield _mindspore_file(f"mindspore/{name}", training, Span(now - age * hour, 0.9))
    for minutes, name, noise in ((90, "baseline", 0.06), (60, "augmented", 0.12)):
        seed += 1
        training = train(seed, noise=noise)
        span = Span(now - minutes * 60, minutes * 60 / training.steps)
        yield _visualdl_file(f"visualdl/segmentation/{name}", name, training, span)


def _sampled(training: Training, step: int) -> bool:
    return (step + 1) % (training.steps // SAMPLES) == 0


def _scalars(training: Training, step: int) -> Iterator[tuple[str, float]]:
    for tag, curve in training.curves.items():
        yield tag, float(curve[step])
    if (step + 1) % training.evaluate_every == 0:
        for tag, curve in training.evaluations.items():
            yield tag, float(curve[step // training.evaluate_every])


def _tensorboard_file(folder: str, training: Training, span: Span, first: int, end: int) -> _File:
    events = [tensorboard.version_event(span.start)]
    for step in range(first, end):
        wall_time = span.at(step)
        values = [tensorboard.scalar(tag, value) for tag, value in _scalars(training, step)]
        events += [tensorboard.event(wall_time, step, [value]) for value in values]
        if _sampled(training, step):
            samples = [
                tensorboard.histogram_v1("weights/conv1", *training.histogram("conv1", step)),
                tensorboard.histogram("weights/dense", *training.histogram("dense", step)),
                tensorboard.image("drawn", [training.image(step)], IMAGE_SIZE, IMAGE_SIZE),
                tensorboard.tensor("confusion", training.confusion(step)),
            ]
            events.append(tensorboard.event(wall_time, step, samples))
    name = f"{folder}/events.out.tfevents.{int(span.start)}.demo.1.0"
    return name, events, Framing.TFRECORD, span.at(end)


def _mindspore_file(folder: str, training: Training, span: Span) -> _File:
    events = [mindspore.version_event(span.start)]
    for step in range(training.steps):
        values = [mindspore.scalar(tag, value) for tag, value in _scalars(training, step)]
        if _sampled(training, step):
            edges, counts = training.histogram("conv1", step)
            values += [
                mindspore.histogram("conv1.weight", edges, counts.astype(np.int64)),
                mindspore.tensor("conv1.weight", training.kernel(step)),
                mindspore.image("input_data", training.image(step), IMAGE_SIZE, IMAGE_SIZE),
            ]
        events.append(mindspore.event(span.at(step), step, values))
    name = f"{folder}/events.out.events.summary.{int(span.start)}.0.demo_MS"
    return name, events, Framing.TFRECORD, span.at(training.steps)


def _visualdl_file(folder: str, title: str, training: Training, span: Span) -> _File:
    records = [visualdl.meta(span.start, title)]
    for step in range(training.steps):
        wall_time = span.at(step)
        for tag, value in _scalars(training, step):
            records.append(visualdl.scalar(wall_time, step, tag, value))
        if (step + 1) % training.evaluate_every == 0:
            by_class = {"road": 0.02, "building": 0.06, "tree": 0.15}
            accuracy = training.evaluations["validation/accuracy"][step // training.evaluate_every]
            for name, gap in by_class.items():
                value = float(accuracy) - gap
                records.append(visualdl.sub_scalar(wall_time, step, "iou", name, value))
        if _sampled(training, step):
            edges, counts = training.histogram("conv1", step)
            records.append(visualdl.histogram(wall_time, step, "conv1.weight", edges, counts))
            records.append(visualdl.image(wall_time, step, "drawn", training.image(step)))
    name = f"{folder}/vdlrecords.{int(span.start)}.log"
    return name, records, Framing.LENGTH_PREFIXED, span.at(training.steps)
