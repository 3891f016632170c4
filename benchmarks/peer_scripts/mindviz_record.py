"""The cost of recording with mindviz's SummaryRecord; see `record_costs.py`."""

import sys
from pathlib import Path

import numpy as np

from mindviz.summary import SummaryRecord

sys.path.insert(0, str(Path(__file__).resolve().parent))
from record_costs import TAGS, add_large, main

if __name__ == "__main__":

    def record_step(record: SummaryRecord, step: int) -> None:
        """All scalars of a step."""
        for tag in TAGS:
            record.add_value("scalar", tag, 0.5)
        record.record(step)

    large = {
        "histogram": np.random.default_rng(0).standard_normal(10_000_000, np.float32),
        "image": np.random.default_rng(0).integers(0, 255, (64, 3, 224, 224), np.uint8),
    }
    main(SummaryRecord, record_step, SummaryRecord.close, add_large(large))
