"""Writes ten jobs that cover every page, for the browser tests.

python -m tests.e2e.written_everything DIRECTORY

They are those of the other modules here, each set in a separate directory: `kinds`, `layout`,
`landscapes`, `sweep`, and the jobs `graphs/net` and `acme/run`. The log of `sweep/sgd/run_1` ends
with invalid bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.e2e.written_graphs import JOBS
from tests.e2e.written_invention import write_invention
from tests.e2e.written_kinds import write_kinds
from tests.e2e.written_landscapes import write_landscapes
from tests.e2e.written_layout import write_layout
from tests.e2e.written_sweep import write_sweep


def write_everything(directory: Path) -> None:
    """The number of jobs selected by default."""
    write_kinds(directory / "kinds")
    write_layout(directory / "layout")
    write_landscapes(directory / "landscapes")
    write_sweep(directory / "sweep", 2)
    (damaged,) = (directory / "sweep" / "sgd" / "run_1").iterdir()
    with damaged.open("ab") as log:
        log.write(b"\xff" * 40)
    JOBS["net"](directory / "graphs" / "net")
    write_invention(directory / "acme")


if __name__ == "__main__":
    write_everything(Path(sys.argv[1]))
