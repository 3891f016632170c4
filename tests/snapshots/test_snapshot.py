"""What is in a snapshot, for logs of every size."""

from __future__ import annotations

import gzip
import json
import math
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.answer_memory import AnswerBudget, Reservation, claiming
from mindviz.backend.app import create_app
from mindviz.backend.own_answers import OwnAnswers
from mindviz.client.log_source import ServerSource
from mindviz.config import Config
from mindviz.deadline import Work, allow, doing
from mindviz.errors import NotFound
from mindviz.snapshots import snapshot as snapshot_module
from mindviz.snapshots.answer_key import PageRequest
from mindviz.snapshots.packed_words import unpacked_words
from mindviz.snapshots.recorder import Answered, AnswerSource
from mindviz.snapshots.scalar_parts import Rectangles, SeriesFacts, described
from mindviz.snapshots.snapshot import BudgetTooSmall, Snapshot, snapshot
from tests.served_logs import serving
from tests.written_logs import loaded, tensorboard_log, write

_NAME = "events.out.tfevents.1.host"
_LARGE = 10_000_000
PATIENCE = 60.0
"""Seconds: only a failure takes as long."""


def own(base_dir: Path) -> OwnAnswers:
    config = Config(base_dir, workspace=base_dir.parent / "workspace")
    return OwnAnswers(create_app(config, loaded(base_dir)))


def saved(source: AnswerSource, link: str = "", limit: int = _LARGE) -> Snapshot:
    return snapshot(source, link, limit, limit)


def decoded(made: Snapshot) -> Read:
    return Read(b"".join(made.data))


class Read:
    """The data of a snapshot, decoded."""

    def __init__(self, data: bytes) -> None:
        assert data[:8] == b"mindvizS"
        (size,) = struct.unpack_from("<I", data, 8)
        header = json.loads(gzip.decompress(data[12 : 12 + size]))
        self.facts: Mapping[str, Any] = header["facts"]
        body = data[12 + size :]
        self.answers: dict[str, bytes] = {}
        self.streams: list[bytes] = []
        for part in header["parts"]:
            stored = body[part["start"] : part["start"] + part["size"]]
            if part["kind"] == "scalars":
                self.streams.append(unpacked_words(stored, part["length"]))
            else:
                plain = part["packing"] == "plain"
                self.answers[part["key"]] = stored if plain else gzip.decompress(stored)

    def answer(self, path: str) -> Any:
        return json.loads(self.answers[PageRequest.of(path).key])

    @property
    def series(self) -> list[SeriesFacts]:
        return [series for stream in self.streams for series in described(stream)]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base_dir = tmp_path_factory.mktemp("snapshot") / "logs"
    values = np.random.default_rng(1).normal(size=(12, 5_000))
    for number, own_values in enumerate(values):
        points = list(enumerate(own_values.tolist()))
        for tag in ("loss", "lr"):
            log = tensorboard_log(points, tag=tag, start=1_000.0 + number)
            write(base_dir / f"run{number}", f"{_NAME}.{tag}", log)
    return base_dir


def test_everything_is_exact_if_it_fits(logs: Path) -> None:
    read = decoded(saved(own(logs)))
    assert read.facts["runs"] == {"all": 12, "kept": 12}
    assert read.facts["series"] == {"all": 24, "kept": 24, "reduced": 0, "most_points": None}
    assert {series["points"] for series in read.series} == {5_000}
    assert len({(series["train_id"], series["tag"]) for series in read.series}) == 24
    assert read.answer("status")["train_jobs"] == 12
    assert read.answer("views") == {"views": []}


def test_what_the_view_shows_comes_first_and_is_reduced_last(logs: Path) -> None:
    read = decoded(saved(own(logs), "#/scalar?runs=run3&tags=loss", 260_000))
    kept = {(series["train_id"], series["tag"]): series for series in read.series}
    assert kept["./run3", "loss/scalar"]["points"] == 5_000
    others = [series for key, series in kept.items() if key != ("./run3", "loss/scalar")]
    assert others
    assert all(series["points"] < series["in_range"] for series in others)
    assert read.facts["series"]["reduced"] == len(others)
    assert read.facts["series"]["most_points"] in (4_000, 1_000, 400, 100)


@pytest.mark.parametrize("limit", [20_000, 60_000, 200_000, 900_000])
def test_the_data_never_exceed_the_limit(logs: Path, limit: int) -> None:
    made = saved(own(logs), "", limit)
    assert made.size <= limit
    assert made.facts.series.all == 24
    assert made.facts.series.kept <= 24


