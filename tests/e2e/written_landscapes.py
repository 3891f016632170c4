"""Writes runs with loss landscapes: `python -m tests.e2e.written_landscapes DIRECTORY`."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.landscape_logs import NAME, final, interval, log

if __name__ == "__main__":
    for number, run in enumerate(("a", "b")):
        folder = Path(sys.argv[1]) / run
        folder.mkdir(parents=True)
        content = log(interval([1, 5, 9], number), final(float(number)))
        (folder / NAME).write_bytes(content)
