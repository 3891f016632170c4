from __future__ import annotations

import gc
from pathlib import Path

import numpy as np

from mindviz.summary import (
    HistogramSummary,
    ImageSummary,
    ScalarSummary,
    SummaryRecord,
    TensorSummary,
)
from mindviz.summary.operators import active_record
from tests.summary.recordings import values


def record_all() -> None:
    ScalarSummary()("loss", 0.5)
    ImageSummary()("input", np.zeros((1, 1, 2, 2)))
    HistogramSummary()("weights", np.arange(3))
    TensorSummary()("kernel", np.arange(3))


def test_values_belong_to_the_next_step_of_the_active_record(tmp_path: Path) -> None:
    with SummaryRecord(tmp_path) as record:
        record_all()
        record.record(4)
    assert {tag: step for tag, ((step, _),) in values(tmp_path).items()} == {
        "loss": 4,
        "input": 4,
        "weights": 4,
        "kernel": 4,
    }


def test_operators_do_nothing_without_a_record(tmp_path: Path) -> None:
    record_all()
    SummaryRecord(tmp_path).close()
    record_all()
    assert list(tmp_path.iterdir()) == []


def test_operators_do_nothing_in_eval_mode(tmp_path: Path) -> None:
    with SummaryRecord(tmp_path) as record:
        record.set_mode("eval")
        record_all()
        record.add_value("scalar", "validation", 1)
        record.record(1)
        record.set_mode("train")
        ScalarSummary()("loss", 2)
        record.record(2)
    assert set(values(tmp_path)) == {"validation", "loss"}


def test_the_record_created_or_entered_last_is_active(tmp_path: Path) -> None:
    assert active_record() is None
    with SummaryRecord(tmp_path / "a") as first:
        second = SummaryRecord(tmp_path / "b")
        assert active_record() is second
        with first:
            assert active_record() is first
        assert active_record() is second
        second.close()
    assert active_record() is None


def test_a_dropped_record_is_garbage_collected(tmp_path: Path) -> None:
    SummaryRecord(tmp_path)
    gc.collect()
    assert active_record() is None
