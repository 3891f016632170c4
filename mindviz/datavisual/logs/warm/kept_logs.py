"""What a cache has of each base dir."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

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
    """All base dirs of a cache, the last used first; "" is of folders without a readable pack."""
    found: dict[str, tuple[set[str], int, float]] = {}
    for base_dir, packs in _by_folder(root):
        for path, document in packs:
            status = status_of(path)
            if status is not None:
                files, size, used = found.get(base_dir, (set(), 0, 0.0))
                files.update(document.get("paths", ()))  # other releases keep none, or elsewhere
                found[base_dir] = (files, size + status.st_size, max(used, status.st_mtime))
    listed = [
        KeptLogs(base_dir, len(files), size, used)
        for base_dir, (files, size, used) in found.items()
    ]
    return sorted(listed, key=lambda kept: -kept.used)


def clear(root: Path, base_dir: str | None = None) -> int:
    """Delete what a cache has, or has of one base dir; the bytes. Raises OSError."""
    removed = 0
    for known, packs in _by_folder(root):
        if base_dir is None or known == base_dir:
            for path, _ in packs:
                status = status_of(path)
                path.unlink(missing_ok=True)
                removed += status.st_size if status is not None else 0
    return removed


def _by_folder(root: Path) -> Iterator[tuple[str, Sequence[tuple[Path, dict[str, Any]]]]]:
    """The base dir of each folder, its packs, and the documents of their indices.

    Damaged packs, whose document is empty, belong to the base dir of the others in the folder.
    """
    folders: dict[Path, list[tuple[Path, dict[str, Any]]]] = {}
    for path in packs_below(root):
        document = {}
        with suppress(DamagedPack):
            document = read_index(path).document
        folders.setdefault(path.parent, []).append((path, document))
    for packs in folders.values():
        yield next((d["base_dir"] for _, d in packs if "base_dir" in d), ""), packs
