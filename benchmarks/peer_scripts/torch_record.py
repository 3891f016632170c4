"""What recording costs a training with torch's SummaryWriter; see `record_costs.py`."""

import sys
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

sys.path.insert(0, str(Path(__file__).resolve().parent))
from record_costs import TAGS, main

if __name__ == "__main__":

    def record_step(writer: SummaryWriter, step: int) -> None:
        """All scalars of a step."""
        for tag in TAGS:
            writer.add_scalar(tag, 0.5, step)

    main(SummaryWriter, record_step, SummaryWriter.close)
