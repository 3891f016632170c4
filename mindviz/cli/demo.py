"""`mindviz demo DIR`: writes some small runs in all three formats."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np

from mindviz.cli import demo_network
from mindviz.cli.demo_training import Training, train
from mindviz.errors import RecordingFailed, StartError
from mindviz.summary import Embedding, SummaryRecord
from mindviz.summary.torch import SummaryWriter
from mindviz.summary.values import images
from mindviz.summary.values.torch_values import hparams
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing

SAMPLES = 10
"""Number of steps with histograms, images and tensors, per run."""

NEVER = 1e6
"""Seconds between flushes. Writing everything at the end makes the files reproducible."""

LAYOUT = {
    "Training": {
        "Loss": ["Multiline", ["train/loss", "validation/loss"]],
        "Accuracy": ["Multiline", ["train/accuracy", "validation/accuracy"]],
    }
}
"""Custom charts of the TensorBoard runs."""


@dataclass(frozen=True, slots=True)
class Span:
    """The wall times of a run's steps."""

    start: float
    seconds_per_step: float
    first: int = 0

    def at(self, step: int) -> float:
        """Unix seconds of a step, rounded to milliseconds, VisualDL's resolution."""
        return round(self.start + (step - self.first) * self.seconds_per_step, 3)


@click.command(short_help="Write demo logs.")
@click.argument("directory", type=click.Path(file_okay=False, path_type=Path))
def demo(directory: Path) -> None:
    """Write some small training runs in all three formats into DIRECTORY.

    Creates the directory if it is missing; otherwise it must be empty.
    """
    runs = write_demo(directory, now=time.time())
    click.echo(f"Wrote {runs} runs to {directory}. View them with:")
    click.echo(f"  mindviz start {shlex.quote(str(directory))}")


def write_demo(directory: Path, *, now: float, seed: int = 0) -> int:
    """Write the runs, of which the newest ends at `now` (Unix seconds); returns their number.

    Equal arguments give equal bytes. Raises StartError if the directory is not empty or not
    writable.
    """
    now = float(int(now))
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            raise StartError(f"{directory} is not empty: demo logs need an empty directory.")
        runs = list(_runs(now, seed))
        for run in runs:
            run.write(directory)
    except (OSError, RecordingFailed) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StartError(f"Cannot write demo logs to {directory}: {reason}.") from error
    return len({run.path for run in runs})


@dataclass(frozen=True, slots=True)
class _Run:
    """Some steps of a training, and the function that writes them into a folder."""

    path: str
    """Relative to the demo directory."""
    training: Training
    span: Span
    steps: range
    record: Callable[[Path, Training, Span, range], None]

    def write(self, directory: Path) -> None:
        """Write the log; its mtime is the wall time of the last value."""
        folder = directory / self.path
        before = set(folder.iterdir()) if folder.exists() else set()
        folder.mkdir(parents=True, exist_ok=True)
        self.record(folder, self.training, self.span, self.steps)
        end = self.span.at(self.steps.stop)
        for log in set(folder.iterdir()) - before:
            os.utime(log, (end, end))


def _runs(now: float, seed: int) -> Iterator[_Run]:
    hour = 3600.0
    for age, name, learning_rate in (
        (30, "resnet/lr_0.100", 0.1),
        (29, "resnet/lr_0.010", 0.01),
        (28, "resnet/lr_0.001", 0.001),
    ):
        seed += 1
        training = train(seed, learning_rate=learning_rate, noise=0.02 + learning_rate)
        span, steps = Span(now - age * hour, 1.7), range(training.steps)
        yield _Run(f"tensorboard/{name}", training, span, steps, _record_for_tensorboard)
    # Interrupted at step 1,300, resumed from the checkpoint of step 1,000.
    seed += 1
    path, record = "tensorboard/resnet/resumed", _record_for_tensorboard
    first, second = Span(now - 20 * hour, 2.4), Span(now - 18 * hour, 2.4, first=1000)
    yield _Run(path, train(seed, noise=0.08), first, range(1300), record)
    yield _Run(path, train(seed, noise=0.1), second, range(1000, 2000), record)
    seed += 1
    training = train(seed, learning_rate=0.3, noise=0.15, diverges_at=1100)
    span = Span(now - 9 * hour, 1.1)
    yield _Run("tensorboard/diverged", training, span, range(1500), _record_for_tensorboard)
    for age, name, learning_rate in ((6, "lenet_adam", 0.02), (5, "lenet_sgd", 0.005)):
        seed += 1
        training = train(seed, learning_rate=learning_rate)
        span, steps = Span(now - age * hour, 0.9), range(training.steps)
        yield _Run(f"mindspore/{name}", training, span, steps, _record_for_mindspore)
    for minutes, name, noise in ((90, "baseline", 0.06), (60, "augmented", 0.12)):
        seed += 1
        training = train(seed, noise=noise)
        span = Span(now - minutes * 60, minutes * 60 / training.steps)
        path, steps = f"visualdl/segmentation/{name}", range(training.steps)
        yield _Run(path, training, span, steps, _record_for_visualdl)


