"""Exports the scalars and images of one MindSpore train job.

The output layout equals that of `mindinsight parse_summary`, for existing scripts. Unlike there,
all summary files of the job are read, not only the newest one.
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

from mindviz.cli.quantities import count_text
from mindviz.datavisual.logs.formats.mindspore import FORMAT
from mindviz.datavisual.logs.log_file import LogFile, OpenLogFile
from mindviz.errors import DamagedValue, StartError
from mindviz.export.output_formats.csv_file import inert_text
from mindviz.wire.crc32c import masked_crc32c
from mindviz.wire.framing import Framing, unpack_record

HEADER = ("tag", "step", "wall_time (unit: seconds)", "value")
SCALARS, IMAGES = "scalar.csv", "image"
"""Paths in the output directory."""
MAX_TAG_BYTES = 200
"""Of a tag in a file name; file systems allow 255 in total."""
READ_AHEAD = 1 << 18
"""Bytes."""

_HEAD = struct.Struct("<QI")


@dataclass(slots=True)
class SummaryDump:
    """The progress of an export."""

    scalars: int = 0
    images: int = 0
    bytes_read: int = 0
    problems: list[str] = field(default_factory=list)
    """A sentence per unreadable file or part of a file."""


def summary_files(directory: Path) -> list[Path]:
    """The job's summary files in the order of their creation. Raises StartError."""
    try:
        paths = sorted((path for path in directory.iterdir() if path.is_file()), reverse=True)
    except OSError as error:
        raise StartError(f"Cannot read {str(directory)!r}: {error.strerror}.") from None
    found = []
    for path in paths:
        kind = FORMAT.file_kind(path.name)
        if kind is not None and kind.name == "summary":
            found.append((FORMAT.creation_time(path.name) or 0.0, path))
    return [path for _, path in sorted(found, key=lambda item: item[0])]


def write_dump(files: Sequence[Path], output: Path, dump: SummaryDump) -> None:
    """Write the content of the files to `output`, a new folder that only its owner can read.

    Updates `dump`. Raises StartError.
    """
    try:
        (output / IMAGES).mkdir(mode=0o700, parents=True)
        output.chmod(0o700)
        descriptor = os.open(output / SCALARS, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as table:
            writer = csv.writer(table)
            writer.writerow(HEADER)
            for file in files:
                _dump_file(file, writer.writerow, output / IMAGES, dump)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StartError(f"Cannot write {str(error.filename or output)!r}: {reason}.") from None


def _dump_file(
    path: Path, write_row: Callable[[Sequence[Any]], object], images: Path, dump: SummaryDump
) -> None:
    from google.protobuf.message import DecodeError

    from mindviz.wire.proto.mindspore_pb2 import Event

    damaged = 0
    try:
        opened = LogFile(str(path)).opened()
    except OSError as error:
        dump.problems.append(f"Cannot read {path.name}: {error.strerror}.")
        return
    with opened as file:
        for record in _records(file, path.name, dump):
            dump.bytes_read += len(record)
            try:
                event = Event.FromString(unpack_record(Framing.TFRECORD, record))
            except (DamagedValue, DecodeError):
                damaged += 1
                continue
            # Formatted once per event, because formatting numbers dominates the run time.
            time = (str(event.step), repr(event.wall_time))
            for value in event.summary.value:
                _dump_value(time, value, write_row, images, dump)
    if damaged:
        dump.problems.append(f"{path.name}: skipped {count_text(damaged, 'damaged record')}.")


def _dump_value(
    time: tuple[str, str],
    value: Any,
    write_row: Callable[[Sequence[Any]], object],
    images: Path,
    dump: SummaryDump,
) -> None:
    kind = value.WhichOneof("value")
    if kind == "scalar_value":
        tag = inert_text(value.tag.decode("utf-8", "replace"))
        write_row((tag, *time, value.scalar_value))
        dump.scalars += 1
    elif kind == "image":
        path = images / f"{_file_name(value.tag.decode('utf-8', 'replace'))}_{time[0]}.png"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(value.image.encoded_image)
        dump.images += 1


def _file_name(tag: str) -> str:
    """The tag, quoted for a file name; a long one is shortened and gets a digest."""
    quoted = quote(tag, safe="")
    if len(quoted) <= MAX_TAG_BYTES:
        return quoted
    digest = blake2b(tag.encode(), digest_size=8).hexdigest()
    return f"{quoted[: MAX_TAG_BYTES - 17]}-{digest}"


def _records(file: OpenLogFile, name: str, dump: SummaryDump) -> Iterator[bytes]:
    """Each record with its framing, up to the first damaged length."""
    size, at, ahead = file.status.st_size, 0, 0
    while at < size:
        if at + _HEAD.size > ahead:
            # The small reads below are served from the file's buffer.
            ahead = at + len(file.read(at, READ_AHEAD))
        head = bytes(file.read(at, _HEAD.size))
        if len(head) < _HEAD.size:
            break
        length, crc = _HEAD.unpack(head)
        if crc != masked_crc32c(head[:8]):
            dump.problems.append(f"{name} is damaged at byte {at}; skipped the rest.")
            return
        record = bytes(file.read(at, length + 16)) if at + length + 16 <= size else b""
        if not record:
            break
        yield record
        at += len(record)
        if at > ahead:
            ahead = 0
    if at < size:
        dump.problems.append(f"{name} ends within a record; skipped the last {size - at} bytes.")
