"""Sends every possible request about the logs below a directory, and runs every command on them.

Each function prints one line of JSON per request or command with its cost. Requests are derived
from the OpenAPI description, with parameters from the logs and with odd values. Run each in a
separate process: they limit its memory and time.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow.parquet  # noqa: F401 -- before forks
from flask import Flask
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.backend.routes import RouteBlueprint
from mindviz.config import Config
from mindviz.datavisual.store import Store
from mindviz.errors import MindvizError
from mindviz.export.exports import data_kinds
from tests.every_question import every_question
from tests.written_logs import loaded

MAX_MEMORY = 256 * 1024 * 1024
ADDRESS_SPACE = 4 << 30
CPU_SECONDS = 300
"""Timeout of everything, in seconds."""
DECODING_OPTIONS = ("values", "max_points")
"""Options that change how values are decoded; tested with every series."""
JOBS, TAGS = 16, 2
"""Maximum number of sampled jobs, and of sampled tags per plugin."""
ODD_NUMBERS = (-1, 2**63 - 1)
SUFFIXES = {
    "scalar": "scalar",
    "image": "image",
    "histograms": "histogram",
    "tensors": "tensor",
    "scalars": "scalar",
}
"""Part of a route's path -> suffix of its tags."""

_BRACES = str.maketrans("<>", "{}")

SCALAR = "scalar"
Parameters = Mapping[str, Any]
_PathAndQuery = tuple[str, dict[str, object]]
"""A path and a query."""


@dataclass(frozen=True, slots=True)
class AnswerBound:
    """Limits of one response as functions of the size of all logs.

    The limit of memory is the same for all routes: docs/decisions/bounds-of-answers.md.
    """

    base_bytes: int = 4 << 20
    """Size of a response without data."""
    per_log_byte: float = 32.0
    """Bytes of the response per byte of logs: JSON repeats names, keys and decimal digits."""
    max_bytes: int = 256 << 20
    """Absolute maximum, except for streamed responses."""
    base_seconds: float = 2.0
    seconds_per_megabyte: float = 10.0
    """Per megabyte of logs: 10 us per byte, for a point or a series of 25 bytes."""

    def answer_bytes(self, log_bytes: int) -> int:
        """Maximum size of a response."""
        return min(self.max_bytes, self.base_bytes + int(self.per_log_byte * log_bytes))

    def cpu_seconds(self, log_bytes: int) -> float:
        """Maximum CPU time of a response, on a core of 2.5 GHz."""
        return self.base_seconds + self.seconds_per_megabyte * log_bytes / 1e6


