"""ParameterPath: a network's parameters at some steps of a training, stored on disk."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import Array, snapshot

Vector = NDArray[np.float32]
"""All parameters concatenated: shape (n,)."""


@dataclass(frozen=True, slots=True)
class _Slot:
    begin: int
    end: int
    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]


class ParameterPath:
    """Parameter vectors by step or epoch, in a hidden folder that `close` deletes."""

    def __init__(self, directory: Path) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix=".landscape-", dir=directory)
        self._slots: dict[str, _Slot] = {}
        self.numbers: list[int] = []
        """Stored steps or epochs, in order of arrival."""

    def store(self, number: int, parameters: Iterable[tuple[str, object]]) -> None:
        """Store the current parameters. Raises InvalidValue, OSError."""
        arrays = {name: snapshot(value, f"parameter {name!r}") for name, value in parameters}
        if not arrays:
            raise InvalidValue("there are no parameters")
        slots = _slots(arrays)
        if self._slots and slots != self._slots:
            raise InvalidValue("the network's parameters have changed their names or shapes")
        self._slots = slots
        vector = np.concatenate([array.ravel().astype(np.float32) for array in arrays.values()])
        np.save(self._file(number), vector)
        if number in self.numbers:
            self.numbers.remove(number)
        self.numbers.append(number)

    def read(self, number: int) -> Vector:
        """All parameters at a stored step or epoch."""
        vector: Vector = np.load(self._file(number))
        return vector

    def by_name(self, vector: Vector) -> Mapping[str, Array]:
        """Name -> array, in the shape and dtype of the network."""
        return {
            name: vector[slot.begin : slot.end].reshape(slot.shape).astype(slot.dtype)
            for name, slot in self._slots.items()
        }

    def views(self, vector: Vector) -> list[Vector]:
        """The parameters in their shapes, as writable views of the vector."""
        return [vector[slot.begin : slot.end].reshape(slot.shape) for slot in self._slots.values()]

    def close(self) -> None:
        """Delete the folder."""
        self._directory.cleanup()

    def _file(self, number: int) -> Path:
        return Path(self._directory.name) / f"{number}.npy"


def _slots(arrays: Mapping[str, Array]) -> dict[str, _Slot]:
    slots = {}
    begin = 0
    for name, array in arrays.items():
        end = begin + math.prod(array.shape)
        slots[name] = _Slot(begin, end, array.shape, array.dtype)
        begin = end
    return slots
