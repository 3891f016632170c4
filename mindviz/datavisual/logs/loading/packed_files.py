"""The files of packed jobs: in the warm cache, or compressed in memory."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace

from mindviz.datavisual.logs.directories.discovery import FoundFile, FoundJob
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.logs.warm.kept_file import KeptFile, PackedFile, unpacked_file
from mindviz.datavisual.logs.warm.kept_job import KeptJob
from mindviz.datavisual.logs.warm.pack import Place

_LEVEL = 1
"""The fastest; halves what small runs take."""


def compressed(
    files: Sequence[Place | PackedFile], options: ScanOptions
) -> Sequence[Place | PackedFile]:
    """Files that stay in memory are compressed; others are soon written to the warm cache."""
    if options.warm is not None:
        return files
    return [
        file._replace(data=zlib.compress(file.data, _LEVEL))
        if isinstance(file, PackedFile)
        else file
        for file in files
    ]


def unpacked(kept: KeptJob, number: int, found: FoundFile, options: ScanOptions) -> KeptFile:
    """A file of a packed job. Raises DamagedPack."""
    home, place = kept.homes[number], kept.place(number)
    if isinstance(home, bytes):
        data = home if options.warm is not None else zlib.decompress(home)
        return unpacked_file(data, place.size, found)
    assert options.warm is not None
    return options.warm.read(found, found.identity, place)


def unpacked_snapshot(
    found: FoundJob, packed: KeptJob, version: int, options: ScanOptions
) -> TrainJobSnapshot:
    """The snapshot of a packed job, without columns in the warm cache. Raises DamagedPack."""
    kept = [unpacked(packed, *file, options) for file in enumerate(found.files)]
    return _snapshot(found, kept, version)


def mapped_snapshot(
    found: FoundJob,
    packed: KeptJob,
    version: int,
    options: ScanOptions,
    known: TrainJobSnapshot | None = None,
) -> TrainJobSnapshot:
    """The snapshot of a packed job with its columns mapped; `known`: the one without.

    Raises DamagedPack.
    """
    warm = options.warm
    assert warm is not None
    kept = [unpacked(packed, *file, options) for file in enumerate(found.files)]
    snapshot = known or _snapshot(found, kept, version)
    files = [
        replace(file, batches=tuple(map(warm.batch, state.places)) or file.batches)
        for file, state in zip(snapshot.files, kept, strict=True)
    ]
    return snapshot.moved(tuple(files), resident=True)


def _snapshot(found: FoundJob, kept: Sequence[KeptFile], version: int) -> TrainJobSnapshot:
    return TrainJobSnapshot(
        found=found,
        files=tuple(replace(file.snapshot, batches=file.batches) for file in kept),
        version=version,
        complete=True,
        resident=all(file.complete and not file.places for file in kept),
        cached=all(file.complete for file in kept),
    )
