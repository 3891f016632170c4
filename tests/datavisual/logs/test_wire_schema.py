from __future__ import annotations

import pytest

from mindviz.datavisual.logs.wire_schema import Field, Role, WireSchema
from mindviz.wire.framing import Framing


def test_kinds_are_numbered_in_order_with_scalars_first() -> None:
    schema = WireSchema(
        "x",
        Framing.TFRECORD,
        record=(Field(1, Role.BLOB, "graph", tag="g"), Field(2, Role.VALUE)),
        value=(Field(1, Role.BLOB, "image"), Field(2, Role.BLOB, "graph"), Field(3, Role.FLOAT)),
    )
    assert schema.kinds == ("scalar", "graph", "image")


@pytest.mark.parametrize(
    "record", [(Field(1, Role.TAG),), (Field(0, Role.STEP),), (Field(32, Role.STEP),)]
)
def test_fields_that_no_scanner_could_follow_are_refused(record: tuple[Field, ...]) -> None:
    with pytest.raises(ValueError, match="record field"):
        WireSchema("x", Framing.TFRECORD, record)


def test_records_without_checksum_must_hold_a_value() -> None:
    with pytest.raises(ValueError, match="must hold a value"):
        WireSchema("x", Framing.LENGTH_PREFIXED, (Field(1, Role.STEP),))
