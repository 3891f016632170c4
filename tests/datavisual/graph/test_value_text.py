"""Values and types as text."""

from __future__ import annotations

import pytest

from mindviz.datavisual.graph.value_text import (
    MAX_VALUE_BYTES,
    dtype_text,
    message_text,
    shapes_of,
    type_text,
)
from mindviz.wire.proto import mindspore_pb2 as pb
from mindviz.wire.proto import tensorboard_pb2 as tensorboard
from tests.mindspore_graphs import integer, tensor_type, text, tuple_type


def test_values_are_in_protobufs_text_format() -> None:
    value = pb.ValueProto(
        dtype=pb.DT_TUPLE,
        float_val=0.1,
        values=[integer(-1), text('ä"\n')],
        bool_vals=[True, False],
    )
    assert message_text(value) == (
        "dtype: DT_TUPLE\nfloat_val: 0.10000000149011612\n"
        "bool_vals: true\nbool_vals: false\n"
        "values {\n  dtype: DT_INT64\n  int_val: -1\n}\n"
        'values {\n  dtype: DT_STRING\n  str_val: "\\303\\244\\"\\n"\n}\n'
    )


def test_maps_are_in_order_of_their_keys() -> None:
    attributes = {key: tensorboard.AttrValue(i=1) for key in "ba"}
    value = tensorboard.AttrValue(func=tensorboard.NameAttrList(name="f", attr=attributes))
    entries = "".join(
        f'  attr {{\n    key: "{key}"\n    value {{\n      i: 1\n    }}\n  }}\n' for key in "ab"
    )
    assert message_text(value) == f'func {{\n  name: "f"\n{entries}}}\n'


def test_text_of_values_that_are_too_large_is_none() -> None:
    largest = text("x" * (MAX_VALUE_BYTES - 5))
    assert message_text(largest) is not None
    larger = text("x" * (MAX_VALUE_BYTES - 4))
    assert message_text(larger) is None
    assert dtype_text(larger) == "dtype: DT_STRING"


@pytest.mark.parametrize(
    ("output", "shown", "shapes"),
    [
        (tensor_type((2, -1)), "DT_TENSOR[DT_FLOAT32]", ((2, -1),)),
        (tensor_type((), pb.DT_BFLOAT16), "DT_TENSOR[DT_BFLOAT16]", ((),)),
        (pb.TypeProto(data_type=pb.DT_BOOL), "DT_BOOL", ((),)),
        (pb.TypeProto(), "DT_UNDEFINED", ()),
        (pb.TypeProto(data_type=pb.DT_SLICE), "DT_SLICE", ()),
        (pb.TypeProto(data_type=999), "DT_999", ()),  # type: ignore[arg-type]
        (
            tuple_type(tensor_type((5,)), tuple_type(tensor_type((6,)))),
            "DT_TUPLE['DT_TENSOR[DT_FLOAT32]', \"DT_TUPLE['DT_TENSOR[DT_FLOAT32]']\"]",
            ((5,), (6,)),
        ),
    ],
)
def test_types(output: pb.TypeProto, shown: str, shapes: object) -> None:
    assert (type_text(output), shapes_of(output)) == (shown, shapes)


def test_tuples_within_tuples_do_not_double_their_quotes_for_ever() -> None:
    output = tensor_type((1,))
    for _ in range(40):
        output = tuple_type(output)
    assert len(type_text(output)) < 1000
    assert shapes_of(output) == ((1,),)
