"""Writes jobs with graphs, for the browser tests.

python -m tests.e2e.written_graphs DIRECTORY JOB ...

Jobs are named as their functions below.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from mindviz.summary import SummaryRecord
from mindviz.wire import encode_tensorboard
from mindviz.wire.encode import delimited, double_field, frames
from mindviz.wire.framing import Framing
from mindviz.wire.proto import mindspore_pb2 as mindspore
from mindviz.wire.proto import tensorboard_pb2 as tensorboard
from tests import lineage_logs
from tests import mindspore_graphs as graphs
from tests.written_logs import write

WIDE = 30_000
"""Nodes of one scope: far more than fit on a screen."""
PIPELINE = 1_000


def _net(directory: Path) -> None:
    """A small network with six parameters of a kind, and the graph of its dataset."""
    weights = [graphs.parameter(f"w{i}") for i in range(6)]
    shape = graphs.tensor_type((8, 3, 4))
    ops = [
        graphs.op("0", "Data", "Default/input", output=shape),
        graphs.op(
            "1",
            "Conv2D",
            "Default/body",
            "0",
            *(f"w{i}" for i in range(6)),
            attributes={"stride": graphs.integer(2)},
        ),
        graphs.op("2", "ReLU", "Default/body", "1"),
        graphs.op("3", "Loss", "Default", "2", "^0"),
    ]
    write(directory, "ms_output.pb", graphs.model(graphs.graph(ops, weights)))
    lineage_logs.write_mindspore_job(directory, lineage_logs.training(), lineage_logs.dataset())


def _redundant(directory: Path) -> None:
    """Two operators, and between them one that only the graph as it was logged has."""
    ops = [
        graphs.op("0", "Data", "Default/net", "w"),
        graphs.op("1", "MakeTuple", "Default/net", "0"),
        graphs.op("2", "ReLU", "Default/net", "1"),
        graphs.op("3", "Loss", "Default/net", "2"),
    ]
    write(directory, "ms_output.pb", graphs.model(graphs.graph(ops, [graphs.parameter("w")])))


def _kinds(directory: Path) -> None:
    """An op graph and a conceptual one, as TensorFlow's Keras callback logs them."""
    graph_def = delimited(1, delimited(1, b"net/conv") + delimited(2, b"Conv2D"))
    dense = {"class_name": "Dense", "config": {"name": "dense"}, "name": "dense"}
    layers = [{**dense, "inbound_nodes": []}]
    model = json.dumps({"class_name": "Functional", "config": {"name": "m", "layers": layers}})
    keras = encode_tensorboard.strings_tensor(
        "keras", [model.encode()], (), plugin_name="graph_keras_model"
    )
    _log(
        directory,
        encode_tensorboard.graph_event(1.7e9, graph_def),
        encode_tensorboard.event(1.7e9, 0, [keras]),
    )


def _layers(directory: Path) -> None:
    """Three layers alike and a head; what initializes, saves and trains them; an empty profile."""
    definition = tensorboard.GraphDef()

    def add(name: str, op: str, *inputs: str) -> None:
        node = definition.node.add(name=name, op=op, input=inputs)
        shape = node.attr["_output_shapes"].list.shape.add()
        for size in (32, 8):
            shape.dim.add(size=size)

    add("x", "Placeholder")
    for i in (1, 2, 3):
        add(f"layer{i}/MatMul", "MatMul", "x" if i == 1 else f"layer{i - 1}/Relu")
        add(f"layer{i}/Relu", "Relu", f"layer{i}/MatMul")
        add(f"gradients/g{i}", "ReluGrad", f"layer{i}/Relu")
    add("head/Softmax", "Softmax", "layer3/Relu")
    add("save/Save", "SaveV2", "layer1/MatMul")
    add("init", "NoOp", "^layer1/MatMul")
    graph = encode_tensorboard.graph_event(1.7e9, definition.SerializeToString())
    profile = tensorboard.RunMetadata()
    profile.step_stats.dev_stats.add(device="/gpu:0")
    tagged = delimited(1, b"step_1") + delimited(2, profile.SerializeToString())
    _log(directory, graph, double_field(1, 1.7e9) + delimited(8, tagged))


