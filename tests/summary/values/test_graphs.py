from __future__ import annotations

import sys
from types import ModuleType

import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.values.graphs import compiled_graph, graph
from mindviz.summary.writing.recorded_step import Log
from mindviz.wire.encode import delimited
from mindviz.wire.proto import mindspore_pb2 as mindspore
from tests.proto import tensorboard_pb2 as tensorboard

GRAPH = mindspore.GraphProto(name="net", node=[mindspore.NodeProto(name="1")])
MODEL = mindspore.ModelProto(ir_version=1, graph=GRAPH)
GRAPH_DEF = delimited(1, delimited(1, b"conv") + delimited(2, b"Conv2D"))
"""One node: name 1, op 2."""


@pytest.mark.parametrize("value", [GRAPH, MODEL, MODEL.SerializeToString()], ids=["g", "m", "b"])
def test_mindspores_graphs_go_to_the_summary_log(value: object) -> None:
    (pooled,) = graph("g", value)
    assert pooled.log is Log.SUMMARY
    event = mindspore.Event.FromString(pooled.encode(2.5, 7) or b"")
    assert event.graph_def == GRAPH


def test_a_graph_def_goes_to_the_event_log() -> None:
    (pooled,) = graph("g", GRAPH_DEF)
    assert pooled.log is Log.EVENTS
    event = tensorboard.Event.FromString(pooled.encode(2.5, 7) or b"")
    assert (event.wall_time, event.step, event.graph_def) == (2.5, 7, GRAPH_DEF)


@pytest.mark.parametrize("value", [1, "graph", None, b"\x0a\xff", b"", mindspore.ModelProto()])
def test_the_error_for_an_invalid_graph_names_it(value: object) -> None:
    with pytest.raises(InvalidValue, match="graph 'g'"):
        list(graph("g", value))


class Cell:
    pass


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The relevant parts of MindSpore; tests/peers has the real one."""
    nn, executors = ModuleType("mindspore.nn"), ModuleType("mindspore.common.api")
    nn.Cell = Cell  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mindspore.nn", nn)
    monkeypatch.setitem(sys.modules, "mindspore.common.api", executors)
    return executors


def test_an_arbitrary_object_has_no_graph() -> None:
    assert compiled_graph(None) is None
    assert compiled_graph(object()) is None


def test_a_compiled_mindspore_network_has_a_graph(api: ModuleType) -> None:
    class Executor:
        @staticmethod
        def get_optimize_graph_proto(network: Cell) -> bytes:
            return b"graph"

    assert compiled_graph(Cell()) is None
    api._cell_graph_executor = Executor  # type: ignore[attr-defined]
    assert compiled_graph(Cell()) == b"graph"
    assert compiled_graph(object()) is None
