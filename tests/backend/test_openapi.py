"""The description of the routes, and all routes against it."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.series.lineage_facts import LineageFacts, TrainFacts
from mindviz.datavisual.series.time_series import Histogram, Image, LoggedGraph, Tensor
from tests.store_fake import FakeStore

URL = "/v1/mindviz/openapi.json"
WORKSPACE = TemporaryDirectory(prefix="mindviz-")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


def experiment_with_everything() -> FakeStore:
    """A job with data of each plugin, under names that schemathesis guesses."""
    store = FakeStore()
    for train_id in ("./", "0", "./a"):
        job = store.add(train_id)
        job.facts = LineageFacts(
            train=TrainFacts(epoch=1, loss=float("nan")), user_defined={"0": 1}
        )
        for tag in ("", "0"):
            job.append(tag, [0, 1, 2, 1], [0.5, float("nan"), 1.0, 2.0])
            job.add_values("image", tag, [0], [Image(1, 1, (b"\x89PNG\r\n\x1a\n",))])
            job.add_values("histogram", tag, [0], [Histogram(np.array([[0.0, 1.0, 2.0]]))])
            job.add_values("tensor", tag, [0], [Tensor(np.zeros((2, 2)), "DT_FLOAT64")])
            job.add_values("graph", tag, [0], [LoggedGraph("visualdl", {"nodes": [{"name": "0"}]})])
    return store


def routes() -> list[Any]:
    """All described routes as schemathesis operations."""
    config = Config(Path("/data"), workspace=Path(WORKSPACE.name))
    app = create_app(config, experiment_with_everything())
    described = schemathesis.openapi.from_wsgi(URL, app)
    found: list[Any] = list(described.get_all_operations())
    return [operation.ok() for operation in found]


@pytest.mark.parametrize("route", routes(), ids=lambda route: route.label)
def test_all_statuses_are_documented(route: Any) -> None:
    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    @given(case=route.as_strategy())
    def ask(case: Any) -> None:
        # The test client does not decompress.
        response = case.call(headers={"Accept-Encoding": "identity"})
        case.validate_response(response, checks=CHECKS)

    ask()


def test_the_description_lists_each_route_once(client: FlaskClient) -> None:
    description = client.get(URL).get_json()
    assert description["openapi"] == "3.1.0"
    paths = description["paths"]
    assert "/v1/mindviz/datavisual/scalars" in paths
    assert "/v1/mindviz/series/{plugin_name}" in paths
    assert set(paths["/v1/mindviz/datavisual/train-job-caches"]) == {"post"}
    assert not [path for path in paths if "mindinsight" in path]
    (scalars,) = [paths["/v1/mindviz/datavisual/scalars"]["get"]]
    assert {argument["name"] for argument in scalars["parameters"]} >= {"train_id", "max_points"}
    assert {"200", "304", "400"} <= set(scalars["responses"])
    assert "422" not in scalars["responses"]


def test_all_routes_are_described(client: FlaskClient) -> None:
    described = set(client.get(URL).get_json()["paths"])
    served = {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for rule in client.application.url_map.iter_rules()
    }
    ours = {path for path in served if path.startswith("/v1/mindviz/")}
    assert ours - described == {"/v1/mindviz/docs"}  # the page to try them at
    theirs = {path.replace("/v1/mindinsight/", "/v1/mindviz/") for path in served - ours}
    assert {path for path in theirs if path.startswith("/v1/")} <= described


def test_the_description_is_below_the_configured_prefix(store: FakeStore) -> None:
    app = create_app(Config(Path("/data"), url_path_prefix="/lab/viz"), store)
    description = app.test_client().get(f"/lab/viz{URL}").get_json()
    elsewhere = {
        path for path in description["paths"] if not path.startswith("/lab/viz/v1/mindviz/")
    }
    assert elsewhere == {"/lab/viz/data/blob/{blob_key}"}
