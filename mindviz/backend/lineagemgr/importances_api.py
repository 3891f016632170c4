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
from mindviz.lineagemgr.query import ask
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
        page = ask(services.lineages.table(), query, annotations, logged_only=not extras)
        found = search_targets(page.rows)
        return to_json(_search_item(found, with_forest=with_forest, extras=extras))

    # Cached, because training forests is slow.
    question = blake2b(request.get_data(), digest_size=16).digest()
    notes = hash(frozenset(annotations.items()))
    return services.responses.cached((version, question, notes), make)


def _search_item(found: TargetSearch, *, with_forest: bool, extras: bool) -> dict[str, Any]:
    can_train = with_forest and find_spec("sklearn") is not None
    item: dict[str, Any] = {
        "metadata": {
            "train_ids": list(found.train_ids),
            "possible_hyper_parameters": [
                {"name": parameter.name, "data": list(parameter.data)}
                for parameter in found.parameters
            ],
            "unrecognized_params": [
                {"name": name, "unselected": True, "reason_code": NOT_NUMBERS}
                for name in found.unrecognized
            ],
        },
        "targets": [],
    }
    for number, target in enumerate(found.targets):
        forest = {}
        if can_train and number < FOREST_TARGETS:
            trained_targets = min(len(found.targets), FOREST_TARGETS)
            forest = _train(found.parameters, target, trained_targets)
        item["targets"].append(_target_item(target, forest, extras=extras))
    if extras:
        item["metadata"]["omitted_targets"] = list(found.omitted)
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
            _importance_item(one, forest.get(one.name), extras=extras) for one in target.importances
        ],
        "data": list(target.result.data),
    }
    if extras:
        item["samples"] = target.samples
        item["warning"] = target.warning
    return item


def _importance_item(
    one: Importance, forest: ForestImportance | None, *, extras: bool
) -> dict[str, Any]:
    item: dict[str, Any] = {"name": one.name, "importance": one.importance}
    if one.reason_code is not None:
        item["reason_code"] = one.reason_code
    if extras:
        item["spearman"] = one.spearman
        item["samples"] = one.samples
        item["permutation"] = forest and {
            "importance": forest.importance,
            "low": forest.low,
            "high": forest.high,
            "samples": forest.samples,
        }
    return item
