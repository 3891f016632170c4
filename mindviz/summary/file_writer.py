"""FileWriter: one recording in TensorBoard's format. Source: torch.utils.tensorboard.FileWriter."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from mindviz.config import training_rank
from mindviz.errors import InvalidValue
from mindviz.summary.values.protobuf_bytes import serialized
from mindviz.summary.writing.log_names import Log, LogNames, check_name_part, named
from mindviz.summary.writing.recorded_step import PooledValue, RecordedStep
from mindviz.summary.writing.recording import Recording, RecordingOptions, writable_directory

FLUSH_SECONDS = 2.0
"""Where torch waits for two minutes: whoever is killed loses no more than this."""

SAME_MOMENT = 0.01
"""Seconds. Numbers of one step that are added within this time become one event, with one time."""


class FileWriter:
    """Writes events into a directory, beside the training.

    What comes after `close` goes into a further file, as with torch's class of this name.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        max_queue: int = 10,
        flush_secs: float = FLUSH_SECONDS,
        filename_suffix: str = "",
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Make the directory, if need be.

        `max_queue` is there for torch's users: what waits is bounded by its size in bytes.
        `clock`: the wall time of what is recorded without one. Raises RecordingFailed for a
        directory that cannot be written.
        """
        del max_queue
        check_name_part("filename_suffix", filename_suffix)
        self._options = RecordingOptions(flush_seconds=flush_secs, clock=clock)
        self._log_dir = os.fspath(log_dir)
        self._clock = clock
        self._names = partial(_names, writable_directory(log_dir), filename_suffix, clock)
        self._recording = Recording(self, self._names, self._options, Log.EVENTS)

    def get_logdir(self) -> str:
        """The directory, as it was given."""
        return self._log_dir

    # --------------------------------------------------------------------------- recording

    def add_scalar(
        self, tag: str, value: float, global_step: object = None, walltime: float | None = None
    ) -> None:
        """A number of a step."""
        if type(tag) is not str:
            named("scalar", tag)
        if self._recording.pool.closed:
            self.reopen()
        tolerance = SAME_MOMENT if walltime is None else 0.0
        self._recording.pool.submit_scalar(
            self._wall_time(walltime), _step(global_step), tag, value, tolerance
        )

    def add_value(
        self, value: PooledValue, global_step: object = None, walltime: float | None = None
    ) -> None:
        """Anything else of a step."""
        step = RecordedStep(self._wall_time(walltime), _step(global_step), {}, [value])
        if self._recording.pool.closed:
            self.reopen()
        self._recording.pool.submit(step)

    def add_summary(
        self, summary: object, global_step: object = None, walltime: float | None = None
    ) -> None:
        """A Summary of TensorBoard's, as a message or in bytes."""
        content = serialized(summary, "summary", "Summary")

        def encode(wall_time: float, step: int) -> bytes:
            return _encoder().summary_event(wall_time, step, content)  # type: ignore[no-any-return]

        value = PooledValue(Log.EVENTS, "summary", encode, len(content))
        self.add_value(value, global_step, walltime)

    def add_event(self, event: Any, step: object = None, walltime: float | None = None) -> None:
        """An Event of TensorBoard's; it is given the time and, if there is one, the step."""
        event.wall_time = self._wall_time(walltime)
        if step is not None:
            event.step = _step(step)
        content = serialized(event, "event", "Event")
        self.add_value(PooledValue(Log.EVENTS, "event", lambda *_: content, len(content)))

    def _wall_time(self, given: float | None) -> float:
        return self._clock() if given is None else float(given)

    # ----------------------------------------------------------------------------- its end

    def flush(self) -> None:
        """Return when all that was recorded is in the file."""
        self._recording.pool.flush()

    def close(self) -> None:
        """Write all that was recorded and end."""
        self._recording.close()

    def reopen(self) -> None:
        """Begin a further file, if this one is closed."""
        if self._recording.pool.closed:
            self._recording = Recording(self, self._names, self._options, Log.EVENTS)


def _names(directory: Path, suffix: str, clock: Callable[[], float]) -> LogNames:
    # A function of its own: a recording that held its owner would never be forgotten.
    seconds, host = int(clock()), platform.node()
    return LogNames(directory, "events", suffix, seconds, training_rank(), host)


def _step(given: Any) -> int:
    """A step as torch takes it: none is 0, a float or a tensor of one element its integer."""
    if type(given) is not int:
        try:
            given = 0 if given is None else int(given)
        except (TypeError, ValueError, OverflowError, RuntimeError) as error:  # the last: torch
            raise InvalidValue(f"The step is {given!r}: it must be an integer.") from error
    if not -(1 << 63) <= given < 1 << 63:
        raise InvalidValue(f"The step {given} does not fit into 64 bits.")
    step: int = given
    return step


def _encoder() -> Any:
    return import_module("mindviz.wire.encode_tensorboard")
