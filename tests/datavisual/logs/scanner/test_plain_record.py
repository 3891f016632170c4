from __future__ import annotations

import pytest

from mindviz.datavisual.logs.formats import tensorboard, visualdl
from mindviz.datavisual.logs.scanner.plain_record import (
    MAX_HEADING,
    Content,
    Record,
)
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.wire.encode import delimited, double_field, float_field, varint_field
from mindviz.wire.fields import BadMessage


def record(payload: bytes, schema: WireSchema = tensorboard.EVENT, offset: int = 0) -> Record:
    return Record(schema, memoryview(payload), offset)


def value(content: bytes) -> bytes:
    return delimited(5, delimited(1, content))


def test_a_record_has_a_time_a_step_and_values() -> None:
    found = record(
        double_field(1, 1.5)
        + varint_field(2, (1 << 64) - 1)
        + value(b"\x0a\x01a" + float_field(2, 2))
    )
    assert (found.wall_time, found.step) == (1.5, -1)
    assert [(one.tag, one.content) for one in found.values] == [(b"a", Content(0, 2.0))]


def test_an_indexed_value_has_its_offset_in_the_file() -> None:
    found = record(value(delimited(4, b"image")), offset=1000)
    (span,) = [one.content for one in found.values]
    kind = tensorboard.EVENT.kinds.index("image")
    assert span == Content(kind, offset=1006, size=5)
    assert not found.needs_checksum


@pytest.mark.parametrize(
    "field", [varint_field(15, 1), value(float_field(2, 1.0)), delimited(7, b""), delimited(3, b"")]
)
def test_values_not_read_again_need_their_checksum(field: bytes) -> None:
    assert record(field).needs_checksum


@pytest.mark.parametrize(
    "field", [varint_field(15, 1 << 40), double_field(15, 1.0), float_field(15, 1.0), b"\x7a\x02ab"]
)
def test_fields_of_every_wire_type_are_skipped_whole_or_not_at_all(field: bytes) -> None:
    assert record(field).values == []
    with pytest.raises(BadMessage):
        record(field[:-1])


@pytest.mark.parametrize("wire_type", [3, 4, 6, 7])
def test_groups_are_refused(wire_type: int) -> None:
    with pytest.raises(BadMessage):
        record(bytes([9 << 3 | wire_type]) + bytes(20))


def test_field_zero_is_refused() -> None:
    with pytest.raises(BadMessage):
        record(b"\x02\x00")


@pytest.mark.parametrize(
    ("milliseconds", "seconds"),
    [(1_700_000_000, 1.7e9), (1_700_000_000_500, 1_700_000_000.5), ((1 << 64) - 1, -1.0)],
)
def test_wall_times_are_seconds(milliseconds: int, seconds: float) -> None:
    content = delimited(2, b"loss") + varint_field(3, milliseconds) + float_field(4, 1.0)
    (found,) = record(delimited(1, content), visualdl.RECORD).values
    assert found.wall_time == seconds


@pytest.mark.parametrize(
    ("session", "starts"),
    [(b"", False), (b"\x08\x01", True), (b"\x08\x02", False), (b"\x08\x01\x08\x02", False)],
)
def test_only_status_1_starts_a_segment(session: bytes, *, starts: bool) -> None:
    assert record(delimited(7, session)).starts_segment is starts


def test_a_tag_beyond_64_kib_is_refused() -> None:
    assert record(value(delimited(1, bytes(MAX_HEADING)) + float_field(2, 1))).values
    with pytest.raises(BadMessage, match="too long"):
        record(value(delimited(1, bytes(MAX_HEADING + 1)) + float_field(2, 1)))
