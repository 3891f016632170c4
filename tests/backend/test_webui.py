"""The files of the built UI, or a page that says how to build it."""

from __future__ import annotations

import gzip
from pathlib import Path
from urllib.parse import urljoin

import pytest
from flask import Flask
from flask.testing import FlaskClient

from mindviz.backend.errors import register_error_handlers
from mindviz.backend.webui import assets_in, webui_blueprint

ELSEWHERE = {"REMOTE_ADDR": "192.0.2.1"}


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "webui"
    (folder / "assets" / "deep").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>mindviz</title>")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "app-1a2b.js").write_text("export {}")
    (folder / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(b"export {}"))
    (folder / "assets" / "deep" / "x.css").write_text("a{}")
    (tmp_path / "secret.txt").write_text("open sesame")
    return folder


def client_for(folder: Path, prefix: str = "") -> FlaskClient:
    app = Flask(__name__, static_folder=None)
    app.url_map.strict_slashes = False
    app.register_blueprint(webui_blueprint(prefix, folder))
    register_error_handlers(app)
    return app.test_client()


def test_the_page_is_revalidated_and_hashed_files_are_immutable(built: Path) -> None:
    client = client_for(built)
    page = client.get("/")
    assert page.content_type == "text/html; charset=utf-8"
    assert page.headers["Cache-Control"] == "no-cache"
    script = client.get("/assets/app-1a2b.js")
    assert script.content_type == "text/javascript; charset=utf-8"
    assert "immutable" in script.headers["Cache-Control"]
    assert client.get("/assets/deep/x.css").content_type == "text/css; charset=utf-8"
    icon = client.get("/favicon.svg")
    assert (icon.content_type, icon.headers["Cache-Control"]) == ("image/svg+xml", "no-cache")


def test_an_unchanged_page_is_not_sent_again(built: Path) -> None:
    client = client_for(built)
    etag = client.get("/").headers["ETag"]
    assert client.get("/", headers={"If-None-Match": etag}).status_code == 304


def test_the_prefix_applies_to_all_files(built: Path) -> None:
    client = client_for(built, "/lab")
    assert client.get("/lab/").status_code == 200
    moved = client.get("/lab")
    assert (moved.status_code, moved.headers["Location"]) == (308, "/lab/")
    assert client.get("/lab/assets/app-1a2b.js").text == "export {}"
    assert client.get("/assets/app-1a2b.js").status_code == 404


def test_the_page_of_the_rest_api_is_below_the_prefix(built: Path) -> None:
    client = client_for(built, "/lab")
    path = "/lab/v1/mindviz/docs"
    assert urljoin(path, client.get(path).headers["Location"]) == "/lab/"
    (built / "rest-api.html").write_text("<!doctype html><title>REST</title>")
    page = client.get(urljoin(path, client.get(path).headers["Location"]))
    assert page.request.path == "/lab/rest-api.html"
    assert "<title>REST" in page.text
    assert client.get(f"{path}/").status_code == 404


def test_compressed_files_are_sent_if_accepted(built: Path) -> None:
    client = client_for(built)
    takes = {"Accept-Encoding": "gzip"}
    far = client.get("/assets/app-1a2b.js", headers=takes, environ_overrides=ELSEWHERE)
    assert far.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(far.data) == b"export {}"
    assert far.content_type == "text/javascript; charset=utf-8"
    near = client.get("/assets/app-1a2b.js", environ_overrides=ELSEWHERE)
    assert near.data == b"export {}"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets//app-1a2b.js",
        "/assets/",
        "/assets",
        "/nothing.js",
        "/assets/%00",
    ],
)
def test_only_files_of_the_ui_are_served(built: Path, path: str) -> None:
    response = client_for(built).get(path)
    assert response.status_code == (308 if "//" in path else 404)
    assert "sesame" not in response.text


def test_files_of_the_ui_reject_other_methods(built: Path) -> None:
    assert client_for(built).post("/favicon.svg").status_code == 405
    assert client_for(built).post("/nothing.svg").status_code == 404


def test_without_a_built_ui_a_page_explains_how_to_build_it(tmp_path: Path) -> None:
    client = client_for(tmp_path / "nowhere")
    page = client.get("/")
    assert (page.status_code, page.content_type) == (200, "text/html; charset=utf-8")
    assert "make ui" in page.text
    assert "<script" not in page.text
    assert client.get("/favicon.svg").status_code == 404


def test_a_folder_without_a_page_is_no_ui(tmp_path: Path) -> None:
    (tmp_path / "stray.js").write_text("")
    assert assets_in(tmp_path) == {}
