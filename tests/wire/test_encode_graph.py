from __future__ import annotations

from mindviz.wire.encode_graph import GraphOperator, TensorType, model
from mindviz.wire.proto import mindspore_pb2 as pb


def test_a_graph_in_mindspores_form() -> None:
    operators = [
        GraphOperator(
            key="a",
            type="conv2d",
            scope="net-Net/conv-Conv2d",
            inputs=["w", "x"],
            output=TensorType((-1, 4, 6, 6)),
        ),
        GraphOperator(key="b", type="relu", inputs=["a", "elsewhere"]),
    ]
    parameters = {"w": TensorType((4, 1, 3, 3), "bfloat16"), "x": TensorType((2, 1, 8, 8), "odd")}
    graph = pb.ModelProto.FromString(model(operators, parameters)).graph
    first, second = graph.node
    assert (first.name, first.op_type, first.scope) == (
        "1",
        "conv2d",
        "Default/net-Net/conv-Conv2d",
    )
    assert first.full_name == "Default/net-Net/conv-Conv2d/conv2d-op1"
    assert [one.name for one in first.input] == ["w", "x"]
    assert [d.size for d in first.output_type.tensor_type.shape.dim] == [-1, 4, 6, 6]
    assert first.output_type.data_type == pb.DT_TENSOR
    assert first.output_type.tensor_type.elem_type == pb.DT_FLOAT32
    assert (second.scope, second.full_name) == ("Default", "Default/relu-op2")
    assert [one.name for one in second.input] == ["1"]
    assert not second.output_type.HasField("tensor_type")
    types = {one.name: one.type.tensor_type.elem_type for one in graph.parameters}
    assert types == {"w": pb.DT_BFLOAT16, "x": pb.DT_UNDEFINED}
