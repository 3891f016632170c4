"""Writes a VisualDL job with an ROC curve, for the browser tests.

    python -m tests.e2e.written_rates DIRECTORY

Tag `detector` has three thresholds at steps 0 and 1: of 100 positives and 100 negatives, at step 0
60 and 40 are found at the middle one, at step 1 80 and 20.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mindviz.wire.encode import frames
from mindviz.wire.encode_visualdl import meta
from mindviz.wire.framing import Framing
from tests.proto import visualdl_pb2
from tests.written_logs import write

START = 1_700_000_000


def write_rates(directory: Path) -> None:
    """Job `rates` below a directory."""
    records = [meta(START), *(_curve(step, 60 + 20 * step) for step in (0, 1))]
    write(directory / "rates", f"vdlrecords.{START}.log", frames(records, Framing.LENGTH_PREFIXED))


def _curve(step: int, found: int) -> bytes:
    rates = visualdl_pb2.Record.ROCCurve(
        TP=[100, found, 0],
        FP=[100, 100 - found, 0],
        TN=[0, found, 100],
        FN=[0, 100 - found, 100],
        tpr=[1, found / 100, 0],
        fpr=[1, 1 - found / 100, 0],
    )
    value = visualdl_pb2.Record.Value(
        id=step, tag=b"detector", timestamp=(START + step) * 1000, roc_curve=rates
    )
    return visualdl_pb2.Record(values=[value]).SerializeToString()


if __name__ == "__main__":
    write_rates(Path(sys.argv[1]))
