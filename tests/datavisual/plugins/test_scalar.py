from __future__ import annotations

import pytest

from mindviz.datavisual.analysis.tag_formula import TagFormula
from mindviz.datavisual.plugins.scalar import read, read_formula, read_writers, view
from mindviz.datavisual.series.scalar_axis import ScalarAxis
from mindviz.datavisual.series.selection import Downsample, Selection, StepRange
from mindviz.datavisual.series.smoothing import parse_smoothing
from mindviz.errors import TagNotFound, TrainJobNotFound
from tests.store_fake import FakeStore


def test_the_view_gives_every_point_that_counts() -> None:
    store = FakeStore()
    store.add("./a").append("loss", [0, 1, 2, 1, 2], [5, 4, 3, 2, 1])
    seen = view(store, "./a", "loss")
    assert seen.step.tolist() == [0, 1, 2]
    assert list(seen.columns["value"]) == [5, 2, 1]
    assert (seen.seen[1], seen.details["superseded"]) == (5, 2)


def test_unknown_jobs_and_tags_are_not_found() -> None:
    store = FakeStore()
    with pytest.raises(TrainJobNotFound):
        view(store, "./a", "loss")
    store.add("./a")
    with pytest.raises(TagNotFound):
        view(store, "./a", "loss")


def test_an_increment_is_not_sampled_and_everything_is_if_too_much_is_new() -> None:
    store = FakeStore()
    store.add("./a").append("t", range(110), [1.0] * 110)
    selection = Selection(downsample=Downsample(10, "minmax"))
    ten = read(store, "./a", "t", selection, ("0", 100))
    assert (ten.reset, ten.points.step.tolist()) == (False, list(range(100, 110)))
    eleven = read(store, "./a", "t", selection, ("0", 99))
    assert eleven.reset
    assert len(eleven.points.step) <= 10
    assert eleven.points.step[0] == 0


@pytest.mark.parametrize("smoothing", ["ema:0.5", "mean:3", "gaussian:2"])
def test_increments_end_in_the_smoothed_values_of_the_whole_series(smoothing: str) -> None:
    store = FakeStore()
    store.add("./a").append("t", range(9), [float(n % 4) for n in range(9)])
    selection = Selection(smoothing=parse_smoothing(smoothing))
    whole = read(store, "./a", "t", selection)
    new = read(store, "./a", "t", selection, ("0", 6))
    assert whole.smoothed is not None
    assert new.smoothed is not None
    assert new.smoothed.tolist() == whole.smoothed[-len(new.points.step) :].tolist()
    nothing = read(store, "./a", "t", selection, ("0", 9))
    assert (nothing.reset, len(nothing.points.step)) == (False, 0)


def test_a_new_point_of_the_axis_resets_the_series() -> None:
    store = FakeStore()
    job = store.add("./a")
    job.append("t", range(3), [1.0, 2.0, 3.0])
    job.append("x", range(2), [8.0, 7.0])
    selection = Selection(axis=ScalarAxis("x"))
    first = read(store, "./a", "t", selection)
    seen = first.points.epoch, first.points.total
    assert not read(store, "./a", "t", selection, seen).reset
    job.append("x", [2], [6.0])
    again = read(store, "./a", "t", selection, seen)
    assert (again.reset, again.points.step.tolist()) == (True, [2, 1, 0])


def test_formulas_are_selected_from_like_logged_series() -> None:
    store = FakeStore()
    store.add("./a").append("loss", range(5), [1.0, 2.0, 3.0, 4.0, 5.0])
    formula = TagFormula.parse("2 * loss")
    selected = read_formula(store, "./a", formula, Selection(StepRange(3)))
    assert selected.points.value.tolist() == [8.0, 10.0]


def test_a_single_writer_has_no_name() -> None:
    store = FakeStore()
    store.add("./a").append("loss", [0], [1.0])
    ((name, selected),) = read_writers(store, "./a", "loss", Selection())
    assert (name, selected.points.value.tolist()) == ("", [1.0])
