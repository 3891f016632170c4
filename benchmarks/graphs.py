"""Graphs: building 100,000 nodes, then scopes and searches, compared with MindInsight.

    python benchmarks/graphs.py [--repeats N] [--no-peer]

The same network in the formats of MindSpore and TensorFlow: 1,000 layers of 100 operators, each
with one or two inputs from earlier operators and some with weights. A build is the first response
about a graph; later requests bypass the cache of responses.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import orjson
from comparison import Row, at_most, median, progress, report, spread
from generated_logs import CACHE, warm
from lineage import MINDINSIGHT, mindinsight
from peers import mindviz_command, patience, serving, workspace
from questions import connect, free_port

from mindviz.wire import encode_mindspore
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from mindviz.wire.proto import mindspore_pb2, tensorboard_pb2

LAYERS, OPERATORS = 1_000, 100
TYPES = ("MatMul", "BiasAdd", "ReLU", "Add", "Transpose", "Reshape", "Softmax", "LayerNorm", "Cast")
GRAPHS = {
    "mindspore": "events.out.events.summary.1700000000.0.host_MS",
    "tensorboard": "__run_graph__",
}
BUILD_LIMIT, ANSWER_LIMIT = 3.0, 0.02
"""Seconds."""
_FRESH = itertools.count()


def operators() -> itertools.chain[tuple[int, str, str, str, list[int]]]:
    """Number, scope, name, type and input numbers of each operator."""
    return itertools.chain.from_iterable(_layer(number) for number in range(LAYERS))


def _layer(layer: int) -> list[tuple[int, str, str, str, list[int]]]:
    nodes = []
    for place in range(OPERATORS):
        number = layer * OPERATORS + place
        kind = TYPES[place * place % len(TYPES)]
        scope = f"network/encoder_{layer // 100}/layer_{layer}/block_{place // 10}"
        inputs = [source for source in {number - 1, number - 1 - place % 7} if source >= 0]
        nodes.append((number, scope, f"{kind}-op{number}", kind, sorted(inputs)))
    return nodes


def mindspore_graph() -> mindspore_pb2.GraphProto:
    """In MindSpore's format."""
    graph = mindspore_pb2.GraphProto(name="network")
    for number, scope, name, kind, inputs in operators():
        node = graph.node.add(
            name=str(number), op_type=kind, scope=scope, full_name=f"{scope}/{name}"
        )
        for source in inputs:
            node.input.add(name=str(source), type=mindspore_pb2.InputProto.DATA_EDGE)
        tensor = node.output_type.tensor_type
        node.output_type.data_type = mindspore_pb2.DT_TENSOR
        tensor.elem_type = mindspore_pb2.DT_FLOAT32
        for size in (32, 128, number % 8 + 1):
            tensor.shape.dim.add(size=size)
        attribute = node.attribute.add(name="transpose_a")
        attribute.value.dtype = mindspore_pb2.DT_BOOL
        attribute.value.bool_val = True
        if number % 10 == 0:
            weight = graph.parameters.add(name=f"layer_{number}.weight", type=node.output_type)
            node.input.add(name=weight.name, type=mindspore_pb2.InputProto.DATA_EDGE)
    return graph


def tensorflow_graph() -> tensorboard_pb2.GraphDef:
    """In TensorFlow's format."""
    graph = tensorboard_pb2.GraphDef()
    names = []
    for number, scope, name, kind, inputs in operators():
        names.append(f"{scope}/{name}")
        node = graph.node.add(name=names[-1], op=kind, device="/device:GPU:0")
        node.input.extend(names[source] for source in inputs)
        node.attr["T"].type = tensorboard_pb2.DT_FLOAT
        shape = node.attr["_output_shapes"].list.shape.add()
        for size in (32, 128, number % 8 + 1):
            shape.dim.add(size=size)
    return graph


