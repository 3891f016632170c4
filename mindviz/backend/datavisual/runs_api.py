"""Routes for lists of runs that page, sort, filter and group on the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mindviz.backend.routes import Routes
from mindviz.backend.run_pages import RunsQuery, run_query, run_view
from mindviz.backend.schemas import IntegerField, NoQuery, StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.datavisual.train_jobs import base_name
from mindviz.export.json_numbers import json_safe
from mindviz.lineagemgr.run_groups import RunGroups, Summary, is_averaged
from mindviz.lineagemgr.run_query import FoundRuns
from mindviz.lineagemgr.run_table import STATES

own = Routes()

MAX_IDS = 100_000
MAX_VALUES = 200
MAX_GROUPS = 1_000
MAX_RUNS = 1_000
MAX_COLUMNS = 200


class GroupsQuery(RunsQuery):
    """Groups of runs, paged by groups."""

    column = texts(about="Fields to summarize.")
    runs = IntegerField(minimum=0, maximum=MAX_RUNS, load_default=0, about="Ids per group.")


class ValuesQuery(StrictQuery):
    """One field."""

    field = text(required=True)


@own.get("/datavisual/train-job-ids", RunsQuery)
def read_run_ids(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The ids of matching runs, in order; at most 100,000."""
    version = services.store.version
    found = FoundRuns(run_view(services), run_query(query))
    return {
        "data_version": version,
        "total": found.total,
        "matching": found.matching,
        "train_ids": found.page[:MAX_IDS],
    }


@own.post("/datavisual/train-job-ids", RunsQuery)
def read_run_ids_of_many(services: Services, body: dict[str, Any]) -> dict[str, Any]:
    """As GET, for more train_ids than fit into a URL."""
    return read_run_ids(services, body)


@own.get("/datavisual/train-job-groups", GroupsQuery)
def read_run_groups(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """Groups of runs with equal values, and summaries of columns; at most 1,000 groups."""
    version = services.store.version
    view = run_view(services)
    asked = run_query(query)
    found = FoundRuns(view, asked)
    groups = found.groups
    page = [] if asked.limit == 0 else found.sorted_groups()[asked.page][:MAX_GROUPS]
    columns: dict[str, list[Summary]] = {}
    for name in query["column"][:MAX_COLUMNS] if page else ():
        column = view.column(name)
        averaged = is_averaged(view.table.resolve(name), column)
        columns[name] = groups.summaries(column, averaged=averaged)
    return {
        "data_version": version,
        "total": found.total,
        "matching": found.matching,
        "fields": found.fields,
        "group_count": len(groups),
        "groups": [
            {
                "values": json_safe(list(groups.values[group])),
                "key": groups.key(group),
                "count": int(groups.counts[group]),
                "train_ids": _ids(view.table.listing.train_id, groups, group, query["runs"]),
                "columns": {
                    name: _summary(summaries[group]) for name, summaries in columns.items()
                },
            }
            for group in page
        ],
    }


@own.post("/datavisual/train-job-groups", GroupsQuery)
def read_run_groups_of_many(services: Services, body: dict[str, Any]) -> dict[str, Any]:
    """As GET, for more train_ids than fit into a URL."""
    return read_run_groups(services, body)


@own.get("/datavisual/train-job-overview", NoQuery)
def read_runs_overview(services: Services, _query: dict[str, Any]) -> dict[str, Any]:
    """What lists need to know of all runs without their rows: counts and names of fields."""
    status = services.store.status()
    view = run_view(services)
    table = view.table
    states = Counter(view.states.tolist())
    return {
        "data_version": status.version,
        "load_status": status.load_status,
        "name": base_name(status),
        "total": len(table),
        "archived": int(view.flagged("hidden").sum()),
        "pinned": int(view.flagged("pinned").sum()),
        "plugins": table.plugin_counts,
        "formats": {name: runs for name, (runs, _) in table.format_counts.items()},
        "files": {name: files for name, (_, files) in table.format_counts.items()},
        "lineages": int((table.listing.lineage_files > 0).sum()),
        "states": {state: states[code] for code, state in enumerate(STATES)},
        "display_names": sum(map(bool, table.listing.display_name)),
        "scalar_tags": table.tag_counts.get("scalar", {}),
        "unmeasured_tags": table.unmeasured_tags,
        "fields": table.described_facts,
        "parameters": table.parameters.names,
        "shown_as": table.parameters.shown_as,
    }


@own.get("/datavisual/train-job-values", ValuesQuery)
def read_run_values(services: Services, query: dict[str, str]) -> dict[str, Any]:
    """The most frequent values of a field as texts, for completion; at most 200."""
    view = run_view(services)
    column = view.column(query["field"])
    return {
        "field": view.table.resolve(query["field"]),
        "values": column.frequent(MAX_VALUES),
    }


def _ids(train_ids: Sequence[str], groups: RunGroups, group: int, runs: int) -> list[str]:
    return [train_ids[row] for row in groups.rows_of(group)[:runs].tolist()]


def _summary(summary: Summary) -> dict[str, Any]:
    cell: dict[str, Any] = {"value": json_safe(summary.value)}
    if summary.count:
        cell |= {name: json_safe(getattr(summary, name)) for name in ("mean", "std", "min", "max")}
        cell["n"] = summary.count
    return cell
