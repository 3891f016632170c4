"""Serves the built web UI, or a page that says how to build it.

Browsers revalidate `index.html`, and cache files with a hash in their name forever. Files are
looked up by name in a listing; paths from requests are never joined.
"""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from pathlib import Path

from flask import Blueprint, Response, request
from werkzeug.exceptions import MethodNotAllowed, NotFound

import mindviz
from mindviz.backend.responses import is_loopback

INDEX = "index.html"
REST_API = "rest-api.html"
"""The page for trying the REST API."""
HASHED = "assets/"
"""Vite's folder of files with a hash in their name."""
IMMUTABLE = "public, max-age=31536000, immutable"
_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
    ".json": "application/json",
}
NOT_BUILT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>mindviz</title>
<style>
  :root { color-scheme: light dark }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto;
         padding: 0 1rem }
</style>
<h1>mindviz is running</h1>
<p>This installation has no web UI. In a checkout, <code>make ui</code> builds
it; released wheels contain it.</p>
<p>The REST API works without it:
<a href="v1/mindviz/status">status</a>,
<a href="v1/mindviz/datavisual/train-jobs">train jobs</a>,
<a href="v1/mindviz/openapi.json">all routes</a>.</p>
</html>
"""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the UI."""

    path: Path
    content_type: str
    compressed: Path | None
    """The gzipped file, if the build made one."""


def webui_dir() -> Path:
    """The directory of the built UI, which may be missing."""
    return Path(mindviz.__file__).parent / "webui"


def assets_in(directory: Path) -> dict[str, Asset]:
    """Every file of a built UI by its path below `directory`, `/` separated; empty if not built."""
    if not (directory / INDEX).is_file():
        return {}
    files = {p.relative_to(directory).as_posix(): p for p in directory.rglob("*") if p.is_file()}
    return {
        name: Asset(path, _content_type(path), files.get(f"{name}.gz"))
        for name, path in files.items()
    }


class Assets:
    """The files of a UI; listed again after a build."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._listed: tuple[tuple[int, ...], dict[str, Asset]] = ((), {})

    def by_name(self) -> dict[str, Asset]:
        """As `assets_in`, but cached, because listing takes milliseconds."""
        folders = (self._directory, self._directory / HASHED)
        changed = tuple(folder.stat().st_mtime_ns for folder in folders if folder.is_dir())
        stamps, listed = self._listed
        if stamps != changed:
            listed = assets_in(self._directory)
            self._listed = (changed, listed)
        return listed


def _content_type(path: Path) -> str:
    known = _TYPES.get(path.suffix)
    return known or mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def webui_blueprint(url_path_prefix: str, directory: Path) -> Blueprint:
    """Routes of the UI below the prefix: the page at `/`, and its files."""
    blueprint = Blueprint("webui", __name__, url_prefix=url_path_prefix or None)
    built = Assets(directory)

    @blueprint.get("/")
    def read_index() -> Response:
        """The page."""
        # Not `request.path`, which ends with a slash even if the URL of a mounted app does not.
        path = request.script_root + request.environ["PATH_INFO"]
        if not path.endswith("/"):
            # URLs of files are relative to the page.
            return Response(status=308, headers={"Location": f"{path}/"})
        # Looked up each time, so a new build appears after a reload.
        assets = built.by_name()
        if INDEX not in assets:
            return Response(NOT_BUILT, content_type=_TYPES[".html"])
        return _file(assets[INDEX], "no-cache")

    @blueprint.get("/v1/mindviz/docs", strict_slashes=True)
    def read_rest_api_page() -> Response:
        """Redirect to the page of the REST API, or to the main page if it is not built."""
        page = REST_API if REST_API in built.by_name() else ""
        return Response(status=302, headers={"Location": f"../../{page}"})

    # All methods, so that unknown paths are 404 instead of 405. Only these depths, because a rule
    # for all paths would also match the API's paths with other methods.
    any_method = ["GET", "POST", "PUT", "PATCH", "DELETE"]

    @blueprint.route("/<name>", methods=any_method)
    @blueprint.route(f"/{HASHED}<path:name>", methods=any_method, defaults={"folder": HASHED})
    def read_asset(name: str, folder: str = "") -> Response:
        """A file next to the page, or in the folder of hashed files."""
        name = folder + name
        assets = built.by_name()
        if name not in assets:
            raise NotFound
        if request.method not in ("GET", "HEAD"):
            raise MethodNotAllowed(["GET", "HEAD"])
        return _file(assets[name], IMMUTABLE if folder == HASHED else "no-cache")

    return blueprint


def _file(asset: Asset, cache_control: str) -> Response:
    accepts = bool(request.accept_encodings["gzip"]) and not is_loopback(request.remote_addr or "")
    compressed = asset.compressed if accepts else None
    response = Response((compressed or asset.path).read_bytes(), content_type=asset.content_type)
    if compressed is not None:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = cache_control
    response.add_etag()
    response.make_conditional(request)
    return response
