"""ProjectorAssets: embeddings in files beside a job's logs, as TensorBoard's projector has them.

`projector_config.pbtxt` names for each embedding the files of its vectors, of what is known of its
points, and of a picture that holds one small image per point, row by row. An embedding `t:00010` is
step 10 of `t`. Nothing outside the base dir is read. Source: tensorboard/plugins/projector.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.data_transform.directories.discovery import ASSETS as CONFIG
from mindviz.datavisual.data_transform.directories.discovery import readable
from mindviz.datavisual.data_transform.findings import Finding, FindingKind
from mindviz.datavisual.data_transform.log_file import LogFile
from mindviz.datavisual.data_transform.time_series import (
    DataClass,
    Embedding,
    Value,
    ValueTimeSeries,
)
from mindviz.errors import DamagedValue

MAX_BYTES = 512 * 1024 * 1024
"""Of one file."""

_ESCAPE = r"""\\(?:[abfnrtv\\'"]|[0-3]?[0-7]{1,2}|x[0-9a-fA-F]{1,2})"""
_TOKEN = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*"
    rf'(?:([A-Za-z_]\w*)|([{{}}<>:,;\[\]])|"((?:[^"\\]|{_ESCAPE})*)"|(-?\d+))'
)
_STEP = re.compile(r":(\d{1,18})$")


@dataclass(frozen=True, slots=True)
class ProjectedFiles:
    """The files of one embedding, as a configuration names them."""

    tensor_name: str
    tensor_path: str
    metadata_path: str = ""
    sprite_path: str = ""
    shape: tuple[int, ...] = ()
    """Of vectors in a `.bytes` file."""
    sprite_size: tuple[int, int] = (0, 0)
    """Width and height of one image of the picture."""

    @property
    def tag(self) -> str:
        """The name without its step."""
        return _STEP.sub("", self.tensor_name)

    @property
    def step(self) -> int:
        """0 where the name has none."""
        found = _STEP.search(self.tensor_name)
        return int(found[1]) if found else 0


def read_configuration(text: str) -> list[ProjectedFiles]:
    """What a ProjectorConfig in protobuf's text form names; fields that don't matter are skipped.

    Raises DamagedValue.
    """
    found = []
    for name, fields in _message(_tokens(text)):
        if name != "embeddings" or isinstance(fields, str):
            continue
        texts = {key: value for key, value in fields if isinstance(value, str)}
        sprite = next((value for key, value in fields if key == "sprite"), ())
        sprite_fields = [] if isinstance(sprite, str) else list(sprite)
        dims = [int(v) for k, v in sprite_fields if k == "single_image_dim" and isinstance(v, str)]
        paths = [v for k, v in sprite_fields if k == "image_path" and isinstance(v, str)]
        found.append(
            ProjectedFiles(
                texts.get("tensor_name", ""),
                texts.get("tensor_path", ""),
                texts.get("metadata_path", ""),
                paths[0] if paths else "",
                tuple(int(v) for k, v in fields if k == "tensor_shape" and isinstance(v, str)),
                (dims[0], dims[1]) if len(dims) == 2 else (0, 0),
            )
        )
    return found


_Field = tuple[str, "str | Sequence[_Field]"]


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """(kind, text) of each token: `name`, `sign` or `value`."""
    from google.protobuf.text_encoding import CUnescape  # noqa: PLC0415 - few logs have one

    at, end = 0, len(text.rstrip())
    while at < end:
        token = _TOKEN.match(text, at)
        if token is None:
            raise DamagedValue(f"{CONFIG} cannot be read from character {at} on.")
        at = token.end()
        if token[1] is not None:
            yield "name", token[1]
        elif token[2] is not None:
            yield "sign", token[2]
        elif token[3] is not None:
            yield "value", CUnescape(token[3]).decode("utf-8", "replace")
        else:
            yield "value", token[4]


def _message(tokens: Iterator[tuple[str, str]], depth: int = 0) -> list[_Field]:
    """The fields up to the end of the message."""
    fields: list[_Field] = []
    name = ""
    for kind, text in tokens:
        if kind == "sign" and text in "}>":
            return fields
        if kind == "sign" and text in "{<":
            if depth > 4:
                raise DamagedValue(f"{CONFIG} is nested too deeply.")
            fields.append((name, _message(tokens, depth + 1)))
        elif kind == "value":
            fields.append((name, text))
        elif kind == "name":
            name = text
    return fields


class ProjectorAssets:
    """The embeddings beside the logs of one directory. Reads what is there when it is asked."""

    def __init__(
        self,
        directory: str,
        base_dir: Path,
        report: Callable[[Finding], None] | None = None,
        *,
        may_be_there: bool = True,
    ) -> None:
        """What turns out to be damaged is told to `report`."""
        self._may_be_there = may_be_there
        self._directory = directory
        self._base_dir = base_dir
        self._report = report

    def report(self, kind: FindingKind, detail: str) -> None:
        """Take note of what is wrong with a file."""
        if self._report is not None:
            path = os.path.relpath(f"{self._directory}/{CONFIG}", self._base_dir)
            self._report(Finding(kind, readable(path), None, detail, lost_records=1))

    def tags(self) -> list[str]:
        """Sorted; none without a configuration that can be read."""
        return sorted(self._by_tag())

    def files(self, tag: str) -> list[ProjectedFiles]:
        """Of an embedding, by step; none if there is none."""
        steps = self._by_tag().get(tag, {})
        return [steps[step] for step in sorted(steps)]

    def fingerprint(self) -> str:
        """Changes when any of the files does; empty if there is no configuration."""
        if not self._is_there():
            return ""
        names = {CONFIG}
        for tag in self.tags():
            for one in self.files(tag):
                names |= {one.tensor_path, one.metadata_path, one.sprite_path} - {""}
        states = [(name, self.size(name), self.time(name)) for name in sorted(names)]
        return f"{crc32(repr(states).encode('utf-8', 'replace')):08x}"

    def series(self, tag: str) -> ValueTimeSeries | None:
        """The embedding of every step; None if there is none."""
        files = self.files(tag)
        if not files:
            return None
        times = [self.time(one.tensor_path) for one in files]
        return ValueTimeSeries(
            data_class=DataClass.TENSOR,
            step=np.array([one.step for one in files], np.int64),
            wall_time=np.array(times, np.float64),
            read=lambda index: self.embedding(files[index]),
            epoch=f"{crc32(repr((files, times)).encode()):x}",
        )

    def with_sprites(self, tag: str, series: ValueTimeSeries) -> ValueTimeSeries:
        """A logged series, its values completed by the pictures that lie beside the log."""
        pictures = {
            step: one for step, one in self._by_tag().get(tag, {}).items() if one.sprite_path
        }
        if not pictures:
            return series

        def read(index: int) -> Value:
            value = series.read(index)
            files = pictures.get(int(series.step[index]))
            if files is None or not isinstance(value, Embedding):
                return value
            with self._reported():
                return self._with_sprite(value, files)

        return replace(series, read=read)

    def _is_there(self) -> bool:
        # Asked for every job of every listing: for most it has to cost next to nothing.
        return self._may_be_there and Path(self._directory, CONFIG).exists()

    def _by_tag(self) -> Mapping[str, dict[int, ProjectedFiles]]:
        found: dict[str, dict[int, ProjectedFiles]] = {}
        if not self._is_there():
            return found
        try:
            configuration = self._bytes(CONFIG).decode("utf-8", "replace")
            for one in read_configuration(configuration):
                if one.tensor_path:
                    found.setdefault(one.tag, {})[one.step] = one
                else:
                    self.report(
                        FindingKind.UNREADABLE,
                        f"Embedding {one.tensor_name[:100]!r} names no file of its own; what is "
                        "in checkpoints of TensorFlow is not read.",
                    )
        except (DamagedValue, ValueError) as error:
            self.report(FindingKind.BAD_VALUE, str(error))  # nothing of it can be shown
        return found

    def embedding(self, files: ProjectedFiles) -> Embedding:
        """What the files hold. Raises DamagedValue."""
        with self._reported():
            vectors = self._vectors(files)
            header, labels = (
                _labels(self._bytes(files.metadata_path)) if files.metadata_path else ((), ())
            )
            if len(labels) != len(vectors):
                header, labels = (), ()
            return self._with_sprite(Embedding(vectors, labels, header), files)

    def sprite(self, files: ProjectedFiles) -> Embedding:
        """The picture alone, without points. Raises DamagedValue."""
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
        content = self._bytes(files.tensor_path)
        try:
            vectors: NDArray[np.float32]
            if files.tensor_path.endswith(".bytes"):
                vectors = np.frombuffer(content, "<f4").reshape(files.shape or (-1, 1))
            else:
                vectors = np.loadtxt(
                    io.BytesIO(content), np.float32, comments=None, delimiter="\t", ndmin=2
                )
        except ValueError as error:
            raise DamagedValue(f"{files.tensor_path} cannot be read: {error}.") from error
        if vectors.ndim != 2:
            raise DamagedValue(
                f"{files.tensor_path} holds no points: its shape is {list(vectors.shape)}."
            )
        return vectors

    def _with_sprite(self, value: Embedding, files: ProjectedFiles) -> Embedding:
        if not files.sprite_path:
            return value
        picture = self._bytes(files.sprite_path)
        return replace(value, sprite=picture, sprite_size=files.sprite_size)

    def time(self, name: str) -> float:
        """Unix seconds of a file's last change; NaN if it cannot be had."""
        try:
            return self._path(name).stat().st_mtime
        except (OSError, DamagedValue):
            return float("nan")

    def size(self, name: str) -> int:
        """Bytes of a file; 0 if it cannot be had."""
        try:
            return self._path(name).stat().st_size
        except (OSError, DamagedValue):
            return 0

    def _path(self, name: str) -> Path:
        """Raises DamagedValue for what is not below the base dir."""
        try:
            path = Path(self._directory, name).resolve()
        except (OSError, ValueError, RuntimeError) as error:
            raise DamagedValue(f"{name!r} is no path: {error}.") from error
        if not path.is_relative_to(self._base_dir.resolve()):
            raise DamagedValue(f"{name!r} is not in the summary base dir, and not read.")
        return path

    def _bytes(self, name: str) -> bytes:
        path = self._path(name)
        try:
            with LogFile(str(path)).opened() as file:
                size = file.status.st_size
                if size > MAX_BYTES:
                    raise DamagedValue(f"{name} has {size} bytes, more than are read.")
                return bytes(file.read(0, size))
        except OSError as error:
            raise DamagedValue(f"{name} could not be read: {error.strerror}.") from error


def _labels(content: bytes) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Header and rows; a file of one column has no header."""
    lines = content.decode("utf-8", "replace").splitlines()
    rows = [tuple(line.split("\t")) for line in lines]
    if not rows or len(rows[0]) == 1:
        return ("label",) if rows else (), tuple(row[:1] for row in rows)
    width = len(rows[0])
    filled = [(*row, *("" for _ in range(width)))[:width] for row in rows]
    return filled[0], tuple(filled[1:])
