"""JobCaches: counted while they are kept, and dropped once."""

from __future__ import annotations

from mindviz.datavisual.evictable_caches import EvictableCaches, JobCaches


def test_they_count_until_they_are_dropped_and_each_is_dropped_once() -> None:
    caches, gone = JobCaches(), []
    caches.charge("graph", 300, lambda: gone.append("graph"))
    caches.charge("other", 20, lambda: gone.append("other"))
    assert caches.nbytes == 320
    caches.charge("graph", 1, lambda: gone.append("newer graph"))
    assert (caches.nbytes, gone) == (21, ["graph"])
    caches.drop_all(but="graph")
    caches.drop_all()
    caches.drop_all()
    assert (caches.nbytes, gone) == (0, ["graph", "other", "newer graph"])


def test_the_least_recently_used_jobs_are_evicted_first() -> None:
    caches, gone = EvictableCaches(100), []
    for job in "abac":
        caches.charge(job, "graph", 40, lambda job=job: gone.append(job))  # type: ignore[misc]
    assert gone == ["a", "b"]
    caches.charge("d", "graph", 1_000, lambda: gone.append("d"))
    assert gone == ["a", "b", "a", "c"]
    caches.drop_all("d")
    assert gone[-1] == "d"
