"""Lodgers: counted while they are kept, and dropped once."""

from __future__ import annotations

from mindviz.datavisual.data_transform.lodgers import Lodgers, LodgersOfJobs


def test_they_count_until_they_are_dropped_and_each_is_dropped_once() -> None:
    lodgers, gone = Lodgers(), []
    lodgers.take_in("graph", 300, lambda: gone.append("graph"))
    lodgers.take_in("other", 20, lambda: gone.append("other"))
    assert lodgers.nbytes == 320
    lodgers.take_in("graph", 1, lambda: gone.append("newer graph"))
    assert (lodgers.nbytes, gone) == (21, ["graph"])
    lodgers.drop_all(but="graph")
    lodgers.drop_all()
    lodgers.drop_all()
    assert (lodgers.nbytes, gone) == (0, ["graph", "other", "newer graph"])


def test_of_all_jobs_those_that_got_none_for_the_longest_make_room() -> None:
    lodgers, gone = LodgersOfJobs(100), []
    for job in "abac":
        lodgers.take_in(job, "graph", 40, lambda job=job: gone.append(job))  # type: ignore[misc]
    assert gone == ["a", "b"]
    lodgers.take_in("d", "graph", 1_000, lambda: gone.append("d"))
    assert gone == ["a", "b", "a", "c"]
    lodgers.drop_all("d")
    assert gone[-1] == "d"
