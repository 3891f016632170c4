"""Writes jobs with meshes, for the browser tests.

python -m tests.e2e.written_meshes DIRECTORY [lit|cloud|large|near|far ...]

`lit` configures its display: red, unlit, distant at step 0 and the same later. `cloud` has colored
points and no faces. `large` has 500,000 points in a million faces. `near` and `far` are red,
without perspective, from different distances.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from mindviz.summary import Mesh, SummaryRecord

SIDE = 708
"""Points along a side of the large mesh: 501,264 of them."""
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], np.float32)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])


def _write(directory: Path, *meshes: Mesh) -> None:
    with SummaryRecord(str(directory)) as record:
        for step, mesh in enumerate(meshes):
            record.add_value("mesh", "shape", mesh)
            record.record(step)


def _lit(directory: Path) -> None:
    config = {
        "camera": {"cls": "PerspectiveCamera", "fov": 60, "position": [0, 0, 12]},
        "lights": [{"cls": "AmbientLight", "color": "#ffffff", "intensity": 1}],
        "material": {"cls": "MeshBasicMaterial", "color": "#ff0000"},
    }
    _write(directory, Mesh(CORNERS, None, FACES, config), Mesh(CORNERS * 2, None, FACES, config))


def _parallel(directory: Path, away: float) -> None:
    sides = {"left": -2, "right": 2, "top": 2, "bottom": -2, "near": 0.1, "far": 500}
    config = {
        "camera": {"cls": "OrthographicCamera", "position": [0, 0, away], **sides},
        "material": {"cls": "MeshBasicMaterial", "color": "#ff0000"},
    }
    square = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32)
    _write(directory, Mesh(square, None, np.array([[0, 1, 2], [0, 2, 3]]), config))


def _cloud(directory: Path) -> None:
    rng = np.random.default_rng(3)
    points = rng.normal(size=(2000, 3)).astype(np.float32)
    colors = np.zeros((2000, 3), np.uint8)
    colors[:1000, 1] = 255
    colors[1000:, 2] = 255
    _write(directory, Mesh(points, colors))


def _large(directory: Path) -> None:
    across = np.linspace(-3, 3, SIDE, dtype=np.float32)
    x, y = np.meshgrid(across, across)
    points = np.stack([x, y, np.sin(x) * np.cos(y)], 2).reshape(-1, 3)
    corner = (np.arange(SIDE - 1)[:, None] * SIDE + np.arange(SIDE - 1)).ravel()
    one = np.stack([corner, corner + 1, corner + SIDE], 1)
    other = np.stack([corner + 1, corner + SIDE + 1, corner + SIDE], 1)
    _write(directory, Mesh(points, None, np.concatenate([one, other])))


JOBS: dict[str, Callable[[Path], None]] = {
    "lit": _lit,
    "cloud": _cloud,
    "large": _large,
    "near": partial(_parallel, away=4),
    "far": partial(_parallel, away=40),
}


if __name__ == "__main__":
    for job in sys.argv[2:]:
        JOBS[job](Path(sys.argv[1]) / job)
