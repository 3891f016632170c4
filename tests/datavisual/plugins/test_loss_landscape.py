from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.plugins.loss_landscape import (
    PLUGIN,
    Interval,
    find_landscape,
    interval_id,
    list_intervals,
)
from mindviz.errors import TagNotFound, TrainJobNotFound
from tests.landscape_logs import NAME, final, interval, log
from tests.store_fake import FakeStore
from tests.written_logs import loaded, write

view = PLUGIN.view


def test_intervals_are_sorted_by_first_step_without_the_final_result(tmp_path: Path) -> None:
    write(tmp_path, NAME, log(interval([10, 15, 19]), final(), interval([1, 5, 9])))
    found = list_intervals(loaded(tmp_path), "./")
    assert found == [
        Interval(interval_id((1, 5, 9)), 1, 9),
        Interval(interval_id((10, 15, 19)), 10, 19),
    ]


def test_ids_are_the_same_in_every_process() -> None:
    assert interval_id((1, 5, 9)) == "17536574047797733438"
    assert interval_id(()) == ""


@given(one=st.lists(st.integers(-5, 20), max_size=4), two=st.lists(st.integers(-5, 20), max_size=4))
def test_intervals_that_differ_have_ids_that_differ(one: list[int], two: list[int]) -> None:
    assert (interval_id(tuple(one)) == interval_id(tuple(two))) == (one == two)


def test_a_landscape_is_found_by_its_interval(tmp_path: Path) -> None:
    write(tmp_path, NAME, log(interval([1, 2], 1.0), interval([3, 4], 2.0), final(3.0)))
    store = loaded(tmp_path)
    found = find_landscape(store, "./", interval_id((3, 4)))
    assert found is not None
    assert found.points.z[0].tolist() == [7, 6, 7]
    around_result = find_landscape(store, "./")
    assert around_result is not None
    assert around_result.convergence_point == (0.25, -0.5, 3.0)
    assert find_landscape(store, "./", "1") is None


def test_the_newest_landscape_of_an_interval_counts(tmp_path: Path) -> None:
    values = [interval([1, 2], height, tag) for height, tag in ((1.0, "b"), (2.0, "a"), (3.0, "a"))]
    write(tmp_path, NAME, log(*values))
    store = loaded(tmp_path)
    assert len(list_intervals(store, "./")) == 1
    found = find_landscape(store, "./", interval_id((1, 2)))
    assert found is not None
    assert found.path.z.tolist() == [4, 4]


def test_the_view_describes_each_step(tmp_path: Path) -> None:
    write(tmp_path, NAME, log(interval([1, 2], tag="t"), interval([3, 4], tag="t")))
    seen = view(loaded(tmp_path), "./", "t").whole()
    assert seen.columns["intervals"] == [[1, 2], [3, 4]]
    assert seen.columns["interval_id"] == [interval_id((1, 2)), interval_id((3, 4))]
    assert seen.columns["dims"] == [[2, 3], [2, 3]]


def test_a_damaged_landscape_hides_no_other(tmp_path: Path) -> None:
    content = log(interval([1, 2], tag="t"), b"\x0a\x01t\x52\x03\x0a\x01\x08", final())
    write(tmp_path, NAME, content)
    store = loaded(tmp_path)
    assert [one.last for one in list_intervals(store, "./")] == [2]
    assert find_landscape(store, "./") is not None
    seen = view(store, "./", "t").whole()
    assert list(seen.columns["interval_id"]) == [interval_id((1, 2)), None]
    assert "cannot be decoded" in seen.problems[1]
    assert store.train_job("./").problems


def test_a_value_of_another_class_is_damage() -> None:
    store = FakeStore()
    store.add("./a").add_values("loss_landscape", "t", [0], [b"nothing of the kind"])
    assert list_intervals(store, "./a") == []
    assert view(store, "./a", "t").whole().problems == {0: "The value is not a landscape."}


def test_a_job_without_landscapes_has_no_intervals() -> None:
    store = FakeStore()
    store.add("./a")
    assert list_intervals(store, "./a") == []
    with pytest.raises(TrainJobNotFound):
        list_intervals(store, "./b")
    with pytest.raises(TagNotFound):
        view(store, "./a", "t")
