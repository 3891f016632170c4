"""Graphs of train jobs: found by tag, built once, cached."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mindviz.config import Config
from mindviz.datavisual.graph.logged_graphs import (
    OPTIMIZED,
    GraphTag,
    LoggedGraphs,
    optimized_tags,
    ordered_tags,
)
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.plugins.graph import PLUGINS
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.errors import DamagedValue, TagNotFound, TrainJobNotFound
from mindviz.wire.proto import tensorboard_pb2 as tensorboard
from tests.mindspore_graphs import EXAMPLES, graph, model, op
from tests.store_fake import FakeJob, FakeStore

SIZES = (1, 3, 4)


def logged(count: int) -> LoggedGraph:
    return LoggedGraph("mindspore", graph([op(str(i), "A", "s") for i in range(count)]))


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
def job(store: FakeStore) -> FakeJob:
    job = store.add("./a")
    for count in SIZES:
        job.add_values("graph", f"g{count}", [0], [logged(count)])
    return job


@pytest.fixture
def graphs(store: FakeStore) -> LoggedGraphs:
    return LoggedGraphs(store, PLUGINS)


def test_tags_are_in_the_contracts_order() -> None:
    assert ordered_tags(["b", "ms_output_optimize.pb", "a"]) == ["ms_output_optimize.pb", "a", "b"]
    assert optimized_tags(["a", "ms_output_optimize.pb"]) == [
        "ms_output_optimize.pb (optimized)",
        "a (optimized)",
    ]


def test_each_tag_has_a_kind(graphs: LoggedGraphs, job: FakeJob) -> None:
    job.add_values("run_metadata", "profile", [0], [LoggedGraph("run_metadata", None)])
    found = graphs.tags("./a")
    assert [one.tag for one in found if one.kind == "run"] == ["g1", "g3", "g4", "profile"]
    assert found[-1] == GraphTag("g4" + OPTIMIZED, "optimized")


def test_an_empty_graph_is_not_found_unless_requested(graphs: LoggedGraphs, job: FakeJob) -> None:
    # As PyTorch writes it: run metadata that only names a device.
    devices = tensorboard.StepStats(dev_stats=[tensorboard.DeviceStepStats(device="/CPU:0")])
    metadata = tensorboard.RunMetadata(step_stats=devices)
    job.add_values("run_metadata", "step1", [0], [LoggedGraph("run_metadata", metadata)])
    with pytest.raises(TagNotFound):
        graphs.graph("./a", "step1")
    assert graphs.graph("./a", "step1", allow_empty=True).order("").part().total == 0


def test_concurrent_requests_build_a_graph_once(graphs: LoggedGraphs, job: FakeJob) -> None:
    with ThreadPoolExecutor(4) as pool:
        built = set(pool.map(lambda _: graphs.graph("./a"), range(8)))
    assert len(built) == 1
    assert len(built.pop().children("s")) == 1
    job.append("loss", [1], [0.5])
    assert graphs.graph("./a") is graphs.graph("./a", "g1")


def test_the_newest_graph_of_a_series_counts(graphs: LoggedGraphs, job: FakeJob) -> None:
    before = graphs.graph("./a", "g1")
    job.add_values("graph", "g1", [0, 5], [logged(1), logged(2)])
    after = graphs.graph("./a", "g1")
    assert (len(before.children("s")), len(after.children("s"))) == (1, 2)


def test_unknown_graphs_are_errors(graphs: LoggedGraphs, store: FakeStore) -> None:
    store.add("./empty").add_values("graph", "nothing", [0], [logged(0)])
    store.add("./none")
    for train_id, tag in (("./empty", None), ("./none", None), ("./none", "x")):
        with pytest.raises(TagNotFound):
            graphs.graph(train_id, tag)
    with pytest.raises(TrainJobNotFound):
        graphs.graph("./x")
    with pytest.raises(TrainJobNotFound):
        graphs.tags("./x")


def test_the_optimized_view_has_its_own_tag(graphs: LoggedGraphs, job: FakeJob) -> None:
    ops = [op("1", "A", "s"), op("2", "B", "s", "1"), op("3", "C", "Gradients/s", "2")]
    job.add_values("graph", "net", [0], [LoggedGraph("mindspore", graph(ops))])
    view = graphs.graph("./a", "net" + OPTIMIZED)
    assert view is graphs.graph("./a", "net", optimized=True)
    assert [node.name for node in view.children("")] == ["s"]


@pytest.mark.parametrize(
    "content",
    [
        LoggedGraph(
            "tensorflow", tensorboard.GraphDef(node=[tensorboard.NodeDef(name="s/a", op="A")])
        ),
        LoggedGraph(
            "run_metadata",
            tensorboard.RunMetadata(
                partition_graphs=[tensorboard.GraphDef(node=[tensorboard.NodeDef(name="s/a")])]
            ),
        ),
        LoggedGraph("keras", {"config": {"layers": [{"config": {"name": "s/a"}}]}}),
        LoggedGraph("visualdl", {"nodes": [{"name": "/s/a"}]}),
    ],
    ids=lambda content: content.form,
)
def test_every_form_becomes_the_same_kind_of_graph(
    graphs: LoggedGraphs, job: FakeJob, content: LoggedGraph
) -> None:
    job.add_values("graph", "x", [0], [content])
    assert [node.name for node in graphs.graph("./a", "x").leaves("")] == ["s/a"]


def test_an_evicted_graph_is_built_again(
    graphs: LoggedGraphs, store: FakeStore, job: FakeJob
) -> None:
    first, second = graphs.graph("./a", "g1"), graphs.graph("./a", "g3")
    assert job.caches.nbytes == first.nbytes + second.nbytes > 0
    job.caches.drop_all(but=("graph", ("./a", "graph", "g3", False)))
    assert graphs.graph("./a", "g3") is second
    assert graphs.graph("./a", "g1") is not first


def test_a_newer_graph_replaces_the_previous_one(graphs: LoggedGraphs, job: FakeJob) -> None:
    before = weakref.ref(graphs.graph("./a", "g1"))
    job.add_values("graph", "g1", [0, 5], [logged(1), logged(2)])
    after = graphs.graph("./a", "g1")
    gc.collect()
    assert before() is None
    assert job.caches.nbytes == after.nbytes


def test_the_memory_of_a_graph_is_released_with_its_job(
    graphs: LoggedGraphs, store: FakeStore, job: FakeJob
) -> None:
    built = weakref.ref(graphs.graph("./a"))
    store.remove("./a")
    gc.collect()
    assert built() is None


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[LogStore]:
    """A job with an intact graph, a truncated one, and one named like TensorFlow's."""
    content = model(EXAMPLES["order"]())
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "ms_output_1.pb").write_bytes(content)
    (tmp_path / "job" / "ms_output_2.pb").write_bytes(content[: len(content) // 2])
    (tmp_path / "job" / "vdlgraph.1.log").write_bytes(b'{"nodes": [')
    store = LogStore(Config(summary_base_dir=tmp_path, inotify=False))
    store.start()
    store.refresh()
    yield store
    store.close()


def test_a_damaged_graph_is_an_error_and_a_finding(logs: LogStore) -> None:
    graphs = LoggedGraphs(logs, PLUGINS)
    assert graphs.graph("./job").nodes
    for tag in ("ms_output_2.pb", "vdlgraph.1.log"):
        with pytest.raises(DamagedValue):
            graphs.graph("./job", tag)
    problems = [
        one for one in logs.train_job("./job").problems if one.kind == FindingKind.BAD_VALUE
    ]
    assert sorted(one.path for one in problems) == ["job/ms_output_2.pb", "job/vdlgraph.1.log"]


def test_a_rewritten_graph_file_is_read_again(logs: LogStore, tmp_path: Path) -> None:
    graphs = LoggedGraphs(logs, PLUGINS)
    before = graphs.graph("./job")
    (tmp_path / "job" / "ms_output_1.pb").write_bytes(model(EXAMPLES["bypassed"]()))
    logs.refresh()
    assert len(graphs.graph("./job").nodes) != len(before.nodes)
