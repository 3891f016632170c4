"""TrainJobColumns: the listing of all train jobs as columns, for tables with thousands of rows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from mindviz.backend.encoding import MAX_PROBLEMS, to_json
from mindviz.backend.packed_columns import PackedColumn, coded
from mindviz.datavisual.health.event_order import SeverityCounts
from mindviz.datavisual.health.health_events import Severity
from mindviz.datavisual.store import Store, TrainJobInfo
from mindviz.datavisual.train_jobs import base_name
from mindviz.errors import TrainJobNotFound
from mindviz.export.json_numbers import json_safe

MOST_PROBLEMS = 10_000
"""Of all jobs, but at least one per job with problems."""
PLAIN = ("update_time", "create_time", "points", "bytes", "version", "is_integrity")
"""Columns from `TrainJobInfo`; `..._time` is called `..._timestamp` in JSON."""
RunEvents = Mapping[str, SeverityCounts]
COUNTED_FILES = ("summary_files", "graph_files", "lineage_files")


class TrainJobColumns:
    """The JSON of a store's train jobs, encoded again only after changes."""

    def __init__(
        self, store: Store, most_listed: int, events: Callable[[], RunEvents] = dict
    ) -> None:
        """With more than `most_listed` train jobs, the page asks for pages."""
        self._store = store
        self._events = events
        self._known_events: RunEvents = {}
        self._most_listed = most_listed
        self._lock = threading.Lock()
        self._jobs: list[TrainJobInfo] = []
        self._columns = b""

    def page(self, train_ids: Iterable[str], *, total: int, matching: int) -> bytes:
        """The JSON of some train jobs; omits those that were just deleted."""
        head = self._head()
        jobs = self._store.train_jobs(list(train_ids))
        columns = _columns(jobs, [self._tags(job.train_id) for job in jobs], self._events())
        return to_json({**head, "total": total, "matching": matching, "columns": columns})

    def _head(self) -> dict[str, Any]:
        status = self._store.status()
        return {
            "name": base_name(status),
            "load_status": status.load_status,
            "data_version": status.version,
            "most_listed": self._most_listed,
        }

    def json(self) -> bytes:
        """The current JSON of all train jobs."""
        head = self._head()
        with self._lock:
            jobs = list(self._store.list_train_jobs())
            # Usually these are identical objects, so comparing is cheap.
            events = self._events()
            if not self._columns or jobs != self._jobs or events != self._known_events:
                listing = self._store.listing()
                known = dict(zip(listing.train_id, listing.tags, strict=True))
                tags = [known.get(job.train_id, {}) for job in jobs]
                self._columns = to_json(
                    {
                        "total": len(jobs),
                        "matching": len(jobs),
                        "columns": _columns(jobs, tags, events),
                    }
                )
                self._jobs = jobs
                self._known_events = events
            return to_json(head)[:-1] + b"," + self._columns[1:]

    def _tags(self, train_id: str) -> Mapping[str, Sequence[str]]:
        try:
            return self._store.list_tags(train_id)
        except TrainJobNotFound:  # just deleted
            return {}


def _columns(
    jobs: Sequence[TrainJobInfo],
    tags: Sequence[Mapping[str, Sequence[str]]],
    events: RunEvents,
) -> dict[str, PackedColumn]:
    each = max(1, MOST_PROBLEMS // max(1, sum(bool(job.problems) for job in jobs)))
    first = min(each, MAX_PROBLEMS)
    return {
        "train_id": [job.train_id for job in jobs],
        **{
            name.replace("_time", "_timestamp"): [getattr(job, name) for job in jobs]
            for name in PLAIN
        },
        "problem_count": [len(job.problems) for job in jobs],
        "cache_status": coded([job.cache_status for job in jobs], shown=str),
        **{name: coded([getattr(job, name) for job in jobs], shown=int) for name in COUNTED_FILES},
        "formats": coded([job.formats for job in jobs], shown=list),
        "display_name": coded([job.display_name for job in jobs], shown=str),
        "session_status": coded([job.session_status for job in jobs], shown=json_safe),
        "problems": coded([job.problems[:first] for job in jobs], shown=list),
        "events": coded([events.get(job.train_id) for job in jobs], shown=_severities),
        "plugins": coded(tags, key=_content, shown=dict),
    }


def _severities(events: SeverityCounts | None) -> dict[str, int] | None:
    return None if events is None else severity_counts(events)


def severity_counts(events: SeverityCounts) -> dict[str, int]:
    """The numbers by severity, for JSON."""
    return {severity.value: count for severity, count in zip(Severity, events, strict=True)}


def _content(tags: Mapping[str, Sequence[str]]) -> Hashable:
    return tuple((plugin_name, *names) for plugin_name, names in tags.items())
