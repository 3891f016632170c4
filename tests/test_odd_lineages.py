"""No log breaks lineage: odd names and numbers in every route, export format and command."""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

import mindviz
from mindviz.backend.app import create_app
from mindviz.cli import cli
from mindviz.config import Config
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.datavisual.store import Store
from mindviz.export.exports import FORMATS
from mindviz.export.output_formats import output_formats
from mindviz.wire.proto import mindspore_pb2
from tests import lineage_logs as logs
from tests.imported_logs import imported
from tests.written_logs import loaded

PREFIXES = ("/v1/mindviz", "/v1/mindinsight")
FORMATS_OF_LINEAGE = [
    name for name in FORMATS if "lineage" not in output_formats()[name].unsupported
]

NAMES = st.sampled_from(
    ["", "/", "a/", "lr", "epochs", "batch size", "last", "children", "=1+1", "metric/", "\0", "损"]
) | st.text(max_size=5)
HUGE = [1e300, 1.7e308, -1.7e308, 2**53 + 1, 1234567890123456789, 2**63 - 1, -(2**63), 2**64]
SPECIAL = [0, 1, 0.1, -0.0, 5e-324, math.nan, math.inf, -math.inf, *HUGE, 10**400]
NUMBERS = st.sampled_from(SPECIAL) | st.floats() | st.integers()
FACTS = st.recursive(
    st.none() | st.booleans() | NUMBERS | NAMES | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2),
    max_leaves=5,
)

Job = tuple[str, Any]
"""The format of a train job's log, and its contents."""


def info() -> st.SearchStrategy[Message]:
    """UserDefinedInfo with any names, nested."""
    messages = st.builds(
        mindspore_pb2.UserDefinedInfo,
        map_int32=st.dictionaries(NAMES, st.integers(-(2**31), 2**31 - 1), max_size=1),
        map_str=st.dictionaries(NAMES, st.text(max_size=3), max_size=1),
        map_double=st.dictionaries(NAMES, st.floats(), max_size=1),
    )
    return messages | st.builds(
        lambda name, one: mindspore_pb2.UserDefinedInfo(map_dict={name: one}), NAMES, messages
    )


def dataset_graphs() -> st.SearchStrategy[Message]:
    """Dataset graphs whose parameters have any names."""
    parameters = st.builds(
        mindspore_pb2.OperationParameter,
        map_str=st.dictionaries(NAMES, st.text(max_size=3) | st.just("None"), max_size=2),
        map_bool=st.dictionaries(NAMES, st.booleans(), max_size=1),
        map_double=st.dictionaries(NAMES, st.floats(), max_size=1),
    )
    graphs = st.builds(mindspore_pb2.DatasetGraph, parameter=parameters)
    return graphs | st.builds(
        mindspore_pb2.DatasetGraph, parameter=parameters, children=st.lists(graphs, max_size=2)
    )


def jobs() -> st.SearchStrategy[Job]:
    """A log of any format with odd facts."""
    training = st.builds(
        logs.training,
        learning_rate=st.floats(width=32),
        loss=st.floats(width=32),
        epoch=st.integers(-(2**31), 2**31 - 1),
    )
    evaluation = st.dictionaries(NAMES, FACTS, max_size=3).map(logs.evaluation)
    mindspore = st.lists(training | evaluation | info() | dataset_graphs(), min_size=1, max_size=4)
    hparams = st.dictionaries(NAMES, st.none() | st.booleans() | NUMBERS | NAMES, max_size=3)
    metrics = st.lists(NAMES | st.tuples(NAMES, NAMES), max_size=2)
    scalars = st.dictionaries(NAMES, st.floats(), max_size=2)
    return (
        st.tuples(st.just("mindspore"), mindspore)
        | st.tuples(st.just("tensorboard"), st.tuples(hparams, metrics, scalars))
        | st.tuples(st.just("visualdl"), st.tuples(hparams, st.lists(NAMES, max_size=2), scalars))
    )


def write_job(directory: Path, job: Job) -> None:
    kind, logged = job
    if kind == "mindspore":
        logs.write_mindspore_job(directory, *logged)
        return
    hparams, metrics, scalars = logged
    if kind == "visualdl":
        small = {name: one for name, one in hparams.items() if isinstance(one, float | str)}
        logs.write_visualdl_job(directory, small, metrics, scalars)
        return
    doubles = {name: _as_double(one) for name, one in hparams.items()}
    start = logs.session_start(doubles, group="g")
    logs.write_tensorboard_job(
        directory, [logs.experiment(*metrics), start, logs.session_end()], scalars
    )


