from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given

from mindviz.wire import encode_tensorboard as tensorboard
from tests.encoded_values import histogram_v1
from tests.proto import tensorboard_pb2 as proto
from tests.strategies import steps, tags, values, wall_times


@given(wall_time=wall_times(), step=steps(), tag=tags(), value=values())
def test_hand_packed_events_are_those_of_the_generated_classes(
    wall_time: float, step: int, tag: bytes, value: float
) -> None:
    packed = tensorboard.event(wall_time, step, [tensorboard.scalar(tag, value)])
    summary = proto.Summary(value=[proto.Summary.Value(tag=tag, simple_value=value)])
    generated = proto.Event(wall_time=wall_time, step=step, summary=summary)
    read = proto.Event.FromString(packed)
    # Compared as text, in which NaN equals NaN; an empty tag may or may not be written.
    assert str(read) == str(generated)


def test_events_of_other_kinds() -> None:
    def parsed(event: bytes) -> proto.Event:
        return proto.Event.FromString(event)

    assert parsed(tensorboard.version_event(1.5)).file_version == "brain.Event:2"
    assert parsed(tensorboard.graph_event(1.5, b"graph", 3)).graph_def == b"graph"
    session = parsed(tensorboard.session_event(1.5, 10))
    assert (session.step, session.session_log.status) == (10, proto.SessionLog.START)


def value_of(encoded: bytes) -> proto.Summary.Value:
    return proto.Summary.Value.FromString(encoded)


@pytest.mark.parametrize(
    ("encoded", "plugin_name", "shape"),
    [
        (tensorboard.image("t", [b"a", b"b"], 3, 2), "images", [4]),
        (tensorboard.histogram("t", [0, 1, 2], [3, 4]), "histograms", [2, 3]),
        (tensorboard.audio("t", [b"wav"]), "audio", [1, 2]),
        (tensorboard.text("t", "hi"), "text", []),
        (tensorboard.scalar_tensor("t", np.float64(2.5)), "scalars", []),
    ],
    ids=["image", "histogram", "audio", "text", "scalar"],
)
def test_tensors_name_their_plugin_and_have_its_shape(
    encoded: bytes, plugin_name: str, shape: list[int]
) -> None:
    value = value_of(encoded)
    assert value.tag == b"t"
    assert value.metadata.plugin_data.plugin_name == plugin_name
    assert [dim.size for dim in value.tensor.tensor_shape.dim] == shape


def test_old_kinds_have_dedicated_fields() -> None:
    image = value_of(tensorboard.image_v1("t", b"png", 3, 2)).image
    assert (image.width, image.height, image.encoded_image_string) == (3, 2, b"png")
    histogram = value_of(histogram_v1("t", [0, 1, 3], [4, 5])).histo
    assert (histogram.min, histogram.max, histogram.num) == (0, 3, 9)
    assert list(histogram.bucket_limit) == [1, 3]
    assert list(histogram.bucket) == [4, 5]
    audio = value_of(tensorboard.audio_v1("t", b"wav", 8000, 1, 4)).audio
    assert (audio.sample_rate, audio.encoded_audio_string) == (8000, b"wav")


@pytest.mark.parametrize("number", [np.float32(1.5), np.float64(0.1)])
def test_a_listed_number_is_in_the_list_of_its_type(number: np.floating) -> None:
    tensor = value_of(tensorboard.scalar_tensor("t", number, listed=True)).tensor
    assert [*tensor.float_val, *tensor.double_val] == [number]
    assert not tensor.tensor_content


def test_protobuf_is_not_imported() -> None:
    script = "import sys, mindviz.wire.encode_tensorboard_plugins as _; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True)
    assert b"google.protobuf" not in ran.stdout.split()


def test_a_data_class_is_written_where_one_is_given() -> None:
    encoded = tensorboard.tensor("t", np.zeros(2), data_class=proto.DATA_CLASS_TENSOR)
    assert value_of(encoded).metadata.data_class == proto.DATA_CLASS_TENSOR
    assert not value_of(tensorboard.tensor("t", np.zeros(2))).HasField("metadata")


def test_big_endian_arrays_are_written_little_endian() -> None:
    value = value_of(tensorboard.tensor("t", np.array([1.5], ">f8")))
    assert value.tensor.tensor_content == np.array([1.5], "<f8").tobytes()
