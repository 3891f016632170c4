"""Cost of crafted logs for scanners: work and memory are linear in the size of the log."""

from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.logs.formats import tensorboard
from mindviz.datavisual.logs.scanner import plain_record
from mindviz.datavisual.logs.scanner.damage import MAX_VALUES
from mindviz.datavisual.logs.scanner.scan import (
    ScannerName,
    make_scanner,
    scanner_name,
)
from mindviz.datavisual.series.findings import FindingKind
from mindviz.wire.encode import delimited
from tests.record_streams import read
from tests.scanned_logs import WALL_TIME, event, number, only, points, scan

needs_native = pytest.mark.skipif(scanner_name() != "native", reason="the scanner is not compiled")

WORD = (1 << 64) - 1
GOLDEN, FACTOR = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93


def mixed(state: int, word: int) -> int:
    state = ((state ^ word) * FACTOR) & WORD
    return state ^ state >> 32


def colliding_tags(count: int) -> list[bytes]:
    """Tags of 16 bytes with equal values of a multiplicative hash without a key."""
    begin = GOLDEN * 17 & WORD
    tags = []
    for i in range(count):
        first = (i * 0x9E3779B1 + 7) & WORD
        tags.append(first.to_bytes(8, "little") + mixed(begin, first).to_bytes(8, "little"))
    return tags


@needs_native
def test_logs_cannot_contain_colliding_tags() -> None:
    tags = colliding_tags(2_000)
    data = event(1, *(number(tag, 1.0) for tag in tags))
    scanner = make_scanner(tensorboard.EVENT, scanner="native")
    (result,) = read(scanner, data)
    assert len(result.new_series) == len(tags)
    # At most half of the slots are in use: about half a collision per tag.
    assert scanner.collisions < 4 * len(tags)  # type: ignore[attr-defined]


def values_record(count: int) -> bytes:
    """One record of images without tag or content: four bytes each."""
    return event(1, *[delimited(4, b"")] * count)


def test_a_record_of_tiny_values_takes_a_small_multiple_of_its_size(kind: ScannerName) -> None:
    data = values_record(100_000)
    _, result = scan(kind, data)
    (batch,) = result.batches
    assert len(batch.values) == 100_000
    assert batch.values.nbytes <= 5 * len(data)
    index = batch.values.selected(np.array([0, 99_999]))
    assert (index.step.tolist(), index.record_offset.tolist()) == ([1, 1], [0, 0])
    assert index.value_offset.tolist()[1] == len(data) - 4


def test_a_record_of_too_many_values_is_lost_and_reported(
    kind: ScannerName, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The Python scanner would take ten seconds for the compiled one's limit.
    limit = MAX_VALUES if kind == "native" else 1000
    monkeypatch.setattr(plain_record, "MAX_VALUES", limit)
    data = values_record(limit) + values_record(limit + 1) + event(2, number(b"a", 1.0))
    scanner, result = scan(kind, data)
    assert len(only(result).values) == limit
    assert points(result) == {b"a": [(2, WALL_TIME, 1.0)]}
    (finding,) = scanner.findings
    assert (finding.kind, finding.lost_records) == (FindingKind.BAD_RECORD, 1)
    assert "262,144 values" in finding.detail
