from __future__ import annotations

import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.values.protobuf_bytes import message_name, serialized
from mindviz.wire.proto.mindspore_pb2 import GraphProto, ModelProto

GRAPH = GraphProto(name="net")


def test_messages_and_bytes_give_the_same_bytes() -> None:
    assert serialized(GRAPH, "it") == serialized(GRAPH.SerializeToString(), "it")
    assert serialized(GRAPH, "it", "GraphProto") == GRAPH.SerializeToString()
    assert (message_name(GRAPH), message_name(b"")) == ("GraphProto", "")


@pytest.mark.parametrize("value", [ModelProto(), "text", 5, None], ids=["other", "s", "i", "none"])
def test_the_error_for_another_type_names_the_value(value: object) -> None:
    with pytest.raises(InvalidValue, match="graph 'g' must be a GraphProto"):
        serialized(value, "graph 'g'", "GraphProto")