LINEAR = AnswerBound()
BOUNDS = {"/datavisual/export": AnswerBound(per_log_byte=128.0, max_bytes=1 << 62)}
"""For routes that need other limits: an npz file has 1 KB of names and headers per series."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a request."""

    request: str
    status: int
    nbytes: int
    seconds: float
    """CPU time."""
    max_bytes: int
    """The limit for logs of this size."""
    max_seconds: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request."""

    method: str
    path: str
    query: dict[str, object]
    body: object = None

    def send(self, client: FlaskClient, limits: tuple[int, float]) -> Cost:
        """Send the request and read the whole response; `limits` are its bytes and CPU seconds."""
        begun = time.process_time()
        with client.open(
            self.path, method=self.method, query_string=self.query, json=self.body
        ) as response:
            nbytes, head = 0, b""
            for piece in response.iter_encoded():
                head = head or piece[:300]
                nbytes += len(piece)
            error = head.decode("utf-8", "replace") if response.status_code >= 400 else ""
            seconds = time.process_time() - begun
            text = f"{self.method} {self.path} {str(self.query)[:200]} {str(self.body)[:200]}"
            return Cost(text, response.status_code, nbytes, seconds, *limits, error)


def samples(values: Sequence[Any], count: int) -> list[Any]:
    """Up to `count` distinct values: the first, longest and last, then the others in order."""
    if not values:
        return []
    longest = max(values, key=lambda value: len(str(value)))
    return list(dict.fromkeys((values[0], longest, values[-1], *values)))[:count]


class Requests:
    """All requests about an experiment's data."""

    def __init__(self, store: Store, app: Flask, log_bytes: int) -> None:
        self._store = store
        self._client = app.test_client()
        self._limits = {
            (route.method, f"{routes.url_prefix}{route.path}".translate(_BRACES)): (
                BOUNDS.get(route.path, LINEAR).answer_bytes(log_bytes),
                BOUNDS.get(route.path, LINEAR).cpu_seconds(log_bytes),
            )
            for routes in app.blueprints.values()
            if isinstance(routes, RouteBlueprint)
            for route in routes.declared
        }
        train_ids = sorted(job.train_id for job in store.list_train_jobs())
        self._train_ids = samples(train_ids, JOBS)
        self._series = [
            (train_id, plugin, tag)
            for train_id in self._train_ids
            for plugin, tags in store.list_tags(train_id).items()
            for tag in samples(tags, TAGS)
        ]

    def all(self) -> Iterator[Cost]:
        """Send all requests."""
        description = self._client.get("/v1/mindviz/openapi.json").get_json()
        for path, methods in description["paths"].items():
            for method in sorted(methods.keys() & {"get", "post", "put", "delete"}):
                about = methods[method]
                given = [*methods.get("parameters", ()), *about.get("parameters", ())]
                parameters = {one["name"]: one for one in given}
                build = self._gets if method == "get" else self._with_bodies
                for request in build(method.upper(), path, parameters):
                    yield request.send(self._client, self._limits[method.upper(), path])

    def _gets(self, method: str, path: str, parameters: Parameters) -> Iterator[Request]:
        for number, (filled, query) in enumerate(self._needed(path, parameters)):
            yield Request(method, filled, query)
            for name, about in parameters.items():
                if number and name not in DECODING_OPTIONS:
                    continue  # tested with the first series
                if name not in query and f"{{{name}}}" not in path:
                    for value in self._values(name, about):
                        yield Request(method, filled, query | {name: value})

    def _needed(self, path: str, parameters: Parameters) -> Iterator[_PathAndQuery]:
        """Path and query that name the data of a route."""
        if "export" in path:
            for kind, file_format in product(data_kinds(), parameters["format"]["schema"]["enum"]):
                yield path, {"what": kind, "format": file_format}
        elif {"tag", "train_id"} <= parameters.keys():
            yield from self._about_series(path, parameters)
        elif "{plugin_name}" in path:
            for plugin in {*(plugin for _, plugin, _ in self._series), "hparams", "custom_scalars"}:
                yield path.replace("{plugin_name}", _quoted(plugin)), {}
        elif "formula" in parameters:
            scalars = (
                (train_id, tag) for train_id, plugin, tag in self._series if plugin == SCALAR
            )
            for train_id, tag in scalars:
                name = "`" + tag.replace("`", "``") + "`"
                yield path, {"train_id": train_id, "formula": f"cumsum({name}) ** {name}"}
        else:
            jobs = self._train_ids if "train_id" in parameters else []
            for query in [*({"train_id": train_id} for train_id in jobs), {}]:
                required = self._required(parameters, query)
                yield path.replace("{blob_key}", "none"), {**query, **required}

    def _about_series(self, path: str, parameters: Parameters) -> Iterator[_PathAndQuery]:
        for train_id, plugin, tag in self._series_of(path):
            filled = path.replace("{plugin_name}", _quoted(plugin))
            query: dict[str, object] = {"train_id": train_id, "tag": tag}
            steps = self._steps(train_id, plugin, tag) if "step" in parameters else [None]
            for step in steps:
                requested = query if step is None else query | {"step": step}
                yield filled, requested | self._required(parameters, requested)

    def _series_of(self, path: str) -> Iterator[tuple[str, str, str]]:
        """The series of a route, with tags as the route expects them."""
        parts = path.split("/")
        suffix = next((SUFFIXES[part] for part in reversed(parts) if part in SUFFIXES), "")
        restarts = path.endswith("restarts")
        for train_id, plugin, tag in self._series:
            if "{plugin_name}" in path:
                yield train_id, plugin, tag
            elif "graphs" in path:
                if plugin in ("graph", "run_metadata"):
                    yield train_id, plugin, tag
            elif "embeddings" in path:
                if plugin == "embedding":
                    yield train_id, plugin, tag
            elif plugin == suffix:
                yield train_id, plugin, tag if restarts else f"{tag}/{suffix}"

    def _required(self, parameters: Parameters, known: Mapping[str, object]) -> dict[str, object]:
        found: dict[str, object] = {}
        for name, about in parameters.items():
            if about.get("required") and about["in"] == "query" and name not in known:
                found[name] = next(iter(self._values(name, about)), "x")
        return found

    def _steps(self, train_id: str, plugin: str, tag: str) -> Sequence[int | None]:
        if plugin == SCALAR:
            return [0]
        if plugin in SUFFIXES.values():
            tag = tag.removesuffix(f"/{plugin}")
        try:
            step = self._store.read_values(train_id, plugin, tag).step.tolist()
        except MindvizError:  # the route decides
            return [0]
        return [step[0], step[-1]] if step else [0]

    def _values(self, name: str, about: Any) -> Iterator[object]:
        """The values of an option."""
        known: dict[str, tuple[object, ...]] = {
            "max_points": ("all", 3),
            "smoothing": ("ema:0.9", "twema:0.9", "mean:5", "gaussian:3"),
            "dims": ("[]", "[0]", "[:]", "[0,:]"),
            "values": ("pixels", "samples"),
            "search": ("a", "n", "/"),
            "name": ("a", "n"),
            "find": ("n",),
            "since": ("x",),
            "path": ("x",),
            "type": ("final",),
            "manual_update": ("true",),
            "column": ("scalar/loss/max",),
            "tag_pattern": (".*",),
            "a": tuple(self._train_ids),
            "b": tuple(reversed(self._train_ids)),
            "map": ("*a=*b",),
        }
        schema = about["schema"]
        if name in known:
            yield from known[name]
        elif "enum" in schema:
            yield from (value for value in schema["enum"] if value is not None)
        elif "integer" in schema.get("type", ()) or "number" in schema.get("type", ()):
            yield from ODD_NUMBERS

    def _with_bodies(self, method: str, path: str, _parameters: Parameters) -> Iterator[Request]:
        """Each request with a body. Raises KeyError for an unknown route."""
        ids = self._train_ids
        if "{view_id}" in path:
            view = {"name": "view", "page": "scalar", "query": ""}
            yield Request(method, path.replace("{view_id}", "00000000"), {}, view)
            return
        if method == "PUT":
            yield Request(method, path, {"train_id": ids[0] if ids else "./"}, {"hidden": False})
            return
        for body in self._bodies()[path.rpartition("/")[2]]:
            yield Request(method, path, {}, body)

    def _bodies(self) -> Mapping[str, Sequence[object]]:
        """By the last part of the route's path."""
        ids = self._train_ids
        tags = [tag for _, plugin, tag in self._series if plugin == SCALAR][:3]
        named = [f"{tag}/scalar" for tag in tags]
        group = {"groups": {"group": ids}, "tags": tags, "max_points": 50}
        names = ("scalars", "images", "histograms", "tensors", "text", "graphs", "hparams")
        plugins = [{"plugin_name": name} for name in names]
        return {
            "ask": [{"question": question} for question in every_question(ids[:2], tags)],
            "train-job-caches": [{"train_ids": ids}],
            "train-job-columns": [{"train_id": ids}],
            "train-job-ids": [{"train_id": ids}],
            "train-job-groups": [{"train_id": ids, "column": ["metric"]}],
            "lineages": [
                {},
                {"sorted_name": "loss", "limit": 5},
                {"columns": [f"scalar/{tag}/max" for tag in tags]},
            ],
            "lineage-columns": [{"train_id": ids, "column": [f"scalar/{tag}/max" for tag in tags]}],
            "search": [{}, {"forest": False}],
            "diff": [{"train_ids": ids}],
            "findings": [{}],
            "snapshot": [{"link": "#/scalar", "budget": 3_000_000}],
            "batch": [{"questions": [{"train_id": ids, "tag": named}]}],
            "groups": [group | {"x": x} for x in ("step", "relative", "wall")],
            "series": plugins,
            "scalars": plugins,
            "scalar-aggregates": plugins,
            "tensors": plugins,
            "blob-sequences": plugins,
        }


