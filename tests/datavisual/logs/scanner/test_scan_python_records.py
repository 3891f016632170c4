from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.scanner._scan_python_records import (
    LARGEST_READ,
    Record,
    Window,
)
from mindviz.datavisual.logs.scanner._scan_python_values import SchemaTable
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.wire.fields import BadMessage
from tests.record_streams import SCHEMAS, messages


def walk(record: Record, data: bytes, extra: int) -> int:
    """Walk through a record that is the whole file; how many bytes were read."""
    window, seen = Window(), 0
    for offset, size in record.walk(window, 0, len(data)):
        assert 0 < size <= LARGEST_READ
        window.show(data[offset : offset + size + extra], offset)
        seen += len(window.data)
    return seen


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
@given(draw=st.data(), extra=st.sampled_from([0, 1, 30, 1 << 20]))
def test_walking_finds_what_parsing_finds(
    schema: WireSchema, draw: st.DataObject, extra: int
) -> None:
    data = draw.draw(messages(schema))
    parsed, walked = Record(SchemaTable(schema)), Record(SchemaTable(schema))
    try:
        parsed.parse(data, 0, len(data), 0)
    except BadMessage:
        with pytest.raises(BadMessage):
            walk(walked, data, extra)
        return
    walk(walked, data, extra)
    walked.needs_checksum = parsed.needs_checksum  # parsing verifies always and never asks
    found = [
        (r.step, r.starts_segment, repr(r.wall_time), [repr(vars(v)) for v in r.values])
        for r in (parsed, walked)
    ]
    assert found[0] == found[1]


def test_a_window_asks_for_little_behind_what_was_skipped_and_then_for_more() -> None:
    window = Window()
    window.show(bytes(100), 0)
    assert window.want(5000, 20) == (5000, 512)
    window.show(bytes(512), 5000)
    assert window.want(5500, 20) == (5500, 1024)
    window.show(bytes(1024), 5500)
    assert window.want(6000, 4000) == (6000, 4000)
