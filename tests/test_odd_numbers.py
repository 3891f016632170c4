"""Extreme floats: every request is answered, without warnings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from flask.testing import FlaskClient

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.health.rules import default_rules
from mindviz.datavisual.health.run_anomalies import run_anomalies
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.plugins import plugins
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.encode_tensorboard_plugins import embedding, hparams_session_start, mesh, pr_curve
from mindviz.wire.framing import Framing
from tests.written_logs import loaded, write

INF, NAN = math.inf, math.nan
DOUBLES = (0.0, -0.0, 5e-324, -1e-308, 1.0, 3.4e38, 1e308, -1e308, 1.797e308, INF, -INF, NAN)
FLOATS = (0.0, -0.0, 1e-45, 1.0, 3.4e38, -3.4e38, INF, -INF, NAN)
TIMES = (1.7e9, 1.7e9 + 1, NAN, INF, -INF, 0.0, -1e308, 1e308, 5e-324, 1.7e9 + 2, 1e18, -0.0)
STEPS = (*range(6), 2**31, 2**53, 2**53 + 1, 2**62, 2**63 - 2, 2**63 - 1)
SMOOTHINGS = ("ema:0.9", "ema:0.9999", "twema:0.5", "mean:3", "mean:1000", "gaussian:1")
FORMULAS = ("x + 1", "x * x", "x / x", "x ** 3", "log(x)", "sqrt(x)", "diff(x)", "cumsum(x)")


def mixtures() -> list[tuple[float, ...]]:
    """Few odd numbers at a time: an infinity hides overflows of large numbers."""
    finite = tuple(number for number in DOUBLES if math.isfinite(number))
    return [
        DOUBLES,
        finite,
        (1e308, 1e308, -1e308, 1.797e308),
        (-1e308, 1e308),
        (5e-324, 1e-323, 0.0),
        (NAN, NAN),
        (INF, INF),
        (INF, -INF),
        (-INF, 1.0),
        (1e308,),
        (NAN,),
    ]


def tensorboard_log() -> bytes:
    events = []
    for number, values in enumerate(mixtures()):
        for at, (step, value) in enumerate(zip(STEPS, itertools.cycle(values), strict=False)):
            content = [tensorboard.scalar_tensor(f"d{number}", np.float64(value))]
            if at < len(FLOATS):
                content.append(tensorboard.scalar(f"f{number}", FLOATS[(at + number) % 9]))
            events.append(tensorboard.event(TIMES[at] if number % 2 else 1.7e9 + at, step, content))
        array = np.array(values)
        with np.errstate(all="ignore"):
            narrow = array.astype(np.float32)
            arrays = [array, narrow, array.astype(np.float16), array + 1j * array]
        edges = np.resize(array, 4)
        counts = np.resize(np.roll(array, 2), 4)
        rows = np.stack([edges, np.roll(edges, 1), counts], axis=1)
        content = [
            *(tensorboard.tensor(f"t{number}.{i}", one) for i, one in enumerate(arrays)),
            tensorboard.tensor(f"grid{number}", np.resize(array, (2, 3))),
            tensorboard.histogram_raw(
                f"h{number}",
                edges,
                np.resize(np.roll(array, 1), 4),
                extent=(float(edges[0]), float(edges[-1])),
                count=float(array[0]),
                total=float(array[-1]),
                total_of_squares=float(array[0]),
            ),
            tensorboard.tensor(f"ht{number}", rows, plugin_name="histograms"),
            pr_curve(f"pr{number}", np.resize(narrow, (6, 5))),
            *mesh(f"m{number}", np.resize(narrow, (1, 4, 3)), None, None, None),
            embedding(f"e{number}", np.resize(narrow, (5, 3)), [], []),
        ]
        events += [tensorboard.event(1.7e9, step, content) for step in (1, 2)]
    integers = np.array([-(2**63), 2**63 - 1, 0])
    events.append(tensorboard.event(1.7e9, 1, [tensorboard.tensor("int", integers)]))
    hparams = hparams_session_start({f"p{i}": value for i, value in enumerate(DOUBLES)})
    events.append(tensorboard.event(1.7e9, 0, [hparams]))
    return frames(events, Framing.TFRECORD)


def mindspore_log() -> bytes:
    events = [mindspore.version_event(1.7e9)]
    for number, values in enumerate(mixtures()):
        array = np.array(values)
        edges, counts = np.resize(array, 4), [1, 2**62, 0]
        with np.errstate(all="ignore"):
            narrow = array.astype(np.float32)
            histogram = mindspore.histogram(f"h{number}", edges, counts, nan_count=2**31 - 1)
            content = [
                mindspore.scalar(f"s{number}", float(narrow[0])),
                mindspore.tensor(f"t{number}", np.resize(narrow, (2, 3))),
                histogram,
            ]
        events += [mindspore.event(TIMES[step], step, content) for step in (1, 2, 3)]
        points = (np.arange(2.0), np.arange(3.0), np.resize(array, (3, 2)))
        landscape = mindspore.loss_landscape_content(
            points,
            intervals=(1,),
            path=(array, array, array),
            convergence_point=(array[:1], array[:1], array[:1]),
            decomposition="PCA",
            unit="step",
            step_per_epoch=1,
        )
        value = mindspore.loss_landscape(f"l{number}", landscape)
        events.append(mindspore.event(1.7e9, 4, [value]))
    return frames(events, Framing.TFRECORD)


@pytest.fixture(scope="module")
def base_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base = tmp_path_factory.mktemp("odd") / "logs"
    for name in ("a", "b"):
        write(base / name, "events.out.tfevents.1700000000.host", tensorboard_log())
    write(base / "c", "x.events.summary.1700000000.host_MS", mindspore_log())
    return base


@pytest.fixture(scope="module", params=["native", "python"])
def store(base_dir: Path, request: pytest.FixtureRequest) -> Iterator[LogStore]:
    opened = loaded(base_dir, scanner=request.param)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def client(base_dir: Path, store: LogStore) -> FlaskClient:
    config = Config(base_dir, workspace=base_dir.parent / "work")
    return create_app(config, store).test_client()


def request_to(path: str, *arguments: tuple[str, str]) -> tuple[str, str, object]:
    return "GET", f"{path}?{urlencode(arguments)}", None


def questions_about_jobs(tags: Sequence[str]) -> Iterator[tuple[str, str, object]]:
    """(method, path, JSON body)."""
    for path in ("findings", "datavisual/train-job-columns"):
        yield "GET", path, None
    columns = [("column", "scalar/d0/last"), ("column", "scalar/d1/min")]
    yield request_to("lineagemgr/lineage-columns", *columns)
    yield request_to("datavisual/landscape/landscapes", ("train_id", "./c"), ("type", "final"))
    for name in ("csv", "json", "npz"):
        yield request_to("datavisual/export", ("what", "scalars"), ("format", name), ("tag", "d*"))
    for what in ("histograms", "tensors"):
        yield request_to("datavisual/export", ("what", what), ("format", "json"))
    for body in ({}, {"summary_dir": {"in": ["./a", "./b"]}}):
        yield "POST", "lineagemgr/lineages", body
        yield "POST", "optimizer/targets/search", body
    yield "POST", "lineagemgr/diff", {"train_ids": ["./a", "./b"]}
    for x in ("step", "relative", "wall"):
        groups = {"both": ["./a", "./b"], "one": ["./a"]}
        asking = {"groups": groups, "tags": list(tags), "x": x, "max_points": 5}
        yield "POST", "datavisual/scalars/groups", asking


def questions_about_scalars(tag: str) -> Iterator[tuple[str, str, object]]:
    one = [("train_id", "./a"), ("tag", f"{tag}/scalar")]
    for more in (
        [("max_points", "3")],
        [("x_tag", "d0/scalar"), ("max_points", "5")],
        *([("smoothing", smoothing)] for smoothing in SMOOTHINGS),
        *([("format", name)] for name in ("columns", "arrow", "rows")),
    ):
        yield request_to("datavisual/scalars", *one, *more)
    for formula in FORMULAS:
        filled = formula.replace("x", f"`{tag}`")
        yield request_to("datavisual/scalars/formulas", ("train_id", "./a"), ("formula", filled))


def questions_about_values(store: LogStore, train_id: str) -> Iterator[tuple[str, str, object]]:
    job = ("train_id", train_id)
    tags = store.list_tags(train_id)
    for tag, detail in itertools.product(tags["tensor"], ("stats", "histogram")):
        yield request_to("datavisual/tensors", job, ("tag", f"{tag}/tensor"), ("detail", detail))
    for tag in tags["histogram"]:
        yield request_to("datavisual/histograms", job, ("tag", f"{tag}/histogram"))
    for plugin in plugins().values():
        for tag in plugin.list_tags(store, train_id):
            yield request_to(f"series/{plugin.name}", job, ("tag", tag))
            yield request_to(f"series/{plugin.name}/values", job, ("tag", tag))
    for tag in tags.get("embedding", ()):
        one = [job, ("tag", tag), ("step", "1")]
        yield request_to("datavisual/embeddings/points", *one)
        for distance in ("cosine", "euclidean"):
            more = [("point", "0"), ("distance", distance)]
            yield request_to("datavisual/embeddings/neighbours", *one, *more)


def questions(store: LogStore) -> Iterator[tuple[str, str, object]]:
    """(method, path, JSON body) of everything that depends on numbers."""
    tags = store.list_tags("./a")["scalar"]
    yield from questions_about_jobs(tags)
    for tag in tags:
        yield from questions_about_scalars(tag)
    for train_id in ("./a", "./c"):
        yield from questions_about_values(store, train_id)


def test_every_answer_about_them_is_given_without_a_warning(
    client: FlaskClient, store: LogStore
) -> None:
    failures = []
    for method, path, body in questions(store):
        answer = client.open(f"/v1/mindviz/{path}", method=method, json=body)
        if answer.status_code != 200:
            failures.append((path, answer.get_data(as_text=True)[:200]))
    assert failures == []


def test_health_analyzes_odd_numbers_without_warnings(store: LogStore) -> None:
    for train_id in ("./a", "./c"):
        run_anomalies(store, train_id, default_rules())
