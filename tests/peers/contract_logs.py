"""MindSpore logs below and above MindInsight's limits."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from mindviz.summary import Landscape, SummaryRecord
from mindviz.wire import encode_mindspore as encode
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests import landscape_logs, lineage_logs
from tests.written_logs import write

STARTED = 1_700_000_000
JOBS, TAGS, IMAGES, HISTOGRAMS, TENSORS, SCALARS = 999, 300, 10, 50, 20, 1000
"""What MindInsight keeps: jobs; tags per job; steps per tag."""
TENSOR_TAGS = 6
"""Of a job, that MindInsight keeps."""

Events = Iterable[tuple[int, Sequence[bytes]]]
"""(step, values)"""


def write_summary(directory: Path, events: Events, *, start: int = STARTED, cut: int = 0) -> Path:
    """A summary file, an event per second; the last `cut` bytes are missing."""
    payloads = [encode.version_event(start)]
    payloads += [encode.event(start + i, step, v) for i, (step, v) in enumerate(events)]
    content = frames(payloads, Framing.TFRECORD)
    return write(
        directory,
        f"events.out.events.summary.{start}.0.host_MS",
        content[: len(content) - cut],
    )


def record_with_our_recorder(directory: Path) -> None:
    """All kinds that MindInsight knows except graphs, by SummaryRecord."""
    random = np.random.default_rng(0)
    x = np.linspace(-1, 1, 5)
    landscape = Landscape(
        x=x,
        y=x,
        z=np.hypot(*np.meshgrid(x, x)),
        intervals=[1, 2, 3],
        path=(x[:3], x[:3], x[:3]),
        unit="epoch",
    )
    with SummaryRecord(directory) as record:
        record.add_value("train_lineage", None, {"optimizer": "Adam", "learning_rate": 0.1})
        record.add_value("eval_lineage", None, {"metric": {"accuracy": 0.75}})
        record.add_value("custom_lineage_data", None, {"team": "red", "size": 3})
        record.add_value("landscape", "landscape_[1, 3]", landscape)
        for step in range(5):
            record.add_value("scalar", "loss", [0.1, np.nan, np.inf, -np.inf, 1e-42][step])
            record.add_value("image", "input", random.random((9, 3, 4, 5)))
            record.add_value("histogram", "weights", random.normal(size=1000))
            record.add_value("tensor", "kernel", random.normal(size=(2, 3)).astype(np.float32))
            record.record(step)


# ---------------------------------------------------------------------------------------- values


def scalars(steps: Iterable[int]) -> Events:
    """A curve with everything in it that is no number, and one that is constant."""
    odd = {3: float("nan"), 5: float("inf"), 6: float("-inf"), 7: 1e-42, 8: 3.4e38}
    for step in steps:
        value = odd.get(step, float(np.float32(np.sin(step / 30))))
        yield step, [encode.scalar("loss", value), encode.scalar("学习率 lr", 0.1)]


def images(steps: Iterable[int]) -> Events:
    """Pictures of several formats and sizes."""
    for step in steps:
        kind, mode = [("PNG", "RGB"), ("JPEG", "RGB"), ("GIF", "L"), ("BMP", "RGB")][step % 4]
        width, height = 3 + step, 5
        out = io.BytesIO()
        Image.new(mode, (width, height), step).save(out, kind)
        yield (
            step,
            [
                encode.image("input", out.getvalue(), width, height),
                encode.image("broken", b"no image at all", width, height),
            ],
        )


def histograms(steps: Iterable[int]) -> Events:
    """Distributions that move, have one value, are empty or contain NaN and infinities."""
    for step in steps:
        random = np.random.default_rng(step)
        moving = random.normal(step / 10, 1 + step / 20, 400)
        counts, edges = np.histogram(moving, bins=1 + step % 40)
        yield (
            step,
            [
                encode.histogram("weights", edges, counts),
                encode.histogram("one value", [step - 0.5, step + 0.5], [7], extent=(step, step)),
                encode.histogram(
                    "few", [-1.0, 0.0, 0.5, 2.0], [step % 3, 0, 5], nan_count=step % 2
                ),
                encode.histogram("at times empty", [0, 1], [3 * (step % 2)]),
                encode.histogram("no buckets", [0], []),
                encode.histogram("infinite", [0, 1, 2], [1, 2], positive_infinity_count=3),
            ],
        )


def tensors(steps: Iterable[int]) -> Events:
    """Tensors of several ranks, as MindSpore writes them: all elements as float32."""
    odd = np.array([np.nan, np.inf, -np.inf, 1.0, -2.5], np.float32)
    for step in steps:
        random = np.random.default_rng(step)
        yield (
            step,
            [
                encode.tensor("cube", random.normal(size=(2, 3, 4)).astype(np.float32)),
                encode.tensor(
                    "matrix", (random.normal(size=(5, 7)) * 1.5**step).astype(np.float32)
                ),
                encode.tensor("vector", odd + np.float32(step)),
                encode.tensor("scalar", np.array(step, np.float32)),
                encode.tensor("integers", np.arange(6, dtype=np.int32).reshape(2, 3) + step),
                encode.tensor("nothing finite", np.full((2, 2), np.nan, np.float32)),
            ],
        )


def masks(steps: Iterable[int]) -> Events:
    """Tensors of booleans; MindSpore writes their elements as floats, too."""
    for step in steps:
        yield step, [encode.tensor("mask", np.array([[True, step % 2 == 0, False]]))]


def landscapes(directory: Path) -> None:
    """Two intervals and a result."""
    log = landscape_logs.log(
        landscape_logs.interval([1, 2, 3]),
        landscape_logs.interval([4, 5, 6], height=2.0),
        landscape_logs.final(),
    )
    write(directory, f"events.out.events.summary.{STARTED}.0.host_MS", log)


# ---------------------------------------------------------------------------------------- jobs


def write_below(base_dir: Path) -> None:
    """Write as many jobs as MindInsight loads by default, within the number of values it keeps."""
    write_summary(base_dir / "scalars", scalars(range(SCALARS)))
    write_summary(base_dir / "images", images(range(IMAGES)))
    write_summary(base_dir / "histograms", histograms(range(HISTOGRAMS)))
    write_summary(base_dir / "tensors", tensors(range(TENSORS)))
    write_summary(base_dir / "masks", masks(range(3)))
    many = [encode.scalar(f"tag {i}", i) for i in range(TAGS - 1)]
    write_summary(base_dir / "many tags", [(1, many), (2, many)])
    landscapes(base_dir / "landscapes")
    # A training that was stopped at step 60 and continued from step 40 in another file.
    write_summary(base_dir / "resumed", scalars(range(60)))
    write_summary(base_dir / "resumed", scalars(range(40, 80)), start=STARTED + 1000)
    write_summary(base_dir / "cut", scalars(range(60)), cut=7)
    write_summary(base_dir / "einundzwanzig Stück 训练", scalars(range(5)))
    (base_dir / "empty").mkdir()
    write(base_dir / "no log", "readme.txt", b"nothing to see")
    for number in range(3):
        write_lineage(base_dir / f"trained {number}", number)
    lineage_logs.write_mindspore_job(base_dir / "not finished", lineage_logs.dataset())
    spread_times(base_dir)


def spread_times(base_dir: Path, *, last_begun_first: bool = False) -> None:
    """Set modification times so that jobs are in another order than their names.

    The file of a job that was created last is the one written last or, with
    `last_begun_first`, the one written first: the case in which MindInsight and mindviz disagree
    about the last update.
    """
    directories = sorted(path for path in base_dir.iterdir() if path.is_dir())
    for number, directory in enumerate(directories):
        hours = number * 7 % len(directories)
        files = sorted(directory.iterdir(), reverse=last_begun_first)
        for seconds, path in enumerate(files):
            moment = STARTED + 3600 * hours + 10 * seconds
            os.utime(path, (moment, moment))


def write_lineage(directory: Path, number: int) -> None:
    """Lineage of a job in two files, of which the later one counts."""
    first = (lineage_logs.training(loss=9.0), lineage_logs.user_defined(seed=99, team="red"))
    lineage_logs.write_mindspore_job(directory, *first, start=STARTED)
    then = (
        lineage_logs.training(
            learning_rate=10.0 ** -(number % 4),
            loss=0.5 / (1 + number),
            batch_size=16 << number % 3,
            optimizer=("Adam", "SGD")[number % 2],
        ),
        lineage_logs.dataset(32 << number % 2),
        lineage_logs.user_defined(seed=number * number, rate=0.25 * number, team=f"team {number}"),
        lineage_logs.evaluation({"acc": 0.5 + 0.1 * (number % 5), "f1": 0.3 * (number % 7)}),
    )
    lineage_logs.write_mindspore_job(directory, *then, start=STARTED + 10)


def write_jobs(base_dir: Path, count: int) -> None:
    """So many small jobs, every second one with lineage."""
    for number in range(count):
        directory = base_dir / f"job {number:04}"
        write_summary(directory, scalars(range(2)), start=STARTED + number)
        if number % 2:
            write_lineage(directory, number)
        # A job with files written in different seconds has two candidates for its last update.
        for path in directory.iterdir():
            os.utime(path, (STARTED + number // 3, STARTED + number // 3))


def write_above(base_dir: Path) -> None:
    """More than MindInsight keeps: jobs, tags, and steps of each kind."""
    write_summary(base_dir / "scalars", scalars(range(2 * SCALARS)))
    write_summary(base_dir / "images", images(range(2 * IMAGES)))
    write_summary(base_dir / "histograms", histograms(range(2 * HISTOGRAMS)))
    write_summary(base_dir / "tensors", tensors(range(2 * TENSORS)))
    array = np.zeros(2, np.float32)
    several = [encode.tensor(f"tensor {i}", array) for i in range(2 * TENSOR_TAGS)]
    write_summary(base_dir / "tensor tags", [(1, several)])
    many = [encode.scalar(f"tag {i}", i) for i in range(2 * TAGS)]
    write_summary(base_dir / "many tags", [(1, many), (2, many)])
