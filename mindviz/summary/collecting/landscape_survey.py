"""Surveys of loss landscapes: the loss on a plane through the parameters that a training found.

Around the path of a training, the plane is the one that holds most of what the parameters still had
to change; around its result, two random directions span it, whose filters are as large as the
network's own ("Visualizing the Loss Landscape of Neural Nets", Li et al., 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mindviz.summary.collecting.parameter_path import ParameterPath, Vector
from mindviz.summary.collecting.training import LossAt
from mindviz.summary.values.landscape import Landscape

_MARGIN = 0.2
"""A path's landscape reaches beyond the path by this part of its extent."""
_SMALLEST = 1e-12
"""Divides what might be divided by 0."""

Unit = Literal["step", "epoch"]
Coordinates = NDArray[np.float64]


class LandscapeSurvey:
    """Computes landscapes along a path of parameters."""

    def __init__(
        self,
        path: ParameterPath,
        loss_at: LossAt,
        *,
        size: int,
        unit: Unit = "step",
        step_per_epoch: int = 1,
        filter_axis: int = 0,
    ) -> None:
        """`size`: points along each axis. `filter_axis`: of parameters, which counts filters."""
        self._path = path
        self._loss_at = loss_at
        self._size = size
        self._unit: Unit = unit
        self._step_per_epoch = step_per_epoch
        self._filter_axis = filter_axis

    def along(self, numbers: Sequence[int]) -> Landscape:
        """The landscape around the path through these steps or epochs, two or more.

        It ends at (0, 0). Its points are those of the plane that are nearest to where it went.
        """
        end = self._path.read(numbers[-1])
        differences = np.stack([self._path.read(number) - end for number in numbers[:-1]])
        directions = _principal(differences)
        places = np.zeros((len(numbers), 2))
        places[:-1] = differences @ directions.T
        axes = [_axis(places[:, column], self._size) for column in (0, 1)]
        heights = np.array([self._loss(end, directions, x, y) for x, y in places])
        return self._landscape(
            end,
            directions,
            axes,
            intervals=tuple(numbers),
            path=(places[:, 0], places[:, 1], heights),
            convergence_point=(0.0, 0.0, heights[-1]),
        )

    def around(self, number: int, generator: np.random.Generator) -> Landscape:
        """The landscape around the parameters at a step or epoch, in random directions."""
        middle = self._path.read(number)
        directions = np.stack([self._random(middle, generator) for _ in range(2)])
        axes = [np.linspace(-1, 1, self._size)] * 2
        height = self._loss(middle, directions, 0.0, 0.0)
        return self._landscape(
            middle,
            directions,
            axes,
            convergence_point=(0.0, 0.0, height),
            decomposition="Random",
        )

    def _landscape(
        self, middle: Vector, directions: Vector, axes: Sequence[Coordinates], **further: object
    ) -> Landscape:
        x_axis, y_axis = axes
        heights = [[self._loss(middle, directions, x, y) for x in x_axis] for y in y_axis]
        return Landscape(
            x=x_axis,
            y=y_axis,
            z=np.array(heights),
            unit=self._unit,
            step_per_epoch=self._step_per_epoch,
            **further,  # type: ignore[arg-type]
        )

    def _loss(self, middle: Vector, directions: Vector, x: float, y: float) -> float:
        place = middle + np.float32(x) * directions[0] + np.float32(y) * directions[1]
        return float(self._loss_at(self._path.named(place)))

    def _random(self, middle: Vector, generator: np.random.Generator) -> Vector:
        """A random direction; along biases and the like, which have one axis, it does not go."""
        direction = generator.standard_normal(middle.size, np.float32)
        for parameter, along in zip(
            self._path.views(middle), self._path.views(direction), strict=True
        ):
            if parameter.ndim < 2:
                along[...] = 0
            else:
                size = self._norms(along) + np.float32(_SMALLEST)
                np.multiply(along, self._norms(parameter) / size, out=along)
        return direction

    def _norms(self, parameter: Vector) -> Vector:
        axis = self._filter_axis % parameter.ndim
        others = tuple(one for one in range(parameter.ndim) if one != axis)
        norms: Vector = np.sqrt((parameter**2).sum(axis=others, keepdims=True))
        return norms


def _principal(differences: Vector) -> Vector:
    """Two orthonormal directions, shape (2, n), that hold most of the k differences, (k, n).

    From the small matrix of their products: n may be millions. Where they have only one direction,
    or none, the other is 0.
    """
    products = differences.astype(np.float64) @ differences.T.astype(np.float64)
    _, vectors = np.linalg.eigh(products)  # ascending
    found = np.zeros((2, differences.shape[1]), np.float32)
    for row, vector in enumerate(vectors.T[::-1][:2]):
        direction = vector @ differences
        length = float(np.linalg.norm(direction))
        if length > 1e-6 * float(np.sqrt(np.trace(products))):
            found[row] = direction / length
    return found


def _axis(places: Coordinates, size: int) -> Coordinates:
    low, high = float(places.min()), float(places.max())
    margin = _MARGIN * (high - low) or 1.0
    return np.linspace(low - margin, high + margin, size)
