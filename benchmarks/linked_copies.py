"""Several copies of one log, for larger benchmarks."""

from __future__ import annotations

import shutil
from pathlib import Path


def link_copies(directory: Path, copies: int, target: Path) -> None:
    """Fill `target` with copies of a log, as hard links if possible."""
    for number in range(copies):
        for path in directory.rglob("*"):
            if path.is_file():
                link = target / f"copy{number}" / path.relative_to(directory)
                link.parent.mkdir(parents=True, exist_ok=True)
                try:
                    link.hardlink_to(path)
                except OSError:  # another file system
                    shutil.copyfile(path, link)
