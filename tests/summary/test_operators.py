from __future__ import annotations

from pathlib import Path

import numpy as np

from mindviz.summary import (
    HistogramSummary,
    ImageSummary,
    ScalarSummary,
    SummaryRecord,
    TensorSummary,
)
from tests.summary.recordings import values


def record_all() -> None:
    ScalarSummary()("loss", 0.5)
    ImageSummary()("input", np.zeros((1, 1, 2, 2)))
    HistogramSummary()("weights", np.arange(3))
    TensorSummary()("kernel", np.arange(3))


def test_operators_record_into_the_active_record_at_its_next_step(tmp_path: Path) -> None:
    with SummaryRecord(tmp_path) as record:
        record_all()
        record.record(4)
    assert {tag: step for tag, ((step, _),) in values(tmp_path).items()} == {
        "loss": 4,
        "input": 4,
        "weights": 4,
        "kernel": 4,
    }


def test_without_a_record_operators_do_nothing(tmp_path: Path) -> None:
    record_all()
    SummaryRecord(tmp_path).close()
    record_all()
    assert list(tmp_path.iterdir()) == []


def test_in_eval_mode_operators_do_nothing(tmp_path: Path) -> None:
    with SummaryRecord(tmp_path) as record:
        record.set_mode("eval")
        record_all()
        record.add_value("scalar", "validation", 1)
        record.record(1)
        record.set_mode("train")
        ScalarSummary()("loss", 2)
        record.record(2)
    assert set(values(tmp_path)) == {"validation", "loss"}
