"""Small MindSpore graphs, for our tests and for comparison with MindInsight.

`python -m tests.mindspore_graphs DIR` writes them as logs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from mindviz.wire.proto import mindspore_pb2 as pb

Shape = Sequence[int]
FLOAT = pb.DT_FLOAT32


def tensor_type(shape: Shape, element: pb.DataType = FLOAT) -> pb.TypeProto:
    dims = [pb.TensorShapeProto.Dimension(size=size) for size in shape]
    tensor = pb.TypeProto.Tensor(elem_type=element, shape=pb.TensorShapeProto(dim=dims))
    return pb.TypeProto(data_type=pb.DT_TENSOR, tensor_type=tensor)


def tuple_type(*elements: pb.TypeProto) -> pb.TypeProto:
    sequence = pb.TypeProto.Sequence(elem_types=elements)
    return pb.TypeProto(data_type=pb.DT_TUPLE, sequence_type=sequence)


def op(
    number: str,
    op_type: str,
    scope: str,
    *inputs: str,
    output: pb.TypeProto | None = None,
    attributes: Mapping[str, pb.ValueProto] | None = None,
    full_name: str | None = None,
    instance_name: str = "",
    output_index: int = 0,
) -> pb.NodeProto:
    """An operator; an input that begins with `^` is a control edge."""
    named = [pb.AttributeProto(name=name, value=v) for name, v in (attributes or {}).items()]
    edges = [_edge(name) for name in inputs]
    return pb.NodeProto(
        input=edges,
        name=number,
        op_type=op_type,
        scope=scope,
        attribute=named,
        output_type=output or tensor_type((2, 3)),
        output_i=output_index,
        full_name=f"{scope}/{op_type}-op{number}" if full_name is None else full_name,
        instance_name=instance_name,
    )


def _edge(name: str) -> pb.InputProto:
    control = name.startswith("^")
    kind = pb.InputProto.CONTROL_EDGE if control else pb.InputProto.DATA_EDGE
    return pb.InputProto(name=name.removeprefix("^"), type=kind)


def parameter(name: str, shape: Shape = (3, 4)) -> pb.ParameterProto:
    return pb.ParameterProto(name=name, type=tensor_type(shape))


def constant(key: str, value: pb.ValueProto | None = None) -> pb.NamedValueProto:
    return pb.NamedValueProto(key=key, value=value or integer(7))


def integer(value: int) -> pb.ValueProto:
    return pb.ValueProto(dtype=pb.DT_INT64, int_val=value)


def text(value: str) -> pb.ValueProto:
    return pb.ValueProto(dtype=pb.DT_STRING, str_val=value.encode())


def graph(
    ops: Sequence[pb.NodeProto],
    parameters: Sequence[pb.ParameterProto] = (),
    constants: Sequence[pb.NamedValueProto] = (),
) -> pb.GraphProto:
    return pb.GraphProto(node=ops, parameters=parameters, const_vals=constants)


def model(graph: pb.GraphProto) -> bytes:
    """The bytes of a `.pb` file."""
    return pb.ModelProto(ir_version=1, graph=graph).SerializeToString()


# ------------------------------------------------------------------------------------- examples


def _types() -> pb.GraphProto:
    boolean = pb.TypeProto(data_type=pb.DT_BOOL)
    return graph(
        [
            op("1", "Split", "Default/a", "x", output=tuple_type(tensor_type((2,)), boolean)),
            op("2", "TupleGetItem", "Default/a", "1", "cst1", output_index=1),
            op("3", "TupleGetItem", "Default/b", "1", "cst2", output=tensor_type((-1, 4))),
            op("4", "Nothing", "Default/b", "3", "^1", output=pb.TypeProto()),
            op("5", "Deep", "Default/b", "4", output=tuple_type(tuple_type(tensor_type((5,))))),
            op("6", "Half", "Default/b", "5", output=tensor_type((5,), pb.DT_FLOAT16)),
            op("7", "List", "Default/b", "6", output=pb.TypeProto(data_type=pb.DT_LIST)),
            op("8", "Text", "Default/b", "7", output=pb.TypeProto(data_type=pb.DT_STRING)),
            op("81", "Sequence", "Default/c", "7", output=_sequences()),
            op("82", "Use", "Default/c", "81", "83"),
            op("83", "New", "Default/c", "81", output=tensor_type((3,), pb.DT_BFLOAT16)),
            op("84", "New", "Default/c", "83", output=pb.TypeProto(data_type=pb.DT_SLICE)),
            op("85", "New", "Default/c", "84", "86"),
            op("86", "ListOf", "Default/c", "81", output=_list()),
            op("9", "Last", "Default/b", "8", "x", "^x", "^8", "y"),
        ],
        [parameter("x", ()), parameter("y", (-2,)), parameter("unused")],
        [constant("cst1"), constant("cst2"), constant("unused_cst")],
    )


def _sequences() -> pb.TypeProto:
    inner = tuple_type(tensor_type((5,)), tensor_type((6, -1)))
    return tuple_type(inner, pb.TypeProto(data_type=pb.DT_STRING), tensor_type((7,)), tuple_type())


def _list() -> pb.TypeProto:
    sequence = pb.TypeProto.Sequence(elem_types=[tensor_type((5,))])
    return pb.TypeProto(data_type=pb.DT_LIST, sequence_type=sequence)


def _attributes() -> pb.GraphProto:
    return graph(
        [
            op("1", "A", "Default", attributes={"small": text("x" * 1000)}),
            op("2", "A", "Default", attributes={"large": text("x" * 1024), "n": integer(-1)}),
            op("3", "A", "Default", attributes={"umlaut": text('ä "\n<b>')}),
            op("4", "Use", "Default", "c1", "c2", "c3", "c4", "c5", "c6", "1", "p"),
            op("5", "A", "Default", attributes={"input_is_dynamic_shape": _true()}),
            op("6", "A", "Default/in", attributes={"output_is_dynamic_shape": _true()}),
            op("7", "A", "Default/in", attributes={"output_is_dynamic_shape": _false()}),
            op(
                "8", "A", "Default/in", attributes={"e": text("x" * 1019), "more": text("x" * 1020)}
            ),
            op("9", "A", "Default/in", attributes={"float": _floats()}),
        ],
        [parameter("p", (-1, 3))],
        [
            constant("c1", text("x" * 1020)),
            constant("c6", text("x" * 1019)),
            constant("c2", pb.ValueProto(dtype=pb.DT_TUPLE, values=[integer(1), integer(2)])),
            constant("c3", _tensor_value()),
            constant("c4", pb.ValueProto(dtype=pb.DT_FLOAT32, float_val=0.1)),
            constant("c5", pb.ValueProto(dtype=pb.DT_TYPE, type_val=tensor_type((2, 2)))),
        ],
    )


def _floats() -> pb.ValueProto:
    return pb.ValueProto(
        dtype=pb.DT_FLOATS64, float_vals=[0.1, 1e30, -0.0], double_vals=[0.1, 1e300]
    )


def _true() -> pb.ValueProto:
    return pb.ValueProto(dtype=pb.DT_BOOL, bool_val=True)


def _false() -> pb.ValueProto:
    return pb.ValueProto(dtype=pb.DT_BOOL, bool_val=False)


def _tensor_value() -> pb.ValueProto:
    tensor = pb.TensorProto(dims=[2, 2], data_type=FLOAT, float_data=[1, 2, 3, 4])
    return pb.ValueProto(dtype=pb.DT_TENSOR, tensor_val=tensor)


def _names() -> pb.GraphProto:
    return graph(
        [
            op("1", "A", "Default/a", full_name=""),
            op("Default/a/B-op2", "B", "Default/a", "1", full_name=""),
            op("4", "ScalarSummary", "Default/a", "2", full_name="loss[:Scalar]"),
            op("5", "TensorSummary", "Default/a", "2", full_name="Default/t[:tensor]"),
            op("", "Nameless", "Default/a", "2"),
            op("6", "D", "", "5", full_name=""),
            op("7", "E", "", "6", "missing", full_name="E-op7"),
            op("8", "F", "Default/a", "7", full_name="Default/a/F-op8"),
            op("10", "G", "Default", "8", full_name="Default/a"),
            op("12", "I", "Default/a", "10", "x", full_name="Default/a/I-op1"),
            op("13", "J", "Default/a", "13", "12"),
        ],
        [parameter("x")],
    )


def _odd_names() -> pb.GraphProto:
    """Names that MindInsight rejects or confuses."""
    return graph(
        [
            op("1", "A", "Default", full_name='Default/<b>"A"'),
            op("2", "A", "Default/a", "1", full_name="Default/other/A"),
            op("3", "A", "Default/a", "2", full_name="Default/a/A"),
            op("4", "A", "Default/a", "3", full_name="Default/a/A"),
            op("5", "A", "Default/a", "4", full_name="Default/a/A(1)"),
            op("5", "A", "Default//a/", "5", full_name="Default//a//A"),
            op("6", "A", "", "/x", full_name="/"),
        ],
        [parameter("/x")],
    )


def _clash() -> pb.GraphProto:
    return graph(
        [
            op("1", "A", "Default/a", "Default/a", "w"),
            op("2", "B", "Default", "1", full_name="Default/a"),
            op("3", "B", "Default", "2", full_name="Default/b"),
            op("4", "C", "Default/b", "3", "w", full_name="Default/b/c"),
            op("5", "C", "Default/b/c", "4", "cst", full_name="Default/b/c/d"),
            op("6", "C", "Default/b/c", "w", "cst", full_name="Default/b/c/e"),
        ],
        [parameter("w"), parameter("Default/a", (9,))],
        [constant("cst")],
    )


def _aggregated(parameters: int = 6) -> pb.GraphProto:
    """Seven of a kind in one scope, four in another; parameters that become independent."""
    ops = [op(str(i), "Mul", "Default/a", f"w{i % parameters}", "cst") for i in range(7)]
    ops += [op(f"{10 + i}", "Add", "Default/b", str(i), "^5", "x") for i in range(4)]
    ops += [op("20", "Out", "Default", "10", "w0", "cst"), op("21", "Out", "Default/a/b", "1")]
    ops += [op(f"{30 + i}", "Mul", "Default/a/b", "21", f"w{i}") for i in range(5)]
    ops += [op("40", "Top", "", "30", "x", full_name="Top-op40")]
    weights = [parameter(f"w{i}", (i, 2)) for i in range(parameters)]
    return graph(ops, [*weights, parameter("x")], [constant("cst")])


def _cycle() -> pb.GraphProto:
    return graph(
        [
            op("1", "A", "Default/a", "3"),
            op("2", "A", "Default/b", "1", "2"),
            op("3", "A", "Default/a/c", "2", "99"),
            op("4", "Load", "Default", "5"),
            op("5", "Load", "Default", "4"),
            op("6", "B", "Default", "5", "1"),
        ]
    )


def _optimized() -> pb.GraphProto:
    """Everything that the optimized view removes, bypasses or lifts."""
    ops = [
        op("1", "Load", "Default/net/relu-ReLU", "w", "u"),
        op("2", "ReLU", "Default/net/relu-ReLU", "1"),
        op("3", "ReLU", "Default/net/relu-ReLU", "2"),
        op("4", "MaxPool", "Default/net/pool-MaxPool2d", "3"),
        op("5", "Conv", "Default/net/conv-Conv", "4", "w"),
        op("6", "Conv", "Default/net/conv-Conv", "5", "1"),
        op("7", "Bias", "Default/net/dense-Dense", "6"),
        op("8", "Bias", "Default/net/dense-Dense", "7"),
        op("9", "MakeTuple", "Default", "8", "7", "cst"),
        op("10", "TupleGetItem", "Default", "9", "cst"),
        op("11", "UpdateState", "Default", "10", "^8"),
        op("12", "Depend", "Default", "11", "^6"),
        op("13", "ReluGrad", "Gradients/Default/net", "8"),
        op("14", "Mul", "Default/optimizer-Adam", "13"),
        op("15", "Adam", "Default/x", "14", "8", instance_name="opt_1"),
        op("16", "Alone", "Default/alone"),
        op("17", "Neg", "Default/deep/Neg", "8"),
        op("18", "Neg", "Default/deep/Neg/Neg", "17"),
        op("19", "Neg", "Default/deep/Neg/Neg", "18"),
        op("20", "OnlyGradient", "Default", "13"),
        op("21", "Abs", "Abs", "8"),
        op("22", "Abs", "Abs", "21"),
        op("23", "Sub", "Default/net/sub", "8"),
        op("24", "Sub", "Default/net/sub", "23"),
        op("25", "Pow", "Default/net/Pow-2", "24", "w"),
        op("26", "Pow", "Default/net/Pow-2", "24", "cst"),
    ]
    ops += [op(f"{50 + i}", "Many", "Default/many", "8") for i in range(10)]
    ops += [op(f"{70 + i}", "Few", "Default/few", "8") for i in range(9)]
    return graph(ops, [parameter("w")], [constant("cst"), constant("u")])


def _lifted() -> pb.GraphProto:
    """Scopes that the optimized view dissolves, and similar ones."""
    return graph(
        [
            op("1", "ReLU", "Default/ReLU/x", "p"),
            op("2", "ReLU", "Default/ReLU/x", "1"),
            op("3", "Neg", "Default/Neg", "2"),
            op("4", "Neg", "Default/Neg", "3"),
            op("5", "Abs", "Default/Neg/sub", "4"),
            op("6", "Mul", "Default/Mul-a/Mul-b", "5"),
            op("7", "Mul", "Default/Mul-a/Mul-b", "6"),
            op("8", "Mul", "Default/Mul-a", "7"),
            op("9", "Mul", "Default/Mul-a", "8"),
            op("10", "Sqrt", "Default/s/Sqrt", "^9"),
            op("11", "Sqrt", "Default/s/Sqrt", "10"),
            op("12", "Sqrt", "Default/s", "11"),
            op("13", "OnlyParameter", "Default", "p"),
            op("14", "OnlyConstant", "Default", "c"),
            op("15", "Optimizer", "Default/Optimizer-a", "12"),
            op("16", "Loss", "Default/Gradients", "15"),
            op("17", "Loss", "x/optimizer/y", "16"),
            op("18", "Loss", "x", "16", instance_name="my_Opt"),
            op("19", "Loss", "x", "16", instance_name="adapt_option"),
            op("20", "UpdateState", "x", "21"),
            op("21", "Loss", "x", "19", "20"),
            op("22", "Tan", "Default/Tan", "2", "c"),
            op("23", "Tan", "Default/Tan", "22"),
            op("24", "Sin", "Sin/Sin", "23"),
            op("25", "Sin", "Sin/Sin", "24"),
            op("26", "Cos", "Default/z/Cos", "25"),
            op("27", "Cos", "Default/z/Cos", "26"),
            op("28", "Tan", "Default/z/Cos/Tan", "27"),
            op("29", "Tan", "Default/z/Cos/Tan", "28"),
        ],
        [parameter("p")],
        [constant("c")],
    )


def _bypassed() -> pb.GraphProto:
    """Chains of nodes that the optimized view bypasses, with data and control edges."""
    return graph(
        [
            op("1", "A", "Default"),
            op("2", "Load", "Default", "^1"),
            op("3", "B", "Default", "2", "^w"),
            op("4", "Load", "Default", "1"),
            op("5", "C", "Default", "^4"),
            op("6", "MakeTuple", "Default", "4", "w", "cst"),
            op("7", "TupleGetItem", "Default/s", "6", "cst"),
            op("8", "D", "Default", "7"),
            op("9", "E", "Default", "7", "1", "^1"),
            op("10", "F", "Default/s", "^1", "4"),
        ],
        [parameter("w", (8, -1))],
        [constant("cst")],
    )


def _order() -> pb.GraphProto:
    """The order of nodes, and which of several edges to one node is shown."""
    return graph(
        [
            op("1", "A", "Default/s/t", output=tensor_type((1,))),
            op("2", "A", "Default/s", output=tensor_type((2,))),
            op("3", "A", "Default/s/t", output=tensor_type((3,))),
            op("4", "A", "Default/r/q", "3", "2", "1", "^p", "k"),
            op("5", "A", "Default/s/u", "q", "k", output=tensor_type((5,))),
            op("6", "A", "Default/r/q", "5", "3", "^2", "p"),
            op("7", "A", "Default/r", "^5", "5", "^1", "q"),
            op("8", "A", "Default", "1", "p", "q", "k"),
            op("9", "A", "Default/s/t", "4", output=tensor_type((9,))),
        ],
        [parameter("q"), parameter("p")],
        [constant("k")],
    )


EXAMPLES: Mapping[str, Callable[[], pb.GraphProto]] = {
    "types": _types,
    "attributes": _attributes,
    "names": _names,
    "aggregated": _aggregated,
    "aggregated_few_parameters": lambda: _aggregated(4),
    "optimized": _optimized,
    "lifted": _lifted,
    "bypassed": _bypassed,
    "order": _order,
}
"""Small graphs, one per feature."""

MALFORMED: Mapping[str, Callable[[], pb.GraphProto]] = {
    "odd_names": _odd_names,
    "clash": _clash,
    "cycle": _cycle,
}
"""Small graphs that MindInsight does not show, or shows wrongly."""


def write_examples(directory: Path) -> None:
    """A job per example, with its graph in a `.pb` file."""
    for name, example in EXAMPLES.items():
        (directory / name).mkdir(parents=True)
        (directory / name / f"ms_output_{name}.pb").write_bytes(model(example()))


if __name__ == "__main__":
    write_examples(Path(sys.argv[1]))