def base_dir() -> Path:
    """One job per format; written if missing."""
    directory = CACHE / "logs" / "graphs"
    if not directory.is_dir():
        progress("writing graphs")
        unfinished = directory.with_name(directory.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        logged = {
            "mindspore": mindspore_graph().SerializeToString(),
            "tensorboard": tensorflow_graph().SerializeToString(),
        }
        file_names = {
            "mindspore": GRAPHS["mindspore"],
            "tensorboard": "events.out.tfevents.1700000000.host.1.0",
        }
        version = encode_mindspore.version_event(1_700_000_000)
        for name, graph in logged.items():
            (unfinished / name).mkdir(parents=True)
            event = encode_mindspore.graph_event(1_700_000_000, graph)  # the same step in both
            (unfinished / name / file_names[name]).write_bytes(
                frames([version, event], Framing.TFRECORD)
            )
        unfinished.rename(directory)
    return directory


def ask(connection: HTTPConnection, prefix: str, route: str, **query: str | int) -> bytes:
    """The response to a new request. Raises OSError."""
    text = urlencode({**query, "unheard-of": next(_FRESH)})
    connection.request("GET", f"/v1/{prefix}/datavisual/{route}?{text}")
    answer = connection.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise ConnectionError(f"Status {answer.status}: {body[:200]!r}")
    return body


def wait_until_listed(port: int, prefix: str, train_id: str) -> None:
    """Return when a job is listed; MindInsight lists only MindSpore's."""
    connection = connect(port)
    for _ in patience():
        try:
            jobs = orjson.loads(ask(connection, prefix, "train-jobs"))["train_jobs"]
            if any(job["train_id"] == train_id for job in jobs):
                return
        except OSError:
            connection.close()
        time.sleep(0.1)


def seconds_to_graph(port: int, prefix: str, graph: dict[str, str]) -> float:
    """From the request to load a job until its graph is available.

    mindviz has already loaded it and builds the graph; MindInsight loads the job with its graph.
    """
    connection = connect(port)
    started = time.perf_counter()
    body = orjson.dumps({"train_ids": [graph["train_id"]]})
    path = f"/v1/{prefix}/datavisual/train-job-caches"
    connection.request("POST", path, body, {"Content-Type": "application/json"})
    connection.getresponse().read()
    for _ in patience():
        try:
            ask(connection, prefix, "graphs/nodes", **graph)
            return time.perf_counter() - started
        except ConnectionError:
            time.sleep(0.02)
    raise AssertionError("patience() raises before it ends")


def seconds(port: int, prefix: str, name: str, repeats: int) -> dict[str, list[float]]:
    """The first response about a graph, and later requests."""
    graph = {"train_id": f"./{name}", "tag": GRAPHS[name]}
    timings = {"first answer": [seconds_to_graph(port, prefix, graph)]}
    connection = connect(port)
    scope = "network/encoder_3/layer_300"

    def timed(route: str, **query: str | int) -> float:
        started = time.perf_counter()
        ask(connection, prefix, route, **graph, **query)
        return time.perf_counter() - started

    for what, route, query in (
        ("scopes at the root", "graphs/nodes", {}),
        ("one layer", "graphs/nodes", {"name": scope}),
        ("ten operators", "graphs/nodes", {"name": f"{scope}/block_7"}),
        ("way to a node", "graphs/single-node", {"name": f"{scope}/block_7"}),
        ("search, many hits", "graphs/nodes/names", {"search": "matmul", "offset": 0}),
        ("search, one hit", "graphs/nodes/names", {"search": "op99999", "offset": 0}),
        ("search, no hit", "graphs/nodes/names", {"search": "nothing like it", "offset": 0}),
    ):
        timings[what] = [timed(route, **query, **_limit(route)) for _ in range(repeats)]
    return timings


def _limit(route: str) -> dict[str, int]:
    return {"limit": 100} if route.endswith("names") else {}


def mindviz_seconds(base: Path, name: str, repeats: int) -> dict[str, list[float]]:
    """Several starts, because each builds a graph once."""
    all_of: dict[str, list[float]] = {}
    for _ in range(repeats):
        port = free_port()
        with workspace() as home, serving(mindviz_command(base, port, home)):
            wait_until_listed(port, "mindviz", f"./{name}")
            for what, times in seconds(port, "mindviz", name, repeats).items():
                all_of.setdefault(what, []).extend(times)
    return all_of


def peer_seconds(base: Path, name: str, repeats: int) -> dict[str, list[float]]:
    """MindInsight's."""
    port = free_port()
    with workspace() as home:
        options = ("--summary-base-dir", str(base), "--workspace", str(home))
        try:
            mindinsight("start", port, *options)
            wait_until_listed(port, "mindinsight", f"./{name}")
            return seconds(port, "mindinsight", name, repeats)
        finally:
            mindinsight("stop", port)


def rows(name: str, own: dict[str, list[float]], peer: dict[str, list[float]]) -> list[Row]:
    """All figures of one format."""
    figures = []
    for what, times in own.items():
        limit = BUILD_LIMIT if what == "first answer" else ANSWER_LIMIT
        theirs = peer.get(what)
        target, reached = at_most(limit, median(times), "s")
        figures.append(
            Row(
                f"graph of 100,000 nodes ({name}): {what}",
                MINDINSIGHT if theirs else "-",
                median(times),
                median(theirs) if theirs else None,
                "s",
                target,
                reached,
                spread(times),
            )
        )
    return figures


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--no-peer", action="store_true", help="mindviz alone")
    options = parser.parse_args()
    base = base_dir()
    warm(base)
    figures = []
    for name in GRAPHS:
        progress(f"graphs: {name}")
        own = mindviz_seconds(base, name, options.repeats)
        with_peer = name == "mindspore" and not options.no_peer
        peer = peer_seconds(base, name, options.repeats) if with_peer else {}
        figures += rows(name, own, peer)
    report(figures)


if __name__ == "__main__":
    main()
