"""Recording: the files of one recorder, the pool that writes them, and when they are closed."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import TIMEOUT_MAX
from typing import get_args

from mindviz.errors import InvalidValue, RecordingFailed
from mindviz.summary.writing import process_hooks
from mindviz.summary.writing.log_names import LogNames
from mindviz.summary.writing.log_set import LogSet
from mindviz.summary.writing.recorded_step import Log
from mindviz.summary.writing.write_pool import WhenFull, WritePool
from mindviz.wire import encode_mindspore, encode_tensorboard


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingOptions:
    """Options of `SummaryRecord`, which documents them."""

    num_process: int = 32
    flush_seconds: float = 2.0
    queue_size: int = 256 << 20
    when_full: WhenFull = "block"
    max_file_size: int | None = None
    rotate: bool = False
    clock: Callable[[], float] = time.time

    def __post_init__(self) -> None:
        """Raises InvalidValue for an invalid option, which a thread would report too late."""
        requirements = {
            "num_process": (_is_positive(self.num_process), "a positive number"),
            "flush_seconds": (_is_timeout(self.flush_seconds), "a number of seconds from 0"),
            "queue_size": (_is_positive(self.queue_size), "a positive number of bytes"),
            "when_full": (self.when_full in get_args(WhenFull), "'block' or 'drop'"),
            "max_file_size": (
                isinstance(self.max_file_size, int | None),
                "a number of bytes, or None",
            ),
            "clock": (callable(self.clock), "a function"),
        }
        for name, (is_met, requirement) in requirements.items():
            if not is_met:
                value = getattr(self, name)
                raise InvalidValue(f"{name} is {value!r:.100}: it must be {requirement}.")


def _is_positive(value: object) -> bool:
    return isinstance(value, int) and value > 0


def _is_timeout(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value <= TIMEOUT_MAX  # False for NaN


class Recording:
    """Open until it is closed, its owner is garbage collected or the process exits."""

    def __init__(
        self,
        owner: object,
        names: Callable[[], LogNames],
        options: RecordingOptions,
        main: Log = Log.SUMMARY,
    ) -> None:
        """`main` is the log for scalars."""
        size = options.max_file_size
        open_logs = partial(
            LogSet,
            names,
            main,
            partial(_first_payload, options.clock),
            size if size and size > 0 else None,
            rotate=options.rotate,
        )
        encoder = encode_mindspore if main is Log.SUMMARY else encode_tensorboard
        self.pool = WritePool(
            open_logs,
            encoder.scalars_event,
            main,
            workers=min(options.num_process, max(1, (os.cpu_count() or 1) - 1)),
            flush_seconds=options.flush_seconds,
            queue_size=options.queue_size,
            when_full=options.when_full,
        )
        self.close = weakref.finalize(owner, WritePool.close, self.pool)
        """Write everything and close the files; repeated calls do nothing."""
        process_hooks.register(self.pool)


def writable_directory(log_dir: str | os.PathLike[str]) -> Path:
    """The directory, created if missing. Raises RecordingFailed.

    The path is absolute because a training may change the working directory.
    """
    directory = Path(os.path.abspath(log_dir))  # noqa: PTH100 - resolve() would follow links
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordingFailed(
            f"Cannot create the log directory {directory}: {error.strerror}."
        ) from error
    if not os.access(directory, os.W_OK | os.X_OK):
        raise RecordingFailed(f"The log directory {directory} is not writable.")
    return directory


def _first_payload(clock: Callable[[], float], log: Log) -> bytes | None:
    if log is Log.SUMMARY:
        return encode_mindspore.version_event(clock())
    if log is Log.EVENTS:
        return encode_tensorboard.version_event(clock())
    return None
