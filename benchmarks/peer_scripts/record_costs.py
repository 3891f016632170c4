"""The cost of recording for the training thread and the whole loop; runs in each environment.

Prints JSON. `call`: seconds per step in recording calls. `loop`: seconds added to 1,000 steps of
pure Python. `whole`: the same including close, when everything is in the file. `processor`: CPU
seconds of all threads for that, which are stable on a busy machine. For mindviz also seconds of a
large value, and of copying the same array.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any

STEPS = 1000
TAGS = [f"train/loss_{number:02d}" for number in range(20)]
WORK = 20_000
"""Additions per step: about a millisecond, as in a very small training."""


def work() -> int:
    """One step of a pure Python training."""
    total = 0
    for number in range(WORK):
        total += number
    return total


def loop(record: Callable[[int], object] | None = None) -> tuple[float, float]:
    """Seconds of all steps, and of the calls in them."""
    in_calls = 0.0
    started = time.perf_counter()
    for step in range(STEPS):
        work()
        if record is not None:
            before = time.perf_counter()
            record(step)
            in_calls += time.perf_counter() - before
    return time.perf_counter() - started, in_calls


def add_large(values: Mapping[str, Any]) -> Callable[[Any], dict[str, list[float]]]:
    """Measure values of ten million elements, compared with copying them."""

    def measure(record: Any) -> dict[str, list[float]]:
        found = {}
        for plugin, array in values.items():
            times, copies = [], []
            for step in range(7):
                before = time.perf_counter()
                record.add_value(plugin, "large", array)
                record.record(step)
                times.append(time.perf_counter() - before)
                record.flush()
                before = time.perf_counter()
                copy = array.copy()
                copies.append(time.perf_counter() - before)
                del copy
            found[plugin] = [statistics.median(times), statistics.median(copies)]
        return found

    return measure


def main(
    make: Callable[[str], Any],
    record: Callable[[Any, int], object],
    close: Callable[[Any], object],
    large: Callable[[Any], dict[str, list[float]]] | None = None,
) -> None:
    """Measure one writer, between idle loops that cancel out changes of the machine's speed."""
    loop()
    idle_started = time.process_time()
    before, _ = loop()
    idle = time.process_time() - idle_started
    with tempfile.TemporaryDirectory() as directory:
        writer = make(directory)
        for step in range(-50, 0):
            record(writer, step)
        processor_started = time.process_time()
        with_it, in_calls = loop(lambda step: record(writer, step))
        started = time.perf_counter()
        close(writer)
        closing = time.perf_counter() - started
        processor = time.process_time() - processor_started
        after, _ = loop()
        slower = with_it - (before + after) / 2
        costs: dict[str, Any] = {
            "call": in_calls / STEPS,
            "loop": slower,
            "whole": slower + closing,
            "processor": processor - idle,
        }
        if large is not None:
            writer = make(directory)
            costs["large"] = large(writer)
            close(writer)
    print(json.dumps(costs))
