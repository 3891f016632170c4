"""A scan that another scanner continues equals one scan."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.datavisual.logs.formats import tensorboard
from mindviz.datavisual.logs.scanner.damage import MAX_SEGMENTS, NAMED_FINDINGS
from mindviz.datavisual.logs.scanner.scan import Scanner, ScannerName, make_scanner
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.columns import ScanResult
from mindviz.wire.encode import delimited, frame
from mindviz.wire.framing import Framing
from tests.record_streams import SCHEMAS, flattened, messages, read
from tests.scanned_logs import event, number

RESTART = b"\x3a\x02\x08\x01"  # Event.session_log: START


def continued(
    scanner: Scanner, schema: WireSchema, taken: list[ScanResult], kind: ScannerName
) -> Scanner:
    """A new scanner where another one ended."""
    heads = [head for result in taken for head in result.new_series]
    described = {series for result in taken for series in result.metadata}
    later = make_scanner(schema, "log", scanner=kind)
    later.resume(scanner.state, heads, described)
    return later


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.name)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])  # `kind` is a constant
@given(draw=st.data())
def test_a_continued_scan_equals_one_scan(
    kind: ScannerName, schema: WireSchema, draw: st.DataObject
) -> None:
    payloads = draw.draw(st.lists(st.one_of(messages(schema), st.just(RESTART)), max_size=10))
    if schema.framing is Framing.LENGTH_PREFIXED:
        payloads = [delimited(1, payload) for payload in payloads]
    data = b"".join(frame(payload, schema.framing) for payload in payloads)
    data += draw.draw(st.sampled_from([b"", b"\x05\0", bytes(40)]))
    cut = draw.draw(st.integers(0, len(data)))
    scanner = make_scanner(schema, "log", scanner=kind)
    taken = read(scanner, data[:cut])
    later = continued(scanner, schema, taken, kind)
    assert (later.stopped, later.findings) == (scanner.stopped, scanner.findings)
    at_once = make_scanner(schema, "log", scanner=kind)
    assert flattened(taken + read(later, data)) == flattened(read(at_once, data))
    assert later.state == at_once.state


def test_all_losses_and_segments_go_on(kind: ScannerName) -> None:
    good = event(1, number(b"a", 0.5))
    bad = good[:-1] + bytes([good[-1] ^ 1])
    restarts = (frame(RESTART, Framing.TFRECORD) + good) * (MAX_SEGMENTS + 5)
    data = bad * (NAMED_FINDINGS + 7) + restarts + bad * 3
    at_once = make_scanner(tensorboard.EVENT, "log", scanner=kind)
    read(at_once, data)
    scanner = make_scanner(tensorboard.EVENT, "log", scanner=kind)
    taken = read(scanner, data[: -3 * len(bad)])
    later = continued(scanner, tensorboard.EVENT, taken, kind)
    read(later, data)
    assert later.state == at_once.state
    assert len(later.findings) == NAMED_FINDINGS + 1


def test_only_a_new_scanner_continues_another(kind: ScannerName) -> None:
    scanner = make_scanner(tensorboard.EVENT, "log", scanner=kind)
    taken = read(scanner, event(1, number(b"a", 0.5)))
    with pytest.raises(ValueError, match="not new"):
        scanner.resume(scanner.state, taken[0].new_series, ())
