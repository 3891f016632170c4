"""The route for the importance of hyperparameters."""

from __future__ import annotations

from hashlib import blake2b
from importlib.util import find_spec
from typing import Any

from flask import Response, request

from mindviz.backend.encoding import to_json
from mindviz.backend.lineagemgr.lineages_api import read_annotations
from mindviz.backend.lineagemgr.schemas import ImportanceSearchBody
from mindviz.backend.routes import Routes, json_body
from mindviz.backend.schemas import NoArguments
from mindviz.backend.services import Services
from mindviz.deadline import begin_long_work
from mindviz.errors import InvalidLineageQuery
from mindviz.lineagemgr.forest import ForestImportance, forest_importances
from mindviz.lineagemgr.importance import (
    NOT_NUMBERS,
    Importance,
    Parameter,
    Target,
    TargetSearch,
    search_targets,
)
from mindviz.lineagemgr.query import find_lineages
from mindviz.lineagemgr.query_parser import parse_query

contract = Routes()

FOREST_TARGETS = 10
"""Maximum number of results per request for which forests are trained."""


@contract.post("/optimizer/targets/search", NoArguments, body=ImportanceSearchBody)
def search_importances(services: Services, _query: dict[str, Any]) -> Response:
    """The importance of each hyperparameter of the selected train jobs for each result."""
    extras = services.dialect.extras
    body = json_body()
    with_forest = extras
    if extras and isinstance(body, dict):
        with_forest = body.pop("forest", True)
        if not isinstance(with_forest, bool):
            raise InvalidLineageQuery("forest must be true or false.")
    query = parse_query(body)
    version = services.store.version
    annotations, _ = read_annotations(services.annotations)

    def make() -> bytes:
        begin_long_work()
        page = find_lineages(services.lineages.table(), query, annotations, logged_only=not extras)
        search = search_targets(page.rows)
        return to_json(_search_item(search, with_forest=with_forest, extras=extras))

    # Cached, because training forests is slow.
    request_digest = blake2b(request.get_data(), digest_size=16).digest()
    notes = hash(frozenset(annotations.items()))
    return services.responses.cached((version, request_digest, notes), make)


def _search_item(search: TargetSearch, *, with_forest: bool, extras: bool) -> dict[str, Any]:
    can_train = with_forest and find_spec("sklearn") is not None
    item: dict[str, Any] = {
        "metadata": {
            "train_ids": list(search.train_ids),
            "possible_hyper_parameters": [
                {"name": parameter.name, "data": list(parameter.data)}
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
        if can_train and number < FOREST_TARGETS:
            trained_targets = min(len(search.targets), FOREST_TARGETS)
            forest = _train(search.parameters, target, trained_targets)
        item["targets"].append(_target_item(target, forest, extras=extras))
    if extras:
        item["metadata"]["omitted_targets"] = list(search.omitted)
        item["metadata"]["permutation_available"] = find_spec("sklearn") is not None
    return item


def _train(
    parameters: tuple[Parameter, ...], target: Target, targets: int
) -> dict[str, ForestImportance]:
    numbers = [parameter.numbers for parameter in parameters]
    forest = forest_importances(numbers, target.result.numbers, targets=targets)
    names = [parameter.name for parameter in parameters]
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
        item["spearman"] = importance.spearman
        item["samples"] = importance.samples
        item["permutation"] = forest and {
            "importance": forest.importance,
            "low": forest.low,
            "high": forest.high,
            "samples": forest.samples,
        }
    return item
