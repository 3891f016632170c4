"""Errors over HTTP: one body, two columns of statuses."""

from __future__ import annotations

import gc
import re
import weakref
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from mindviz import errors as domain
from mindviz.backend.errors import ANSWERS, BadArgument, Reason, answer_for
from mindviz.errors import DamagedValue, MindvizError, PluginNotFound, StepNotFound, TagNotFound
from tests.store_fake import FakeStore


def all_errors(base: type[MindvizError] = MindvizError) -> list[type[MindvizError]]:
    return [base, *(one for child in base.__subclasses__() for one in all_errors(child))]


def test_all_errors_of_requests_have_a_status() -> None:
    answered = ANSWERS.keys() - {MindvizError}
    without = {error.__name__ for error in all_errors() if answered.isdisjoint(error.__mro__)}
    assert without <= {
        "CannotOpen",
        "ClusterUnavailable",
        "InvalidValue",
        "MindvizError",
        "RecordingFailed",
        "RunChanged",
        "ServerUnavailable",
        "StartError",
        "_Busy",
    }


def test_only_unknown_errors_are_server_errors() -> None:
    for error, answer in ANSWERS.items():
        statuses = (answer.contract_status, answer.own_status)
        # MindInsight has none of these: it has no tokens, omits unknown series, accepts
        # bodies of any type, and has neither exports nor databases.
        own = {(401, 401), (404, 404), (415, 415), (429, 429), (503, 503)}
        assert statuses in {(400, 400), (400, 403), (400, 404), (500, 500), *own}
        assert (answer.contract_status == 500) == (error is MindvizError)


def test_codes_are_eight_upper_hex_digits_in_the_contracts_modules() -> None:
    codes = [answer.error_code for answer in ANSWERS.values()] + [r.value for r in Reason]
    assert all(re.fullmatch(r"5054[025][0-9A-F]{3}", code) for code in codes)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (TagNotFound("./a", "scalar", "t"), "5054500E"),
        (TagNotFound("./a", "image", "t"), "5054500D"),
        (TagNotFound("./a", "histogram", "t"), "5054500F"),
        (TagNotFound("./a", "tensor", "t"), "50545012"),
        (TagNotFound("./a", "graph", "t"), "5054500C"),
        (TagNotFound("./a", "audio", "t"), "5054500E"),
        (StepNotFound("t", 1), "50545014"),
        (PluginNotFound("p"), "5054500B"),
        (BadArgument(Reason.MISSING, ""), "50540003"),
        (domain.TensorTooLarge(""), "50545016"),
    ],
    ids=repr,
)
def test_each_error_has_its_code(error: MindvizError, code: str) -> None:
    assert answer_for(error).error_code == code


def test_own_routes_use_404_where_the_contract_uses_400(
    store: FakeStore, client: FlaskClient
) -> None:
    store.add("./a").append("loss", [1], [1.0])
    for query, code in (
        ("train_id=./b&tag=loss", "50545005"),
        ("train_id=./a&tag=acc", "5054500E"),
    ):
        ours = client.get(f"/v1/mindviz/series/scalar?{query}")
        theirs = client.get(f"/v1/mindviz/datavisual/scalar/metadata?{query}/scalar")
        assert (ours.status_code, ours.get_json()["error_code"]) == (404, code)
        assert (theirs.status_code, theirs.get_json()["error_code"]) == (400, code)
    ours = client.get("/v1/mindviz/series/nothing?train_id=./a&tag=loss")
    assert (ours.status_code, ours.get_json()["error_code"]) == (404, "5054500B")


@pytest.mark.parametrize(
    "path",
    [
        "/v1/mindviz/nothing",
        "/v1/mindinsight/series/scalar",
        "/v1/mindinsight/status",
        "/v1/mindinsight/openapi.json",
        "/v1/mindviz/datavisual/scalars/",
        "/v2",
        "/..%2f..%2fetc/passwd",
        "/%00",
        "/%ff",
        "/assets/../index.html",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH"])
def test_an_unknown_url_is_404_for_all_methods(client: FlaskClient, path: str, method: str) -> None:
    response = client.open(path, method=method)
    if path.endswith("scalars/"):  # the slash makes no difference
        assert response.status_code == (200 if method == "GET" else 405)
        return
    assert (response.status_code, response.get_json()["error_code"]) == (404, "50545001")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_a_wrong_method_is_not_allowed(client: FlaskClient, prefix: str, method: str) -> None:
    response = client.open(f"{prefix}/datavisual/scalars", method=method)
    assert (response.status_code, response.get_json()["error_code"]) == (405, "50545002")
    assert "GET" in response.headers["Allow"]


def test_a_post_route_rejects_get(client: FlaskClient, prefix: str) -> None:
    response = client.get(f"{prefix}/datavisual/train-job-caches")
    assert (response.status_code, response.get_json()["error_code"]) == (405, "50545002")
    assert "POST" in response.headers["Allow"]


def test_a_too_large_body_is_rejected(client: FlaskClient, prefix: str) -> None:
    response = client.post(
        f"{prefix}/datavisual/train-job-caches",
        data=b"[" + b"1," * 600_000 + b"1]",
        content_type="application/json",
    )
    assert (response.status_code, response.get_json()["error_code"]) == (413, "50540002")


def test_messages_are_one_line_and_always_utf8(client: FlaskClient) -> None:
    response = client.get("/v1/mindviz/a%0A%0Ab%09c")
    assert response.get_json()["error_msg"] == "Nothing found at /v1/mindviz/a b c."


class Temporary:
    """An object in a frame of the request."""


@pytest.mark.parametrize("error", [DamagedValue("bad"), RuntimeError("bad"), PermissionError()])
def test_a_failed_request_leaves_no_garbage(app: Flask, error: Exception) -> None:
    made: list[weakref.ref[Temporary]] = []

    def fail() -> str:
        temporary = Temporary()
        made.append(weakref.ref(temporary))
        kept: list[object] = [temporary]
        try:
            raise error
        except type(error) as caught:
            kept.append(reason := caught)  # a cycle of frame and error
        raise RuntimeError("further") from reason

    app.add_url_rule("/fail", view_func=fail)
    gc.disable()
    try:
        assert app.test_client().get("/fail").status_code == 500
        assert [one() for one in made] == [None]
    finally:
        gc.enable()


def test_unexpected_errors_are_logged_but_not_shown(
    app: Flask, store: FakeStore, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down() -> str:
        raise RuntimeError("secret")

    app.add_url_rule("/break", view_func=break_down)
    response = app.test_client().get("/break")
    assert response.status_code == 500
    assert response.get_json() == {"error_code": "50540000", "error_msg": "System error."}
    assert "secret" in caplog.text


def test_an_unreadable_file_is_not_a_server_error(
    store: FakeStore, client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr(store, "status", refuse)
    response = client.get("/v1/mindviz/status")
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50540008")
    assert str(tmp_path) not in response.get_data(as_text=True)