def _quoted(plugin: str) -> str:
    return quote(quote(plugin, safe=""), safe="")


def size_on_disk(base_dir: Path) -> int:
    """Bytes of all files, without holes."""
    return sum(path.stat().st_blocks * 512 for path in base_dir.rglob("*") if path.is_file())


def limit_resources() -> None:
    """Limit the memory and CPU time of this process."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))


def send_requests(base_dir: Path, workspace: Path) -> None:
    """Send all requests and print their costs, and by how much the process grew."""
    limit_resources()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    store = loaded(base_dir, max_memory=MAX_MEMORY)
    app = create_app(Config(base_dir, workspace=workspace, max_memory=MAX_MEMORY), store)
    problems = [one.detail for job in store.list_train_jobs() for one in job.problems]
    internal = "; ".join(text for text in problems if "report it" in text)
    log_bytes = size_on_disk(base_dir)
    limits = LINEAR.answer_bytes(log_bytes), LINEAR.cpu_seconds(log_bytes)
    status = 500 if internal else 200
    print_line(Cost("load", status, 0, time.process_time() - begun, *limits, internal))
    for cost in Requests(store, app, log_bytes).all():
        print_line(cost)
    write_json({"kilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before})
    store.close()


def print_line(cost: Cost) -> None:
    """One line per request."""
    write_json(asdict(cost))


def write_json(line: Mapping[str, object]) -> None:
    """Print a line of JSON and flush: the process may be killed."""
    sys.stdout.write(f"{json.dumps(line)}\n")
    sys.stdout.flush()
