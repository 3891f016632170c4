"""ProjectorAssets: embeddings in files next to the logs, as in TensorBoard's projector.

`projector_config.pbtxt` names for each embedding the files of its vectors, metadata and sprite (one
small image per point, row by row). An embedding `t:00010` is step 10 of `t`. Nothing outside the
base dir is read. Source: tensorboard/plugins/projector.
"""

from __future__ import annotations

import errno
import io
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.directories.discovery import readable
from mindviz.datavisual.logs.log_file import FileIdentity, LogFile, OpenLogFile
from mindviz.datavisual.logs.storage.file_system import log_file
from mindviz.datavisual.payloads.projector_config import CONFIG, ProjectedFiles, read_configuration
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.time_series import DataClass, Embedding, Value, ValueTimeSeries
from mindviz.deadline import begin_long_work
from mindviz.errors import DamagedValue
from mindviz.object_url import is_object_url

MAX_BYTES = 256 * 1024 * 1024
"""Of one file."""
MAX_CONFIG_BYTES = 1024 * 1024
MAX_EMBEDDINGS = 5_000
"""Steps of all embeddings of one configuration. A listing needs the times of all their files."""
MAX_LABEL_CELLS = 2_000_000
"""Points times columns. Each cell takes about 60 bytes."""
_SMALL_BYTES = 200_000
"""Of a file that is read within 20 ms."""
_CACHED_BYTES = 4 * MAX_CONFIG_BYTES


@dataclass(frozen=True, slots=True)
class _Configuration:
    embeddings: Mapping[str, Mapping[int, ProjectedFiles]]
    """By tag and step."""
    problems: Sequence[tuple[FindingKind, str]] = ()


_NOTHING = _Configuration({})


