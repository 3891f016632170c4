from __future__ import annotations

import gc
from pathlib import Path

from mindviz.summary import SummaryRecord, active_record


def test_the_record_made_or_entered_last_is_active(tmp_path: Path) -> None:
    assert active_record.current() is None
    with SummaryRecord(tmp_path / "a") as first:
        second = SummaryRecord(tmp_path / "b")
        assert active_record.current() is second
        with first:
            assert active_record.current() is first
        assert active_record.current() is second
        second.close()
    assert active_record.current() is None


def test_a_forgotten_record_is_not_kept_alive(tmp_path: Path) -> None:
    SummaryRecord(tmp_path)
    gc.collect()
    assert active_record.current() is None
