"""SummaryDump: the scalars and images of one MindSpore train job, written as files.

The layout is that of `mindinsight parse_summary`, whose users' scripts read it; but all summary
files of the job are read, not just the newest one.
"""

from __future__ import annotations

import csv
import os
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mindviz.datavisual.logs.formats.mindspore import FORMAT
from mindviz.datavisual.logs.log_file import LogFile, OpenLogFile
from mindviz.errors import DamagedValue, StartError
from mindviz.export.output_formats.csv_file import inert_text
from mindviz.wire.crc32c import masked_crc32c
from mindviz.wire.framing import Framing, unpack_record

HEADER = ("tag", "step", "wall_time (unit: seconds)", "value")
SCALARS, IMAGES = "scalar.csv", "image"
"""Below the output directory."""
LONGEST_NAME = 200
"""Bytes that a tag may take in a file's name; file systems end at 255."""

READ_AHEAD = 1 << 18
"""Bytes."""

_HEAD = struct.Struct("<QI")


@dataclass(slots=True)
class SummaryDump:
    """What was written so far."""

    scalars: int = 0
    images: int = 0
    bytes_read: int = 0
    problems: list[str] = field(default_factory=list)
    """What could not be read, a sentence per file."""


def summary_files(directory: Path) -> list[Path]:
    """The job's summary files in the order in which they were begun. Raises StartError."""
    try:
        paths = sorted((path for path in directory.iterdir() if path.is_file()), reverse=True)
    except OSError as error:
        raise StartError(f"{str(directory)!r} cannot be read: {error.strerror}.") from None
    found = []
    for path in paths:
        kind = FORMAT.file_kind(path.name)
        if kind is not None and kind.name == "summary":
            found.append((FORMAT.creation_time(path.name) or 0.0, path))
    return [path for _, path in sorted(found, key=lambda one: one[0])]


def write_dump(files: Sequence[Path], output: Path, dump: SummaryDump) -> None:
    """Write what is in the files below `output`, which must not exist; `dump` tells how far it is.

    Readable by its owner alone. Raises StartError.
    """
    try:
        (output / IMAGES).mkdir(mode=0o700, parents=True)
        output.chmod(0o700)
        descriptor = os.open(output / SCALARS, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as table:
            lines = csv.writer(table)
            lines.writerow(HEADER)
            for file in files:
                _dump_file(file, lines.writerow, output / IMAGES, dump)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StartError(
            f"{str(error.filename or output)!r} cannot be written: {reason}."
        ) from None


def _dump_file(
    path: Path, write_line: Callable[[Sequence[Any]], object], images: Path, dump: SummaryDump
) -> None:
    from google.protobuf.message import DecodeError

    from mindviz.wire.proto.mindspore_pb2 import Event

    damaged = 0
    try:
        opened = LogFile(str(path)).opened()
    except OSError as error:
        dump.problems.append(f"{path.name} cannot be read: {error.strerror}.")
        return
    with opened as file:
        for record in _records(file, path.name, dump):
            dump.bytes_read += len(record)
            try:
                event = Event.FromString(unpack_record(Framing.TFRECORD, record))
            except (DamagedValue, DecodeError):
                damaged += 1
                continue
            # Texts of numbers are most of the work: those of an event are made once.
            time = (str(event.step), repr(event.wall_time))
            for value in event.summary.value:
                _dump_value(time, value, write_line, images, dump)
    if damaged:
        left_out = "1 damaged record is" if damaged == 1 else f"{damaged} damaged records are"
        dump.problems.append(f"{path.name}: {left_out} left out.")


def _dump_value(
    time: tuple[str, str],
    value: Any,
    write_line: Callable[[Sequence[Any]], object],
    images: Path,
    dump: SummaryDump,
) -> None:
    kind = value.WhichOneof("value")
    if kind == "scalar_value":
        tag = inert_text(value.tag.decode("utf-8", "replace"))
        write_line((tag, *time, value.scalar_value))
        dump.scalars += 1
    elif kind == "image":
        path = images / f"{_file_name(value.tag.decode('utf-8', 'replace'))}_{time[0]}.png"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(value.image.encoded_image)
        dump.images += 1


def _file_name(tag: str) -> str:
    """The tag as it can stand in a file's name; shortened where it is too long for one."""
    quoted = quote(tag, safe="")
    if len(quoted) <= LONGEST_NAME:
        return quoted
    digest = blake2b(tag.encode(), digest_size=8).hexdigest()
    return f"{quoted[: LONGEST_NAME - 17]}-{digest}"


def _records(file: OpenLogFile, name: str, dump: SummaryDump) -> Iterator[bytes]:
    """Each record with its framing, as long as it can be told where the next one begins."""
    size, at, ahead = file.status.st_size, 0, 0
    while at < size:
        if at + _HEAD.size > ahead:
            # Small reads within this one are served from its buffer.
            ahead = at + len(file.read(at, READ_AHEAD))
        head = bytes(file.read(at, _HEAD.size))
        if len(head) < _HEAD.size:
            break
        length, crc = _HEAD.unpack(head)
        if crc != masked_crc32c(head[:8]):
            dump.problems.append(f"{name} is damaged at byte {at}; what follows is left out.")
            return
        record = bytes(file.read(at, length + 16)) if at + length + 16 <= size else b""
        if not record:
            break
        yield record
        at += len(record)
        if at > ahead:
            ahead = 0
    if at < size:
        dump.problems.append(
            f"{name} ends within a record; its last {size - at} bytes are left out."
        )
