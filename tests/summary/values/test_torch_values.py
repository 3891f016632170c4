from __future__ import annotations

import io
import wave
from typing import Any

import numpy as np
import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.values.torch_values import (
    audio,
    custom_scalars,
    hparams,
    only_number,
    pr_curve_raw,
    scalar_tensor,
    tensor,
    text,
)
from mindviz.wire.encode_tensorboard_plugins import Hyperparameter
from tests.proto import tensorboard_pb2 as proto


def written(value: Any) -> Any:
    """The Summary.Value of a recorded value."""
    (value_message,) = proto.Event.FromString(value.encode(1.0, 0)).summary.value
    return value_message


@pytest.mark.parametrize(
    "value", [2, 2.0, np.float16(2), np.array(2, np.uint8), np.array([[2.0]]), memoryview(b"\2")]
)
def test_a_number_may_be_a_one_element_array(value: object) -> None:
    assert only_number(value, "x") == 2.0


@pytest.mark.parametrize("value", [np.arange(2), np.empty((1, 0)), "2", None, 2j, {}])
def test_the_error_for_another_type_names_it(value: object) -> None:
    with pytest.raises(InvalidValue, match="the loss"):
        only_number(value, "the loss")


@pytest.mark.parametrize(
    ("double", "kind", "number"),
    [(True, proto.DT_DOUBLE, 1e300), (False, proto.DT_FLOAT, np.inf)],
)
def test_a_scalar_as_a_tensor_has_its_precision(double: bool, kind: int, number: float) -> None:
    message = written(scalar_tensor("x", 1e300, double=double)).tensor
    assert message.dtype == kind
    assert [*message.float_val, *message.double_val] == [number]


@pytest.mark.parametrize("dtype", ["int8", "bool", "float16", "complex64", "uint64", "longdouble"])
def test_a_tensor_keeps_its_type_if_the_format_has_it(dtype: str) -> None:
    message = written(tensor("x", np.ones((2, 3), dtype))).tensor
    assert [dim.size for dim in message.tensor_shape.dim] == [2, 3]
    expected = "float64" if dtype == "longdouble" else dtype
    assert np.frombuffer(message.tensor_content, expected).tolist() == [1] * 6


def test_an_empty_tensor_has_its_shape() -> None:
    message = written(tensor("x", np.empty((0, 3), np.float32))).tensor
    assert [dim.size for dim in message.tensor_shape.dim] == [0, 3]


def test_lone_surrogates_in_a_text_are_replaced() -> None:
    assert written(text("x", "half \ud800")).tensor.string_val == [b"half ?"]


@pytest.mark.parametrize(
    ("shape", "channels"), [((80,), 1), ((1, 80), 1), ((80, 1), 1), ((2, 80), 2), ((1, 1, 80), 1)]
)
def test_audio_channels_may_be_on_either_axis(shape: tuple[int, ...], channels: int) -> None:
    message = written(audio("x", np.full(shape, 0.5), 8000)).audio
    assert (message.num_channels, message.length_frames, message.sample_rate) == (
        channels,
        80,
        8000,
    )
    with wave.open(io.BytesIO(message.encoded_audio_string)) as sound:
        assert (sound.getnchannels(), sound.getnframes()) == (channels, 80)


@pytest.mark.parametrize("samples", [[], [0.5], 0.5])
def test_audio_may_be_short(samples: object) -> None:
    assert written(audio("x", samples, 8000)).audio.length_frames == np.size(samples)  # type: ignore[arg-type]


def test_counts_of_a_curve_are_kept() -> None:
    rows = np.arange(12.0).reshape(6, 2)
    message = written(pr_curve_raw("x", list(rows)))
    assert np.frombuffer(message.tensor.tensor_content, np.float32).tolist() == list(range(12))


def test_a_chart_has_the_tags_it_was_given() -> None:
    message = written(custom_scalars({"page": {"chart": ["Multiline", ("a", "b")]}}))
    assert message.tag == b"custom_scalars__config__"
    assert b"chart" in message.tensor.string_val[0]


def test_a_run_has_three_records() -> None:
    values = {"lr": 0.1, "layers": np.int32(3), "adam": True, "name": "a", "none": None}
    payloads = [record.encode(1.0, 5) for record in hparams(values, ["loss"], {"lr": [0.1]})]
    events = [proto.Event.FromString(payload) for payload in payloads if payload]
    assert [event.summary.value[0].tag for event in events] == [
        b"_hparams_/experiment",
        b"_hparams_/session_start_info",
        b"_hparams_/session_end_info",
    ]
    started = events[1].summary.value[0].metadata.plugin_data.content
    assert [name for name in values if name.encode() in started] == ["lr", "layers", "adam", "name"]


@pytest.mark.parametrize("domain", [{"lr": [1]}, {"lr": ["a"]}, {"other": [0.1]}])
def test_a_domain_must_match_a_hyperparameter(domain: dict[str, list[Hyperparameter]]) -> None:
    with pytest.raises(InvalidValue, match="domain of hyperparameter"):
        list(hparams({"lr": 0.1}, [], domain))


@pytest.mark.parametrize("value", [[1, 2], object(), np.ones(2), 1j])
def test_the_error_for_an_invalid_value_names_the_hyperparameter(value: object) -> None:
    with pytest.raises(InvalidValue, match="hyperparameter 'lr'"):
        list(hparams({"lr": value}, []))
