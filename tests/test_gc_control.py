"""Garbage collection is paused while requested, and skips frozen objects."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from threading import Event

import pytest

from mindviz.gc_control import (
    ALLOCATIONS,
    collect_less_often,
    freeze_live_objects,
    gc_paused,
    pause_gc_while_loading,
)
from tests.mindviz_process import wait_until


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """Restore the collector's state after the test."""
    enabled, threshold = gc.isenabled(), gc.get_threshold()
    gc.enable()
    gc.unfreeze()
    yield
    gc.set_threshold(*threshold)
    gc.freeze()
    if not enabled:
        gc.disable()


def test_the_collector_is_off_inside_and_on_afterwards_also_after_an_error() -> None:
    seen = []
    with pytest.raises(ZeroDivisionError), gc_paused():
        seen.append(gc.isenabled() or 1 / 0)
    assert not seen
    assert gc.isenabled()


def test_few_new_objects_cause_no_collection() -> None:
    collect_less_often()
    gc.collect()
    before = gc.get_stats()[0]["collections"]
    alive: list[list[int]] = [[] for _ in range(ALLOCATIONS // 2)]
    assert gc.get_stats()[0]["collections"] == before
    alive += [[] for _ in range(ALLOCATIONS)]
    assert gc.get_stats()[0]["collections"] > before


def test_nested_pauses_end_with_the_last() -> None:
    first, second = gc_paused(), gc_paused()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    with gc_paused():
        pass
    assert not gc.isenabled()


def test_frozen_objects_are_not_scanned() -> None:
    mine = [[number] for number in range(1000)]
    freeze_live_objects()
    assert gc.get_freeze_count() >= len(mine)
    assert not any(one is mine for one in gc.get_objects())


def test_loading_pauses_collection_and_freezes_the_result() -> None:
    begun, loaded = Event(), Event()

    def wait_until_loaded(_seconds: float) -> None:
        begun.set()
        loaded.wait()

    pause_gc_while_loading(wait_until_loaded)
    begun.wait()
    assert not gc.isenabled()
    loaded.set()
    wait_until(gc.isenabled, "the collector")
    wait_until(gc.get_freeze_count, "what is kept")
