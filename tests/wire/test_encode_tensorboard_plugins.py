from __future__ import annotations

from types import MappingProxyType

import numpy as np

from mindviz.datavisual.payloads.lineage_message import tensorboard_hparams
from mindviz.wire import encode_tensorboard_plugins as encode
from mindviz.wire.fields import Message
from tests.proto import tensorboard_pb2 as proto


def value(encoded: bytes) -> proto.Summary.Value:
    return proto.Summary.Value.FromString(encoded)


def test_a_mesh_is_a_tag_per_part_and_each_lists_the_others() -> None:
    vertices = np.zeros((1, 5, 3), np.float32)
    parts = encode.mesh("m", vertices, np.zeros((1, 2, 3), np.int32), None, {"camera": 1})
    found = [value(part) for part in parts]
    assert [one.tag for one in found] == [b"m_VERTEX", b"m_FACE"]
    content = Message(found[1].metadata.plugin_data.content)
    assert (bytes(content.bytes(2)), content.integer(3)) == (b"m", encode.FACE)
    assert content.integer(7) == 1 << encode.VERTEX | 1 << encode.FACE
    assert bytes(content.bytes(5)) == b'{"camera": 1}'
    assert content.varints(6).tolist() == [1, 2, 3]


def test_a_curve_has_a_number_of_thresholds() -> None:
    found = value(encode.pr_curve("p", np.zeros((6, 11), np.float32)))
    assert found.metadata.plugin_data.plugin_name == "pr_curves"
    assert Message(found.metadata.plugin_data.content).integer(2) == 11


def test_hyperparameters_are_read_as_lineage() -> None:
    hparams = MappingProxyType({"lr": 0.1, "layers": 3, "name": "x", "bias": True, "none": None})
    start = value(encode.hparams_session_start(hparams))
    assert start.tag == b"_hparams_/session_start_info"
    facts = tensorboard_hparams(start.metadata.plugin_data.content)
    assert "lr" in repr(facts)
    experiment = value(encode.hparams_experiment(hparams, ["loss"], {"lr": [0.1, 0.2]}))
    assert tensorboard_hparams(experiment.metadata.plugin_data.content).metric_tags
    assert value(encode.hparams_session_end()).tag == b"_hparams_/session_end_info"


def test_a_dashboard_of_scalars_is_one_string() -> None:
    layout = {"c": {"a": ("Multiline", ["x", "y"]), "b": ("Margin", ["m", "l", "u"])}}
    found = value(encode.custom_scalars(layout))
    assert found.tag == b"custom_scalars__config__"
    category = Message(Message(found.tensor.string_val[0]).bytes(2))
    assert bytes(category.bytes(1)) == b"c"
    multiline, margin = (Message(chart) for chart in category.all_bytes(2))
    assert [bytes(tag) for tag in Message(multiline.bytes(2)).all_bytes(1)] == [b"x", b"y"]
    series = Message(Message(margin.bytes(3)).bytes(1))
    assert [bytes(series.bytes(number)) for number in (1, 2, 3)] == [b"m", b"l", b"u"]
