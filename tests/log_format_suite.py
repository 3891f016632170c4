"""Requirements of every log format: subclass `LogFormatSuite`.

A subclass names the format, some file names and its golden logs, and writes points. The suite tests
both scanners: logs are read in one piece or in many; a truncated log or a flipped bit loses no more
than necessary; golden logs are read as protobuf's own classes read them, and decode.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NamedTuple, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.datavisual.logs.formats import HEAD_SIZE, FileKind, LogFormat
from mindviz.datavisual.logs.scanner.scan import (
    Scanner,
    ScannerName,
    make_scanner,
    scanner_name,
)
from mindviz.datavisual.logs.wire_schema import SCALAR_KIND, WireSchema
from mindviz.datavisual.series.columns import Batch, ScanResult, SeriesHead
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.time_series import (
    Audio,
    ChartLayout,
    Embedding,
    Histogram,
    Image,
    LoggedGraph,
    Tensor,
)
from mindviz.errors import DamagedValue
from mindviz.wire.framing import Framing
from tests.golden.write_golden import WRITTEN
from tests.strategies import any_bytes_near, chunkings, steps, tags, values

T = TypeVar("T")
GOLDEN = Path(__file__).parent / "golden"
SAMPLES = Path(__file__).parents[2] / "shared" / "samples"
"""Logs of many writers, outside of the repository because of their size; optional."""


class Point(NamedTuple):
    """One scalar."""

    tag: bytes
    step: int
    wall_time: float
    value: float


Key = tuple[str, bytes]
"""Kind and tag."""
Row = tuple[int, float, float | bytes]
"""Step, wall time, and a scalar or the value's bytes."""


@dataclass
class Reading:
    """Everything that a scanner found in a log."""

    rows: dict[Key, list[Row]] = field(default_factory=dict)
    metadata: dict[Key, bytes] = field(default_factory=dict)
    heads: list[SeriesHead] = field(default_factory=list)
    findings: Sequence[FindingKind] = ()
    stopped: FindingKind | None = None

    def add(self, schema: WireSchema, result: ScanResult, data: bytes) -> None:
        self.heads += result.new_series
        for batch in result.batches:
            for series, rows in batch_rows(batch, data):
                self.rows.setdefault(self._key(schema, series), []).extend(rows)
        for series, content in result.metadata.items():
            self.metadata.setdefault(self._key(schema, series), content)

    def _key(self, schema: WireSchema, series: int) -> Key:
        head = self.heads[series]
        return schema.kinds[head.kind], head.tag


def batch_rows(batch: Batch, data: bytes) -> Iterable[tuple[int, list[Row]]]:
    """(series, rows) of a batch."""
    scalars = batch.scalars
    for i, series in enumerate(scalars.series.tolist()):
        count = int(scalars.count[i])
        pool = scalars.values64 if scalars.wide[i] else scalars.values32
        rows: list[Row] = list(
            zip(
                scalars.steps[scalars.step_start[i] :][:count].tolist(),
                scalars.wall_times[scalars.wall_start[i] :][:count].tolist(),
                pool[scalars.value_start[i] :][:count].tolist(),
                strict=True,
            )
        )
        yield series, rows
    blobs = batch.values.expanded
    for j, series in enumerate(blobs.series.tolist()):
        start, length = int(blobs.value_offset[j]), int(blobs.value_length[j])
        assert blobs.record_offset[j] < start
        assert start + length <= blobs.record_offset[j] + blobs.record_length[j]
        row = (int(blobs.step[j]), float(blobs.wall_time[j]), data[start : start + length])
        yield series, [row]


def feed(scanner: Scanner, data: bytes) -> None:
    """Feed a scanner with all it requests of a file with `data`."""
    more = True
    while more:
        offset, size = scanner.wanted
        more = scanner.feed(data[offset : offset + size], offset, len(data))


def read(
    schema: WireSchema, data: bytes, scanner: ScannerName, sizes: Sequence[int] | None = None
) -> Reading:
    """Scan a log that grows to each of the `sizes`; by default at once."""
    scanning = make_scanner(schema, "log", scanner=scanner)
    reading = Reading()
    for size in sizes or [len(data)]:
        feed(scanning, data[:size])
        reading.add(schema, scanning.take(), data)
    reading.findings = [finding.kind for finding in scanning.findings]
    reading.stopped = scanning.stopped.kind if scanning.stopped else None
    return reading


def scanners() -> tuple[ScannerName, ...]:
    """Those that exist."""
    return tuple(dict.fromkeys((scanner_name(), "python")))


def same(a: Row, b: Row) -> bool:
    """Whether two rows are equal; NaN equals NaN."""
    return all(x == y or (is_nan(x) and is_nan(y)) for x, y in zip(a, b, strict=True))


def is_nan(value: float | bytes) -> bool:
    """Whether it is NaN."""
    return isinstance(value, float) and math.isnan(value)


def begins_with(whole: list[Row], part: list[Row]) -> bool:
    """Whether `whole` begins with `part`."""
    return len(part) <= len(whole) and all(map(same, whole, part))