def test_no_room_is_reserved_for_values_that_the_runs_do_not_have(logs: Path) -> None:
    size = saved(own(logs)).size
    made = saved(own(logs), "", size * 11 // 10)
    assert made.facts.series.reduced == 0
    reduced = saved(own(logs), "", size * 9 // 10)
    assert reduced.facts.series.reduced > 0
    assert reduced.size > size // 2


def test_a_limit_below_the_list_of_runs_is_an_error_with_the_size(logs: Path) -> None:
    with pytest.raises(BudgetTooSmall) as error:
        saved(own(logs), "", 500)
    assert saved(own(logs), "", error.value.bytes).facts.runs["kept"] == 12


def test_a_server_and_a_directory_give_the_same(logs: Path) -> None:
    with serving(logs) as url:
        served = decoded(saved(ServerSource(url, "").answers))
    here = decoded(saved(own(logs)))
    assert served.streams == here.streams
    assert served.answers.keys() == here.answers.keys()


def test_points_set_aside_by_restarts_are_kept(tmp_path: Path) -> None:
    log = tensorboard_log([(0, 1.0), (1, 2.0), (2, 3.0)])
    write(tmp_path / "logs/run", _NAME, log)
    again = tensorboard_log([(1, 5.0), (2, 6.0)], start=2_000.0)
    write(tmp_path / "logs/run", _NAME.replace(".1.", ".2."), again)
    read = decoded(saved(own(tmp_path / "logs")))
    (series,) = read.series
    assert series["superseded"] == 2
    route = "datavisual/scalars/restarts?train_id=./run&tag=loss&aside=1000"
    assert read.answer(route)["restarts"][0]["aside"][0]["value"] == [2.0, 3.0]


def test_marks_of_events_are_kept(tmp_path: Path) -> None:
    spikes = [49, 80, 143, 170, 251]  # at regular intervals, they would follow a schedule
    points = [(step, 9.0 if step in spikes else 0.01 * (step % 7)) for step in range(300)]
    write(tmp_path / "logs" / "a", _NAME, tensorboard_log(points))
    read = decoded(saved(own(tmp_path / "logs")))
    (answer,) = [
        json.loads(body)
        for key, body in read.answers.items()
        if key.startswith('["findings"') and b'"marks"' in body
    ]
    ((train_id, [marks]),) = answer["marks"].items()
    assert (train_id, marks["kind"], marks["tag"]) == ("./a", "spike", "loss")
    assert [place[0] for place in marks["places"]] == spikes


@pytest.mark.parametrize("limit", [60_000, 260_000, _LARGE])
def test_memory_is_claimed_for_the_data_and_nothing_else(logs: Path, limit: int) -> None:
    budget = AnswerBudget(1)
    source = own(logs)
    reservation = Reservation(budget)
    with claiming(reservation):
        made = saved(source, "#/scalar?runs=run3&tags=loss", limit)
    header, *parts = made.data
    assert budget.nbytes == sum(map(len, parts)) == made.size - len(header)
    reservation.release()
    assert budget.nbytes == 0


class Ending:
    """AnswerSource of a server whose deadline passes after some answers of a route."""

    def __init__(self, source: AnswerSource, work: Work, route: str, answers: int) -> None:
        self._source = source
        self._work = work
        self._route = route
        self._answers = answers

    def answer(self, path: str, body: Mapping[str, Any] | None = None) -> Answered:
        answered = self._source.answer(path, body)
        self._answers -= path.startswith(self._route)
        if self._answers == 0:
            self._work.ends_at = -math.inf
        return answered


def test_series_that_there_is_no_time_for_are_missing(logs: Path) -> None:
    with doing(allow(PATIENCE)) as work:
        source = Ending(own(logs), work, "datavisual/scalars?", answers=1)
        made = saved(source, "#/scalar?runs=run3&tags=loss")
    (series,) = decoded(made).series
    assert (series["train_id"], series["tag"]) == ("./run3", "loss/scalar")
    assert (made.facts.out_of_time, len(made.missing)) == (True, 23)


def test_reduced_and_missing_series_are_listed(logs: Path) -> None:
    made = saved(own(logs), "#/scalar?runs=run3&tags=loss", 20_000)
    read = decoded(made)
    kept = {(facts["train_id"], facts["tag"].removesuffix("/scalar")) for facts in read.series}
    runs = [f"./run{number}" for number in range(12)]
    everything = {(run, tag) for run in runs for tag in ("loss", "lr")}
    assert set(made.missing) == everything - kept
    assert len(made.missing) == 24 - made.facts.series.kept
    assert len(made.reduced) == made.facts.series.reduced > 0
    assert {(one["in_range"], one["points"] < 5_000) for one in made.reduced} == {(5_000, True)}


@given(
    series=st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("uvwxyz")), unique=True, min_size=1
    ),
    sizes=st.lists(st.integers(0, 20_000_000), min_size=30, max_size=30),
)
def test_rectangles_of_any_size_cover_each_series_once(
    series: list[tuple[str, str]], sizes: list[int]
) -> None:
    rectangles = Rectangles(series)
    covered = []
    for (runs, tags), size in zip(rectangles, sizes, strict=False):
        covered += [(run, tag) for run in runs for tag in tags]
        rectangles.fit(size, len(runs) * len(tags))
    assert sorted(covered) == sorted(series)


class Unchecked:
    """AnswerSource of a server that never finishes the evaluation of rules."""

    def __init__(self, source: AnswerSource) -> None:
        self._source = source

    def answer(self, path: str, body: Mapping[str, Any] | None = None) -> Answered:
        content_type, content = self._source.answer(path, body)
        if path.startswith("findings?"):
            content = json.dumps(json.loads(content) | {"looked_into": 0}).encode()
        return Answered(content_type, content)


def test_a_request_does_not_wait_for_rules_until_its_deadline(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot_module, "_PATIENCE", math.inf)
    monkeypatch.setattr(snapshot_module, "_REQUEST_PATIENCE", 0.0)
    with doing(allow(PATIENCE)):
        made = decoded(saved(Unchecked(own(logs))))
    assert made.answer("findings?limit=0&runs=true")["looked_into"] == 0


def test_unknown_runs_and_broken_filters_of_a_link_are_ignored(logs: Path) -> None:
    for link in ("#/scalar?runs=nothing~run1", "#/scalar?runs=*:run1", "#/scalar?runs=*:%5B"):
        assert saved(own(logs), link).facts.runs == {"all": 12, "kept": 12}


def test_own_answers_raise_the_errors_of_the_routes(logs: Path) -> None:
    with pytest.raises(NotFound):
        own(logs).answer("series/image?train_id=./run1&tag=x")
