"""Writes the logs in `restarts/` with the library itself: `python write_restarts.py LIBRARY DIR`.

LIBRARY is torch, tensorboardx, keras, mindspore, visualdl or mindviz; the interpreter must have it.
Each directory is one train job, written by more than one writer or by one whose steps go back. The
expected points are in `tests/restart_suite.py`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TAG = "val/acc"
STEPS = range(20)
AGAIN = 0.5
"""What the values of a second writer are larger by."""

Add = Callable[..., None]
"""(step, value) -> written; some writers also take a wall time."""
Open = Callable[..., Any]
"""(directory) -> a context manager around an `Add`."""


def write(add: Add, steps: Iterable[int], base: float = 0.0) -> None:
    """A value at each step."""
    for step in steps:
        add(step, base + step / 100)


def write_cases(root: Path, opened: Open) -> None:
    """The cases that every library can write."""

    def case(name: str, *second: int) -> None:
        with opened(root / name) as add:
            write(add, STEPS)
        next_second()
        with opened(root / name) as add:
            write(add, second, AGAIN)

    case("stray", 0)
    case("resumed", *range(15, 25))
    case("rerun", *range(5))
    with opened(root / "stray_in_file") as add:
        write(add, STEPS)
        add(0, AGAIN)
    with opened(root / "resumed_in_file") as add:
        write(add, STEPS)
        write(add, range(15, 25), AGAIN)
    with opened(root / "interleaved") as add:
        for epoch in range(3):
            write(add, range(10 * epoch, 10 * epoch + 10))
            write(add, range(2 * epoch, 2 * epoch + 2), AGAIN)
        write(add, range(30, 35))


def write_two_at_once(root: Path, opened: Open) -> None:
    """Two writers of one series, at work at the same time."""
    with opened(root / "two_at_once") as one:
        next_second()
        with opened(root / "two_at_once") as other:
            for step in STEPS:
                one(step, step / 100)
                other(step, AGAIN + step / 100)


def write_clock(root: Path, opened: Open) -> None:
    """A clock that is set back by an hour."""
    with opened(root / "clock_set_back") as add:
        for step in STEPS:
            add(step, step / 100, 1_000_000_000 + step - 3600 * (step >= 10))


def next_second() -> None:
    """Names of files have the time in seconds: those of two writers must differ."""
    time.sleep(1.1)


def write_torch(root: Path, writer: Any) -> None:
    """Of torch, tensorboardX and our SummaryWriter, which have the same methods."""

    @contextmanager
    def opened(directory: Path, **more: Any) -> Iterator[Add]:
        with writer(str(directory), **more) as events:
            yield lambda step, value, time=None: events.add_scalar(TAG, value, step, time)

    write_cases(root, opened)
    write_two_at_once(root, opened)
    write_clock(root, opened)
    with opened(root / "declared") as add:
        write(add, STEPS)
    next_second()
    with opened(root / "declared", purge_step=15) as add:
        add(17, AGAIN)
    for name, at_its_end in (("hparams", False), ("hparams_within", True)):
        with writer(str(root / name)) as events:
            for step in STEPS:
                events.add_scalar(TAG, step / 100, step)
            next_second()
            events.add_hparams({"lr": 0.1}, {TAG: AGAIN}, **{name_of_run(writer): "."})
            if at_its_end:
                next_second()
                events.add_scalar("test/acc", 0.9, 20)


def name_of_run(writer: Any) -> str:
    """What add_hparams calls the directory."""
    return "name" if writer.__module__.startswith("tensorboardX") else "run_name"


def write_keras(root: Path) -> None:
    """TensorFlow's writer, which Keras's callback uses, and the callback."""
    import keras
    import numpy as np
    import tensorflow as tf
    from tensorboard.plugins.hparams import api as hp

    @contextmanager
    def opened(directory: Path) -> Iterator[Add]:
        events = tf.summary.create_file_writer(str(directory))

        def add(step: int, value: float) -> None:
            with events.as_default():
                tf.summary.scalar(TAG, value, step)

        yield add
        events.close()

    write_cases(root, opened)
    write_two_at_once(root, opened)
    with opened(root / "hparams") as add:
        write(add, STEPS)
    next_second()
    events = tf.summary.create_file_writer(str(root / "hparams"))
    with events.as_default():
        hp.hparams_config([hp.HParam("lr")], [hp.Metric(TAG)])
        hp.hparams({"lr": 0.1})
        tf.summary.scalar(TAG, AGAIN, 0)
    events.close()
    for _ in range(2):
        model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        callback = keras.callbacks.TensorBoard(str(root / "fitted_twice"), write_graph=False)
        given = np.zeros((4, 1))
        model.fit(given, given, epochs=3, verbose=0, callbacks=[callback])
        next_second()


def write_mindspore(root: Path) -> None:
    """MindSpore's SummaryRecord."""
    import mindspore
    import numpy as np

    @contextmanager
    def opened(directory: Path) -> Iterator[Add]:
        with mindspore.SummaryRecord(str(directory)) as record:

            def add(step: int, value: float) -> None:
                record.add_value("scalar", TAG, mindspore.Tensor(np.float32(value)))
                record.record(step)

            yield add

    write_cases(root, opened)


def write_mindviz(root: Path) -> None:
    """Our recorder, and our SummaryWriter below `events`."""
    from mindviz.summary import SummaryRecord
    from mindviz.summary.torch import SummaryWriter

    @contextmanager
    def opened(directory: Path) -> Iterator[Add]:
        with SummaryRecord(str(directory)) as record:

            def add(step: int, value: float) -> None:
                record.add_value("scalar", TAG, value)
                record.record(step)

            yield add

    write_cases(root, opened)
    write_two_at_once(root, opened)
    write_torch(root / "events", SummaryWriter)


def write_visualdl(root: Path) -> None:
    """VisualDL's LogWriter, which can also reopen a file."""
    from visualdl import LogWriter

    @contextmanager
    def opened(directory: Path, **more: Any) -> Iterator[Add]:
        with LogWriter(logdir=str(directory), **more) as log:
            yield lambda step, value, time=None: log.add_scalar(TAG, value, step, time)

    write_cases(root, opened)
    write_two_at_once(root, opened)
    write_clock(root, opened)
    for name, second in (("reopened", range(15, 25)), ("reopened_stray", range(1))):
        for steps, base in ((STEPS, 0.0), (second, AGAIN)):
            with opened(root / name, file_name="vdlrecords.1700000000.log") as add:
                write(add, steps, base)
            next_second()


def main(library: str, root: Path) -> None:
    """Write all logs of one library."""
    if library == "torch":
        from torch.utils.tensorboard import SummaryWriter

        write_torch(root, SummaryWriter)
    elif library == "tensorboardx":
        from tensorboardX import SummaryWriter as OtherWriter

        write_torch(root, OtherWriter)
    else:
        globals()[f"write_{library}"](root)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
