"""DerivedCache: values are found while they are kept, and only for the same inputs."""

from __future__ import annotations

from collections.abc import Hashable

from mindviz.datavisual.derived_cache import DerivedCache
from mindviz.datavisual.evictable_caches import Drop, EvictableCaches
from mindviz.errors import TrainJobNotFound


def test_a_value_is_found_until_it_is_evicted() -> None:
    caches = EvictableCaches(100)
    graphs: DerivedCache[str, str] = DerivedCache("graph", caches.charge)
    graphs.keep("./a", "loss", 1, "drawn", 60)
    assert graphs.find("loss", 1) == "drawn"
    assert graphs.find("loss", 2) is None
    assert graphs.find("accuracy", 1) is None
    caches.charge("./b", "other", 60, lambda: None)
    assert graphs.find("loss", 1) is None


def test_a_newer_value_outlives_an_older_one() -> None:
    caches = EvictableCaches(100)
    graphs: DerivedCache[str, str] = DerivedCache("graph", caches.charge)
    graphs.keep("./a", "loss", 1, "drawn", 60)
    graphs.keep("./a", "loss", 2, "drawn again", 60)
    assert graphs.find("loss", 2) == "drawn again"


def test_values_of_two_kinds_have_their_places_to_themselves() -> None:
    caches = EvictableCaches(100)
    graphs: DerivedCache[str, str] = DerivedCache("graph", caches.charge)
    lines: DerivedCache[str, str] = DerivedCache("line", caches.charge)
    graphs.keep("./a", "loss", 1, "drawn", 40)
    lines.keep("./a", "loss", 1, "joined", 40)
    assert (graphs.find("loss", 1), lines.find("loss", 1)) == ("drawn", "joined")


def test_a_value_of_a_removed_job_is_not_kept() -> None:
    def charge_cache(train_id: str, _key: Hashable, _nbytes: int, _drop: Drop) -> None:
        raise TrainJobNotFound(train_id)

    graphs: DerivedCache[str, str] = DerivedCache("graph", charge_cache)
    graphs.keep("./gone", "loss", 1, "drawn", 40)
    assert graphs.find("loss", 1) is None
