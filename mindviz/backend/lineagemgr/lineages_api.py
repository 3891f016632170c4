"""Routes about lineages: which jobs, noting something about one, datasets, comparing."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from flask import Response

from mindviz.backend import schemas
from mindviz.backend.encoding import to_json
from mindviz.backend.lineagemgr.lineage_questions import (
    AnnotationBody,
    AnnotationQuery,
    DatasetGraphQuery,
    LineageColumnsQuery,
    LineageDiffBody,
    LineageSearchBody,
)
from mindviz.backend.packed_columns import packed
from mindviz.backend.routes import Routes, json_body
from mindviz.backend.services import Dialect, Services
from mindviz.errors import AnnotationsUnavailable, AnswerTooLarge, InvalidAnnotation, InvalidQuery
from mindviz.export.json_numbers import json_safe
from mindviz.lineagemgr.annotation import CONTRACT_FIELDS, Annotation, checked_changes
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.diff import Difference, diff_lineages
from mindviz.lineagemgr.lineage import Lineage
from mindviz.lineagemgr.lineage_table import LineageTable, check_cells
from mindviz.lineagemgr.query import LineagePage, LineageQuery, ask, customized_columns
from mindviz.lineagemgr.query_parser import parse_columns, parse_query

_logger = logging.getLogger(__name__)

MAX_COMPARED = 100
"""Jobs beside each other: more fit on no screen."""

FIELDS = (
    "loss_function",
    "train_dataset_path",
    "train_dataset_count",
    "test_dataset_path",
    "test_dataset_count",
    "network",
    "optimizer",
    "learning_rate",
    "epoch",
    "batch_size",
    "device_num",
    "loss",
    "model_size",
)
"""Of `model_lineage`, as in the contract; after them come dataset_mark, metric, user_defined."""


def add_routes(routes: Routes, services: Services, dialect: Dialect) -> None:
    """Add the contract's routes."""
    store, responses = services.store, services.responses

    @routes.with_body("/lineagemgr/lineages", schemas.NoArguments, body=LineageSearchBody)
    def search_lineages(_query: dict[str, Any]) -> Response:
        """Jobs that meet a condition, sorted and paged, with how they were trained."""
        query = parse_query(json_body())
        table = services.lineages.table()
        annotations, trouble = read_annotations(services.annotations)
        page = ask(table, query, annotations, logged_only=not dialect.extras)
        answer = _page_item(page, query, dialect)
        if trouble and dialect.extras:
            answer["annotations_unavailable"] = trouble
        return responses.uncached(to_json(answer))

    @routes.with_body("/lineagemgr/lineages", AnnotationQuery, body=AnnotationBody, method="PUT")
    def annotate(query: dict[str, str]) -> Response:
        """Note something about a job; what the body does not name stays as it is."""
        train_id = query["train_id"]
        _check_train_id(train_id)
        changes = json_body()
        if not isinstance(changes, dict):
            raise InvalidQuery("The body must be a JSON object.")
        if not dialect.extras and not changes.keys() <= set(CONTRACT_FIELDS):
            raise InvalidAnnotation(f"There are only {' and '.join(CONTRACT_FIELDS)}.")
        # What makes no sense for any job is said before there is none.
        changes = checked_changes(changes)
        store.train_job(train_id)
        services.annotations.update(train_id, changes)
        return responses.uncached(to_json({"status": "success"}))

    @routes.get("/datasets/dataset_graph", DatasetGraphQuery)
    def read_dataset_graph(query: dict[str, str]) -> Response:
        """The graph of the dataset that a job was trained on; empty if there is none."""
        train_id = query["train_id"]
        _check_train_id(train_id)

        def make() -> bytes:
            return to_json(_dataset_graph(services, train_id))

        return responses.cached(responses.versions([train_id]), make)


def add_own_routes(routes: Routes, services: Services) -> None:
    """Add the routes that the contract doesn't know."""
    store, responses = services.store, services.responses

    @routes.get("/lineagemgr/lineage-columns", LineageColumnsQuery)
    def read_columns(query: dict[str, list[str]]) -> Response:
        """How all jobs were trained, by column; those that no job has anything in are left out."""
        wanted = parse_columns(query["column"])

        version = store.version

        def make() -> bytes:
            columns = _columns(services.lineages.table(), wanted)
            return to_json({"data_version": version, **columns})

        return responses.cached((version,), make)

    @routes.post("/lineagemgr/diff", LineageDiffBody)
    def diff(body: dict[str, list[str]]) -> Response:
        """What jobs don't have in common: settings, data, results."""
        if len(body["train_ids"]) > MAX_COMPARED:
            raise AnswerTooLarge(f"More than {MAX_COMPARED} jobs in one comparison.")
        table = services.lineages.table()
        found = diff_lineages(table, body["train_ids"], store.scalar_summaries)
        answer = {
            "train_ids": list(found.train_ids),
            "hyper_parameters": _rows(found.hyper_parameters),
            "user_defined": _rows(found.user_defined),
            "dataset_graph": _rows(found.dataset_graph),
            "metrics": _rows(found.metrics),
            "scalars": _rows(found.scalars),
        }
        return responses.uncached(to_json(answer))


def read_annotations(annotations: Annotations) -> tuple[Mapping[str, Annotation], str | None]:
    """What is noted, or nothing and why: a table without notes is better than none."""
    try:
        return annotations.all(), None
    except AnnotationsUnavailable as error:
        _logger.warning("annotations are not shown: %s", error)
        return {}, str(error)


def _check_train_id(train_id: str) -> None:
    if not train_id.startswith("./"):
        raise InvalidQuery("A train_id begins with './'.")


def _dataset_graph(services: Services, train_id: str) -> dict[str, Any]:
    table = services.lineages.table()
    for row in table.rows:
        if row.summary_dir == train_id and row.dataset_graph is not None:
            return {"dataset_graph": json_safe(row.dataset_graph), "summary_dir": train_id}
    return {}


def _columns(table: LineageTable, scalars: Sequence[str]) -> dict[str, Any]:
    own = customized_columns(table.rows)
    names = (*FIELDS, "dataset_mark", *own, *scalars, "session_status")
    check_cells(len(names), len(table))
    cells = {name: table.column(name) for name in names}
    return {
        "train_id": [row.summary_dir for row in table.rows],
        "columns": {
            name: packed(column)
            for name, column in cells.items()
            if any(cell is not None for cell in column)
        },
    }


def _rows(differences: Sequence[Difference]) -> list[dict[str, Any]]:
    return [{"name": one.name, "values": json_safe(list(one.values))} for one in differences]


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
    customized = {label: asdict(column) for label, column in page.customized.items()}
    return {"customized": customized, "object": items, "count": page.count}


def _model_lineage(row: Lineage, mark: str | None) -> dict[str, Any]:
    item = {name: json_safe(getattr(row, name)) for name in FIELDS}
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
