"""Graphs in logs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mindviz.datavisual.payloads.graph_message import (
    MAX_JSON_LISTS,
    MAX_JSON_VALUES,
    MAX_TINY_MESSAGES,
    graph_def,
    keras_model,
    meta_graph_def,
    mindspore_graph,
    run_metadata,
    visualdl_graph,
)
from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.errors import DamagedValue
from mindviz.wire.proto import tensorboard_pb2 as tensorboard
from tests.mindspore_graphs import EXAMPLES, model

GRAPH_DEF = tensorboard.GraphDef(node=[tensorboard.NodeDef(name="a", op="A")])
RUN_METADATA = tensorboard.RunMetadata(partition_graphs=[GRAPH_DEF])


def test_a_graph_event_and_a_model_file_hold_the_same_graph() -> None:
    graph = EXAMPLES["order"]()
    for value in (graph.SerializeToString(), model(graph)):
        logged = mindspore_graph(value)
        assert (logged.form, logged.content) == ("mindspore", graph)


@pytest.mark.parametrize(
    ("decode", "value", "form", "content"),
    [
        (graph_def, GRAPH_DEF, "tensorflow", GRAPH_DEF),
        (meta_graph_def, tensorboard.MetaGraphDef(graph_def=GRAPH_DEF), "tensorflow", GRAPH_DEF),
        (run_metadata, RUN_METADATA, "run_metadata", RUN_METADATA),
    ],
)
def test_tensorboard_graphs_are_decoded(
    decode: Callable[[bytes], LoggedGraph],
    value: tensorboard.GraphDef,
    form: str,
    content: object,
) -> None:
    logged = decode(value.SerializeToString())
    assert (logged.form, logged.content) == (form, content)


def test_keras_models_and_visualdl_graphs_are_json() -> None:
    assert keras_model(b'{"config": {}}').content == {"config": {}}
    assert visualdl_graph(b'{"nodes": []}').form == "visualdl"


@pytest.mark.parametrize("part", [b"[],", b"{},", b"1,"])
def test_json_of_too_many_values_is_not_parsed(part: bytes) -> None:
    def graph(count: int) -> bytes:
        return b'{"a": [' + count * part + b"1]}"

    most = MAX_JSON_VALUES if part == b"1," else MAX_JSON_LISTS
    assert keras_model(graph(10)).form
    with pytest.raises(DamagedValue, match="holds more than"):
        keras_model(graph(most + 1))


def test_graphs_of_nearly_empty_messages_are_not_parsed() -> None:
    node = b"\x0a\x00"
    assert mindspore_graph(node * MAX_TINY_MESSAGES).form
    with pytest.raises(DamagedValue, match="nearly empty"):
        mindspore_graph(node * (MAX_TINY_MESSAGES + 1))
    described = b"\x0a\x20\x1a\x1e" + b"x" * 30
    assert mindspore_graph(described * (MAX_TINY_MESSAGES + 1)).form


@pytest.mark.parametrize("value", [b"\x0a", b"\x0a\x05ab", b"\xff" * 20])
def test_damaged_messages_are_damaged_values(value: bytes) -> None:
    with pytest.raises(DamagedValue):
        mindspore_graph(value)
    for decode in (graph_def, meta_graph_def, run_metadata):
        with pytest.raises(DamagedValue):
            decode(value)


@pytest.mark.parametrize("value", [b"", b"{", b"[1]", b"3", b"\xff", b"[" * 100_000])
def test_damaged_json_is_a_damaged_value(value: bytes) -> None:
    with pytest.raises(DamagedValue):
        visualdl_graph(value)