def _as_double(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return float(max(-(2**1000), min(2**1000, value)))
    return value


def evaluated(**metric: Any) -> Job:
    return "mindspore", [logs.evaluation(metric)]


ODD = [
    [("mindspore", [logs.evaluation({"": 0.5})]), evaluated(acc=0.5)],
    [evaluated(x=1234567890123456789), evaluated(x=0.5)],
    [("tensorboard", ({"epochs": 1e300, "batch_size": 2.0**63}, [], {}))],
    [("mindspore", [logs.training(), logs.evaluation({"x": 1.7e308})])] * 2,
    [evaluated(x=1.7e308), evaluated(x=1.7e308), evaluated(x=-1.7e308)],
    [evaluated(x=[1, {"": math.nan}]), evaluated(x="=1+1"), evaluated(x=True)],
]
"""Logs that once broke something, or nearly."""


@pytest.mark.parametrize("written", ODD, ids=range(len(ODD)))
def test_logs_that_broke_lineage_before_are_read(written: list[Job], tmp_path: Path) -> None:
    check_logs(tmp_path / "logs", written)
    check_database(tmp_path / "logs", tmp_path / "logs.db")


@given(st.lists(jobs(), min_size=1, max_size=3))
@settings(max_examples=20)
def test_no_log_breaks_lineage(written: list[Job]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        check_logs(Path(folder, "logs"), written)


@given(st.lists(jobs(), min_size=1, max_size=3))
@settings(max_examples=10)
def test_no_log_breaks_lineage_in_a_database(written: list[Job]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base_dir = Path(folder, "logs")
        for number, job in enumerate(written):
            write_job(base_dir / f"job{number}", job)
        check_database(base_dir, Path(folder, "logs.db"))


def check_logs(base_dir: Path, written: list[Job]) -> None:
    """Every request about lineage over HTTP, on the command line and in Python."""
    for number, job in enumerate(written):
        write_job(base_dir / f"job{number}", job)
    store = loaded(base_dir)
    check_routes(store, base_dir)
    for output_format in FORMATS_OF_LINEAGE:
        file = base_dir.with_name(f"lineage.{output_format}")
        command = ["export", str(base_dir), "--format", output_format, "--what", "lineage"]
        options = ["--tag", ".", "--output", str(file), "--workspace", str(base_dir.parent / "ws")]
        result = CliRunner().invoke(cli, [*command, *options], catch_exceptions=False)
        assert result.exit_code == 0, result.output
    with mindviz.open(base_dir) as opened:
        assert len(opened.lineage(tag=re.compile("."))) == len(written)


def check_database(base_dir: Path, file: Path) -> None:
    """The same over HTTP and in Python, of imported logs."""
    database = Database(f"sqlite:///{file}")
    try:
        imported(database, base_dir)
        store = SqlStore(database, "e")
        store.refresh()
        check_routes(store, base_dir)
    finally:
        database.close()
    with mindviz.open(file) as opened:
        opened.lineage(tag=re.compile("."))


def check_routes(store: Store, base_dir: Path) -> None:
    config = Config(base_dir, workspace=base_dir.parent / "workspace")
    client = create_app(config, store).test_client()
    for method, path, body in questions(client):
        answer = client.open(path, method=method, json=body)
        assert answer.status_code == 200, (method, path, body, answer.get_data(as_text=True))


Question = tuple[str, str, Any]
"""(method, path, JSON body)."""


def questions(client: FlaskClient) -> Iterator[Question]:
    """All requests about lineage of these jobs."""
    ours, _ = PREFIXES
    everything = client.post(f"{ours}/lineagemgr/lineages", json={}).get_json()
    train_ids = [item["summary_dir"] for item in everything["object"]]
    named = list(everything["customized"])
    scalars = [f"scalar/{tag}/last" for tag in ("", "lr", "m")]
    for prefix in PREFIXES:
        search = f"{prefix}/lineagemgr/lineages"
        yield "POST", search, {}
        yield "POST", f"{prefix}/optimizer/targets/search", {}
        yield "GET", f"{prefix}/datavisual/train-jobs?limit=999", None
        for name in ("summary_dir", "loss", "epoch", "learning_rate", *named):
            yield "POST", search, {"sorted_name": name, "sorted_type": "descending"}
        for name in named:
            for operand in (0.5, 10**15, "a") if name.startswith("user_defined/") else (0.5,):
                yield "POST", search, {name: {"lt": operand, "ge": operand, "in": [operand]}}
        for train_id in train_ids:
            dataset_graph = f"{prefix}/datasets/dataset_graph"
            yield "GET", f"{dataset_graph}?{urlencode({'train_id': train_id})}", None
    yield "POST", f"{ours}/lineagemgr/lineages", {"columns": scalars, "sorted_name": scalars[0]}
    yield "GET", f"{ours}/lineagemgr/lineage-columns?{urlencode({'column': scalars}, True)}", None
    yield "POST", f"{ours}/lineagemgr/diff", {"train_ids": train_ids}
    yield "GET", f"{ours}/data/lineage?tag=.", None
    for output_format in FORMATS_OF_LINEAGE:
        export = {"format": output_format, "what": "lineage", "tag": "."}
        yield "GET", f"{ours}/datavisual/export?{urlencode(export)}", None
    for plugin_name in ("hparams", "run_facts"):
        series = f"{ours}/series/{plugin_name}"
        yield "GET", f"{series}/overview", None
        yield "GET", f"{series}/tags", None
        for one in client.get(f"{series}/tags").get_json()["train_jobs"]:
            for tag in one["tags"]:
                asked = urlencode({"train_id": one["train_id"], "tag": tag})
                yield "GET", f"{series}?{asked}", None
                yield "GET", f"{series}/values?{asked}", None
