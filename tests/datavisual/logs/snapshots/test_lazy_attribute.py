"""Attributes that are computed when they are first read."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from mindviz.datavisual.logs.snapshots.lazy_attribute import lazy_attribute


class _Met:
    """A value that is there once another thread computes that of another instance."""

    def __init__(self, barrier: threading.Barrier) -> None:
        self.barrier = barrier
        self.times = 0

    @lazy_attribute
    def value(self) -> list[int]:
        self.times += 1
        self.barrier.wait(timeout=30)
        return [self.times]


def test_threads_compute_the_values_of_two_instances_at_the_same_time() -> None:
    barrier = threading.Barrier(2)
    both = [_Met(barrier), _Met(barrier)]
    with ThreadPoolExecutor(2) as pool:
        values = list(pool.map(lambda one: one.value, both))
    assert values == [[1], [1]]
    # Each is computed once.
    assert [one.value for one in both] == values
    assert both[0].value is values[0]
