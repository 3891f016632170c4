"""Reading series by name, in as many requests as necessary."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.client.series_selection import SeriesSelection
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import StoreProvider
from mindviz.datavisual.series.series_query import RunTagFilter, SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import AnswerTooLarge
from tests.written_logs import loaded, tensorboard_log, write

SIZES = {("a", "x"): 3, ("a", "y"): 2, ("b", "x"): 1, ("c", "z"): 3, ("d", "y"): 3}
"""(train job, tag) -> points."""


@pytest.fixture(scope="module")
def base_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    for (job, tag), size in SIZES.items():
        log = tensorboard_log([(step, 0.5) for step in range(size)], tag=tag)
        write(directory / job, f"tfevents.{ord(tag)}", log)
    return directory


@given(points=st.integers(3, 13), tags=st.none() | st.sets(st.sampled_from("xyz")))
def test_everything_is_read_with_answers_of_any_size(
    base_dir: Path, points: int, tags: set[str] | None
) -> None:
    provider = StoreProvider.of(loaded(base_dir), bounds=AnswerBounds(points=points))
    wanted = RunTagFilter(None, None if tags is None else frozenset(tags))
    query = SeriesQuery("scalars", DataClass.SCALAR, wanted)
    answer = SeriesSelection(provider, query).read(provider.scalars)
    found = {
        (train_id[2:], tag): len(one.step)
        for train_id, series in answer.items()
        for tag, one in series.items()
    }
    assert found == {name: size for name, size in SIZES.items() if tags is None or name[1] in tags}


def test_a_single_series_may_be_too_large(base_dir: Path) -> None:
    provider = StoreProvider.of(loaded(base_dir), bounds=AnswerBounds(points=2))
    selection = SeriesSelection(provider, SeriesQuery("scalars", DataClass.SCALAR))
    with pytest.raises(AnswerTooLarge, match="2 points"):
        selection.read(provider.scalars)
