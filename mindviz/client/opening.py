"""open_logs: opens a directory, objects, a database or a server, and explains invalid locations."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from urllib.parse import parse_qs, urlsplit, urlunsplit

from mindviz.asking.answer import Place
from mindviz.client.log_source import DatabaseSource, DirectorySource, LogSource, ServerSource
from mindviz.client.logs import Logs
from mindviz.config import default_workspace
from mindviz.credentials import without_password
from mindviz.errors import CannotOpen, ExperimentNotFound, ExtraNotInstalled, StartError
from mindviz.nearest_names import did_you_mean
from mindviz.object_url import checked_object_url, is_object_url

MAX_TENSOR_BYTES = 10 * 1024 * 1024
_SQLITE = b"SQLite format 3\0"
_HOST_AND_PORT = re.compile(r"[\w.\-]+:\d{1,5}(/.*)?", re.ASCII)
_PATTERN = re.compile(r"[*?\[]")


def open_logs(
    location: str | os.PathLike[str],
    experiment: str,
    *,
    token: str,
    max_tensor_bytes: int,
    cache: bool,
) -> Logs:
    """As `mindviz.open`. Raises CannotOpen, DatabaseUnavailable."""
    workspace = default_workspace() if cache else None
    return Logs(open_source(os.fspath(location), experiment, token, max_tensor_bytes, workspace))


def open_source(
    text: str,
    experiment: str = "",
    token: str = "",
    max_tensor_bytes: int = MAX_TENSOR_BYTES,
    cache: Path | None = None,
) -> LogSource:
    """As `open_logs`, without tables; `cache` as in DirectorySource."""
    try:
        return _source(text, experiment, token, max_tensor_bytes, cache)
    except (ExperimentNotFound, ExtraNotInstalled, StartError) as error:
        raise CannotOpen(str(error)) from None


def _source(
    text: str, experiment: str, token: str, max_tensor_bytes: int, cache: Path | None
) -> LogSource:
    scheme, separator, _ = text.partition("://")
    if separator:
        if scheme.lower() in ("http", "https"):
            page = _page(text)
            # The links that `mindviz start` prints have the token.
            token = token or parse_qs(urlsplit(text).query).get("token", [""])[0]
            return ServerSource(page, experiment, token)
        if is_object_url(text):
            _refuse_experiment(text, experiment)
            url = checked_object_url(text)
            return DirectorySource(url, max_tensor_bytes=max_tensor_bytes, cache=cache)
        return DatabaseSource(text, experiment, max_tensor_bytes=max_tensor_bytes)
    path = _existing(text)
    if path.is_dir():
        _refuse_experiment(text, experiment)
        source = DirectorySource(path, max_tensor_bytes=max_tensor_bytes, cache=cache)
        source.place = Place(start=f"mindviz start {shlex.quote(text)}")
        return source
    if not _is_sqlite(path):
        raise CannotOpen(f"{text!r} is a file; give the directory it lies in.")
    return DatabaseSource(str(path), experiment, max_tensor_bytes=max_tensor_bytes)


def _refuse_experiment(text: str, experiment: str) -> None:
    if experiment:
        raise CannotOpen(
            f"{text!r} is a directory, which is one experiment; {experiment!r} is not in it."
        )


def _existing(text: str) -> Path:
    if not text:
        raise CannotOpen("An empty path names no directory.")
    try:
        path = Path(text).expanduser().absolute()
        path.stat()
    except FileNotFoundError:
        raise CannotOpen(f"There is nothing at {text!r}.{_hint(text, path)}") from None
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CannotOpen(f"{text!r} cannot be read: {reason}.") from None
    return path


def _hint(text: str, path: Path) -> str:
    if _HOST_AND_PORT.fullmatch(text):
        return f" Did you mean 'http://{text}'?"
    if _PATTERN.search(text):
        return " Give a directory instead of a pattern: logs are found at any depth below it."
    try:
        siblings = [entry.name for entry in os.scandir(path.parent)]
    except OSError:
        return ""
    return did_you_mean(path.name, siblings)


def _is_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise CannotOpen(f"{str(path)!r} cannot be read: {error.strerror}.") from None


def _page(text: str) -> str:
    """The URL of the server's page, without the fragment and query of a copied URL."""
    try:
        scheme, place, path, _, _ = urlsplit(text)
        has_host = urlsplit(f"//{place}").hostname and (urlsplit(f"//{place}").port or True)
    except ValueError as error:
        raise CannotOpen(f"{without_password(text)!r} is no URL: {error}.") from None
    if not has_host:
        raise CannotOpen(f"{without_password(text)!r} is no URL: it names no host.")
    return urlunsplit((scheme, place, path if path.endswith("/") else f"{path}/", "", ""))
