"""Writes jobs with embeddings, for the browser tests.

    python -m tests.e2e.written_points DIRECTORY [pictures|many|few|odd ...]

`pictures` has 36 points on two circles, each with a picture: red ones of the group `red`, blue ones
of `blue`. `many` has 20,000 points in four clusters. `few` names a sheet of too few pictures. `odd`
has 12 points, two of them with coordinates that are no numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from mindviz.summary import Embedding, SummaryRecord
from mindviz.summary.torch import SummaryWriter
from mindviz.summary.values import images

COUNT = 36
MANY = 20_000


def _pictures(directory: Path) -> None:
    rng = np.random.default_rng(1)
    group = np.arange(COUNT) % 2
    angles = np.arange(COUNT) / COUNT * 2 * np.pi
    points = np.stack([np.cos(angles) + 4 * group, np.sin(angles), rng.normal(0, 0.1, COUNT)], 1)
    pictures = np.zeros((COUNT, 3, 12, 16))
    pictures[group == 0, 0] = 1
    pictures[group == 1, 2] = 1
    labels = [[f"p{i}", ("red", "blue")[group[i]]] for i in range(COUNT)]
    with SummaryWriter(str(directory)) as writer:
        writer.add_embedding(points, labels, pictures, 5, "digits", ["name", "group"])


def _few(directory: Path) -> None:
    _pictures(directory)
    [sheet] = directory.rglob("sprite.png")
    sheet.write_bytes(images.png(np.zeros((12, 16, 3), np.uint8)))


def _many(directory: Path) -> None:
    rng = np.random.default_rng(2)
    cluster = np.arange(MANY) % 4
    points = rng.normal(0, 1, (MANY, 8)) + np.eye(4, 8)[cluster] * 12
    with SummaryRecord(str(directory)) as record:
        labels = [f"cluster {one}" for one in cluster]
        record.add_value("embedding", "tokens", Embedding(points, labels))
        record.record(0)


def _odd(directory: Path) -> None:
    points = np.random.default_rng(3).normal(0, 1, (12, 4))
    points[3, 1], points[7] = np.nan, np.inf
    with SummaryRecord(str(directory)) as record:
        record.add_value("embedding", "odd", Embedding(points, [f"p{i}" for i in range(12)]))
        record.record(0)


def _projector(directory: Path) -> None:
    """400 points in files beside no log, with a number each and forty words; the sprite is gone."""
    points = np.random.default_rng(4).normal(0, 1, (400, 2))
    rows = [f"w{i % 40:02}\t{i}" for i in range(400)]
    directory.mkdir(parents=True)
    np.savetxt(directory / "vectors.tsv", points, delimiter="\t")
    (directory / "labels.tsv").write_text("\n".join(["word\tnumber", *rows]) + "\n")
    (directory / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "words" tensor_path: "vectors.tsv" metadata_path: "labels.tsv" '
        'sprite { image_path: "gone.png" single_image_dim: 4 single_image_dim: 4 } }'
    )


JOBS: dict[str, Callable[[Path], None]] = {
    "pictures": _pictures,
    "many": _many,
    "few": _few,
    "odd": _odd,
    "projector": _projector,
}


if __name__ == "__main__":
    for job in sys.argv[2:]:
        JOBS[job](Path(sys.argv[1]) / job)
