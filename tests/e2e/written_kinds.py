"""Writes two jobs with every kind of data, for the browser tests.

python -m tests.e2e.written_kinds DIRECTORY

Jobs `first` and `second` have steps 0, 10 and 20. Their values differ by a shift, so that tests
can distinguish them; there is one value of each kind.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mindviz.summary import Audio, Embedding, Image, Mesh, PrCurve, SummaryRecord

STEPS = (0, 10, 20)


def write_kinds(directory: Path) -> None:
    """Jobs `first` and `second` below a directory."""
    for shift, name in enumerate(("first", "second")):
        with SummaryRecord(str(directory / name)) as record:
            for step in STEPS:
                add_kinds(record, step, shift)
                record.record(step)


def add_kinds(record: SummaryRecord, step: int, shift: int, prefix: str = "") -> None:
    """One value of each kind; the prefix is put before each tag."""
    rng = np.random.default_rng(step)
    record.add_value("scalar", f"{prefix}loss", 1.0 / (step + 1) + shift)
    # Red grows with the step, and is 10 more in the second job.
    pixels = np.zeros((8, 12, 3), np.uint8)
    pixels[..., 0] = step + 10 * shift
    pixels[:, :6, 1] = 200
    record.add_value("image", f"{prefix}view/camera", Image(pixels, "HWC"))
    record.add_value("histogram", f"{prefix}layer/weight", rng.normal(shift, 1 + step / 10, 1000))
    tensor = np.arange(24, dtype=np.float32).reshape(2, 3, 4) + 100 * shift + step
    tensor[0, 0, 0] = np.nan
    record.add_value("tensor", f"{prefix}layer/kernel", tensor)
    record.add_value(
        "text",
        f"{prefix}notes",
        f"## Step {step}\n\n**bold** and <script>window.ran = 1</script>\n\n- job {name_of(shift)}",
    )
    wave = np.sin(np.arange(8000) * (0.05 + 0.01 * shift)) * 0.5
    record.add_value("audio", f"{prefix}speech", Audio(wave, 8000))
    labels = rng.random(400) < 0.5
    scores = np.clip(labels * (0.3 + 0.01 * step) + rng.random(400) * 0.7, 0, 1)
    record.add_value("pr_curve", f"{prefix}detector", PrCurve(labels, scores))
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1 + shift]], np.float32)
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    record.add_value(
        "mesh", f"{prefix}shape", Mesh(corners, (corners * 200).astype(np.uint8), faces)
    )
    points = rng.normal(size=(60, 5)) + np.repeat(np.eye(3, 5) * 6, 20, axis=0)
    record.add_value(
        "embedding",
        f"{prefix}words",
        Embedding(points, [[f"word {i}", "abc"[i // 20]] for i in range(60)], ["word", "group"]),
    )


def name_of(shift: int) -> str:
    """What the job is called."""
    return ("first", "second")[shift]


if __name__ == "__main__":
    write_kinds(Path(sys.argv[1]))
