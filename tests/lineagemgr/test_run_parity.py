"""Runs compared: tags, config, rules and lost data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from mindviz.datavisual.analysis.series_parity import StepValues, Tolerance
from mindviz.datavisual.series.generic_name import strings
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.time_series import Tensor
from mindviz.deadline import allow, doing
from mindviz.errors import InvalidQuery
from mindviz.lineagemgr.name_map import parse_rules
from mindviz.lineagemgr.run_parity import (
    TAGS_AT_ONCE,
    ComparedRun,
    ConfigDifference,
    RunParity,
    TagStatus,
    compare_runs,
    config_of,
)
from mindviz.lineagemgr.run_series import LostData, RunSeries, Tags


def run(
    series: Mapping[str, Sequence[float]],
    config: Mapping[str, Any] | None = None,
    lost: Sequence[LostData] = (),
) -> ComparedRun:
    return ComparedRun(Series(series, lost), config or {})


class Series(RunSeries):
    """Scalars, and texts in which every step has the tag as its text."""

    def __init__(
        self,
        scalars: Mapping[str, Sequence[float]],
        lost: Sequence[LostData] = (),
        texts: str = "",
        others: Tags | None = None,
    ) -> None:
        self._scalars = scalars
        self._lost = lost
        self._texts = texts.split()
        self._others = others or {}

    @property
    def tags(self) -> Tags:
        return {
            "scalar": list(self._scalars),
            "text": self._texts,
            "mesh": self._texts,
            **self._others,
        }

    def points(self, tags: frozenset[str]) -> dict[str, ScalarPoints]:
        assert len(tags) <= TAGS_AT_ONCE
        return {tag: points(self._scalars[tag]) for tag in tags}

    def values(self, plugin_name: str, tag: str) -> StepValues:
        assert plugin_name == "text"
        return [(step, lambda: Tensor(strings([tag.encode()]), "DT_STRING")) for step in (2, 1)]

    def lost_data(self) -> list[LostData]:
        return list(self._lost)


def points(values: Sequence[float]) -> ScalarPoints:
    return ScalarPoints(np.arange(len(values)), np.zeros(len(values)), np.array(values, np.float64))


def statuses(parity: RunParity) -> dict[str, str]:
    return {tag.tag: tag.status.value for tag in parity.tags}


def test_what_differs_first_comes_first() -> None:
    a = run({"late": [1, 2, 3], "same": [1], "early": [1, 2], "mine": [1]})
    b = run({"late": [1, 2, 4], "same": [1], "early": [1, 3], "theirs": [1]})
    parity = compare_runs(a, b)
    assert list(statuses(parity).items()) == [
        ("early", "different"),
        ("late", "different"),
        ("mine", "only_a"),
        ("theirs", "only_b"),
        ("same", "equal"),
    ]
    assert not parity.equal
    assert parity.count(TagStatus.DIFFERENT) == 2


def test_many_tags_are_read_in_parts() -> None:
    series = {f"tag{number}": [float(number), math.nan] for number in range(2 * TAGS_AT_ONCE + 1)}
    parity = compare_runs(run(series), run(series))
    assert parity.equal
    assert parity.count(TagStatus.EQUAL) == len(series)


def test_the_tolerance_applies_to_all_tags() -> None:
    a, b = run({"x": [1.0], "y": [2.0]}), run({"x": [1.01], "y": [2.01]})
    assert not compare_runs(a, b).equal
    assert compare_runs(a, b, Tolerance(atol=0.1)).equal


def test_rules_rename_tags_of_a_and_leave_tags_out_of_both() -> None:
    a = run({"train/loss": [1], "debug/a": [1]})
    b = run({"loss": [1], "debug/b": [2]})
    parity = compare_runs(a, b, names=parse_rules(["train/*=*", "debug/*=", "oops=x"]))
    (tag,) = parity.tags
    assert (tag.tag, tag.tag_b, tag.status) == ("train/loss", "loss", "equal")
    assert parity.unused_rules == ("oops=x",)


def test_hyperparameters_that_are_compared_as_config_are_not_listed_as_left_out() -> None:
    a, b = (
        ComparedRun(Series({"x": [1]}, others={"hparams": ["_hparams_"]}), {"lr": rate})
        for rate in (0.1, 0.2)
    )
    parity = compare_runs(a, b)
    assert len(parity.config) == 1
    assert "hparams" not in parity.other_tags
    assert compare_runs(a, b, with_config=False).other_tags["hparams"] == 1


def test_tags_of_each_plugin_are_compared() -> None:
    a = ComparedRun(Series({"x": [1]}, texts="x note"), {})
    b = ComparedRun(Series({"x": [2]}, texts="x memo"), {})
    parity = compare_runs(a, b)
    assert [(tag.plugin_name, tag.tag, tag.status) for tag in parity.tags] == [
        ("scalar", "x", "different"),
        ("text", "note", "only_a"),
        ("text", "memo", "only_b"),
        ("text", "x", "equal"),
    ]
    assert parity.other_tags == {"mesh": 3}
    renamed = compare_runs(a, b, names=parse_rules(["note=memo"]), only=["text"])
    (tag, _) = renamed.tags
    assert (tag.tag, tag.tag_b, tag.status) == ("note", "memo", "different")
    with pytest.raises(InvalidQuery, match="Series of 'mesh' cannot be compared, but those of sca"):
        compare_runs(a, b, only=["mesh"])


def test_tags_without_time_are_counted() -> None:
    a = ComparedRun(Series({"x": [1]}, texts="x"), {})
    with doing(allow(4.0)):  # less than is left for answering
        parity = compare_runs(a, a)
    assert [tag.status for tag in parity.tags] == ["not_compared", "not_compared"]
    assert not parity.equal


def test_config_is_compared_unless_it_is_left_out() -> None:
    a = run({"x": [1]}, {"optimizer": "Adam", "seed": 1, "flag": True, "nan": math.nan})
    b = run({"x": [1]}, {"optimizer": "Adam", "seed": 2, "flag": 1, "nan": math.nan, "amp": "O2"})
    parity = compare_runs(a, b)
    assert parity.config == (
        ConfigDifference("amp", "amp", None, "O2"),
        ConfigDifference("flag", "flag", True, 1),
        ConfigDifference("seed", "seed", 1, 2),
    )
    assert parity.parameters == 5
    assert not parity.equal
    assert compare_runs(a, b, with_config=False).equal


def test_rules_rename_parameters() -> None:
    a, b = run({"x": [1]}, {"hidden": 64, "host": "a"}), run({"x": [1]}, {"units": 64, "host": "b"})
    assert compare_runs(a, b, names=parse_rules(["config:hidden=units", "config:host="])).equal


def test_lost_data_is_no_equality() -> None:
    a, b = (
        run({"x": [1]}),
        run({"x": [1]}, lost=[LostData("log", "bad_payload", "A record fails its checksum.")]),
    )
    parity = compare_runs(a, b)
    assert not parity.equal
    assert parity.as_json()["lost_data"] == {
        "a": [],
        "b": [{"path": "log", "kind": "bad_payload", "detail": "A record fails its checksum."}],
    }


@pytest.mark.parametrize(
    ("fields", "logged", "config"),
    [
        ({"learning_rate": 0.1}, {"lr": 0.1}, {"learning_rate": 0.1}),
        ({"learning_rate": 0.1}, {"lr": "0.1"}, {"learning_rate": 0.1}),
        ({"learning_rate": 0.1}, {"lr": 0.2}, {"learning_rate": 0.1, "lr": 0.2}),
        ({"epoch": 5}, {"epochs": "many"}, {"epoch": 5, "epochs": "many"}),
        ({"network": None, "loss": 0.5}, {"seed": 1}, {"seed": 1}),
    ],
)
def test_config_has_each_parameter_once(
    fields: dict[str, Any], logged: dict[str, Any], config: dict[str, Any]
) -> None:
    assert config_of(fields, logged) == config


def test_json_can_hold_some_rows_only() -> None:
    a, b = run({"x": [1], "y": [1]}), run({"x": [1], "y": [2]})
    answer = compare_runs(a, b).as_json(slice(0, 1))
    assert [tag["tag"] for tag in answer["tags"]] == ["y"]
    assert answer["counts"] == {
        "different": 1, "only_a": 0, "only_b": 0, "not_compared": 0, "equal": 1,
    }  # fmt: skip
