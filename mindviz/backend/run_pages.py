"""Pages of runs: the arguments that filter, sort, group and page lists, and what they find."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import marshmallow as ma

from mindviz.backend.schemas import IntegerField, StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.errors import AnnotationsUnavailable
from mindviz.lineagemgr.lineage_table import LineageTable
from mindviz.lineagemgr.run_lists import Found, RunList
from mindviz.lineagemgr.run_query import USUAL_ORDER, RunQuery

_ARGUMENTS = (
    *("filter", "order", "offset", "limit", "train_id", "also", "archived"),
    *("plugin", "by", "group"),
)
MAX_KEYS = 20


class RunsQuery(StrictQuery):
    """Which runs, in which order."""

    filter = text(empty=True, about="`opt = adam and lr < 0.1`; see train-job-ids.")
    order = texts(about="Fields, `-` before one: descending. Default -pinned, -created.")
    offset = IntegerField(minimum=0, load_default=None, about="Number of rows to skip.")
    limit = IntegerField(minimum=0, load_default=None, about="Rows per page.")
    train_id = texts(about="Only these runs, archived ones included.")
    also = texts(about="Runs that are listed even if they do not match.")
    archived = ma.fields.Boolean(
        load_default=None, metadata={"description": "Whether to list archived runs, too."}
    )
    plugin = texts(about="Only runs with data of one of these plugins.")
    by = texts(about="Fields to group by; `*`: all runs; `*-seed`: all parameters but the seed.")
    group = text(empty=True, about="Only the runs of the group with this key.")

    @ma.validates_schema
    def _check(self, data: dict[str, Any], **_: Any) -> None:
        for name in ("order", "by"):
            if len(data.get(name) or ()) > MAX_KEYS:
                raise ma.ValidationError(f"takes at most {MAX_KEYS} fields", name)


def run_query(query: dict[str, Any]) -> RunQuery:
    """The loaded arguments of a RunsQuery."""
    train_ids = query["train_id"]
    return RunQuery(
        filter=query["filter"] or "",
        # The order of the ids, if there is no other.
        order=tuple(query["order"]) or (() if train_ids else USUAL_ORDER),
        offset=query["offset"] or 0,
        limit=query["limit"],
        train_ids=tuple(train_ids) if train_ids else None,
        also=tuple(query["also"]),
        archived=bool(query["archived"]),
        plugins=tuple(query["plugin"]),
        by=tuple(query["by"]),
        group=query["group"],
    )


def found_runs(services: Services, query: dict[str, Any]) -> Found | None:
    """What a RunsQuery finds; None if it has no argument. Raises InvalidFilter."""
    if all(query[name] in (None, []) for name in _ARGUMENTS):
        return None
    return run_list(services).find(run_query(query))


def run_list(services: Services) -> RunList:
    """All runs with their notes, now."""
    try:
        notes = services.annotations.all()
    except AnnotationsUnavailable:  # the page shows why
        notes = {}
    return services.runs.at(notes, time.time())


def lineages_of(services: Services, train_ids: Sequence[str] | None) -> LineageTable:
    """The lineages of these runs, and possibly others; None: of all."""
    if train_ids is None:
        return services.lineages.table()
    # In the order of the list of all.
    existing = [job.train_id for job in services.store.versions_of(train_ids)]
    return run_list(services).lineages(existing)


def runs_version(services: Services, query: dict[str, Any]) -> tuple[object, ...]:
    """The version of what a RunsQuery finds: pages depend on notes and on the time."""
    stored = (services.store.version,)
    if all(query[name] in (None, []) for name in _ARGUMENTS):
        return stored
    return (*stored, time.time_ns())
