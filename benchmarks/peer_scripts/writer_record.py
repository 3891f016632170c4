"""The cost of recording with a SummaryWriter; see `record_costs.py`.

python writer_record.py MODULE, torch.utils.tensorboard or mindviz.summary.torch
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from record_costs import TAGS, main

if __name__ == "__main__":
    SummaryWriter = import_module(sys.argv[1]).SummaryWriter

    def record_step(writer: Any, step: int) -> None:
        """All scalars of a step."""
        for tag in TAGS:
            writer.add_scalar(tag, 0.5, step)

    main(SummaryWriter, record_step, SummaryWriter.close)
