"""Writes a sweep with long names, for the browser tests of whole tasks.

python -m tests.e2e.written_tasks DIRECTORY

48 runs below `cifar100/`: 40 of torch, with two optimizers, four learning rates and seeds 0 to 4;
five with a learning rate of 1, of which seed 3 diverges to NaN at step 120; three of MindSpore,
older than the others. Those of torch log `train/loss` and, less often, `val/accuracy`; those of
MindSpore log `loss` and `acc`. No run names its metrics. Adam with 0.01 and seed 4 is the best; sgd
with 0.1 and seed 0 has a loss of 9 at step 137.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests import lineage_logs
from tests.written_logs import write

STEPS = 200
START = 1_700_000_000
OLD = START - 10_000
"""MindSpore runs are not among the newest ten."""
NAME = "resnet50_imagenet_pretrained_bs256_augmix"
BEST_RATE = 0.01


def accuracy_of(optimizer: str, rate: float, seed: int) -> float:
    """The final accuracy: the learning rate matters most."""
    distance = abs(math.log10(rate / BEST_RATE))
    return 0.92 - 0.15 * distance - (0.03 if optimizer == "sgd" else 0.0) + 0.002 * seed


def _torch(directory: Path, optimizer: str, rate: float, seed: int, number: int) -> None:
    diverges = (rate, seed) == (1.0, 3)
    best = accuracy_of(optimizer, rate, seed)
    events = [
        tensorboard.event(
            START + number,
            0,
            [lineage_logs.session_start({"lr": rate, "optimizer": optimizer, "seed": seed})],
        )
    ]
    for step in range(STEPS):
        wave = 0.05 * math.sin(step * 1.7 + seed)
        loss = 2.5 * math.exp(-step / 60) + 1 - best + wave
        if (optimizer, rate, seed, step) == ("sgd", 0.1, 0, 137):
            loss = 9.0
        if diverges and step >= 100:
            loss = math.nan if step >= 120 else loss * 1.5 ** (step - 100)
        values = [tensorboard.scalar("train/loss", loss)]
        if step % 10 == 9:
            shown = 0.1 if diverges and step >= 120 else best * (1 - math.exp(-step / 40))
            values.append(tensorboard.scalar("val/accuracy", shown))
        events.append(tensorboard.event(START + number + step, step, values))
    content = frames([tensorboard.version_event(START), *events], Framing.TFRECORD)
    write(
        directory / f"{NAME}_{optimizer}_lr{rate}_seed{seed}",
        f"events.out.tfevents.{START + number}.host",
        content,
    )


def _mindspore(directory: Path, seed: int) -> None:
    events = [
        mindspore.scalars_event(
            OLD + step,
            step,
            {
                "loss": 2.3 * math.exp(-step / 70) + 0.1,
                "acc": 0.9 * (1 - math.exp(-step / 50)),
            },
        )
        for step in range(STEPS)
    ]
    job = directory / f"mindspore_{NAME}_momentum_lr0.01_seed{seed}"
    write(
        job,
        f"run.out.events.summary.{OLD}.0.host_MS",
        frames([mindspore.version_event(START), *events], Framing.TFRECORD),
    )
    lineage_logs.write_mindspore_job(
        job, lineage_logs.training(learning_rate=0.01, optimizer="Momentum"), start=OLD
    )


def write_tasks(directory: Path) -> None:
    """All runs below a directory."""
    runs = [
        (optimizer, rate, seed)
        for optimizer in ("adam", "sgd")
        for rate in (0.001, 0.01, 0.03, 0.1)
        for seed in range(5)
    ]
    runs += [("sgd", 1.0, seed) for seed in range(5)]
    for number, (optimizer, rate, seed) in enumerate(runs):
        _torch(directory / "cifar100", optimizer, rate, seed, number)
    for seed in range(3):
        _mindspore(directory / "cifar100", seed)


if __name__ == "__main__":
    write_tasks(Path(sys.argv[1]))