def _sampled(training: Training, step: int) -> bool:
    return (step + 1) % (training.steps // SAMPLES) == 0


def _scalars(training: Training, step: int) -> Iterator[tuple[str, float]]:
    for tag, curve in training.curves.items():
        yield tag, float(curve[step])
    if (step + 1) % training.evaluate_every == 0:
        for tag, curve in training.evaluations.items():
            yield tag, float(curve[step // training.evaluate_every])


def _settings(training: Training) -> dict[str, object]:
    rate = float(training.curves["train/learning_rate"].max())
    return {"learning_rate": rate, "optimizer": "sgd", "batch_size": 128, "seed": training.seed}


def _record_for_tensorboard(folder: Path, training: Training, span: Span, steps: range) -> None:
    now = span.start
    with SummaryWriter(folder, flush_secs=NEVER, clock=lambda: now) as writer:
        writer.add_custom_scalars(LAYOUT)
        for hparam in hparams(_settings(training), ["validation/accuracy"]):
            writer.file_writer.add_value(hparam)
        for step in steps:
            at = span.at(step)
            for tag, value in _scalars(training, step):
                writer.add_scalar(tag, value, step, at)
            if _sampled(training, step):
                for layer in ("conv1", "dense"):
                    weights = training.weights(layer, step)
                    writer.add_histogram(f"weights/{layer}", weights, step, 30, at)
                writer.add_image("drawn", training.image(step), step, at, "HWC")
                writer.add_tensor("confusion", training.confusion(step), step, at)
                writer.add_text("sample", training.note(step), step, at)
                writer.add_audio("chord", training.sound(step), step, 8000, at)
                writer.add_pr_curve("detector", *training.predictions(step), step, walltime=at)
                vertices, colors, faces = training.surface(step)
                writer.add_mesh("ball", vertices, colors, faces, None, step, at)
        now = span.at(steps[-1])
        vectors, names = training.features(steps[-1])
        writer.add_embedding(
            vectors, names, training.digits(), steps[-1], "digits", ["sample", "digit"]
        )


def _record_for_mindspore(folder: Path, training: Training, span: Span, steps: range) -> None:
    now = span.start
    with SummaryRecord(
        folder, raise_exception=True, flush_seconds=NEVER, clock=lambda: now
    ) as record:
        optimizer = folder.name.rpartition("_")[2].capitalize()
        rate = float(training.curves["train/learning_rate"].max())
        record.add_value("graph", "graph", demo_network.graph())
        record.add_value("dataset_graph", "dataset_graph", demo_network.DATASET)
        record.add_value("landscape", "landscape", demo_network.landscape(training))
        lineage = demo_network.train_lineage(training, optimizer, rate)
        record.add_value("train_lineage", "train_lineage", lineage)
        record.add_value("eval_lineage", "eval_lineage", demo_network.eval_lineage(training))
        for step in steps:
            now = span.at(step)
            for tag, value in _scalars(training, step):
                record.add_value("scalar", tag, value)
            if _sampled(training, step):
                record.add_value("histogram", "conv1.weight", training.weights("conv1", step))
                record.add_value("tensor", "conv1.weight", training.kernel(step))
                record.add_value("image", "input_data", training.image(step))
                vectors, names = training.features(step)
                points = Embedding(vectors, names, ("sample", "digit"))
                record.add_value("embedding", "features", points)
            record.record(step)
            if step == steps.start:
                record.flush()  # creates the file, whose name contains the time


def _record_for_visualdl(folder: Path, training: Training, span: Span, steps: range) -> None:
    """Uses the encoder directly, because the recorder does not write this format."""
    records = [visualdl.meta(span.start, folder.name)]
    for step in steps:
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
            counts, edges = np.histogram(training.weights("conv1", step), 30)
            records.append(visualdl.histogram(wall_time, step, "conv1.weight", edges, counts))
            picture = images.png(training.image(step))
            records.append(visualdl.image(wall_time, step, "drawn", picture))
    log = folder / f"vdlrecords.{int(span.start)}.log"
    log.write_bytes(frames(records, Framing.LENGTH_PREFIXED))
