from __future__ import annotations

import json

from mindviz.datavisual.payloads.hparams_message import hparams_contents
from mindviz.datavisual.payloads.lineage_message import tensorboard_hparams
from mindviz.datavisual.series.lineage_facts import (
    NO_FACTS,
    LineageFacts,
    MetricTag,
    TrainFacts,
)

FACTS = LineageFacts(
    hyper_parameters={"lr": 0.5, "adam": True, "name": "\u00fc", "off": False},
    metric_tags=(MetricTag("acc"), MetricTag("loss", "eval")),
    session_status="failure",
)


def read_back(contents: bytes) -> LineageFacts:
    return tensorboard_hparams(contents)


def test_encoded_sessions_are_read_like_logged_ones() -> None:
    contents = hparams_contents(FACTS, 1_700_000_000.0)
    assert sorted(contents) == [
        "_hparams_/experiment",
        "_hparams_/session_end_info",
        "_hparams_/session_start_info",
    ]
    start = read_back(contents["_hparams_/session_start_info"])
    assert start.hyper_parameters == FACTS.hyper_parameters
    assert read_back(contents["_hparams_/experiment"]).metric_tags == FACTS.metric_tags
    assert read_back(contents["_hparams_/session_end_info"]).session_status == "failure"


def test_empty_input_is_encoded_as_nothing() -> None:
    assert hparams_contents(NO_FACTS, 0.0) == {}


def test_mindspore_lineage_becomes_hyperparameters() -> None:
    facts = LineageFacts(
        train=TrainFacts(optimizer="Adam", epoch=3),
        user_defined={"layers": [1, 2], "nothing": None},
    )
    (content,) = hparams_contents(facts, 0.0).values()
    found = read_back(content).hyper_parameters
    assert found == {"optimizer": "Adam", "epoch": 3, "layers": json.dumps([1, 2])}


def test_equal_hyperparameters_are_one_group() -> None:
    def start(facts: LineageFacts) -> bytes:
        return hparams_contents(facts, 5.0)["_hparams_/session_start_info"]

    same = LineageFacts(hyper_parameters=dict(reversed(list(FACTS.hyper_parameters.items()))))
    assert start(same) == start(FACTS)
    assert start(LineageFacts(hyper_parameters={"lr": 0.25})) != start(FACTS)