def is_among(part: list[Row], whole: list[Row]) -> bool:
    """Whether `part` is `whole` without some rows."""
    rest = iter(whole)
    return all(any(same(row, other) for other in rest) for row in part)


def points() -> st.SearchStrategy[Point]:
    """Scalars that every format can store: times are multiples of 1/8 s."""
    times = st.integers(8 * 1_700_000_000, 8 * 1_800_000_000).map(lambda eighths: eighths / 8)
    return st.builds(Point, tags(), steps(), times, values())


# Hypothesis warns about a property in several subclasses, which is intended here.
for_every_format = settings(suppress_health_check=[HealthCheck.differing_executors])


class LogFormatSuite(ABC):
    """Subclass it in the format's test module."""

    log_format: ClassVar[LogFormat]
    file_kinds: ClassVar[Mapping[str, str | None]]
    """File names -> kind of file."""
    golden: ClassVar[Sequence[str]]
    """Its summary logs, below `tests/golden`."""

    @abstractmethod
    def write(self, points: Sequence[Point]) -> bytes:
        """A log with these points, written with the format's own encoder."""

    @abstractmethod
    def read_by_generated_classes(self, payload: bytes) -> Iterable[tuple[Key, Row]]:
        """The contents of a record, read with generated classes; values as bytes."""

    @pytest.fixture(params=["native", "python"])
    def scanner(self, request: pytest.FixtureRequest) -> ScannerName:
        if request.param not in scanners():
            pytest.skip("the native scanner was not built")
        name: ScannerName = request.param
        return name

    @property
    def schema(self) -> WireSchema:
        schema = self.summary_kind().schema
        assert schema is not None
        return schema

    def summary_kind(self) -> FileKind:
        name = next(name for name, kind in self.file_kinds.items() if kind == "summary")
        kind = self.log_format.file_kind(name)
        assert kind is not None
        return kind

    def a_log(self) -> tuple[bytes, Reading]:
        """A short log and its contents."""
        data = self.write(
            [Point(tag, step, 1.7e9 + step, step / 4) for step in range(3) for tag in (b"a", b"b")]
        )
        return data, read(self.schema, data, "python")

    # ------------------------------------------------------------------------ names

    def test_files_are_recognized_by_their_names(self) -> None:
        for name, kind in self.file_kinds.items():
            found = self.log_format.file_kind(name)
            assert (found.name if found else None) == kind, name

    # ------------------------------------------------------------------------ reading

    @for_every_format
    @given(written=st.lists(points(), max_size=12))
    def test_points_are_read_as_they_were_written(self, written: list[Point]) -> None:
        expected: dict[Key, list[Row]] = {}
        for point in written:
            expected.setdefault((SCALAR_KIND, point.tag), []).append(point[1:])
        for scanner in scanners():
            reading = read(self.schema, self.write(written), scanner)
            assert set(reading.rows) == set(expected)
            for key, rows in expected.items():
                assert len(reading.rows[key]) == len(rows)
                assert begins_with(rows, reading.rows[key])
            assert reading.stopped is None
            assert not reading.findings

    @for_every_format
    @given(written=st.lists(points(), max_size=8), data=st.data())
    def test_a_growing_log_is_read_like_a_complete_one(
        self, written: list[Point], data: st.DataObject
    ) -> None:
        log = self.write(written)
        sizes = data.draw(chunkings(len(log)))
        for scanner in scanners():
            whole, grown = read(self.schema, log, scanner), read(self.schema, log, scanner, sizes)
            assert grown.stopped is None
            assert grown.rows.keys() == whole.rows.keys()
            for key, rows in whole.rows.items():
                assert len(grown.rows[key]) == len(rows)
                assert begins_with(rows, grown.rows[key])

    def test_a_log_may_be_cut_off_anywhere(self, scanner: ScannerName) -> None:
        log, whole = self.a_log()
        for size in range(len(log)):
            reading = read(self.schema, log[:size], scanner)
            assert reading.stopped in (None, FindingKind.TRUNCATED), size
            assert not reading.findings, size
            for key, rows in reading.rows.items():
                assert begins_with(whole.rows[key], rows), size

    def test_a_flipped_bit_is_never_read_as_a_point(self, scanner: ScannerName) -> None:
        log, whole = self.a_log()
        for place in range(len(log)):
            damaged = bytearray(log)
            damaged[place] ^= 1 << place % 8
            reading = read(self.schema, bytes(damaged), scanner)
            if self.schema.framing is not Framing.TFRECORD:
                continue  # without checksums, some flipped bits go unnoticed
            assert reading.findings or reading.stopped, place
            for key, rows in reading.rows.items():
                assert is_among(rows, whole.rows.get(key, [])), place

    # ------------------------------------------------------------------------ golden logs

    def test_golden_logs_are_read_as_generated_classes_read_them(
        self, scanner: ScannerName
    ) -> None:
        for path in self.golden:
            log = (GOLDEN / path).read_bytes()
            expected: dict[Key, list[Row]] = {}
            for payload in payloads(log, self.schema.framing):
                for key, row in self.read_by_generated_classes(payload):
                    expected.setdefault(key, []).append(row)
            reading = read(self.schema, log, scanner)
            assert reading.rows.keys() == expected.keys(), path
            for key, rows in expected.items():
                assert len(reading.rows[key]) == len(rows), (path, key)
                assert begins_with(rows, reading.rows[key]), (path, key)

    def test_golden_logs_equal_the_encoders_output(self) -> None:
        written = [path for path in self.golden if path.startswith("written/")]
        assert written
        for path in written:
            assert WRITTEN[path.removeprefix("written/")]() == (GOLDEN / path).read_bytes(), path

    @pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs the folder of sample logs")
    def test_sample_logs_are_read_as_generated_classes_read_them(self) -> None:
        logs = [path for path in sorted(SAMPLES.rglob("*")) if self.is_summary(path)]
        assert logs
        for path in logs:
            log = path.read_bytes()
            expected: dict[Key, list[Row]] = {}
            for payload in payloads(log, self.schema.framing):
                for key, row in self.read_by_generated_classes(payload):
                    expected.setdefault(key, []).append(row)
            reading = read(self.schema, log, scanner_name())
            assert reading.rows.keys() == expected.keys(), path
            for (kind, tag), rows in expected.items():
                assert len(reading.rows[kind, tag]) == len(rows), (path, tag)
                assert begins_with(rows, reading.rows[kind, tag]), (path, tag)
                metadata = reading.metadata.get((kind, tag), b"")
                for row in rows:
                    if isinstance(row[2], bytes):
                        self.log_format.decode(kind, metadata, row[2])

    def is_summary(self, path: Path) -> bool:
        kind = self.log_format.file_kind(path.name)
        return path.is_file() and kind is not None and kind.name == "summary"

    def golden_values(self) -> Iterable[tuple[str, str, bytes, bytes]]:
        """(plugin name, kind, metadata, value) of every value in the golden logs."""
        for path in self.golden:
            reading = read(self.schema, (GOLDEN / path).read_bytes(), "python")
            for (kind, tag), rows in reading.rows.items():
                metadata = reading.metadata.get((kind, tag), b"")
                name = tag.decode("utf-8", "replace")
                series = self.log_format.classify(kind, name, metadata, path)
                assert series is not None
                for row in rows:
                    if isinstance(row[2], bytes):
                        yield series.plugin_name, kind, metadata, row[2]

    def test_golden_values_decode(self) -> None:
        for plugin_name, kind, metadata, value in self.golden_values():
            decoded = self.log_format.decode(kind, metadata, value)
            assert isinstance(decoded, KINDS.get(plugin_name, (bytes, Tensor))), (plugin_name, kind)
            if isinstance(decoded, Image):
                assert self.log_format.image_size is not None
                size = self.log_format.image_size(kind, value[:HEAD_SIZE])
                assert size == (decoded.width, decoded.height, len(decoded.encoded))

    @for_every_format
    @given(data=st.data())
    def test_a_value_decodes_or_is_damaged(self, data: st.DataObject) -> None:
        kinds = sorted({(kind, metadata) for _, kind, metadata, _ in self.golden_values()})
        examples = [
            value
            for name, _, _, value in self.golden_values()
            if name in KINDS and len(value) < 3000
        ]
        kind, metadata = data.draw(st.sampled_from(kinds))
        value = data.draw(any_bytes_near(st.sampled_from(examples)))
        decoded = decoded_or_damaged(lambda: self.log_format.decode(kind, metadata, value))
        assert decoded is None or isinstance(decoded, (bytes, *KINDS.values()))
        assert self.log_format.image_size is not None
        read_size = self.log_format.image_size
        size = decoded_or_damaged(lambda: read_size(kind, value[:HEAD_SIZE]))
        assert size is None or min(size) >= 0


def decoded_or_damaged(decode: Callable[[], T]) -> T | None:
    """The decoded value; None if that raises DamagedValue. Other errors fail."""
    try:
        return decode()
    except DamagedValue as error:
        message = str(error)
    assert message.endswith(".")
    return None


KINDS: Mapping[str, type] = {
    "image": Image,
    "histogram": Histogram,
    "tensor": Tensor,
    "graph": LoggedGraph,
    "run_metadata": LoggedGraph,
    "audio": Audio,
    "embedding": Embedding,
    **dict.fromkeys(("text", "pr_curve", "roc_curve", "mesh"), Tensor),
    "custom_scalars": ChartLayout,
}
"""Plugin name -> decoded type of its values; others stay bytes."""


def payloads(log: bytes, framing: Framing) -> Iterable[bytes]:
    """The payloads of an intact log, which may end with a truncated record."""
    head, tail = (12, 4) if framing is Framing.TFRECORD else (8, 0)
    at = 0
    while at < len(log):
        end = at + head + int.from_bytes(log[at : at + 8], "little")
        if end + tail > len(log):
            return
        yield log[at + head : end]
        at = end + tail
