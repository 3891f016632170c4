from __future__ import annotations

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from mindviz.backend.blob_response import BytesBlob, blob_response
from mindviz.errors import DamagedValue

CONTENT = bytes(range(200))


@pytest.fixture
def client() -> FlaskClient:
    app = Flask("test")

    @app.route("/blob")
    def blob() -> Response:
        return blob_response(BytesBlob(CONTENT, "image/png"))

    @app.route("/empty")
    def empty() -> Response:
        return blob_response(BytesBlob(b"", "image/png"))

    return app.test_client()


def test_a_complete_blob_announces_ranges(client: FlaskClient) -> None:
    response = client.get("/blob")
    assert (response.status_code, response.data) == (200, CONTENT)
    assert response.content_type == "image/png"
    assert response.headers["Content-Length"] == "200"
    assert response.headers["Accept-Ranges"] == "bytes"


@pytest.mark.parametrize(
    ("header", "part"),
    [("0-0", (0, 1)), ("10-19", (10, 20)), ("190-999", (190, 200)), ("-5", (195, 200))],
)
def test_a_range_has_its_position(client: FlaskClient, header: str, part: tuple[int, int]) -> None:
    response = client.get("/blob", headers={"Range": f"bytes={header}"})
    start, stop = part
    assert (response.status_code, response.data) == (206, CONTENT[start:stop])
    assert response.headers["Content-Range"] == f"bytes {start}-{stop - 1}/200"
    assert response.headers["Content-Length"] == str(stop - start)


def test_a_range_beyond_the_blob_cannot_be_satisfied(client: FlaskClient) -> None:
    response = client.get("/blob", headers={"Range": "bytes=200-"})
    assert response.status_code == 416
    assert response.headers["Content-Range"] == "bytes */200"
    assert client.get("/empty", headers={"Range": "bytes=0-"}).status_code == 416


@pytest.mark.parametrize("header", ["bytes=0-1,5-6", "pages=1-2", "bytes=x"])
def test_unsupported_ranges_are_ignored(client: FlaskClient, header: str) -> None:
    assert client.get("/blob", headers={"Range": header}).status_code == 200


def test_an_unchanged_blob_is_not_sent_again(client: FlaskClient) -> None:
    etag = client.get("/blob").headers["ETag"]
    assert client.get("/blob", headers={"If-None-Match": etag}).status_code == 304
    assert client.get("/empty", headers={"If-None-Match": etag}).status_code == 200


def test_the_range_of_an_outdated_blob_returns_the_whole_blob(client: FlaskClient) -> None:
    etag = client.get("/blob").headers["ETag"]
    same = {"Range": "bytes=100-", "If-Range": etag}
    other = {"Range": "bytes=100-", "If-Range": '"other"'}
    assert client.get("/blob", headers=same).status_code == 206
    assert client.get("/blob", headers=other).data == CONTENT


def test_damage_is_found_before_the_response_starts() -> None:
    class Damaged(BytesBlob):
        def chunks(self, start: int = 0, stop: int | None = None) -> object:  # type: ignore[override]
            raise DamagedValue("The record fails its checksum.")

    with Flask("test").test_request_context("/"), pytest.raises(DamagedValue):
        blob_response(Damaged(b"x", "image/png"))
