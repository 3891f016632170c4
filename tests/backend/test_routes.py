"""Routes are declared once: path, arguments, view."""

from __future__ import annotations

from typing import Any, cast

import pytest
from flask import Flask, Response, url_for

from mindviz.backend.datavisual.train_jobs_api import PluginsQuery, TrainJobCachesBody
from mindviz.backend.errors import register_error_handlers
from mindviz.backend.routes import MatchedRule, RouteBlueprint, Routes
from mindviz.backend.schemas import NoQuery
from mindviz.backend.services import Services
from mindviz.deadline import LongWorkAhead, allow, check, doing
from mindviz.errors import TagNotFound

SERVICES = cast("Services", None)
"""The views here need none."""


def app_with(routes: Routes, *, own: bool = False) -> Flask:
    app = Flask(__name__)
    app.url_rule_class = MatchedRule
    app.register_blueprint(RouteBlueprint("some", "/some", SERVICES, routes.declared, own=own))
    register_error_handlers(app)
    return app


def test_a_view_takes_loaded_arguments_and_names_in_the_path() -> None:
    routes = Routes()

    @routes.get("/things/<name>", PluginsQuery)
    def read_thing(_services: Services, query: dict[str, Any], name: str) -> Response:
        """A thing."""
        return Response(f"{name} {query['train_id']} {query['manual_update']}")

    @routes.post("/things", TrainJobCachesBody)
    def add_things(_services: Services, body: dict[str, Any]) -> Response:
        """Things."""
        return Response(" ".join(body["train_ids"]))

    client = app_with(routes).test_client()
    assert client.get("/some/things/x?train_id=./a").text == "x ./a False"
    assert client.post("/some/things", json={"train_ids": ["a", "b"]}).text == "a b"
    assert client.post("/some/things/x").status_code == 405
    assert client.get("/some/things/x").status_code == 400
    assert [(route.path, route.method) for route in routes.declared] == [
        ("/things/<name>", "GET"),
        ("/things", "POST"),
    ]


def test_double_encoding_distinguishes_plugin_names_from_suffixes() -> None:
    routes = Routes()

    @routes.get("/series/<plugin_name>", NoQuery)
    def read_series(_services: Services, _query: dict[str, Any], plugin_name: str) -> Response:
        """A series."""
        return Response(f"series of {plugin_name}")

    @routes.get("/series/<plugin_name>/blob", NoQuery)
    def read_blob(_services: Services, _query: dict[str, Any], plugin_name: str) -> Response:
        """A blob."""
        return Response(f"blob of {plugin_name}")

    client = app_with(routes).test_client()
    for path, answer in {
        "scalar": "series of scalar",
        "team/scalar": "series of team/scalar",
        "100%25": "series of 100%",
        "scalar/blob": "blob of scalar",
        "team/scalar/blob": "blob of team/scalar",
        "a%252Fblob": "series of a/blob",
        "a%252Fblob/blob": "blob of a/blob",
        "%252Fa%252F%252Fb": "series of /a//b",
        "a%25252Fb": "series of a%2Fb",
        "%25C3%25A4": "series of ä",
    }.items():
        assert client.get(f"/some/series/{path}").text == answer, path


def test_urls_are_built_from_names_of_views() -> None:
    routes = Routes()

    @routes.get("/series/<plugin_name>/blob", NoQuery)
    def read_blob(_services: Services, _query: dict[str, Any], plugin_name: str) -> Response:
        """A blob."""
        return Response(plugin_name)

    with app_with(routes).test_request_context():
        built = url_for("some.GET-read_blob", plugin_name="team/a b", step=3)
    assert built == "/some/series/team/a%20b/blob?step=3"


def test_own_routes_report_missing_objects_as_404() -> None:
    for own, status in ((True, 404), (False, 400)):
        routes = Routes()

        @routes.get("/thing", NoQuery)
        def read_thing(_services: Services, _query: dict[str, Any]) -> Response:
            """Nothing."""
            raise TagNotFound("./a", "scalar", "t")

        assert app_with(routes, own=own).test_client().get("/some/thing").status_code == status


def test_a_long_route_does_not_run_in_the_short_pool() -> None:
    routes = Routes()
    began = []

    @routes.get("/long", NoQuery, long=True)
    def read_long(_services: Services, _query: dict[str, Any]) -> Response:
        """Something long."""
        began.append("view")
        return Response("done")

    client = app_with(routes).test_client()
    with doing(allow(60.0, is_short=True)):
        assert client.get("/some/long?unknown=1").status_code == 400
        with pytest.raises(LongWorkAhead):
            client.get("/some/long")
    assert began == []
    with doing(allow(60.0)):
        assert client.get("/some/long").text == "done"


def test_an_exceeded_deadline_has_retry_after() -> None:
    routes = Routes()

    @routes.get("/endless", NoQuery, long=True)
    def read_endless(_services: Services, _query: dict[str, Any]) -> Response:
        """Never."""
        while True:
            check()

    with doing(allow(0.01)):
        response = app_with(routes).test_client().get("/some/endless")
    assert response.status_code == 503
    assert int(response.headers["Retry-After"]) > 0
    assert response.json is not None
    assert "longer than 0.01 s" in response.json["error_msg"]
