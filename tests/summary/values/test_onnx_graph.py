from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.values.onnx_graph import onnx_graph
from mindviz.wire.encode import delimited, message, varint_field


def value_info(name: bytes, *shape: int | None) -> bytes:
    """A ValueInfoProto of a float tensor; None: a dimension without a number."""
    sizes = [
        delimited(1, delimited(2, b"batch") if size is None else varint_field(1, size))
        for size in shape
    ]
    tensor_type = varint_field(1, 1) + message(2, *sizes)
    return delimited(1, name) + message(2, delimited(1, tensor_type))


def attribute(name: bytes, kind: int, content: bytes) -> bytes:
    """An AttributeProto."""
    return delimited(5, delimited(1, name) + content + b"\xa0\x01" + bytes([kind]))


CONVOLUTION = b"".join(
    (
        *(delimited(1, name) for name in (b"x", b"weight", b"")),
        delimited(2, b"hidden"),
        delimited(2, b"mask"),
        delimited(4, b"Conv"),
        attribute(b"kernel", 7, delimited(8, b"\x03\x05")),
        attribute(b"group", 2, varint_field(3, -1)),
        attribute(b"alpha", 1, b"\x15" + struct.pack("<f", 0.5)),
        attribute(b"betas", 6, delimited(7, struct.pack("<2f", 1, 2))),
        attribute(b"pad", 3, delimited(4, b"SAME")),
        attribute(b"names", 8, delimited(9, b"a") + delimited(9, b"b")),
        attribute(b"value", 4, delimited(5, b"")),
    )
)

RELU = delimited(1, b"hidden") + delimited(2, b"y") + delimited(4, b"Relu")

GRAPH = b"".join(
    (
        delimited(1, CONVOLUTION),
        delimited(1, RELU),
        delimited(5, delimited(1, b"\x02\x03") + delimited(8, b"weight")),
        delimited(11, value_info(b"x", None, 3)),
        delimited(12, value_info(b"y", 1, 2)),
    )
)

MODEL = varint_field(1, 8) + delimited(7, GRAPH)


@pytest.mark.parametrize("source", ["bytes", "path", "text", "file"])
def test_a_model_is_read_from_a_path_a_file_or_bytes(tmp_path: Path, source: str) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(MODEL)
    model = {"bytes": MODEL, "path": path, "text": str(path), "file": io.BytesIO(MODEL)}[source]
    nodes = {node.name: node for node in onnx_graph(model).node}
    assert {name: node.op for name, node in nodes.items()} == {
        "x": "Variable",
        "weight": "Variable",
        "hidden": "Conv",
        "mask": "Output",
        "y": "Relu",
    }
    assert list(nodes["hidden"].input) == ["x", "weight"]
    assert list(nodes["y"].input) == ["hidden"]


def test_shapes_and_attributes_are_kept() -> None:
    nodes = {node.name: node for node in onnx_graph(MODEL).node}
    assert [one.size for one in nodes["x"].attr["shape"].shape.dim] == [-1, 3]
    assert [one.size for one in nodes["weight"].attr["shape"].shape.dim] == [2, 3]
    assert nodes["hidden"].attr["parameters"].s.decode() == (
        "kernel = [3, 5], group = -1, alpha = 0.5, betas = [1.0, 2.0], pad = SAME, "
        "names = ['a', 'b'], value = ..."
    )


@pytest.mark.parametrize("model", [b"", b"\xff\xff", MODEL[:-3], varint_field(1, 8), 3])
def test_an_invalid_model_is_an_error(model: object) -> None:
    with pytest.raises(InvalidValue, match="ONNX graph"):
        onnx_graph(model)
