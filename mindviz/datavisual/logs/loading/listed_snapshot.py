"""What lists show of a snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from mindviz.datavisual.logs.directories.discovery import FoundJob
from mindviz.datavisual.logs.formats import count_kinds
from mindviz.datavisual.logs.snapshots.known_tags import known_tags, note_tags
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.logs.warm.kept_file import PackedFile
from mindviz.datavisual.logs.warm.kept_job import KeptJob, PackedJob
from mindviz.datavisual.logs.warm.kept_statistics import statistics_bytes
from mindviz.datavisual.logs.warm.pack import Place
from mindviz.datavisual.run_listing import ListedRun, Tags
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN
from mindviz.datavisual.store import CacheStatus, TrainJobInfo

_NO_TAGS: Tags = MappingProxyType({})
"""Shared by all runs that are not read yet."""


def listed_run(snapshot: TrainJobSnapshot) -> ListedRun:
    """As `info`, in less memory and time."""
    files = snapshot.found.files
    tags: Tags | None = _NO_TAGS
    if snapshot.files:
        known = None if "catalog" in vars(snapshot) else known_tags(snapshot.files)
        tags = None if known is None else known[0]
    problems = snapshot.problems_of_files
    if tags is None:
        tags = snapshot.tags
        if len(snapshot.findings) == problems:
            entries = snapshot.catalog.entries.get(SCALAR_PLUGIN, {})
            scalars = [entries[tag].refs[0].series for tag in tags.get(SCALAR_PLUGIN, ())]
            note_tags(snapshot.files, tags, scalars)
        problems = len(snapshot.findings)
    return ListedRun(
        create_time=snapshot.create_time,
        update_time=snapshot.update_time,
        points=snapshot.points,
        bytes=sum(file.identity.size for file in files),
        files=len(files),
        lineage_files=sum(file.kind.name == "lineage" for file in files),
        problems=problems,
        formats=_formats(frozenset(file.format.name for file in files)),
        display_name=snapshot.label,
        session_status=snapshot.lineage.facts.session_status,
        tags=tags,
    )


def info_of(found: FoundJob, packed: KeptJob, version: int) -> TrainJobInfo | None:
    """The entry of a packed job; None if it has problems, which are in its files."""
    run = packed.listed
    if run.problems:
        return None
    summaries, lineages, graphs = count_kinds(file.kind for file in found.files)
    return TrainJobInfo(
        train_id=found.train_id,
        create_time=run.create_time,
        update_time=run.update_time,
        formats=run.formats,
        summary_files=summaries,
        lineage_files=lineages,
        graph_files=graphs,
        bytes=run.bytes,
        cache_status=CacheStatus.CACHED,
        version=version,
        points=run.points,
        problems=(),
        display_name=run.display_name,
        session_status=run.session_status,
    )


def packed_job(
    snapshot: TrainJobSnapshot,
    listed: ListedRun,
    files: Sequence[Place | PackedFile],
    *,
    verified: bool,
    with_statistics: bool,
) -> KeptJob:
    """The job of a snapshot, with its row in lists, whose files are in these places."""
    statistics = None
    if with_statistics:
        with suppress(Exception):  # a list that needs them reports it
            statistics = _statistics_of(snapshot)
    facts, read = snapshot.lineage.facts, sums_of(snapshot)[2]
    return PackedJob.of(
        listed,
        facts,
        snapshot.start_time,
        read,
        files,
        verified=verified,
        statistics=statistics,
    )


def _statistics_of(snapshot: TrainJobSnapshot) -> bytes | None:
    """The statistics of its scalars for the warm cache; None if points are needed for them."""
    known = known_tags(snapshot.files)
    if known is not None:
        stats, scalars = snapshot.files[0].totals.stats, known[1]
        if stats.increasing.take(scalars).all():
            return statistics_bytes(stats, scalars)
    if not snapshot.has_summaries:
        return None
    summaries = snapshot.summaries
    return statistics_bytes(summaries.stats, np.arange(len(summaries.tags)))


def sums_of(snapshot: TrainJobSnapshot) -> tuple[int, int, int, int, int]:
    """Points, bytes, bytes read, files, problems of files."""
    found = snapshot.found.files
    return (
        snapshot.points,
        sum(file.identity.size for file in found),
        sum(min(file.offset, file.found.identity.size) for file in snapshot.files),
        len(found),
        snapshot.problems_of_files,
    )


@lru_cache(maxsize=64)
def _formats(names: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(names))