class _ConfigurationCache:
    """The most recent configurations, valid while their files don't change.

    Listings need those of all jobs each time.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[str, tuple[FileIdentity, _Configuration]] = OrderedDict()
        self._bytes = 0
        """Size of the files."""

    def get(self, file: LogFile) -> _Configuration:
        """Parse a file, unless it is cached. Raises OSError, DamagedValue."""
        path, identity = file.path, FileIdentity.of(file.status())
        with self._lock:
            known = self._known.get(path)
            if known is not None and known[0] == identity:
                self._known.move_to_end(path)
                return known[1]
        with file.opened() as opened:
            read = _configuration(opened)
        with self._lock:
            self._forget(path)
            self._known[path] = identity, read
            self._bytes += min(identity.size, MAX_CONFIG_BYTES)
            while self._bytes > _CACHED_BYTES:
                self._forget(next(iter(self._known)))
        return read

    def _forget(self, path: str) -> None:
        known = self._known.pop(path, None)
        if known is not None:
            self._bytes -= min(known[0].size, MAX_CONFIG_BYTES)


_CONFIGURATIONS = _ConfigurationCache()


def _configuration(file: OpenLogFile) -> _Configuration:
    by_tag: dict[str, dict[int, ProjectedFiles]] = {}
    problems: list[tuple[FindingKind, str]] = []
    try:
        content = _content(file, CONFIG, MAX_CONFIG_BYTES)
        named = read_configuration(str(content, "utf-8", "replace"))
    except DamagedValue as error:
        return _Configuration({}, ((FindingKind.BAD_VALUE, str(error)),))
    for files in named[:MAX_EMBEDDINGS]:
        if files.tensor_path:
            by_tag.setdefault(files.tag, {})[files.step] = files
        elif not problems:
            detail = (
                f"Embedding {files.tensor_name[:100]!r} has no tensor_path. TensorFlow checkpoints "
                "are not read."
            )
            problems.append((FindingKind.UNREADABLE, detail))
    if len(named) > MAX_EMBEDDINGS:
        detail = f"{CONFIG} names {len(named)} embeddings. The first {MAX_EMBEDDINGS} are read."
        problems.append((FindingKind.BAD_VALUE, detail))
    return _Configuration(by_tag, tuple(problems))


class ProjectorAssets:
    """The embeddings next to the logs of one directory, each file as of its first use."""

    def __init__(
        self,
        directory: str,
        base_dir: Path | str,
        report: Callable[[Finding], None] | None = None,
        *,
        may_be_there: bool = True,
    ) -> None:
        self._may_be_there = may_be_there
        self._directory = directory
        self._base_dir = base_dir
        self._report = report
        self._states: dict[str, os.stat_result | None] = {}
        """Of files already used: one may be named by thousands of embeddings."""

    def report(self, kind: FindingKind, detail: str) -> None:
        """Report a problem of a file."""
        if self._report is not None:
            path = f"{self._directory}/{CONFIG}"
            if not is_object_url(self._base_dir):
                path = os.path.relpath(path, self._base_dir)
            self._report(Finding(kind, readable(path), None, detail, lost_records=1))

    def tags(self) -> list[str]:
        """Sorted; empty without a readable configuration."""
        return sorted(self._by_tag())

    def files(self, tag: str) -> list[ProjectedFiles]:
        """Of an embedding, by step; empty if it is unknown."""
        steps = self._by_tag().get(tag, {})
        return [steps[step] for step in sorted(steps)]

    def fingerprint(self) -> str:
        """Changes when any of the files does; empty if there is no configuration."""
        if not self._may_be_there or self._state(CONFIG) is None:
            return ""
        names = {CONFIG}
        for tag in self.tags():
            for files in self.files(tag):
                names |= {files.tensor_path, files.metadata_path, files.sprite_path} - {""}
        states = [(name, self.size(name), self.time(name)) for name in sorted(names)]
        return f"{crc32(repr(states).encode('utf-8', 'replace')):08x}"

    def series(self, tag: str) -> ValueTimeSeries | None:
        """The embedding of every step; None if there is none."""
        files = self.files(tag)
        if not files:
            return None
        times = [self.time(step.tensor_path) for step in files]
        return ValueTimeSeries(
            data_class=DataClass.TENSOR,
            step=np.array([step.step for step in files], np.int64),
            wall_time=np.array(times, np.float64),
            read=lambda index: self.embedding(files[index]),
            epoch=f"{crc32(repr((files, times)).encode()):x}",
        )

    def with_sprites(self, tag: str, series: ValueTimeSeries) -> ValueTimeSeries:
        """A logged series whose values are completed by sprites next to the log."""
        with_sprite = {
            step: files for step, files in self._by_tag().get(tag, {}).items() if files.sprite_path
        }
        if not with_sprite:
            return series

        def read(index: int) -> Value:
            value = series.read(index)
            files = with_sprite.get(int(series.step[index]))
            if files is None or not isinstance(value, Embedding):
                return value
            with suppress(DamagedValue), self._reported():
                return self._with_sprite(value, files)
            return value

        return replace(series, read=read)

    def _by_tag(self) -> Mapping[str, Mapping[int, ProjectedFiles]]:
        configuration = self._configuration
        for kind, detail in configuration.problems:
            self.report(kind, detail)
        return configuration.embeddings

    @cached_property
    def _configuration(self) -> _Configuration:
        # Must be cheap, as a listing calls it for every job.
        if not self._may_be_there:
            return _NOTHING
        try:
            return _CONFIGURATIONS.get(self._file(CONFIG))
        except FileNotFoundError:
            return _NOTHING
        except (OSError, DamagedValue) as error:
            return _Configuration({}, ((FindingKind.BAD_VALUE, _reason(CONFIG, error)),))

    def embedding(self, files: ProjectedFiles) -> Embedding:
        """The files' content as a value, without unreadable labels or sprites, which are reported.

        Raises DamagedValue.
        """
        with self._reported():
            vectors = self._vectors(files)
        header: tuple[str, ...] = ()
        labels: tuple[tuple[str, ...], ...] = ()
        with suppress(DamagedValue), self._reported():
            header, labels = self._labels(files.metadata_path, len(vectors))
        value = Embedding(vectors, labels, header)
        with suppress(DamagedValue), self._reported():
            return self._with_sprite(value, files)
        return value

    def sprite(self, files: ProjectedFiles) -> Embedding:
        """The sprite alone, without points. Raises DamagedValue."""
        with self._reported():
            return self._with_sprite(Embedding(np.empty((0, 0), np.float32)), files)

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except DamagedValue as error:
            self.report(FindingKind.BAD_VALUE, str(error))
            raise

    def _vectors(self, files: ProjectedFiles) -> NDArray[np.float32]:
        content = self._content(files.tensor_path)
        try:
            vectors: NDArray[np.float32]
            if len(content) > _SMALL_BYTES:
                begin_long_work()
            if files.tensor_path.endswith(".bytes"):
                vectors = np.frombuffer(content, "<f4").reshape(files.shape or (-1, 1))
            elif not content or (content[0] in b"\r\n\t " and not bytes(content).strip()):
                vectors = np.empty((0, 0), np.float32)
            else:
                vectors = np.loadtxt(
                    io.BytesIO(content), np.float32, comments=None, delimiter="\t", ndmin=2
                )
        except (ValueError, OverflowError) as error:
            raise DamagedValue(f"{files.tensor_path} cannot be read: {error}.") from error
        if vectors.ndim != 2 or (len(vectors) and not vectors.size):
            raise DamagedValue(
                f"{files.tensor_path} holds no points: its shape is {list(vectors.shape)}."
            )
        return vectors

    def _labels(
        self, name: str, points: int
    ) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Header and rows; both empty unless there is a row for each point."""
        header, labels = _labels(self._content(name), points) if name else ((), ())
        return (header, labels) if len(labels) == points else ((), ())

    def _with_sprite(self, value: Embedding, files: ProjectedFiles) -> Embedding:
        if not files.sprite_path:
            return value
        picture = bytes(self._content(files.sprite_path))
        return replace(value, sprite=picture, sprite_size=files.sprite_size)

    def time(self, name: str) -> float:
        """Unix seconds of a file's last change; NaN if unknown."""
        state = self._state(name)
        return float("nan") if state is None else state.st_mtime

    def size(self, name: str) -> int:
        """Bytes of a file; 0 if unknown."""
        state = self._state(name)
        return 0 if state is None else state.st_size

    def _state(self, name: str) -> os.stat_result | None:
        if name not in self._states:
            try:
                self._states[name] = self._file(name).status()
            except (OSError, ValueError):
                self._states[name] = None
        return self._states[name]

    def _content(self, name: str) -> memoryview:
        try:
            with self._file(name).opened() as file:
                return _content(file, name, MAX_BYTES)
        except (OSError, ValueError) as error:
            raise DamagedValue(_reason(name, error)) from error

    def _file(self, name: str) -> LogFile:
        """A file next to the logs. Reading raises OSError for files outside the base dir."""
        return log_file(os.path.join(self._directory, name), self._boundary)

    @cached_property
    def _boundary(self) -> str:
        base_dir = self._base_dir
        return base_dir if is_object_url(base_dir) else os.path.realpath(base_dir)


