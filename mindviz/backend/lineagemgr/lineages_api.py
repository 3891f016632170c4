"""Routes for lineages: search, notes about train jobs, dataset graphs, comparison."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mindviz.backend.lineagemgr.schemas import (
    AnnotationBody,
    LineageColumnsQuery,
    LineageDiffBody,
    LineageJobQuery,
    LineageSearchBody,
)
from mindviz.backend.packed_columns import packed
from mindviz.backend.routes import Routes, job_version, json_body, store_version
from mindviz.backend.run_pages import found_runs, lineages_of, run_list, runs_version
from mindviz.backend.schemas import NoArguments
from mindviz.backend.services import Dialect, Services
from mindviz.datavisual.analysis.lineage import Lineage
from mindviz.errors import AnnotationsUnavailable, AnswerTooLarge, InvalidAnnotation, InvalidQuery
from mindviz.export.json_numbers import json_safe
from mindviz.export.lineage_rows import MODEL_FIELDS
from mindviz.lineagemgr.annotation import CONTRACT_FIELDS, Annotation, checked_changes
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.diff import Difference, diff_lineages
from mindviz.lineagemgr.lineage_table import LineageTable, check_cells
from mindviz.lineagemgr.query import (
    LineagePage,
    LineageQuery,
    candidates,
    customized_columns,
    find_lineages,
)
from mindviz.lineagemgr.query_parser import parse_columns, parse_query
from mindviz.lineagemgr.run_table import COLUMN_FIELDS

_logger = logging.getLogger(__name__)

contract = Routes()
own = Routes()

MAX_COMPARED = 100
"""Train jobs per comparison."""


@contract.post("/lineagemgr/lineages", NoArguments, body=LineageSearchBody)
def search_lineages(services: Services, _query: dict[str, Any]) -> dict[str, Any]:
    """Train jobs that meet a condition, sorted and paged, with their lineage."""
    dialect = services.dialect
    query = parse_query(json_body())
    annotations, problem = read_annotations(services.annotations)
    table = lineages_of(services, candidates(query.condition, annotations))
    page = find_lineages(table, query, annotations, logged_only=not dialect.extras)
    item = _page_item(page, query, dialect)
    if problem and dialect.extras:
        item["annotations_unavailable"] = problem
    return item


@contract.put("/lineagemgr/lineages", LineageJobQuery, body=AnnotationBody)
def annotate(services: Services, query: dict[str, str]) -> dict[str, str]:
    """Change the notes about a train job; fields that the body omits stay unchanged."""
    train_id = query["train_id"]
    _check_train_id(train_id)
    changes = json_body()
    if not isinstance(changes, dict):
        raise InvalidQuery("The body must be a JSON object.")
    if not services.dialect.extras and not changes.keys() <= set(CONTRACT_FIELDS):
        raise InvalidAnnotation(f"The only fields are {' and '.join(CONTRACT_FIELDS)}.")
    changes = checked_changes(changes)  # before the job, as the request is always invalid
    services.store.train_job(train_id)
    services.annotations.update(train_id, changes)
    return {"status": "success"}


@contract.get("/datasets/dataset_graph", LineageJobQuery, version=job_version)
def read_dataset_graph(services: Services, query: dict[str, str]) -> dict[str, Any]:
    """The dataset graph of a train job; `{}` if it has none."""
    train_id = query["train_id"]
    _check_train_id(train_id)
    for row in lineages_of(services, [train_id]).rows:
        if row.summary_dir == train_id and row.dataset_graph is not None:
            return {"dataset_graph": json_safe(row.dataset_graph), "summary_dir": train_id}
    return {}


@own.get("/datasets/train_jobs", NoArguments, version=store_version)
def list_dataset_jobs(services: Services, _query: dict[str, Any]) -> dict[str, Any]:
    """The train jobs that have a dataset graph."""
    rows = services.lineages.table().rows.logged.values()
    return {"train_ids": [row.summary_dir for row in rows if row.dataset_graph]}


@own.get("/lineagemgr/lineage-columns", LineageColumnsQuery, version=runs_version)
def read_columns(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The lineage of all train jobs, or of one page, as columns; omits empty columns."""
    columns = parse_columns(query["column"])
    # Read before the data, which may be newer.
    version = services.store.version
    found = found_runs(services, query)
    if found is None:
        table = services.lineages.table()
        names = (
            *COLUMN_FIELDS[:-2],
            *customized_columns(table.rows.logged.values()),
            *columns,
            *COLUMN_FIELDS[-2:],
        )
        check_cells(len(names), len(table))
        total = matching = len(table)
        train_ids: Sequence[str] = table.rows.train_ids
        cells = {name: table.column(name) for name in names}
    else:
        total, matching = found.total, found.matching
        train_ids = found.page
        cells = _cells_of(run_list(services).lineages(train_ids), train_ids, columns)
    return {
        "data_version": version,
        "total": total,
        "matching": matching,
        "train_id": train_ids,
        "columns": {
            name: packed(column)
            for name, column in cells.items()
            if any(cell is not None for cell in column)
        },
    }


