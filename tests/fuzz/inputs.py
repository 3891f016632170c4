"""Inputs of the fuzzer: its corpus, and others made of them."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.mutation import Mutator
from tests.fuzz.targets import target_of

CORPUS = Path(__file__).with_name("corpus")


def mutated(data: bytes, seed: int) -> bytes:
    """An input for the same target."""
    if not data:
        return bytes([seed % 256])
    mutator, target = Mutator(seed), target_of(data)
    if target.framing is not None:
        return data[:1] + mutator.log(data[1:], target.framing)
    return data[:1] + mutator.message(data[1:])
