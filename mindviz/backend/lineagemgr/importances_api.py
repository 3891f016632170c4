"""The route for the importance of hyperparameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from flask import Response, request

from mindviz.backend.encoding import to_json
from mindviz.backend.lineagemgr.lineages_api import read_annotations
from mindviz.backend.lineagemgr.schemas import ImportanceSearchBody
from mindviz.backend.routes import Routes, json_body
from mindviz.backend.run_pages import lineages_of
from mindviz.backend.schemas import NoArguments
from mindviz.backend.services import Services
from mindviz.deadline import begin_long_work
from mindviz.errors import InvalidLineageQuery
from mindviz.export.json_numbers import json_safe
from mindviz.lineagemgr.categories import one_hot
from mindviz.lineagemgr.forest import ForestImportance, forest_importances
from mindviz.lineagemgr.importance import (
    NOT_NUMBERS,
    SYSTEM_PARAMETERS,
    Importance,
    Parameter,
    Target,
    TargetSearch,
    all_targets,
    columns_of,
    rank_parameters,
    search_targets,
    user_defined_parameters,
)
from mindviz.lineagemgr.query import LineagePage, LineageQuery, candidates, find_lineages
from mindviz.lineagemgr.query_parser import parse_fields, parse_query

contract = Routes()

FOREST_TARGETS = 10
"""Maximum number of results per request for which forests are trained."""
NAMED_CATEGORIES = ("optimizer", "loss_function", "network", "device_num")
"""Named fields that our dialect also ranks."""


@contract.post("/optimizer/targets/search", NoArguments, body=ImportanceSearchBody)
def search_importances(services: Services, _query: dict[str, Any]) -> Response:
    """The importance of each hyperparameter of the selected train jobs for each result."""
    extras = services.dialect.extras
    body = json_body()
    options = _parse_options(body) if extras and isinstance(body, dict) else _Options()
    query = options.with_columns(parse_query(body))
    version = services.store.version
    annotations, _ = read_annotations(services.annotations)

    def make() -> bytes:
        begin_long_work()
        table = lineages_of(services, candidates(query.condition, annotations))
        page = find_lineages(table, query, annotations, logged_only=not extras)
        search = _ranked(page, options) if extras else search_targets(page.rows)
        return to_json(_search_item(search, with_forest=extras and options.forest, extras=extras))

    # Cached, because training forests is slow.
    request_digest = blake2b(request.get_data(), digest_size=16).digest()
    notes = hash(frozenset(annotations.items()))
    return services.responses.cached((version, request_digest, notes), make)


@dataclass(frozen=True, slots=True)
class _Options:
    """What our dialect adds to the body; None for the defaults."""

    forest: bool = True
    parameters: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None

    def with_columns(self, query: LineageQuery) -> LineageQuery:
        """The query, with the columns of scalars."""
        names = (*(self.parameters or ()), *(self.targets or ()))
        scalars = tuple(name for name in names if name.startswith("scalar/"))
        return replace(query, columns=(*query.columns, *scalars))


def _parse_options(body: dict[str, Any]) -> _Options:
    forest = body.pop("forest", True)
    if not isinstance(forest, bool):
        raise InvalidLineageQuery("forest must be true or false.")
    parameters, targets = (
        parse_fields(body.pop(name), name) if name in body else None
        for name in ("parameters", "targets")
    )
    return _Options(forest, parameters, targets)


def _ranked(page: LineagePage, options: _Options) -> TargetSearch:
    rows = page.rows
    logged = columns_of(rows)

    def column(name: str) -> Sequence[Any]:
        if name.startswith("scalar/"):
            return [columns[name] for columns in page.columns]
        return page.dataset_marks if name == "dataset_mark" else logged(name)

    parameters = (
        [*SYSTEM_PARAMETERS, *NAMED_CATEGORIES, *user_defined_parameters(rows)]
        if options.parameters is None
        else [_contract_name(name) for name in options.parameters]
    )
    targets = (
        all_targets(rows)
        if options.targets is None
        else [_contract_name(name) for name in options.targets]
    )
    return rank_parameters(rows, parameters, targets, column)


def _contract_name(field: str) -> str:
    for prefix, short in (("metric/", "[M]"), ("user_defined/", "[U]")):
        if field.startswith(prefix):
            return short + field.removeprefix(prefix)
    return field


def _search_item(search: TargetSearch, *, with_forest: bool, extras: bool) -> dict[str, Any]:
    item: dict[str, Any] = {
        "metadata": {
            "train_ids": list(search.train_ids),
            "possible_hyper_parameters": [
                {"name": parameter.name, "data": json_safe(list(parameter.data))}
                for parameter in search.parameters
            ],
            "unrecognized_params": [
                {"name": name, "unselected": True, "reason_code": NOT_NUMBERS}
                for name in search.unrecognized
            ],
        },
        "targets": [],
    }
    for number, target in enumerate(search.targets):
        forest = {}
        if with_forest and number < FOREST_TARGETS:
            trained_targets = min(len(search.targets), FOREST_TARGETS)
            forest = _train(search.parameters, target, trained_targets)
        item["targets"].append(_target_item(target, forest, extras=extras))
    if extras:
        item["metadata"]["omitted_targets"] = list(search.omitted)
    return item


def _train(
    parameters: tuple[Parameter, ...], target: Target, targets: int
) -> dict[str, ForestImportance]:
    # Constants and identifiers tell a forest nothing.
    ranked = {item.name for item in target.importances if item.reason_code is None}
    used = [parameter for parameter in parameters if parameter.name in ranked]
    forest = forest_importances(
        [one_hot(item.numbers) if item.is_category else item.numbers for item in used],
        target.result.numbers,
        targets=targets,
    )
    names = [parameter.name for parameter in used]
    return {} if forest is None else dict(zip(names, forest, strict=True))


def _target_item(
    target: Target, forest: dict[str, ForestImportance], *, extras: bool
) -> dict[str, Any]:
    item: dict[str, Any] = {
        "name": target.result.name,
        "buckets": [list(bucket) for bucket in target.buckets],
        "hyper_parameters": [
            _importance_item(importance, forest.get(importance.name), extras=extras)
            for importance in target.importances
        ],
        "data": list(target.result.data),
    }
    if extras:
        item["samples"] = target.samples
        item["warning"] = target.warning
    return item


def _importance_item(
    importance: Importance, forest: ForestImportance | None, *, extras: bool
) -> dict[str, Any]:
    item: dict[str, Any] = {"name": importance.name, "importance": importance.importance}
    if importance.reason_code is not None:
        item["reason_code"] = importance.reason_code
    if extras:
        item["kind"] = "category" if importance.is_category else "number"
        item["spearman"] = importance.spearman
        item["samples"] = importance.samples
        item["permutation"] = forest and {
            "importance": forest.importance,
            "low": forest.low,
            "high": forest.high,
            "samples": forest.samples,
        }
    return item
