"""Experiments as somebody names them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.cli.experiment_sources import SourcesType, named, parse_source
from mindviz.config import ExperimentSource
from mindviz.errors import StartError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_name_stands_before_the_directory(here: Path) -> None:
    assert parse_source("a_B-1=logs") == ExperimentSource("a_B-1", here / "logs")
    assert parse_source("a=/x=y") == ExperimentSource("a", Path("/x=y"))


def test_a_directory_needs_no_name(here: Path) -> None:
    assert parse_source("logs") == ExperimentSource("", here / "logs")
    assert parse_source("./lr=0.1") == ExperimentSource("", here / "lr=0.1")
    assert parse_source("/data/lr=0.1") == ExperimentSource("", Path("/data/lr=0.1"))


def test_a_path_that_exists_is_no_name(here: Path) -> None:
    (here / "lr=0.1").mkdir()
    assert parse_source("lr=0.1") == ExperimentSource("", here / "lr=0.1")


@pytest.mark.parametrize(
    "text", ["my logs=x", "=x", "a.b=x", "\N{LATIN SMALL LETTER E WITH ACUTE}=x"]
)
def test_what_cannot_be_a_name_is_refused(text: str) -> None:
    with pytest.raises(StartError, match="cannot be the name of an experiment"):
        parse_source(text)


@pytest.mark.parametrize("text", ["", "a="])
def test_an_empty_path_is_refused(text: str) -> None:
    with pytest.raises(StartError, match="empty path"):
        parse_source(text)


def test_one_that_is_alone_needs_no_name() -> None:
    assert named([ExperimentSource("", Path("/x y"))]) == (ExperimentSource("", Path("/x y")),)


def test_without_a_name_it_is_called_like_its_directory() -> None:
    paths = ["/data/first", "/data/my logs (2)", "/"]
    sources = named([ExperimentSource("", Path(path)) for path in paths])
    assert [one.experiment_id for one in sources] == ["first", "my-logs-2", "experiment"]
    assert [str(one.location) for one in sources] == paths


@pytest.mark.parametrize("first", ["a=/x", "/x/a"])
def test_two_of_the_same_name_are_refused(first: str) -> None:
    with pytest.raises(StartError, match=r"Experiment 'a' would be .* and '/y/a': name them"):
        named([parse_source(first), parse_source("b=/z"), parse_source("/y/a")])


def test_in_the_environment_colons_separate_them(here: Path) -> None:
    split = SourcesType().split_envvar_value
    assert split("a=/x:/y") == ["a=/x", "/y"]
    (here / "a:b").mkdir()
    assert split("a:b") == ["a:b"]


def test_beside_others_nobody_waits_for_the_first_one_of_a_database() -> None:
    to_come = ExperimentSource("", "sqlite:///x.db")
    assert named([to_come]) == (to_come,)
    assert named([ExperimentSource("", Path("/data/a")), to_come]) == (
        ExperimentSource("a", Path("/data/a")),
    )
