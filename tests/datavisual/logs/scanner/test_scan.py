"""Results of scanners; every test runs with both."""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.formats import mindspore, tensorboard, visualdl
from mindviz.datavisual.logs.scanner._scan_python import scalar_columns, value_columns
from mindviz.datavisual.logs.scanner.scan import (
    ScannerName,
    make_scanner,
    scanner_name,
)
from mindviz.datavisual.series.findings import FindingKind
from mindviz.wire.encode import delimited, double_field, float_field, frame, varint_field
from tests.record_streams import Reading, flattened, key, packed, read
from tests.scanned_logs import (
    TFRECORD,
    WALL_TIME,
    event,
    number,
    only,
    part,
    points,
    scan,
    vdl,
    vdl_number,
)

needs_native = pytest.mark.skipif(scanner_name() != "native", reason="the scanner is not compiled")

# -------------------------------------------------------------------------------------- scalars


def test_every_scalar_is_found_with_its_step_and_wall_time(kind: ScannerName) -> None:
    data = event(1, number(b"loss", 0.5), number(b"lr", 0.25)) + event(2, number(b"loss", 1.5))
    scanner, result = scan(kind, data)
    assert points(result) == {
        b"loss": [(1, WALL_TIME, 0.5), (2, WALL_TIME, 1.5)],
        b"lr": [(1, WALL_TIME, 0.25)],
    }
    assert (result.records, result.offset) == (2, len(data))
    assert (scanner.stopped, scanner.findings) == (None, ())


def test_fields_may_come_in_any_order(kind: ScannerName) -> None:
    value = float_field(2, 3.0) + delimited(1, b"loss")
    message = delimited(5, delimited(1, value)) + varint_field(2, 7) + double_field(1, WALL_TIME)
    assert points(scan(kind, frame(message, TFRECORD))[1]) == {b"loss": [(7, WALL_TIME, 3.0)]}


def test_the_last_of_several_contents_of_a_value_counts(kind: ScannerName) -> None:
    image = delimited(4, b"picture")
    _, result = scan(kind, event(1, number(b"a", 1.0) + image, image + number(b"b", 2.0)))
    assert points(result) == {b"b": [(1, WALL_TIME, 2.0)]}
    assert [result.new_series[i].tag for i in only(result).values.series] == [b"a"]


def test_negative_steps_and_nan_times_are_data(kind: ScannerName) -> None:
    data = event(-5, number(b"loss", math.inf), wall_time=math.nan)
    ((step, wall_time, value),) = points(scan(kind, data)[1])[b"loss"]
    assert (step, value) == (-5, math.inf)
    assert math.isnan(wall_time)


def test_visualdl_sub_tags_are_separate_series(kind: ScannerName) -> None:
    tagged = packed(1, b"train") + float_field(2, 0.5)
    data = vdl(varint_field(1, 3) + delimited(2, b"loss") + packed(14, tagged))
    assert points(scan(kind, data, visualdl.RECORD)[1]) == {b"loss/train": [(3, 0.0, 0.5)]}


@pytest.mark.parametrize(
    ("milliseconds", "seconds"), [(1_700_000_000, 1.7e9), (1_700_000_000_123, 1_700_000_000.123)]
)
def test_visualdl_wall_times_below_two_thousand_million_are_seconds(
    kind: ScannerName, milliseconds: int, seconds: float
) -> None:
    data = vdl_number(1, b"loss", 1.0, milliseconds)
    assert points(scan(kind, data, visualdl.RECORD)[1])[b"loss"][0][1] == seconds


# ------------------------------------------------------------------------------ rank-0 tensors

F = struct.pack
TENSORS = [
    (1, packed(5, F("<f", 1.5)), 1.5, False),
    (1, key(5, 5) + F("<f", 1.5), 1.5, False),
    (1, packed(4, F("<f", -2.5)), -2.5, False),
    (2, packed(6, F("<d", 0.1)), 0.1, True),
    (2, packed(4, F("<d", 0.1)), 0.1, True),
    (3, key(7, 0) + b"\xff" * 9 + b"\x01", -1.0, True),
    (4, packed(7, b"\xc8\x01"), 200.0, False),
    (5, packed(4, F("<h", -300)), -300.0, False),
    (6, key(7, 0) + b"\xfe" + b"\xff" * 8 + b"\x01", -2.0, False),
    (9, packed(10, b"\x80\x80\x80\x80\x80\x80\x80\x40"), float(1 << 55), True),
    (10, packed(11, b"\x01"), 1.0, False),
    (10, packed(4, b"\x00"), 0.0, False),
    (14, packed(13, b"\xc0\x7e"), 0.75, False),
    (17, packed(4, F("<H", 65535)), 65535.0, False),
    (19, packed(13, b"\x80\x78"), 1.0, False),
    (19, packed(4, F("<e", 6e-8)), float(np.float16(6e-8)), False),
    (19, packed(4, F("<e", math.inf)), math.inf, False),
    (22, packed(16, b"\xff\xff\xff\xff\x0f"), 4294967295.0, True),
    (23, packed(4, b"\xff" * 8), float((1 << 64) - 1), True),
]


