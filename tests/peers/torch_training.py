"""Trains a small torch network, recorded in two ways, for comparison with MindInsight.

python tests/peers/environments.py --compare-training

Below the given directory, `collected` is written by SummaryCollector, and `recorded` by the loop
with a SummaryRecord: scalars, images, histograms, tensors and lineage.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from torch import nn

from mindviz.summary import SummaryRecord
from mindviz.summary.adapters.torch import SummaryCollector

EPOCHS = 3
BATCH = 8


def main(base_dir: Path) -> None:
    """Train, and leave the two logs."""
    torch.manual_seed(0)
    network = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 3))
    images = torch.rand(32, 1, 8, 8)
    labels = torch.randint(0, 3, (32,))
    loader = torch.utils.data.DataLoader(
        torch.utils.data.TensorDataset(images, labels), batch_size=BATCH
    )
    optimizer = torch.optim.Adam(network.parameters(), 0.01)
    loss_fn = nn.CrossEntropyLoss()
    collected = SummaryCollector(
        base_dir / "collected",
        collect_freq=2,
        custom_lineage_data={"note": "a small training", "width": 4},
        network=network,
        optimizer=optimizer,
        loss_fn=loss_fn,
        loader=loader,
    )
    step = 0
    with collected as collector, SummaryRecord(str(base_dir / "recorded")) as record:
        for _ in collector.epochs(EPOCHS):
            for batch, targets in loader:
                optimizer.zero_grad()
                outputs = network(batch)
                loss = loss_fn(outputs, targets)
                loss.backward()
                optimizer.step()
                step += 1
                right = (outputs.argmax(1) == targets).float()
                record.add_value("scalar", "loss", loss)
                record.add_value("scalar", "accuracy", right.mean())
                if step % 4 == 0:
                    record.add_value("image", "batch", batch)
                    record.add_value("histogram", "weights", network[3].weight)
                    record.add_value("tensor", "logits", outputs)
                record.record(step)
        record.add_value("train_lineage", "train_lineage", {"network": "Small", "epoch": EPOCHS})
        record.add_value(
            "eval_lineage", "eval_lineage", {"metric": {"accuracy": float(right.mean())}}
        )
        record.add_value("custom_lineage_data", "custom_lineage_data", {"batch": BATCH})
        record.record(step)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
