"""Routes for lists of runs that page, sort, filter and group on the server."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mindviz.backend.routes import Routes
from mindviz.backend.run_pages import RunsQuery, run_list, run_query
from mindviz.backend.schemas import IntegerField, NoQuery, StrictQuery, text, texts
from mindviz.backend.services import Services
from mindviz.datavisual.train_jobs import base_name
from mindviz.export.json_numbers import json_safe
from mindviz.lineagemgr.run_groups import Summary

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
    wanted = run_query(query)
    limit = MAX_IDS if wanted.limit is None else min(MAX_IDS, wanted.limit)
    found = run_list(services).find(replace(wanted, limit=limit))
    return {
        "data_version": version,
        "total": found.total,
        "matching": found.matching,
        "train_ids": found.page,
    }


@own.post("/datavisual/train-job-ids", RunsQuery)
def read_run_ids_of_many(services: Services, body: dict[str, Any]) -> dict[str, Any]:
    """As GET, for more train_ids than fit into a URL."""
    return read_run_ids(services, body)


@own.get("/datavisual/train-job-groups", GroupsQuery)
def read_run_groups(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """Groups of runs with equal values, and summaries of columns; at most 1,000 groups."""
    version = services.store.version
    page = run_list(services).groups(
        run_query(query), query["column"][:MAX_COLUMNS], most=MAX_GROUPS, runs=query["runs"]
    )
    return {
        "data_version": version,
        "total": page.found.total,
        "matching": page.found.matching,
        "fields": page.fields,
        "group_count": page.group_count,
        "groups": [
            {
                "values": json_safe(list(group.values)),
                "key": group.key,
                "count": group.count,
                "train_ids": group.train_ids,
                "columns": {name: _summary(summary) for name, summary in group.columns.items()},
            }
            for group in page.groups
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
    return {
        "data_version": status.version,
        "load_status": status.load_status,
        "name": base_name(status),
        **run_list(services).overview(),
    }


@own.get("/datavisual/train-job-values", ValuesQuery)
def read_run_values(services: Services, query: dict[str, str]) -> dict[str, Any]:
    """The most frequent values of a field as texts, for completion; at most 200."""
    field, values = run_list(services).frequent(query["field"], MAX_VALUES)
    return {"field": field, "values": values}


def _summary(summary: Summary) -> dict[str, Any]:
    cell: dict[str, Any] = {"value": json_safe(summary.value)}
    if summary.count:
        cell |= {name: json_safe(getattr(summary, name)) for name in ("mean", "std", "min", "max")}
        cell["n"] = summary.count
    return cell