@pytest.mark.parametrize(("dtype", "field", "value", "wide"), TENSORS)
def test_a_rank_0_tensor_of_any_numeric_dtype_is_a_scalar(
    kind: ScannerName, dtype: int, field: bytes, value: float, *, wide: bool
) -> None:
    tensor = varint_field(1, dtype) + delimited(2, b"") + field
    _, result = scan(kind, event(1, delimited(1, b"x") + delimited(8, tensor)))
    assert points(result) == {b"x": [(1, WALL_TIME, value)]}
    assert only(result).scalars.wide.tolist() == [wide]
    assert result.new_series[0].from_tensor


NO_NUMBERS = {
    "of rank 1": varint_field(1, 1) + packed(2, packed(2, b"\x08\x01")) + packed(4, bytes(4)),
    "of unknown rank": varint_field(1, 1) + packed(2, b"\x18\x01") + packed(4, bytes(4)),
    "a string": varint_field(1, 7) + packed(8, b"text"),
    "two numbers": varint_field(1, 1) + packed(5, bytes(8)),
    "no number": varint_field(1, 1),
    "too short": varint_field(1, 2) + packed(4, bytes(4)),
    "malformed": varint_field(1, 1) + key(5, 3) + packed(4, bytes(4)),
    "long": varint_field(1, 1) + packed(30, bytes(300)) + packed(4, bytes(4)),
}


@pytest.mark.parametrize("tensor", NO_NUMBERS.values(), ids=NO_NUMBERS)
def test_any_other_tensor_is_indexed(kind: ScannerName, tensor: bytes) -> None:
    data = event(1, delimited(1, b"x") + delimited(8, tensor))
    _, result = scan(kind, data)
    assert points(result) == {}
    index = only(result).values.expanded
    start, size = int(index.value_offset[0]), int(index.value_length[0])
    assert data[start : start + size] == tensor
    assert tensorboard.EVENT.kinds[result.new_series[0].kind] == "tensor"


def test_a_series_is_widened_by_its_first_value_that_needs_it(kind: ScannerName) -> None:
    double = delimited(1, b"a") + delimited(8, varint_field(1, 2) + packed(6, F("<d", 0.1)))
    _, result = scan(kind, event(1, number(b"a", 0.5)) + event(2, double, number(b"b", 2.0)))
    columns = only(result).scalars
    assert [part(columns, row)[2].tolist() for row in (0, 1)] == [[0.5, 0.1], [2.0]]
    # The Python scanner widens all series of a batch.
    assert columns.wide.tolist() == [True, kind == "python"]
    assert part(columns, 1)[2].dtype == (np.float64 if kind == "python" else np.float32)


# ------------------------------------------------------------------------------- value indexes


@pytest.mark.parametrize("size", [10, 200_000])
def test_values_are_indexed_by_offset_and_length(kind: ScannerName, size: int) -> None:
    image = bytes(range(250)) * (size // 250 + 1)
    before = event(1, number(b"loss", 1.0))
    record = event(2, delimited(1, b"picture") + delimited(4, image))
    data = before + record + event(3, number(b"loss", 2.0))
    _, result = scan(kind, data)
    index = only(result).values.expanded
    start, length = int(index.value_offset[0]), int(index.value_length[0])
    assert data[start : start + length] == image
    assert (index.record_offset[0], index.record_length[0]) == (len(before), len(record))
    assert (index.step[0], index.wall_time[0]) == (2, WALL_TIME)
    assert len(points(result)[b"loss"]) == 2


def images(count: int, size: int) -> bytes:
    """A log of images, each followed by metadata."""
    image = delimited(4, bytes(size)) + delimited(9, b"\x0a\x06images")
    return b"".join(event(i, delimited(1, b"picture") + image) for i in range(count))


def test_a_large_value_is_not_read(kind: ScannerName) -> None:
    data = images(20, 1_000_000)
    scanner = make_scanner(tensorboard.EVENT, scanner=kind)
    read_bytes, going = 0, True
    while going:
        offset, size = scanner.wanted
        piece = data[offset : offset + size]
        read_bytes += len(piece)
        going = scanner.feed(piece, offset, len(data))
    result = scanner.take()
    assert len(only(result).values.series) == 20
    assert result.metadata == {0: b"\x0a\x06images"}
    if kind == "native":  # the Python scanner reads whole records
        assert read_bytes < 300_000  # the first read is for small records, then 256 bytes each


@contextmanager
def descriptor_of(path: Path, flags: int) -> Iterator[int]:
    descriptor = os.open(path, flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_WRONLY], ids=["readable", "unreadable"])