def _profile(directory: Path) -> None:
    """What one step of two operators took, on two devices."""
    metadata = tensorboard.RunMetadata()
    for device, name, micros in (("/gpu:0", "net/conv", 40), ("/cpu:0", "net/relu", 10)):
        stats = metadata.step_stats.dev_stats.add(device=device)
        stats.node_stats.add(
            node_name=name, all_start_micros=5, op_start_rel_micros=0, op_end_rel_micros=micros
        )
    _log_metadata(directory, metadata)


def _log_metadata(directory: Path, metadata: tensorboard.RunMetadata) -> None:
    tagged = delimited(1, b"step_1") + delimited(2, metadata.SerializeToString())
    _log(directory, double_field(1, 1.7e9) + delimited(8, tagged))


def _log(directory: Path, *events: bytes) -> None:
    start = encode_tensorboard.version_event(1.7e9)
    name = "events.out.tfevents.1700000000.host"
    write(directory, name, frames([start, *events], Framing.TFRECORD))


def _wide(directory: Path) -> None:
    """One scope with a chain of thousands of operators of different types."""
    ops = [graphs.op(str(i), f"T{i}", "Default", *([str(i - 1)] if i else [])) for i in range(WIDE)]
    write(directory, "ms_output.pb", graphs.model(graphs.graph(ops)))


def _deep(directory: Path) -> None:
    """Nested scopes, with a chain of eight operators in the innermost."""
    home = "Default/network/net"
    ops = [graphs.op(str(i), f"T{i}", home, *([str(i - 1)] if i else [])) for i in range(8)]
    write(directory, "ms_output.pb", graphs.model(graphs.graph(ops)))


def _timed(directory: Path) -> None:
    """600 operators of one scope: the first half took 1 us each, the others 3 us."""
    metadata = tensorboard.RunMetadata()
    stats = metadata.step_stats.dev_stats.add(device="/gpu:0")
    for i in range(600):
        stats.node_stats.add(node_name=f"net/op{i}", op_end_rel_micros=1 if i < 300 else 3)
    _log_metadata(directory, metadata)


def _pipeline(directory: Path) -> None:
    """A dataset of a thousand files put together, and of a thousand operations on each row."""
    graph = mindspore.DatasetGraph()
    graph.parameter.map_str["op_type"] = "MapDataset"
    for i in range(PIPELINE):
        graph.operations.add().operation_param.map_str["tensor_op_name"] = f"Change{i}"
    files = graph.children.add()
    files.parameter.map_str["op_type"] = "ConcatDataset"
    for i in range(PIPELINE):
        files.children.add().parameter.map_str["op_type"] = f"File{i}"
    lineage_logs.write_mindspore_job(directory, lineage_logs.training(), graph)


def _woven(directory: Path) -> None:
    """A chain of 150 operators with edges that leap over twenty."""
    feeds = [[str(i - back) for back in (1, 20) if i >= back] for i in range(150)]
    ops = [graphs.op(str(i), f"T{i}", "Default", *found) for i, found in enumerate(feeds)]
    write(directory, "ms_output.pb", graphs.model(graphs.graph(ops)))


def _none(directory: Path) -> None:
    with SummaryRecord(str(directory)) as record:
        record.add_value("scalar", "loss", 1.0)
        record.record(0)


def _damaged(directory: Path) -> None:
    whole = graphs.model(graphs.graph([graphs.op("1", "A", "Default")]))
    write(directory, "ms_output.pb", whole[:-3])


JOBS: dict[str, Callable[[Path], None]] = {
    "net": _net,
    "deep": _deep,
    "timed": _timed,
    "pipeline": _pipeline,
    "profile": _profile,
    "wide": _wide,
    "woven": _woven,
    "redundant": _redundant,
    "kinds": _kinds,
    "layers": _layers,
    "none": _none,
    "damaged": _damaged,
}


if __name__ == "__main__":
    for job in sys.argv[2:]:
        JOBS[job](Path(sys.argv[1]) / job)
