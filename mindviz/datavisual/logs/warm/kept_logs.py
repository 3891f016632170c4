"""What a cache has of each base dir."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from mindviz.datavisual.logs.warm.pack import DamagedPack, read_index
from mindviz.datavisual.logs.warm.warm_cache import packs_below, status_of


class KeptLogs(NamedTuple):
    """What a cache has of one base dir."""

    base_dir: str
    files: int
    """Log files."""
    bytes: int
    used: float
    """Unix seconds of the last use."""


def kept_logs(root: Path) -> Sequence[KeptLogs]:
    """All base dirs of a cache, the last used first; damaged packs have no base dir."""
    found: dict[str, tuple[set[str], int, float]] = {}
    for path in packs_below(root):
        base_dir, names = "", []
        with suppress(DamagedPack):
            document = read_index(path).document
            # Other releases keep no paths, or elsewhere.
            base_dir, names = document["base_dir"], document.get("paths", ())
        status = status_of(path)
        if status is not None:
            files, size, used = found.get(base_dir, (set(), 0, 0.0))
            files.update(names)
            found[base_dir] = (files, size + status.st_size, max(used, status.st_mtime))
    listed = [
        KeptLogs(base_dir, len(files), size, used)
        for base_dir, (files, size, used) in found.items()
    ]
    return sorted(listed, key=lambda kept: -kept.used)


def clear(root: Path, base_dir: str | None = None) -> int:
    """Delete what a cache has, or has of one base dir; the bytes. Raises OSError."""
    removed = 0
    for path in packs_below(root):
        with suppress(DamagedPack):
            if base_dir is not None and read_index(path).document["base_dir"] != base_dir:
                continue
        status = status_of(path)
        path.unlink(missing_ok=True)
        removed += status.st_size if status is not None else 0
    return removed
