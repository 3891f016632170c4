"""What lists show of a snapshot."""

from __future__ import annotations

from functools import lru_cache

from mindviz.datavisual.logs.snapshots.known_tags import known_tags, note_tags
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.run_listing import ListedRun


def listed_run(snapshot: TrainJobSnapshot) -> ListedRun:
    """As `info`, in less memory and time."""
    files = snapshot.found.files
    tags = None if "catalog" in vars(snapshot) else known_tags(snapshot.files)
    problems = snapshot.problems_of_files
    if tags is None:
        tags = snapshot.tags
        if len(snapshot.findings) == problems:
            note_tags(snapshot.files, tags)
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


@lru_cache(maxsize=64)
def _formats(names: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(names))