def _cells_of(
    table: LineageTable, train_ids: Sequence[str], scalars: Sequence[str]
) -> dict[str, Sequence[Any]]:
    """The columns of some runs; without values for a run that was just deleted or added."""
    rows = [table.find(train_id) for train_id in train_ids]
    own = customized_columns(table.rows[row] for row in rows if row is not None)
    names = (*COLUMN_FIELDS[:-2], *own, *scalars, *COLUMN_FIELDS[-2:])
    check_cells(len(names), len(rows))
    columns = {name: table.column(name) for name in names}
    return {
        name: [None if row is None else column[row] for row in rows]
        for name, column in columns.items()
    }


@own.post("/lineagemgr/lineage-columns", LineageColumnsQuery)
def read_columns_of_many(services: Services, body: dict[str, Any]) -> dict[str, Any]:
    """As GET, for more train_ids than fit into a URL."""
    return read_columns(services, body)


@own.post("/lineagemgr/diff", LineageDiffBody)
def diff(services: Services, body: dict[str, list[str]]) -> dict[str, Any]:
    """The differences between train jobs: settings, data, results."""
    if len(body["train_ids"]) > MAX_COMPARED:
        raise AnswerTooLarge(f"One request may compare at most {MAX_COMPARED} train jobs.")
    table = lineages_of(services, body["train_ids"])
    differences = diff_lineages(table, body["train_ids"], services.store.scalar_summaries)
    return {
        "train_ids": list(differences.train_ids),
        "hyper_parameters": _rows(differences.hyper_parameters),
        "user_defined": _rows(differences.user_defined),
        "dataset_graph": _rows(differences.dataset_graph),
        "metrics": _rows(differences.metrics),
        "scalars": _rows(differences.scalars),
    }


def read_annotations(annotations: Annotations) -> tuple[Mapping[str, Annotation], str | None]:
    """All notes; if they cannot be read, none and the reason."""
    try:
        return annotations.all(), None
    except AnnotationsUnavailable as error:
        _logger.warning("annotations are not shown: %s", error)
        return {}, str(error)


def _check_train_id(train_id: str) -> None:
    if not train_id.startswith("./"):
        raise InvalidQuery("A train_id begins with './'.")


def _rows(differences: Sequence[Difference]) -> list[dict[str, Any]]:
    return [{"name": row.name, "values": json_safe(list(row.values))} for row in differences]


def _page_item(page: LineagePage, query: LineageQuery, dialect: Dialect) -> dict[str, Any]:
    items = []
    per_row = zip(page.rows, page.dataset_marks, page.annotations, page.columns, strict=True)
    for row, mark, annotation, columns in per_row:
        item: dict[str, Any] = {"summary_dir": row.summary_dir}
        if "model" in query.lineage_types:
            item["model_lineage"] = _model_lineage(row, mark)
        if "dataset" in query.lineage_types:
            item["dataset_graph"] = json_safe(row.dataset_graph or {})
        item["added_info"] = _added_info(annotation, dialect)
        if dialect.extras:
            item["has_lineage"] = row.is_logged
            item["create_timestamp"] = row.create_time
            item["update_timestamp"] = row.update_time
            item["session_status"] = row.session_status
            if query.columns:
                item["columns"] = json_safe(columns)
        items.append(item)
    return {"customized": dict(page.customized), "object": items, "count": page.count}


def _model_lineage(row: Lineage, mark: str | None) -> dict[str, Any]:
    item = {name: json_safe(getattr(row, name)) for name in MODEL_FIELDS}
    item["dataset_mark"] = mark
    item["metric"] = json_safe(row.metric)
    item["user_defined"] = json_safe(row.user_defined)
    return item


def _added_info(annotation: Annotation, dialect: Dialect) -> dict[str, Any]:
    return {
        name: value
        for name, value in asdict(annotation).items()
        if value is not None and (dialect.extras or name in CONTRACT_FIELDS)
    }
