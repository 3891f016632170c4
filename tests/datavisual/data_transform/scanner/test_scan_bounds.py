"""What a crafted log may cost a scanner: work and memory bounded by the size of the log."""

from __future__ import annotations

import pytest

from mindviz.datavisual.data_transform.formats import tensorboard
from mindviz.datavisual.data_transform.scanner.scan import make_scanner, scanner_name
from tests.record_streams import read
from tests.scanned_logs import event, number

needs_native = pytest.mark.skipif(scanner_name() != "native", reason="the scanner is not compiled")

WORD = (1 << 64) - 1
GOLDEN, FACTOR = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93


def mixed(state: int, word: int) -> int:
    state = ((state ^ word) * FACTOR) & WORD
    return state ^ state >> 32


def colliding_tags(count: int) -> list[bytes]:
    """Tags of 16 bytes that a multiplicative hash without a key maps to one value."""
    begin = GOLDEN * 17 & WORD
    tags = []
    for i in range(count):
        first = (i * 0x9E3779B1 + 7) & WORD
        tags.append(first.to_bytes(8, "little") + mixed(begin, first).to_bytes(8, "little"))
    return tags


@needs_native
def test_no_log_can_hold_tags_that_collide() -> None:
    tags = colliding_tags(2_000)
    data = event(1, *(number(tag, 1.0) for tag in tags))
    scanner = make_scanner(tensorboard.EVENT, scanner="native")
    (result,) = read(scanner, data)
    assert len(result.new_series) == len(tags)
    # At most half of the slots are in use: about half a collision for each tag.
    assert scanner.collisions < 4 * len(tags)  # type: ignore[attr-defined]
