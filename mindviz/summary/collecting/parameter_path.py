"""ParameterPath: what a network's parameters were at some moments of a training, on the disk."""

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
"""All parameters, one after the other: shape (n,)."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a parameter is in the vector."""

    begin: int
    end: int
    shape: tuple[int, ...]
    dtype: np.dtype[np.generic]


class ParameterPath:
    """Vectors of parameters by steps or epochs, in a hidden folder that goes when it is closed."""

    def __init__(self, directory: Path) -> None:
        self._directory = tempfile.TemporaryDirectory(prefix=".landscape-", dir=directory)
        self._places: dict[str, _Place] = {}
        self.numbers: list[int] = []
        """Steps or epochs that are kept, in the order they came."""

    def keep(self, number: int, parameters: Iterable[tuple[str, object]]) -> None:
        """Keep parameters as they are now. Raises InvalidValue, OSError."""
        arrays = {name: snapshot(value, f"parameter {name!r}") for name, value in parameters}
        if not arrays:
            raise InvalidValue("there are no parameters")
        places = _places(arrays)
        if self._places and places != self._places:
            raise InvalidValue("the network has other parameters than before")
        self._places = places
        vector = np.concatenate([array.ravel().astype(np.float32) for array in arrays.values()])
        np.save(self._file(number), vector)
        if number in self.numbers:
            self.numbers.remove(number)
        self.numbers.append(number)

    def read(self, number: int) -> Vector:
        """All parameters at a step or epoch that is kept."""
        vector: Vector = np.load(self._file(number))
        return vector

    def named(self, vector: Vector) -> Mapping[str, Array]:
        """Name -> array, of the shape and type that the network has it in."""
        return {
            name: vector[place.begin : place.end].reshape(place.shape).astype(place.dtype)
            for name, place in self._places.items()
        }

    def views(self, vector: Vector) -> list[Vector]:
        """The parameters in a vector, in their shapes: what is written there is written to it."""
        return [
            vector[place.begin : place.end].reshape(place.shape) for place in self._places.values()
        ]

    def close(self) -> None:
        """Delete everything."""
        self._directory.cleanup()

    def _file(self, number: int) -> Path:
        return Path(self._directory.name) / f"{number}.npy"


def _places(arrays: Mapping[str, Array]) -> dict[str, _Place]:
    places = {}
    begin = 0
    for name, array in arrays.items():
        end = begin + math.prod(array.shape)
        places[name] = _Place(begin, end, array.shape, array.dtype)
        begin = end
    return places
