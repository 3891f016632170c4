"""The short run of the fuzzer: its corpus, and as many mutations as fit into some seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.wire.framing import Framing
from tests.fuzz.inputs import CORPUS, mutated
from tests.fuzz.mutation import Mutator, fields, records
from tests.fuzz.targets import TARGETS, check, target_of

MUTATIONS = 20
"""Of each input."""
INPUTS = sorted(CORPUS.iterdir())


def test_every_target_has_an_input() -> None:
    assert {target_of(path.read_bytes()).name for path in INPUTS} == {one.name for one in TARGETS}


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name)
def test_any_input_raises_only_documented_errors(path: Path) -> None:
    data = path.read_bytes()
    check(data)
    for seed in range(MUTATIONS):
        check(mutated(data, seed))


def test_a_mutated_log_is_still_a_log() -> None:
    log = next(path.read_bytes() for path in INPUTS if target_of(path.read_bytes()).framing)
    kept = sum(bool(records(mutated(log, seed)[1:], Framing.TFRECORD)[0]) for seed in range(50))
    assert kept > 30


def test_the_same_seed_gives_the_same_mutation() -> None:
    log = INPUTS[0].read_bytes()
    assert mutated(log, 7) == mutated(log, 7)
    assert len({mutated(log, seed) for seed in range(20)}) > 15


def test_fields_of_a_message_are_found_and_those_of_a_malformed_one_are_not() -> None:
    assert fields(b"\x08\x96\x01\x12\x02hi") == [(0, 3, 1, 0, 1), (3, 7, 2, 2, 5)]
    assert fields(b"\x08\x96\x01\x12\x09hi") == []


def test_a_message_stays_a_message() -> None:
    message = b"\x08\x96\x01\x12\x04\x0a\x02hi"
    changed = [Mutator(seed).message(message) for seed in range(100)]
    assert sum(bool(fields(one)) for one in changed) > 50
