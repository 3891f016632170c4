"""Parsing experiments from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.cli.experiment_sources import SourcesType, parse_source, with_names
from mindviz.config import ExperimentSource
from mindviz.errors import StartError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_source_may_have_a_name(here: Path) -> None:
    assert parse_source("a_B-1=logs") == ExperimentSource("a_B-1", here / "logs")
    assert parse_source("a=/x=y") == ExperimentSource("a", Path("/x=y"))


def test_a_source_may_be_a_directory_without_a_name(here: Path) -> None:
    assert parse_source("logs") == ExperimentSource("", here / "logs")
    assert parse_source("./lr=0.1") == ExperimentSource("", here / "lr=0.1")
    assert parse_source("/data/lr=0.1") == ExperimentSource("", Path("/data/lr=0.1"))


def test_existing_paths_take_precedence_over_names(here: Path) -> None:
    (here / "lr=0.1").mkdir()
    assert parse_source("lr=0.1") == ExperimentSource("", here / "lr=0.1")


@pytest.mark.parametrize(
    "text", ["my logs=x", "=x", "a.b=x", "\N{LATIN SMALL LETTER E WITH ACUTE}=x"]
)
def test_an_invalid_name_is_an_error(text: str) -> None:
    with pytest.raises(StartError, match="Invalid experiment name"):
        parse_source(text)


@pytest.mark.parametrize("text", ["", "a="])
def test_an_empty_path_is_an_error(text: str) -> None:
    with pytest.raises(StartError, match="path is empty"):
        parse_source(text)


def test_a_single_source_gets_no_default_name() -> None:
    assert with_names([ExperimentSource("", Path("/x y"))]) == (ExperimentSource("", Path("/x y")),)


def test_the_default_name_is_the_directorys() -> None:
    paths = ["/data/first", "/data/my logs (2)", "/"]
    sources = with_names([ExperimentSource("", Path(path)) for path in paths])
    assert [one.experiment_id for one in sources] == ["first", "my-logs-2", "experiment"]
    assert [str(one.location) for one in sources] == paths


@pytest.mark.parametrize("first", ["a=/x", "/x/a"])
def test_names_must_be_unique(first: str) -> None:
    with pytest.raises(
        StartError, match=r"Experiment name 'a' is ambiguous .* and '/y/a'\): name them"
    ):
        with_names([parse_source(first), parse_source("b=/z"), parse_source("/y/a")])


def test_the_environment_separates_sources_by_colons(here: Path) -> None:
    split = SourcesType().split_envvar_value
    assert split("a=/x:/y") == ["a=/x", "/y"]
    (here / "a:b").mkdir()
    assert split("a:b") == ["a:b"]


def test_an_empty_database_is_omitted_if_there_are_other_sources() -> None:
    to_come = ExperimentSource("", "sqlite:///x.db")
    assert with_names([to_come]) == (to_come,)
    assert with_names([ExperimentSource("", Path("/data/a")), to_come]) == (
        ExperimentSource("a", Path("/data/a")),
    )
