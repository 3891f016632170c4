from __future__ import annotations

import numpy as np
import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.values.hparams import hparams
from mindviz.wire.proto import tensorboard_pb2 as proto


def test_a_run_has_three_records() -> None:
    values = {"lr": 0.1, "layers": np.int32(3), "adam": True, "name": "a", "none": None}
    payloads = [one.encode(1.0, 5) for one in hparams(values, ["loss"], {"lr": [0.1]})]
    events = [proto.Event.FromString(payload) for payload in payloads if payload]
    assert [event.summary.value[0].tag for event in events] == [
        b"_hparams_/experiment",
        b"_hparams_/session_start_info",
        b"_hparams_/session_end_info",
    ]
    started = events[1].summary.value[0].metadata.plugin_data.content
    assert [name for name in values if name.encode() in started] == ["lr", "layers", "adam", "name"]


@pytest.mark.parametrize("domain", [{"lr": [1]}, {"lr": ["a"]}, {"other": [0.1]}])
def test_a_domain_must_match_a_hyperparameter(domain: dict[str, list[object]]) -> None:
    with pytest.raises(InvalidValue, match="domain of hyperparameter"):
        list(hparams({"lr": 0.1}, [], domain))


@pytest.mark.parametrize("value", [[1, 2], object(), np.ones(2), 1j])
def test_the_error_for_an_invalid_value_names_the_hyperparameter(value: object) -> None:
    with pytest.raises(InvalidValue, match="hyperparameter 'lr'"):
        list(hparams({"lr": value}, []))
