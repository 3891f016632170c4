"""Scanners on damaged logs and large records; every test runs with both."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.formats import tensorboard, visualdl
from mindviz.datavisual.logs.scanner.scan import (
    ScannerName,
    make_scanner,
    scanner_name,
)
from mindviz.datavisual.series.findings import FindingKind
from mindviz.wire.encode import delimited, frame
from tests.record_streams import packed, read
from tests.scanned_logs import (
    TFRECORD,
    WALL_TIME,
    event,
    number,
    only,
    points,
    scan,
    vdl_number,
)

# ----------------------------------------------------------------------------- what is damaged


def test_a_record_with_a_bad_payload_is_skipped_and_reported(kind: ScannerName) -> None:
    one, two, three = (event(i, number(b"loss", float(i))) for i in range(3))
    damaged = two[:-9] + bytes([two[-9] ^ 1]) + two[-8:]
    scanner, result = scan(kind, one + damaged + three)
    assert [step for step, _, _ in points(result)[b"loss"]] == [0, 2]
    assert [(f.kind, f.offset, f.lost_records) for f in scanner.findings] == [
        (FindingKind.BAD_PAYLOAD, len(one), 1)
    ]
    assert result.records == 3


def test_a_malformed_message_is_skipped_with_all_its_values(kind: ScannerName) -> None:
    bad = frame(delimited(5, delimited(1, number(b"loss", 1.0))) + b"\x0b", TFRECORD)
    scanner, result = scan(kind, bad + event(1, number(b"loss", 2.0)))
    assert points(result) == {b"loss": [(1, WALL_TIME, 2.0)]}
    assert [f.kind for f in scanner.findings] == [FindingKind.BAD_RECORD]


@pytest.mark.parametrize("bad", [b"\x80" * 11, b"\x3b" * 5000, b"\x2a\xff\xff\xff\xff\x7f"])
def test_overlong_varints_groups_and_impossible_lengths_are_malformed(
    kind: ScannerName, bad: bytes
) -> None:
    scanner, _ = scan(kind, frame(bad, TFRECORD))
    assert [f.kind for f in scanner.findings] == [FindingKind.BAD_RECORD]


def test_a_bad_length_ends_the_file_until_it_reads_well(kind: ScannerName) -> None:
    good = event(1, number(b"loss", 1.0)) + event(2, number(b"loss", 2.0))
    at = len(good) // 2
    bad = good[:at] + b"\x07" + good[at + 1 :]
    scanner, result = scan(kind, bad)
    assert scanner.stopped is not None
    assert (scanner.stopped.kind, scanner.stopped.offset) == (FindingKind.BAD_LENGTH, at)
    assert (result.offset, result.records) == (at, 1)
    assert read(scanner, good)[-1].records == 1  # the late block has arrived
    assert scanner.stopped is None


def test_a_length_beyond_the_file_waits_without_reads(
    kind: ScannerName,
) -> None:
    header = struct.pack("<Q", 1 << 62)
    crc = frame(header, TFRECORD)[-4:]  # a record whose payload is the header
    scanner, _ = scan(kind, header + crc + b"data")
    assert scanner.stopped is not None
    assert scanner.stopped.kind is FindingKind.TRUNCATED
    assert scanner.wanted[1] <= 262_144


def test_zeros_to_the_end_of_the_file_are_not_written_yet(kind: ScannerName) -> None:
    one, two = (event(i, number(b"loss", 1.0)) for i in (1, 2))
    scanner, result = scan(kind, one + bytes(700_000))
    assert scanner.stopped is not None
    assert (scanner.stopped.kind, scanner.stopped.offset) == (FindingKind.ZERO_TAIL, len(one))
    rest = read(scanner, one + two + bytes(100))[-1]
    assert (result.records, rest.records) == (1, 1)


def test_zeros_in_the_middle_of_a_file_with_checksums_are_a_bad_length(kind: ScannerName) -> None:
    scanner, _ = scan(kind, bytes(400_000) + event(1, number(b"loss", 1.0)))
    assert scanner.stopped is not None
    assert scanner.stopped.kind is FindingKind.BAD_LENGTH


def test_zero_length_frames_without_checksums_are_empty_records(kind: ScannerName) -> None:
    data = bytes(16) + vdl_number(1, b"loss", 1.0) + bytes(8)
    scanner, result = scan(kind, data, visualdl.RECORD)
    assert (result.records, len(points(result)[b"loss"])) == (3, 1)
    assert scanner.stopped is not None
    assert (scanner.stopped.kind, scanner.stopped.offset) == (FindingKind.ZERO_TAIL, len(data) - 8)


@pytest.mark.parametrize(
    "frame_bytes",
    [
        struct.pack("<Q", 5) + b"\x12\x03abc",
        struct.pack("<Q", 5) + b"\x0a\x04abc",
        struct.pack("<Q", 5) + b"\x0a\x02abc",
        struct.pack("<Q", 1 << 63) + b"\x0a\x03abc",
    ],
)
def test_a_visualdl_frame_that_its_value_does_not_fill_is_a_bad_length(
    kind: ScannerName, frame_bytes: bytes
) -> None:
    scanner, _ = scan(kind, vdl_number(1, b"loss", 1.0) + frame_bytes + bytes(9), visualdl.RECORD)
    assert scanner.stopped is not None
    assert scanner.stopped.kind is FindingKind.BAD_LENGTH


def test_at_most_a_hundred_findings_are_listed(kind: ScannerName) -> None:
    scanner, result = scan(kind, frame(b"\x0b", TFRECORD) * 250)
    assert len(scanner.findings) == 101
    assert sum(finding.lost_records for finding in scanner.findings) == 250 == result.records


@given(data=st.data())
def test_one_flipped_bit_is_never_accepted_as_a_good_record(data: st.DataObject) -> None:
    records = [event(i, number(b"loss", float(i)), number(b"lr", 0.5)) for i in range(4)]
    stream = bytearray(b"".join(records))
    at = data.draw(st.integers(0, len(stream) - 1))
    stream[at] ^= 1 << data.draw(st.integers(0, 7))
    hit = at // len(records[0])
    for name in {scanner_name(), "python"}:
        _, result = scan(name, bytes(stream))
        steps = [step for step, _, _ in points(result).get(b"loss", [])]
        in_header = at % len(records[0]) < 12
        assert steps == [i for i in range(4) if i < hit or (i > hit and not in_header)]


# ------------------------------------------------------------------------------- large records


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize("verify_all", [False, True])
def test_a_large_record_of_only_blobs_is_verified_on_request(
    kind: ScannerName, *, verify_all: bool
) -> None:
    record = event(1, delimited(1, b"picture") + delimited(4, bytes(100_000)))
    scanner, result = scan(kind, flipped(record, 50_000), verify_all=verify_all)
    assert [f.kind for f in scanner.findings] == [FindingKind.BAD_PAYLOAD] * verify_all
    assert len(result.batches) == (0 if verify_all else 1)


@pytest.mark.parametrize(
    "value", [number(b"loss", 1.0), delimited(9, b"only metadata"), packed(20, b"unknown")]
)
def test_a_large_record_with_other_values_is_always_verified(
    kind: ScannerName, value: bytes
) -> None:
    image = delimited(1, b"picture") + delimited(4, bytes(300_000))
    record = event(1, image, delimited(1, b"tag") + value)
    scanner, result = scan(kind, flipped(record, 50_000) + record)
    assert [(f.kind, f.offset) for f in scanner.findings] == [(FindingKind.BAD_PAYLOAD, 0)]
    assert only(result).values.expanded.record_offset[0] == len(record)


def test_a_large_malformed_record_is_skipped_with_all_its_values(kind: ScannerName) -> None:
    image = delimited(1, b"picture") + delimited(4, bytes(300_000))
    record = event(1, image, number(b"loss", 1.0), rest=b"\x0b")
    scanner, result = scan(kind, record + event(2, number(b"loss", 2.0)))
    assert [f.kind for f in scanner.findings] == [FindingKind.BAD_RECORD]
    assert points(result) == {b"loss": [(2, WALL_TIME, 2.0)]}
    assert len(only(result).values.series) == 0


def test_thousands_of_scalars_in_one_large_record_are_all_found(kind: ScannerName) -> None:
    tags = [b"layer_%04d/weight/norm" % i for i in range(3000)]
    data = event(1, *(number(tag, float(i)) for i, tag in enumerate(tags)))
    assert len(data) > 65536
    found = points(scan(kind, data)[1])
    assert [found[tag][0][2] for tag in tags] == list(range(3000))


def test_a_file_that_shrinks_while_it_is_read_ends_the_reading(kind: ScannerName) -> None:
    data = event(1, delimited(4, bytes(300_000)) + delimited(1, b"picture"))
    scanner = make_scanner(tensorboard.EVENT, scanner=kind)
    assert scanner.feed(data[: scanner.wanted[1]], 0, len(data))
    assert not scanner.feed(b"", scanner.wanted[0], len(data))
    assert scanner.stopped is not None
    assert scanner.stopped.kind is FindingKind.TRUNCATED
    assert scanner.wanted[0] == 0


def test_memory_of_one_record_is_bounded(kind: ScannerName) -> None:
    content = bytes(1 << 24)
    values = [number(b"loss %d" % i, 1.0) + delimited(9, content) for i in range(9)]
    scanner, result = scan(kind, event(1, *values) + event(2, number(b"loss", 2.0)))
    assert [(f.kind, f.offset) for f in scanner.findings] == [(FindingKind.BAD_RECORD, 0)]
    assert points(result) == {b"loss": [(2, WALL_TIME, 2.0)]}
    assert result.metadata == {}
