"""Configs as JSON texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mindviz.datavisual.payloads import config_text
from mindviz.datavisual.payloads.config_text import config_facts, is_config_tag
from mindviz.datavisual.series.lineage_facts import CutFacts, LineageFacts


def fields_of(text: str) -> dict[str, Any]:
    facts = config_facts(text.encode())
    assert isinstance(facts, LineageFacts)
    return dict(facts.hyper_parameters)


def test_fields_are_named_and_typed_as_logged() -> None:
    text = """ {"learning_rate": 5e-05, "fp16": false, "seed": 42, "name": "größe", "none": null,
        "betas": [0.9, 0.99], "optim": {"name": "adam", "eps": {"value": 1e-08}, "extra": {}},
        "big": 123456789012345678901234567890} """
    assert fields_of(text) == {
        "learning_rate": 5e-05,
        "fp16": False,
        "seed": 42,
        "name": "größe",
        "betas": "[0.9, 0.99]",
        "optim.name": "adam",
        "optim.eps.value": 1e-08,
        "optim.extra": "{}",
        "big": "123456789012345678901234567890",
    }


def test_a_fenced_text_is_a_config() -> None:
    assert fields_of('```json\n{"lr": 0.1}\n```') == {"lr": 0.1}


@pytest.mark.parametrize(
    "text",
    [
        *(b"", b"words", b"{not json}", b"[1]", b'{"a": 1} and more', b"{}", b"{\xff}"),
        b"{" * 9999,
        # Minutes, if the time were not linear.
        b"{" + b" " * 1_000_000 + b"x",
    ],
    ids=range(9),
)
def test_other_texts_are_no_config(text: bytes) -> None:
    assert config_facts(text) is None


def test_what_exceeds_the_limits_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config_text, "MAX_FIELDS", 3)
    fields = {"a": 1, "long": "x" * 1_001, "x" * 1_001: 1, "b": 2, "c": 3, "d": 4, "none": None}
    cut = config_facts(json.dumps(fields).encode())
    assert isinstance(cut, CutFacts)
    assert cut.facts.hyper_parameters == {"a": 1, "b": 2, "c": 3}
    assert cut.detail == "3 fields of a config left out: too many or too long."
    monkeypatch.setattr(config_text, "MAX_BYTES", 100)
    cut = config_facts(json.dumps(fields).encode())
    assert isinstance(cut, CutFacts)
    assert not cut.facts.hyper_parameters
    assert "more than 100, is not read" in cut.detail


def test_tags_of_configs() -> None:
    assert [
        is_config_tag(tag) for tag in (b"args/text_summary", b"config", b"text", b"args/x")
    ] == [
        *(True, True, False, False),
    ]
