from __future__ import annotations

import pytest

from mindviz.cli import demo_network
from mindviz.cli.demo import write_demo
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.wire.proto import mindspore_pb2
from tests.written_logs import loaded


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> LogStore:
    directory = tmp_path_factory.mktemp("demo") / "logs"
    write_demo(directory, now=1_800_000_000.0)
    return loaded(directory)


def test_every_input_in_the_graph_exists() -> None:
    graph = mindspore_pb2.ModelProto.FromString(demo_network.graph()).graph
    names = {node.name for node in graph.node} | {one.name for one in graph.parameters}
    assert {one.name for node in graph.node for one in node.input} <= names
    assert {node.op_type for node in graph.node} >= {"Conv2D", "MatMul", "Adam"}


def test_a_mindspore_run_has_every_kind_of_value(
    store: LogStore,
) -> None:
    tags = store.list_tags("./mindspore/lenet_adam")
    kinds = {"scalar", "image", "histogram", "tensor", "graph", "loss_landscape", "embedding"}
    assert kinds <= {name for name, found in tags.items() if found}


def test_no_run_has_a_finding(store: LogStore) -> None:
    for job in store.list_train_jobs():
        assert job.problems == (), job.train_id
