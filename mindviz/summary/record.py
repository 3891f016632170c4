"""SummaryRecord: the recorder that a training loop calls. Source: mindspore.SummaryRecord."""

from __future__ import annotations

import logging
import operator
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal, Self

from mindviz.config import training_rank
from mindviz.errors import InvalidValue
from mindviz.summary import operators
from mindviz.summary.values import lineage, mindspore_values, tensorboard_values
from mindviz.summary.values.arrays import number
from mindviz.summary.values.graphs import compiled_graph, graph
from mindviz.summary.values.landscape import landscape
from mindviz.summary.writing.log_names import LogNames, check_name_part
from mindviz.summary.writing.recorded_step import PooledValue, RecordedStep
from mindviz.summary.writing.recording import Recording, RecordingOptions, writable_directory
from mindviz.summary.writing.write_pool import WhenFull

_LOGGER = logging.getLogger("mindviz.summary")

MAX_NAME = 10_000
"""Characters. Readers treat a record with a much longer tag as damaged."""

Mode = Literal["train", "eval"]
PluginFilter = Callable[[str], bool]


class SummaryRecord:
    """Records the values of a training into a directory of logs.

    `add_value` collects a value; `record` stores the collected values as one step. Neither waits
    for the disk. The first eight parameters have MindSpore's names, order and meaning.

    Files are created with their first record:
    `<prefix>.out.events.summary.<seconds>.<rank>.<host><suffix>` in MindSpore's format, a second
    one for lineage, and one in TensorBoard's format for the kinds that MindSpore's lacks. See
    docs/recording.md.

    Use it in a `with` statement, or call `close`. Open records are closed at process exit. Several
    may be open at a time; each one, also in a forked child, writes separate files.
    """

    def __init__(  # noqa: PLR0917 - MindSpore's signature
        self,
        log_dir: str | os.PathLike[str],
        file_prefix: str = "events",
        file_suffix: str = "_MS",
        num_process: int = 32,
        network: object = None,
        max_file_size: int | None = None,
        raise_exception: bool = False,  # noqa: FBT001, FBT002 - as above
        export_options: Mapping[str, str | None] | None = None,
        *,
        flush_seconds: float = 2.0,
        rotate: bool = False,
        histogram_values: bool = False,
        queue_size: int = 256 << 20,
        when_full: WhenFull = "block",
        rank: int | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Create the directory if it is missing.

        `num_process`: maximum number of threads that encode images, histograms and tensors.
        `max_file_size`: maximum bytes of a file. Its log ends there, or, with `rotate`, continues
        in another file.
        `raise_exception`: `record`, `flush` and `close` raise RecordingFailed instead of logging.
        `export_options`: `{"tensor_format": "npy"}` also writes tensors as .npy files.
        `flush_seconds`: maximum delay before a record is written.
        `histogram_values`: also store each histogram's array, as a tensor of the same tag.
        `queue_size`, `when_full`: bytes of large values that may wait; beyond that, `block` the
        training or `drop` the oldest values.
        `rank`: this process's number in a distributed training; default: from the launcher's
        environment variables.
        `clock`: source of wall times.

        Raises InvalidValue for an invalid option, RecordingFailed if the directory is not writable.
        """
        _check_options(file_prefix, file_suffix, export_options, rank)
        options = RecordingOptions(
            num_process=num_process,
            flush_seconds=flush_seconds,
            queue_size=queue_size,
            when_full=when_full,
            max_file_size=max_file_size,
            rotate=rotate,
            clock=clock,
        )
        directory = writable_directory(log_dir)

        def names() -> LogNames:  # each forked child calls it again
            this_rank = training_rank() if rank is None else rank
            seconds, host = int(clock()), platform.node()
            return LogNames(directory, file_prefix, file_suffix, seconds, this_rank, host)

        self._recording = Recording(self, names, options)
        self._pool = self._recording.pool
        self._clock = clock
        self._network = network
        self._raise_exception = raise_exception
        self._mode: Mode = "train"
        self._scalars: dict[str, float] = {}
        self._values: dict[str, dict[str, list[PooledValue]]] = {}
        wants_npy = (export_options or {}).get("tensor_format") == "npy"
        export_to = directory / f"export_{int(clock())}" if wants_npy else None
        self._plugins = _plugins(histogram_values=histogram_values, export_to=export_to)
        operators.activate(self)

    def add_value(self, plugin: str, name: str | None, value: object) -> None:
        """Collect a value for the next `record`. Arrays are copied, so they may change afterwards.

        A missing name, or one that the plugin already has in this step, is replaced by a generated
        one such as `scalar_1`. Raises InvalidValue for an unknown plugin or an unsuitable value.
        """
        if plugin == "scalar":
            # Hot path: a training may record dozens of scalars per step.
            if type(value) is not float:
                value = number(value, f"scalar {name!r}")
            with self._pool.lock:
                scalars = self._scalars
                if type(name) is not str or not 0 < len(name) <= MAX_NAME or name in scalars:
                    name = _free_name(plugin, name, scalars)
                scalars[name] = value
            return
        try:
            prepare = self._plugins[plugin]
        except KeyError:
            known = ", ".join(["scalar", *self._plugins])
            raise InvalidValue(f"Unknown plugin {plugin!r}. Known plugins: {known}.") from None
        with self._pool.lock:
            values = self._values.setdefault(plugin, {})
            name = _free_name(plugin, name, values)
            values[name] = []  # reserves the name; the array is copied outside the lock
        try:
            prepared = list(prepare(name, value))
        except InvalidValue:
            with self._pool.lock:
                values.pop(name, None)
            raise
        with self._pool.lock:
            # If another thread has called `record` meanwhile, this belongs to the next step.
            values = self._values.setdefault(plugin, {})
            values[name] = [*values.get(name, ()), *prepared]

    def record(
        self, step: int, train_network: object = None, plugin_filter: PluginFilter | None = None
    ) -> bool:
        """Store the collected values as one step.

        `plugin_filter(plugin)` selects the plugins to record; values of others are dropped.
        `train_network` provides the graph if the record's `network` has none. Returns False if the
        record is closed or the latest write failed.
        """
        step = _step(step)
        if self._network is not None:
            self._add_graph(train_network)
        with self._pool.lock:
            scalars, self._scalars = self._scalars, {}
            collected, self._values = self._values, {}
        if plugin_filter is not None:
            if not plugin_filter("scalar"):
                scalars = {}
            collected = {name: tags for name, tags in collected.items() if plugin_filter(name)}
        values = [
            value for tags in collected.values() for prepared in tags.values() for value in prepared
        ]
        succeeded = self._pool.submit(RecordedStep(self._clock(), step, scalars, values))
        if self._raise_exception:
            self._raise_failure()
        if self._pool.closed:
            _LOGGER.error("The record is closed; step %d is not recorded.", step)
        return succeeded

    def _add_graph(self, train_network: object) -> None:
        """Collect the graph once the network is compiled."""
        compiled = compiled_graph(self._network) or compiled_graph(train_network)
        if compiled is not None:
            self._network = None
            self.add_value("graph", "graph", compiled)

    def set_mode(self, mode: Mode) -> None:
        """Set `train` or `eval`; in `eval` the summary operators record nothing."""
        if mode not in ("train", "eval"):
            raise InvalidValue(f"Invalid mode {mode!r}: use 'train' or 'eval'.")
        self._mode = mode

    @property
    def mode(self) -> Mode:
        """`train` or `eval`."""
        return self._mode

    @property
    def log_dir(self) -> str:
        """The path of the summary file (MindSpore's name for it)."""
        return str(self._pool.logs.path)

    def flush(self) -> None:
        """Return when everything recorded is in the files."""
        if self._pool.closed:
            _LOGGER.error("The record is closed; nothing to flush.")
        self._pool.flush()
        if self._raise_exception:
            self._raise_failure()

    def close(self) -> None:
        """Write everything recorded, and close. Values added since the last `record` are lost."""
        operators.deactivate(self)
        self._recording.close()
        if self._raise_exception:
            self._raise_failure()

    def _raise_failure(self) -> None:
        failure = self._pool.take_failure()
        if failure is not None:
            raise failure

    def __enter__(self) -> Self:
        if self._pool.closed:
            raise InvalidValue("The record is closed.")
        operators.activate(self)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _plugins(
    *, histogram_values: bool, export_to: Path | None
) -> Mapping[str, Callable[[str, Any], Iterator[PooledValue]]]:
    """Plugin -> function that prepares its values; scalars are stored without preparation."""
    return {
        "image": mindspore_values.image,
        "histogram": partial(mindspore_values.histogram, keep_values=histogram_values),
        "tensor": partial(mindspore_values.tensor, export_to=export_to),
        "graph": graph,
        "landscape": landscape,
        "train_lineage": lineage.train_lineage,
        "eval_lineage": lineage.eval_lineage,
        "dataset_graph": lineage.dataset_graph,
        "custom_lineage_data": lineage.custom_lineage_data,
        "text": tensorboard_values.text,
        "audio": tensorboard_values.audio,
        "pr_curve": tensorboard_values.pr_curve,
        "mesh": tensorboard_values.mesh,
        "embedding": tensorboard_values.embedding,
    }


def _check_options(
    prefix: object, suffix: object, export_options: Mapping[str, str | None] | None, rank: object
) -> None:
    check_name_part("file_prefix", prefix)
    check_name_part("file_suffix", suffix)
    if str(suffix).endswith(("_lineage", "_explain")):
        raise InvalidValue(f"file_suffix {suffix!r} is reserved for another kind of log.")
    if rank is not None and not (isinstance(rank, int) and rank >= 0):
        raise InvalidValue(f"rank is {rank!r:.100}: it must be an integer from 0, or None.")
    if not isinstance(export_options, Mapping | None):
        raise InvalidValue(f"export_options is {export_options!r}: it must be a mapping, or None.")
    for option, chosen in (export_options or {}).items():
        if option != "tensor_format" or chosen not in ("npy", None):
            raise InvalidValue(
                f"Invalid export_options {option!r}: {chosen!r}. Only 'tensor_format': 'npy' is "
                "supported."
            )


def _free_name(plugin: str, name: object, taken: Mapping[str, object]) -> str:
    """The name if it is free, else a generated one."""
    if name is not None and not isinstance(name, str):
        raise InvalidValue(f"The name of a {plugin} is {name!r}: it must be a string.")
    if name and len(name) > MAX_NAME:
        raise InvalidValue(
            f"The name of a {plugin} is too long ({len(name)} characters, limit {MAX_NAME}): "
            f"{name:.40}..."
        )
    if name and name not in taken:
        return str(name)
    count = 1
    while f"{plugin}_{count}" in taken:
        count += 1
    return f"{plugin}_{count}"


def _step(step: int) -> int:
    if type(step) is int and -(1 << 63) <= step < 1 << 63:
        return step
    try:
        integer = operator.index(step)
    except TypeError:
        raise InvalidValue(f"The step is {step!r}: it must be an integer.") from None
    if not -(1 << 63) <= integer < 1 << 63:
        raise InvalidValue(f"The step {step} does not fit into 64 bits.")
    return integer
