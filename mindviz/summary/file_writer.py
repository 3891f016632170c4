"""FileWriter: one recording in TensorBoard's format. Source: torch.utils.tensorboard.FileWriter."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from mindviz.config import training_rank
from mindviz.errors import InvalidValue
from mindviz.summary.values.protobuf_bytes import serialized
from mindviz.summary.writing.log_names import LogNames, check_name_part
from mindviz.summary.writing.recorded_step import Log, PooledValue, RecordedStep, describe
from mindviz.summary.writing.recording import Recording, RecordingOptions, writable_directory
from mindviz.wire.encode_tensorboard import summary_event

FLUSH_SECONDS = 2.0
"""Bounds what a killed process loses; torch's default is two minutes."""

MERGE_SECONDS = 0.01
"""Scalars of one step that are added within this time become one event, with one wall time."""


class FileWriter:
    """Writes events into a directory, in the background.

    Writing after `close` starts another file, as in torch's class of this name.
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
        """Create the directory if it is missing.

        `max_queue` is ignored: the queue is bounded in bytes. `clock`: default source of wall
        times. Raises RecordingFailed if the directory is not writable.
        """
        del max_queue
        check_name_part("filename_suffix", filename_suffix)
        self._options = RecordingOptions(flush_seconds=flush_secs, clock=clock)
        self._log_dir = os.fspath(log_dir)
        self._clock = clock
        self._names = partial(_names, writable_directory(log_dir), filename_suffix, clock)
        self._recording = Recording(self, self._names, self._options, Log.EVENTS)

    def get_logdir(self) -> str:
        """The directory, as given to the constructor."""
        return self._log_dir

    def add_scalar(
        self, tag: str, value: float, global_step: object = None, walltime: float | None = None
    ) -> None:
        """Record a number. Raises InvalidValue if the tag is not a string."""
        if type(tag) is not str:
            describe("scalar", tag)
        if self._recording.pool.closed:
            self.reopen()
        tolerance = MERGE_SECONDS if walltime is None else 0.0
        self._recording.pool.submit_scalar(
            self._wall_time(walltime), _step(global_step), tag, value, tolerance
        )

    def add_value(
        self, value: PooledValue, global_step: object = None, walltime: float | None = None
    ) -> None:
        """Record any other value."""
        step = RecordedStep(self._wall_time(walltime), _step(global_step), {}, [value])
        if self._recording.pool.closed:
            self.reopen()
        self._recording.pool.submit(step)

    def add_summary(
        self, summary: object, global_step: object = None, walltime: float | None = None
    ) -> None:
        """Record TensorBoard's Summary, as a message or serialized."""
        content = serialized(summary, "summary", "Summary")
        encode = partial(summary_event, summary=content)
        value = PooledValue(Log.EVENTS, "summary", encode, len(content))
        self.add_value(value, global_step, walltime)

    def add_event(self, event: Any, step: object = None, walltime: float | None = None) -> None:
        """Record TensorBoard's Event; sets its wall time, and its step if one is given."""
        event.wall_time = self._wall_time(walltime)
        if step is not None:
            event.step = _step(step)
        content = serialized(event, "event", "Event")
        self.add_value(PooledValue(Log.EVENTS, "event", lambda *_: content, len(content)))

    def _wall_time(self, given: float | None) -> float:
        return self._clock() if given is None else float(given)

    def flush(self) -> None:
        """Return when everything recorded is in the file."""
        self._recording.pool.flush()

    def close(self) -> None:
        """Write everything recorded, and close the file."""
        self._recording.close()

    def reopen(self) -> None:
        """Start another file if this one is closed."""
        if self._recording.pool.closed:
            self._recording = Recording(self, self._names, self._options, Log.EVENTS)


def _names(directory: Path, suffix: str, clock: Callable[[], float]) -> LogNames:
    # Not a method: a recording with a reference to its owner would never be garbage collected.
    seconds, host = int(clock()), platform.node()
    return LogNames(directory, "events", suffix, seconds, training_rank(), host)


def _step(given: Any) -> int:
    """A step by torch's rules: None is 0; floats and one-element tensors are truncated."""
    if type(given) is not int:
        try:
            given = 0 if given is None else int(given)
        except (TypeError, ValueError, OverflowError, RuntimeError) as error:
            # RuntimeError comes from torch, for tensors of several elements.
            raise InvalidValue(f"The step is {given!r}: it must be an integer.") from error
    if not -(1 << 63) <= given < 1 << 63:
        raise InvalidValue(f"The step {given} does not fit into 64 bits.")
    step: int = given
    return step