def test_the_scanner_may_do_small_reads_after_large_values(
    kind: ScannerName, tmp_path: Path, flags: int
) -> None:
    data = images(300, 70_000)
    path = tmp_path / "log"
    path.write_bytes(data)
    fed, going = 0, True
    scanner = make_scanner(tensorboard.EVENT, "log", scanner=kind)
    with descriptor_of(path, flags) as descriptor:
        while going:
            offset, size = scanner.wanted
            going = scanner.feed(data[offset : offset + size], offset, len(data), descriptor)
            fed += 1
    assert flattened([scanner.take()]) == flattened([scan(kind, data)[1]])
    if kind == "native":
        assert fed == 2 if flags == os.O_RDONLY else fed > 250


def test_a_scanner_that_reads_directly_detects_a_shorter_file(
    kind: ScannerName, tmp_path: Path
) -> None:
    data = images(30, 70_000)
    path = tmp_path / "log"
    path.write_bytes(data[:-1_000_000])
    scanner = make_scanner(tensorboard.EVENT, "log", scanner=kind)
    with descriptor_of(path, os.O_RDONLY) as descriptor:
        going = True
        while going:
            offset, size = scanner.wanted
            there = path.read_bytes()[offset : offset + size]
            going = scanner.feed(there, offset, len(data), descriptor)
    assert scanner.stopped is not None
    assert scanner.stopped.kind is FindingKind.TRUNCATED


def test_record_level_blobs_have_the_tag_that_the_schema_gives_them(kind: ScannerName) -> None:
    _, result = scan(kind, event(0, rest=delimited(4, b"a graph")))
    assert result.new_series[0].tag == b"__run_graph__"


def test_a_value_with_only_metadata_creates_a_series(kind: ScannerName) -> None:
    value = delimited(1, b"_hparams_/experiment") + delimited(9, b"hparams")
    _, result = scan(kind, event(0, value))
    assert tensorboard.EVENT.kinds[result.new_series[0].kind] == "tensor"
    assert only(result).values.expanded.value_length.tolist() == [0]
    assert result.metadata == {0: b"hparams"}


def test_the_first_metadata_of_a_series_is_kept(kind: ScannerName) -> None:
    described = [number(b"loss", 1.0) + delimited(9, text) for text in (b"first", b"second")]
    _, result = scan(kind, event(1, *described))
    assert result.metadata == {0: b"first"}


# ------------------------------------------------------------------------------------ segments


def session(status: int) -> bytes:
    return event(0, rest=delimited(7, varint_field(1, status)))


def test_a_restart_begins_a_new_segment_after_data(kind: ScannerName) -> None:
    version = event(0, rest=delimited(3, b"brain.Event:2"))
    data = number(b"loss", 1.0)
    log = version + session(1) + event(1, data) + session(2) + event(2, data)
    log += session(1) + version + event(1, data)
    _, result = scan(kind, log)
    assert [(b.segment, b.scalars.points) for b in result.batches] == [(0, 2), (1, 1)]


def test_another_meta_record_of_visualdl_begins_a_new_segment(kind: ScannerName) -> None:
    meta = vdl(delimited(2, b"meta_data_tag") + varint_field(3, 5) + packed(10, b""))
    log = meta + vdl_number(1, b"loss", 1.0) + meta + vdl_number(1, b"loss", 2.0)
    _, result = scan(kind, log, visualdl.RECORD)
    assert [b.segment for b in result.batches] == [0, 1]
    assert [head.tag for head in result.new_series] == [b"loss"]


def test_a_file_of_restarts_only_is_tracked_up_to_a_thousand_segments(kind: ScannerName) -> None:
    log = (session(1) + event(1, number(b"loss", 1.0))) * 1005
    scanner, result = scan(kind, log)
    assert len(result.batches) == 1000
    assert result.batches[-1].scalars.points == 6
    assert [f.kind for f in scanner.findings] == [FindingKind.TOO_MANY_SEGMENTS]


# ------------------------------------------------------------------------------------- batches


