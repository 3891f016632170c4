"""Writes jobs whose log has a layout of charts, for the browser tests.

python -m tests.e2e.written_layout DIRECTORY

Jobs `first` and `second` have the scalars loss/train, loss/test, acc/mean, acc/low and acc/high in
steps 0 to 9, and a layout of two charts: the losses, and the accuracy with its margin.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mindviz.summary.torch import SummaryWriter

LAYOUT = {
    "Training": {
        "Losses": ["Multiline", ["loss/(train|test)"]],
        "Accuracy": ["Margin", ["acc/mean", "acc/low", "acc/high"]],
    }
}


def write_layout(directory: Path) -> None:
    """Jobs `first` and `second` below a directory."""
    for shift, name in enumerate(("first", "second")):
        with SummaryWriter(str(directory / name)) as writer:
            writer.add_custom_scalars(LAYOUT)
            for step in range(10):
                writer.add_scalar("loss/train", 1 / (step + 1) + shift, step)
                writer.add_scalar("loss/test", 2 / (step + 1) + shift, step)
                for tag, apart in (("mean", 0.0), ("low", -0.1), ("high", 0.1)):
                    writer.add_scalar(f"acc/{tag}", step / 10 + apart, step)


if __name__ == "__main__":
    write_layout(Path(sys.argv[1]))
