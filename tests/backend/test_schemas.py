"""Schemas of queries."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import marshmallow as ma
import pytest
from flask import Flask, request
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend import schemas
from mindviz.backend.datavisual import train_jobs_api
from mindviz.backend.datavisual.images_api import SingleImageQuery
from mindviz.backend.errors import BadArgument, Reason
from mindviz.backend.schemas import QueryParser


def load(schema: type[ma.Schema], query: Mapping[str, object]) -> object:
    with Flask(__name__).test_request_context("/", query_string=dict(query)):
        return QueryParser().parse(schema(), request, location="query")


def refusal(schema: type[ma.Schema], query: Mapping[str, object]) -> Reason:
    with pytest.raises(BadArgument) as caught:
        load(schema, query)
    return caught.value.reason


@given(st.text(max_size=8))
def test_integers_are_parsed_by_int(text: str) -> None:
    try:
        expected: object = int(text)
    except ValueError:
        expected = None
    query = {"train_id": "./a", "tag": "t", "step": text}
    if expected is None:
        reason = Reason.TYPE if text else Reason.MISSING
        assert refusal(SingleImageQuery, query) is reason
    else:
        loaded = load(SingleImageQuery, query)
        assert isinstance(loaded, dict)
        assert loaded["step"] == expected


def test_integers_stay_within_int64() -> None:
    query: dict[str, object] = {"train_id": "./a", "tag": "t", "step": 2**63}
    assert refusal(SingleImageQuery, query) is Reason.VALUE


def test_all_points_and_a_number_of_points() -> None:
    def max_points(**query: object) -> int | None:
        loaded = load(schemas.ScalarsQuery, dict(query))
        assert isinstance(loaded, schemas.ScalarsArguments)
        sample = loaded.selection.downsample
        return None if sample is None else sample.num_points

    assert (max_points(), max_points(max_points="all"), max_points(max_points=7)) == (1000, None, 7)


def test_all_schemas_are_strict_or_lenient() -> None:
    import_module("mindviz.backend.app")  # imports all routes
    queries = [one for one in _subclasses(ma.Schema) if one.__module__.startswith("mindviz.")]
    assert len(queries) > 40
    for query in queries:
        is_answer = query.__module__ == "mindviz.backend.openapi"
        bases = (schemas.LenientQuery, schemas.StrictQuery)
        assert is_answer or sum(issubclass(query, base) for base in bases) == 1, query


def _subclasses(kind: type) -> list[type]:
    direct: list[type] = kind.__subclasses__()
    return [*direct, *(inner for one in direct for inner in _subclasses(one))]


def test_messages_name_the_argument() -> None:
    with pytest.raises(BadArgument, match=r"'limit' must be an integer"):
        load(train_jobs_api.TrainJobsQuery, {"limit": "x"})
    with pytest.raises(BadArgument, match=r"Param missing. 'train_id' is required"):
        load(train_jobs_api.PluginsQuery, {})
    with pytest.raises(BadArgument, match=r"'tga' is unknown"):
        load(schemas.NoQuery, {"tga": "1"})
