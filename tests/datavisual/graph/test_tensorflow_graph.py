"""Drafts of TensorFlow's graphs."""

from __future__ import annotations

from mindviz.datavisual.graph.assembly import assembled
from mindviz.datavisual.graph.tensorflow_graph import run_metadata_draft, tensorflow_draft
from mindviz.wire.proto import tensorboard_pb2 as pb


def node(name: str, op: str, *inputs: str, **attributes: pb.AttrValue) -> pb.NodeDef:
    return pb.NodeDef(name=name, op=op, input=inputs, attr=attributes)


def shapes(*sizes: int) -> pb.AttrValue:
    dims = [pb.TensorShapeProto.Dim(size=size) for size in sizes]
    known, unknown = pb.TensorShapeProto(dim=dims), pb.TensorShapeProto(unknown_rank=True)
    return pb.AttrValue(list=pb.AttrValue.ListValue(shape=[known, unknown]))


def test_nodes_edges_shapes_and_attributes() -> None:
    relu = node("layer/relu", "Relu", "layer:0", "^init", "init", "^layer")
    relu.device = "/cpu:0"
    relu.attr["T"].type = pb.DT_FLOAT
    relu.attr["large"].s = b"x" * 2000
    definition = pb.GraphDef(
        node=[
            node("layer", "MatMul", "gone", _output_shapes=shapes(2, -1)),
            node("init", "NoOp"),
            relu,
            node("", "Nameless"),
        ]
    )
    graph = assembled(tensorflow_draft([definition]))
    assert [node.name for node in graph.children("")] == ["(layer)", "init", "layer"]
    (shown,) = graph.children("layer")
    assert {name: edge.control for name, edge in shown.inputs.items()} == {
        "(layer)": False,
        "init": False,
    }
    assert shown.inputs["(layer)"].shapes == ((2, -1), (-2,))
    assert shown.dynamic
    assert shown.data_type == "DT_FLOAT"
    assert dict(shown.attributes()) == {"device": "/cpu:0", "T": "type: DT_FLOAT\n"}


def test_functions_are_separate_scopes() -> None:
    function = pb.FunctionDef(
        signature=pb.OpDef(name="f", input_arg=[pb.OpDef.ArgDef(name="x", type=pb.DT_INT32)]),
        node_def=[node("s/a", "Neg", "x"), node("b", "Neg", "s/a:y:0", "^s/a")],
        ret={"out": "b:y:0"},
    )
    definition = pb.GraphDef(
        node=[node("x", "Placeholder"), node("call", "f", "x")],
        library=pb.FunctionDefLibrary(function=[function]),
    )
    graph = assembled(tensorflow_draft([definition]))
    inside = {node.name: list(node.inputs) for node in graph.leaves("functions")}
    assert inside == {
        "functions/f/x": [],
        "functions/f/s/a": ["functions/f/x"],
        "functions/f/b": ["functions/f/s/a"],
        "functions/f/out": ["functions/f/b"],
    }
    assert list(graph.children("")[1].inputs) == ["x"]


def stats(name: str, label: str = "") -> pb.NodeExecStats:
    return pb.NodeExecStats(
        node_name=name,
        all_start_micros=5,
        op_start_rel_micros=2,
        op_end_rel_micros=9,
        all_end_rel_micros=10,
        timeline_label=label,
    )


def test_a_profile_is_the_graph_that_was_run_with_its_times() -> None:
    metadata = pb.RunMetadata(partition_graphs=[pb.GraphDef(node=[node("a", "A")])])
    metadata.step_stats.dev_stats.add(device="cpu", node_stats=[stats("a"), stats("b")])
    draft = run_metadata_draft(metadata)
    assert dict(draft.operators["a"].attributes()) == {
        "device": "cpu",
        "start_micros": "5",
        "compute_micros": "7",
        "total_micros": "10",
    }
    assert list(draft.operators) == ["a"]


def test_a_profile_without_graphs_is_the_nodes_that_were_timed() -> None:
    metadata = pb.RunMetadata()
    metadata.step_stats.dev_stats.add(
        node_stats=[stats("s/a", "s/a = MatMul(x, y)"), stats("s/b:Relu"), stats("")]
    )
    draft = run_metadata_draft(metadata)
    assert [leaf.type for leaf in draft.operators.values()] == ["MatMul", "Relu"]


def test_graphs_of_functions_are_shown_optimized_if_they_were() -> None:
    metadata = pb.RunMetadata()
    before, after = (pb.GraphDef(node=[node(name, "A")]) for name in ("before", "after"))
    metadata.function_graphs.add(pre_optimization_graph=before)
    metadata.function_graphs.add(pre_optimization_graph=before, post_optimization_graph=after)
    names = [leaf.name for leaf in run_metadata_draft(metadata).operators.values()]
    assert names == ["before", "after"]


def test_a_long_name_of_a_function_is_not_repeated_in_each_of_its_nodes() -> None:
    function = pb.FunctionDef(
        signature=pb.OpDef(name="F" * 100_000),
        node_def=[node(str(number), "Neg") for number in range(100)],
    )
    library = pb.FunctionDefLibrary(function=[function])
    draft = tensorflow_draft([pb.GraphDef(library=library)])
    assert sum(len(key) + len(leaf.name) for key, leaf in draft.operators.items()) < 200_000
