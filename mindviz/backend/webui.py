"""Serves the built web UI, or a page that says how to build it.

`index.html` is asked for anew each time, the hashed files beside it never again. A file is found by
its name in a list, never by joining a path.
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
"""The page on which the REST interface can be tried."""
HASHED = "assets/"
"""Where Vite puts what has a hash in its name; what lies beside it keeps its name."""
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
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem;
         color: #1c1e24; background: #f7f7f8 }
  code { background: #eef1fd; padding: 1px 4px; border-radius: 4px }
  @media (prefers-color-scheme: dark) {
    body { color: #e8e9ed; background: #121317 } code { background: #232a45 } a { color: #8aa2ff } }
</style>
<h1>mindviz is running</h1>
<p>Its web pages are not part of this installation. From a checkout, <code>make ui</code> builds
them; a released wheel brings them along.</p>
<p>The REST service works without them: <a href="v1/mindviz/status">status</a>,
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
    """The same file gzipped, where the build made one."""


def webui_dir() -> Path:
    """Where the built UI lies in the package, whether it is there or not."""
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
    """The files of a UI that may be built anew while we run; looked for only when it was."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._listed: tuple[tuple[int, ...], dict[str, Asset]] = ((), {})

    def by_name(self) -> dict[str, Asset]:
        """As `assets_in`: listing them takes milliseconds, and a page asks for twenty."""
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
    """Routes of the UI below the prefix: the page at `/`, its files beside it."""
    blueprint = Blueprint("webui", __name__, url_prefix=url_path_prefix or None)
    built = Assets(directory)

    @blueprint.get("/")
    def read_index() -> Response:
        """The page."""
        # Not `request.path`, which has a slash also where a mounted app was asked without one.
        path = request.script_root + request.environ["PATH_INFO"]
        if not path.endswith("/"):
            # The page finds its files relative to itself.
            return Response(status=308, headers={"Location": f"{path}/"})
        # Looked up each time: a UI that is built while we run shows at the next reload.
        assets = built.by_name()
        if INDEX not in assets:
            return Response(NOT_BUILT, content_type=_TYPES[".html"])
        return _file(assets[INDEX], "no-cache")

    @blueprint.get("/v1/mindviz/docs", strict_slashes=True)
    def read_rest_api_page() -> Response:
        """Leads to the page about the REST interface; to how it is built, if it is not there."""
        page = REST_API if REST_API in built.by_name() else ""
        return Response(status=302, headers={"Location": f"../../{page}"})

    # With GET alone, a path that is unknown would refuse other methods instead of being unknown.
    # A rule for every depth would be found where the API has the path, but not the method.
    any_method = ["GET", "POST", "PUT", "PATCH", "DELETE"]

    @blueprint.route("/<name>", methods=any_method)
    @blueprint.route(f"/{HASHED}<path:name>", methods=any_method, defaults={"folder": HASHED})
    def read_asset(name: str, folder: str = "") -> Response:
        """A file of the UI: beside the page, or anywhere in the folder of those that are hashed."""
        name = folder + name
        assets = built.by_name()
        if name not in assets:
            raise NotFound
        if request.method not in ("GET", "HEAD"):
            raise MethodNotAllowed(["GET", "HEAD"])
        return _file(assets[name], IMMUTABLE if folder == HASHED else "no-cache")

    return blueprint


def _file(asset: Asset, cache_control: str) -> Response:
    gzipped = (
        asset.compressed is not None
        and bool(request.accept_encodings["gzip"])
        and not is_loopback(request.remote_addr or "")
    )
    path = asset.compressed if gzipped and asset.compressed is not None else asset.path
    response = Response(path.read_bytes(), content_type=asset.content_type)
    if gzipped:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = cache_control
    response.add_etag()
    response.make_conditional(request)
    return response
