"""The cost of recording with MindSpore's SummaryRecord; see `record_costs.py`."""

import sys
from pathlib import Path

from mindspore import SummaryRecord, Tensor, float32

sys.path.insert(0, str(Path(__file__).resolve().parent))
from record_costs import TAGS, main

if __name__ == "__main__":
    value = Tensor(0.5, float32)

    def record_step(record: SummaryRecord, step: int) -> None:
        """All scalars of a step."""
        for tag in TAGS:
            record.add_value("scalar", tag, value)
        record.record(step)

    main(SummaryRecord, record_step, SummaryRecord.close)