@needs_native
def test_equal_columns_are_stored_once() -> None:
    tags = [b"a", b"b", b"c"]
    log = b"".join(event(i, *(number(tag, 0.5) for tag in tags)) for i in range(100))
    columns = only(scan("native", log)[1]).scalars
    assert (columns.points, len(columns.steps), len(columns.wall_times)) == (300, 100, 100)
    assert len(columns.values32) == 300


def test_statistics_ignore_nan_and_count_infinities(kind: ScannerName) -> None:
    values = [math.nan, 2.0, -math.inf, 5.0, math.nan, 5.0]
    log = b"".join(
        event(i, number(b"loss", value), wall_time=math.nan if i == 5 else 100.0 - i)
        for i, value in enumerate(values)
    )
    stats = only(scan(kind, log + event(5, number(b"nan", math.nan)))[1]).scalars.stats
    assert (stats.min[0], stats.min_step[0]) == (-math.inf, 2)
    assert (stats.max[0], stats.max_step[0]) == (5.0, 3)
    assert (stats.last[0], stats.nan_count[0]) == (5.0, 2)
    assert (stats.first_wall_time[0], stats.last_wall_time[0]) == (96.0, 100.0)
    assert math.isnan(stats.min[1])
    assert (stats.min_step[1], stats.nan_count[1]) == (5, 1)
    assert stats.increasing.tolist() == [True, True]


def test_batches_are_frozen(kind: ScannerName) -> None:
    columns = only(scan(kind, event(1, number(b"loss", 1.0)))[1]).scalars
    with pytest.raises(ValueError, match="read-only"):
        columns.steps[0] = 2


def test_later_results_have_new_points_and_the_same_series(kind: ScannerName) -> None:
    one, two = event(1, number(b"a", 1.0)), event(2, number(b"b", 2.0), number(b"a", 2.0))
    scanner = make_scanner(tensorboard.EVENT, scanner=kind)
    first, second, third = read(scanner, one + two, Reading(sizes=(0.5, 1.0), takes=True))
    assert [head.tag for head in first.new_series + second.new_series] == [b"a", b"b"]
    assert only(second).scalars.series.tolist() == [0, 1]
    assert (third.batches, third.new_series, third.records) == ((), (), 0)


def test_bytes_from_elsewhere_are_refused(kind: ScannerName) -> None:
    with pytest.raises(ValueError, match="wanted"):
        make_scanner(tensorboard.EVENT, scanner=kind).feed(b"", 5, 5)


def test_lineage_files_are_read_by_the_same_scanner(kind: ScannerName) -> None:
    data = frame(double_field(1, WALL_TIME) + delimited(6, b"facts"), TFRECORD)
    _, result = scan(kind, data, mindspore.LINEAGE_EVENT)
    assert result.new_series[0].tag == b"train_lineage"


# --------------------------------------------------------------- columns of the Python scanner


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.integers(-5, 5),
            st.integers(0, 2).map(float),
            st.floats(width=32),
            st.booleans(),
        ),
        max_size=40,
    )
)
def test_points_are_sorted_by_series_and_keep_their_order_within_each(
    rows: list[tuple[int, int, float, float, bool]],
) -> None:
    columns = scalar_columns(rows)
    assert columns.series.tolist() == sorted({series for series, *_ in rows})
    for i, series in enumerate(columns.series.tolist()):
        steps, wall_times, values = columns.points_of(i)
        expected = [row[1:4] for row in rows if row[0] == series]
        assert columns.wide[i] == any(row[4] for row in rows)
        assert steps.tolist() == [step for step, _, _ in expected]
        assert wall_times.tolist() == [wall_time for _, wall_time, _ in expected]
        np.testing.assert_array_equal(values, [value for _, _, value in expected])


def test_values_keep_the_order_of_the_file() -> None:
    records = [(step, 0.5, 1000 * step, 50) for step in (3, 1, 2)]
    index = value_columns([(i, i, 20, 10 + i) for i in range(3)], records).expanded
    assert index.series.tolist() == [0, 1, 2]
    assert index.step.tolist() == [3, 1, 2]
    assert index.value_offset.tolist() == [3020, 1020, 2020]
    assert index.value_length.tolist() == [10, 11, 12]
    assert (index.record_offset.tolist(), index.record_length[0]) == ([3000, 1000, 2000], 50)


def test_a_length_beyond_four_bytes_widens_both_columns() -> None:
    columns = value_columns([(0, 0, 20, 1 << 32)], [(1, 0.5, 0, 1 << 33)])
    assert [one.dtype.name for one in (columns.place, columns.length)] == ["int64"] * 2


def test_without_rows_the_columns_are_empty() -> None:
    assert (scalar_columns([]).points, len(value_columns([], []))) == (0, 0)
