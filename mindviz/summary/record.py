"""SummaryRecord: what a training loop records with. Source: mindspore.SummaryRecord."""

from __future__ import annotations

import logging
import operator
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from mindviz.config import training_rank
from mindviz.errors import InvalidValue
from mindviz.summary import operators
from mindviz.summary.values import lineage, mindspore_values, networks, tensorboard_values
from mindviz.summary.values.arrays import number
from mindviz.summary.values.graphs import graph
from mindviz.summary.values.landscape import landscape
from mindviz.summary.writing.log_names import LogNames, check_name_part
from mindviz.summary.writing.recorded_step import PooledValue, RecordedStep
from mindviz.summary.writing.recording import Recording, RecordingOptions, writable_directory
from mindviz.summary.writing.write_pool import WhenFull

_LOGGER = logging.getLogger("mindviz.summary")

MAX_NAME = 10_000
"""Characters. Readers take a record for damaged whose tags are much longer."""

Mode = Literal["train", "eval"]
PluginFilter = Callable[[str], bool]


class SummaryRecord:
    """Records what happens during a training into a directory of logs.

    `add_value` collects, `record` takes what was collected as one step; neither waits for the disk.
    The first eight parameters are MindSpore's, by name, order and meaning. Files are made when
    there is something to write: `<prefix>.out.events.summary.<seconds>.<rank>.<host><suffix>` in
    MindSpore's format, beside it one for lineage, and one in TensorBoard's format for the kinds
    that MindSpore's does not know. docs/recording.md says more.

    Use it in a `with` statement, or close it; at the end of the process what is open is closed.
    Several may be open at a time, each writes files of its own; so does a forked child.
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
        """Make the directory, if need be.

        `num_process`: at most so many threads encode images, histograms and tensors.
        `max_file_size`: bytes of each file; writing it ends there, with `rotate` a further file is
        begun. `raise_exception`: raise RecordingFailed from `record`, `flush` and `close` where
        otherwise an error is logged. `export_options`: `{"tensor_format": "npy"}` writes tensors
        as .npy files, too. `flush_seconds`: nothing waits longer for being written.
        `histogram_values`: store the whole array behind each histogram as a tensor of the same tag.
        `queue_size`, `when_full`: how many bytes of large values may wait; then `block` the
        training or `drop` the oldest of them. `rank`: which of several processes this is; if not
        given, what the launcher's variables say. `clock`: the wall time of what is recorded.

        Raises InvalidValue for options that make no sense, RecordingFailed for a directory that
        cannot be written.
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

        def names() -> LogNames:  # asked for once more by each forked child
            own_rank = training_rank() if rank is None else rank
            seconds, host = int(clock()), platform.node()
            return LogNames(directory, file_prefix, file_suffix, seconds, own_rank, host)

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

    # --------------------------------------------------------------------------- recording

    def add_value(self, plugin: str, name: str | None, value: object) -> None:
        """Collect a value for the next `record`. An array is copied; it may change afterwards.

        Without a name, or with one that its plugin has had in this step, the value goes by a
        generated one: `scalar_1`. Raises InvalidValue for an unknown plugin and for a value that
        the plugin cannot hold.
        """
        if plugin == "scalar":
            # The one that is called twenty times per step: nothing here that is not needed.
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
            raise InvalidValue(f"There is no plugin {plugin!r}; known are {known}.") from None
        with self._pool.lock:
            values = self._values.setdefault(plugin, {})
            name = _free_name(plugin, name, values)
            values[name] = []  # taken, though its value is copied without holding up others
        try:
            prepared = list(prepare(name, value))
        except InvalidValue:
            with self._pool.lock:
                values.pop(name, None)
            raise
        with self._pool.lock:
            # If another thread has recorded meanwhile, this belongs to the next step.
            values = self._values.setdefault(plugin, {})
            values[name] = [*values.get(name, ()), *prepared]

    def record(
        self, step: int, train_network: object = None, plugin_filter: PluginFilter | None = None
    ) -> bool:
        """Hand over what was collected, as values of a step.

        `plugin_filter(plugin)` says which plugins' values are recorded; the others' are dropped.
        `train_network` is where the graph comes from if the record's `network` has none. False if
        the record is closed, or writing does not work at the moment.
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
            collected = {plugin: of for plugin, of in collected.items() if plugin_filter(plugin)}
        values = [one for of in collected.values() for some in of.values() for one in some]
        works = self._pool.submit(RecordedStep(self._clock(), step, scalars, values))
        if self._raise_exception:
            self._raise_failure()
        if self._pool.closed:
            _LOGGER.error("The record is closed: step %d is not recorded.", step)
        return works

    def _add_graph(self, train_network: object) -> None:
        """Take the graph of the network, once it has been compiled."""
        compiled = networks.graph_of(self._network) or networks.graph_of(train_network)
        if compiled is not None:
            self._network = None
            self.add_value("graph", "graph", compiled)

    def set_mode(self, mode: Mode) -> None:
        """`train` or `eval`; during `eval` the summary operators record nothing."""
        if mode not in ("train", "eval"):
            raise InvalidValue(f"The mode {mode!r} is neither 'train' nor 'eval'.")
        self._mode = mode

    @property
    def mode(self) -> Mode:
        """As set last."""
        return self._mode

    @property
    def log_dir(self) -> str:
        """The path of the summary file (MindSpore's name for it)."""
        return str(self._pool.logs.path)

    # ----------------------------------------------------------------------------- its end

    def flush(self) -> None:
        """Return when all that was recorded is in the files."""
        if self._pool.closed:
            _LOGGER.error("The record is closed: there is nothing to flush.")
        self._pool.flush()
        if self._raise_exception:
            self._raise_failure()

    def close(self) -> None:
        """Write all that was recorded and end. What was added since the last `record` is gone."""
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
            raise InvalidValue("The record has been closed.")
        operators.activate(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _plugins(
    *, histogram_values: bool, export_to: Path | None
) -> Mapping[str, Callable[[str, Any], Iterator[PooledValue]]]:
    """Plugin -> what makes records of one of its values; scalars apart, which are no records."""
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
        raise InvalidValue(f"file_suffix {suffix!r} is that of files of another kind.")
    if rank is not None and not (isinstance(rank, int) and rank >= 0):
        raise InvalidValue(f"rank is {rank!r:.100}: it is the number of a process, or None.")
    if not isinstance(export_options, Mapping | None):
        raise InvalidValue(f"export_options is {export_options!r}: it is a mapping, or None.")
    for option, chosen in (export_options or {}).items():
        if option != "tensor_format" or chosen not in ("npy", None):
            raise InvalidValue(
                f"export_options has {option!r}: {chosen!r}; it may have 'tensor_format': 'npy'."
            )


def _free_name(plugin: str, name: object, taken: Mapping[str, object]) -> str:
    """The name, if it is one that nobody has; else a generated one."""
    if name is not None and not isinstance(name, str):
        raise InvalidValue(f"The name of a {plugin} is {name!r}: it must be a string.")
    if name and len(name) > MAX_NAME:
        raise InvalidValue(
            f"The name of a {plugin} has {len(name)} characters, over {MAX_NAME}: {name:.40}..."
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
        number_of_step = operator.index(step)
    except TypeError:
        raise InvalidValue(f"The step is {step!r}: it must be an integer.") from None
    if not -(1 << 63) <= number_of_step < 1 << 63:
        raise InvalidValue(f"The step {step} does not fit into 64 bits.")
    return number_of_step