def _reason(name: str, error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == errno.EXDEV:
        return f"{name!r} is outside the base dir and is not read."
    reason = error.strerror if isinstance(error, OSError) else error
    return f"{name!r} could not be read: {reason}."


def _content(file: OpenLogFile, name: str, limit: int) -> memoryview:
    """Raises OSError, and DamagedValue for a file of more than `limit` bytes."""
    size = file.status.st_size
    if size > limit:
        raise DamagedValue(f"{name!r} has {size} bytes. At most {limit} are read.")
    return file.read(0, size)


def _labels(
    content: memoryview, points: int
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Header and rows; a file of one column has no header. No rows if they can't be of `points`."""
    raw = bytes(content)
    width = raw.partition(b"\n")[0].count(b"\t") + 1
    if raw.count(b"\n") > points + 1 or points * width > MAX_LABEL_CELLS:
        return (), ()
    lines = [line.removesuffix("\r") for line in raw.decode("utf-8", "replace").split("\n")]
    if not lines[-1]:
        lines.pop()
    if width == 1:
        return ("label",) if lines else (), tuple((line.partition("\t")[0],) for line in lines)
    rows = [line.split("\t", width)[:width] for line in lines]
    filled = [(*row, *[""] * (width - len(row))) for row in rows]
    return filled[0], tuple(filled[1:])
