"""Config: options become bytes, prefixes and origins, or an error."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindviz.config import (
    Config,
    ExperimentSource,
    environment_value,
    memory_limit,
    parse_frame_ancestor,
    parse_origin,
    parse_reload_interval,
    parse_size,
    parse_url_path_prefix,
    spare_threads,
    training_hyper_config,
    training_rank,
)
from mindviz.errors import StartError


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1", 1),
        ("4096", 4096),
        ("2GiB", 2 * 1024**3),
        ("2g", 2 * 1024**3),
        ("2GB", 2 * 1000**3),
        (" 1.5 GiB ", 3 * 512 * 1024**2),
        ("300m", 300 * 1024**2),
        ("7kb", 7000),
        ("7KIB", 7 * 1024),
        ("12B", 12),
        ("1tib", 1024**4),
    ],
)
def test_a_size_may_have_a_unit(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text",
    ["", "0", "0.0GiB", "-1", "GiB", "2 giga", "1e9", "nan", "inf", "2iB", "1,5G", "٣", "9" * 5000],
)
def test_an_invalid_size_is_an_error(text: str) -> None:
    with pytest.raises(StartError, match="is not a size"):
        parse_size(text)


@given(st.integers(1, 10**17))
def test_a_number_of_bytes_is_exact(size: int) -> None:
    assert parse_size(str(size)) == size


@settings(max_examples=200)
@given(st.text(max_size=20))
def test_any_text_is_a_size_or_a_start_error(text: str) -> None:
    try:
        size = parse_size(text)
    except StartError:
        size = 1
    assert size > 0


@pytest.mark.parametrize(
    ("text", "prefix"),
    [("", ""), ("/", ""), ("a", "/a"), ("/a/", "/a"), ("/a/b-c_d.e/", "/a/b-c_d.e"), ("v1", "/v1")],
)
def test_slashes_around_a_prefix_do_not_matter(text: str, prefix: str) -> None:
    assert parse_url_path_prefix(text) == prefix


@pytest.mark.parametrize("text", ["a//b", "a/./b", "..", "a b", "ä", "a?b", "a\n", "a/..", "%2e"])
def test_a_prefix_that_a_url_would_not_keep_is_refused(text: str) -> None:
    with pytest.raises(StartError, match="URL path prefix"):
        parse_url_path_prefix(text)


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://example.org", "https://example.org"),
        ("https://Example.org:8443/", "https://example.org:8443"),
        ("http://[::1]:3000", "http://[::1]:3000"),
    ],
)
def test_an_origin_is_scheme_host_and_port(text: str, origin: str) -> None:
    assert parse_origin(text) == origin


@pytest.mark.parametrize(
    "text", ["", "*", "example.org", "ftp://a", "http://", "http://a/b", "http://a b", "http://a\n"]
)
def test_an_invalid_origin_is_refused(text: str) -> None:
    with pytest.raises(StartError, match="is not an origin"):
        parse_origin(text)


def test_an_option_is_found_in_the_environment_by_its_long_name() -> None:
    environ = {"MINDVIZ_SUMMARY_BASE_DIR": "/logs", "MINDVIZ_PORT": ""}
    assert environment_value("summary-base-dir", environ) == "/logs"
    assert environment_value("port", environ) == ""
    assert environment_value("host", environ) is None


def test_a_config_is_frozen_and_defaults_to_a_quarter_of_the_memory() -> None:
    config = Config(Path("logs"))
    assert config.max_memory == memory_limit() // 4 > 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.port = 1  # type: ignore[misc]


@pytest.mark.parametrize(("text", "seconds"), [("0", 0.0), ("3", 3.0), ("0.5", 0.5), ("300", 300)])
def test_a_reload_interval_is_seconds(text: str, seconds: float) -> None:
    assert parse_reload_interval(text) == seconds


@pytest.mark.parametrize("text", ["", "-1", "301", "nan", "inf", "3s"])
def test_an_invalid_reload_interval_is_refused(text: str) -> None:
    with pytest.raises(StartError, match="is not a reload interval"):
        parse_reload_interval(text)


def test_the_users_number_of_threads_is_kept() -> None:
    chosen: dict[str, str] = {"OPENBLAS_NUM_THREADS": "4"}
    not_chosen: dict[str, str] = {}
    spare_threads(chosen)
    spare_threads(not_chosen)
    assert (chosen, not_chosen) == ({"OPENBLAS_NUM_THREADS": "4"}, {"OPENBLAS_NUM_THREADS": "1"})


@pytest.mark.parametrize(
    ("environ", "rank"),
    [({}, 0), ({"RANK": "3"}, 3), ({"RANK": "1", "RANK_ID": "2"}, 2), ({"SLURM_PROCID": "x"}, 0)],
    ids=str,
)
def test_the_rank_is_the_launchers(environ: dict[str, str], rank: int) -> None:
    assert training_rank(environ) == rank


def test_experiments_share_the_memory_and_have_separate_paths() -> None:
    sources = tuple(ExperimentSource(name, Path(f"/data/{name}")) for name in ("a", "b"))
    config = Config(Path("/data/a"), url_path_prefix="/lab", max_memory=1001, experiments=sources)
    assert config.sources == sources
    assert config.path_of(sources[1]) == "/lab/experiment/b"
    of_b = config.of(sources[1])
    assert (of_b.summary_base_dir, of_b.max_memory, of_b.sources) == (
        Path("/data/b"),
        500,
        sources[1:],
    )


def test_a_single_experiment_gets_all_memory() -> None:
    config = Config(Path("/data"), url_path_prefix="/lab", max_memory=1001)
    (source,) = config.sources
    assert (source.experiment_id, source.location) == ("", Path("/data"))
    assert config.of(source).max_memory == 1001
    assert config.path_of(source) == "/lab"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"custom_lineage_data": {"a": 1}}', {"custom_lineage_data": {"a": 1}}),
        ("", {}),
        ("[1]", {}),
        ("{", {}),
        ('{"a": "' + "x" * 100_000 + '"}', {}),
    ],
    ids=["given", "nothing", "a list", "no JSON", "too long"],
)
def test_a_hyperparameter_search_passes_its_choice(text: str, expected: object) -> None:
    assert training_hyper_config({"MINDINSIGHT_HYPER_CONFIG": text}) == expected


@pytest.mark.parametrize(
    ("location", "shown"),
    [
        (Path("/logs/a:b@c"), "/logs/a:b@c"),
        ("sqlite:////logs/x.db", "sqlite:////logs/x.db"),
        ("postgresql://host/name", "postgresql://host/name"),
        ("postgresql://me@host/name", "postgresql://me@host/name"),
        ("postgresql://me:s3cr3t@host:1/name", "postgresql://me:***@host:1/name"),
        ("postgresql://me:a:b@c@host/name", "postgresql://me:***@host/name"),
    ],
)
def test_a_password_is_never_shown(location: Path | str, shown: str) -> None:
    assert ExperimentSource("x", location).shown == shown


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://Hub.example.org/", "https://hub.example.org"),
        ("http://localhost:*", "http://localhost:*"),
        ("none", ""),
        ("https://*.Example.org", "https://*.example.org"),
        ("vscode-webview:", "vscode-webview:"),
    ],
)
def test_frame_ancestors_are_origins(text: str, origin: str) -> None:
    assert parse_frame_ancestor(text) == origin


@pytest.mark.parametrize(
    "text",
    ["*", "https://*", "https://*.", "http://*.a", "http://a:*:80", "a; script-src *", "file:", ""],
)
def test_other_words_do_not_get_into_the_policy(text: str) -> None:
    with pytest.raises(StartError, match="is not an origin"):
        parse_frame_ancestor(text)
