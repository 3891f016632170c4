"""LandscapeSurvey: evaluates the loss on a plane in parameter space.

Around a training's path, the plane is spanned by the first two principal directions of the path;
around its result, by two random directions with filter-wise normalization ("Visualizing the Loss
Landscape of Neural Nets", Li et al., 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mindviz.summary.collecting.parameter_path import ParameterPath, Vector
from mindviz.summary.collecting.training import LossAt
from mindviz.summary.values.landscape import Landscape

_MARGIN = 0.2
"""A landscape extends beyond its path by this fraction of the path's extent."""
_EPSILON = 1e-12
"""Added to denominators that may be 0."""

Unit = Literal["step", "epoch"]
Coordinates = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LandscapeSurvey:
    """Computes landscapes along a path of parameters."""

    path: ParameterPath
    loss_at: LossAt
    _: KW_ONLY
    size: int
    """Points along each axis."""
    unit: Unit = "step"
    step_per_epoch: int = 1
    filter_axis: int = 0
    """See `Training`."""

    def along(self, numbers: Sequence[int]) -> Landscape:
        """The landscape around the path through these steps or epochs, two or more.

        The path is projected onto the plane and ends at (0, 0).
        """
        end = self.path.read(numbers[-1])
        differences = np.stack([self.path.read(number) - end for number in numbers[:-1]])
        directions = _principal_directions(differences)
        points = np.zeros((len(numbers), 2))
        points[:-1] = differences @ directions.T
        axes = [_axis(points[:, column], self.size) for column in (0, 1)]
        losses = np.array([self._loss(end, directions, x, y) for x, y in points])
        return self._landscape(
            end,
            directions,
            axes,
            intervals=tuple(numbers),
            path=(points[:, 0], points[:, 1], losses),
            convergence_point=(0.0, 0.0, losses[-1]),
        )

    def around(self, number: int, generator: np.random.Generator) -> Landscape:
        """The landscape around the parameters at a step or epoch, in random directions."""
        center = self.path.read(number)
        directions = np.stack([self._random_direction(center, generator) for _ in range(2)])
        axes = [np.linspace(-1, 1, self.size)] * 2
        loss = self._loss(center, directions, 0.0, 0.0)
        return self._landscape(
            center,
            directions,
            axes,
            convergence_point=(0.0, 0.0, loss),
            decomposition="Random",
        )

    def _landscape(
        self, center: Vector, directions: Vector, axes: Sequence[Coordinates], **fields: object
    ) -> Landscape:
        x_axis, y_axis = axes
        losses = [[self._loss(center, directions, x, y) for x in x_axis] for y in y_axis]
        return Landscape(
            x=x_axis,
            y=y_axis,
            z=np.array(losses),
            unit=self.unit,
            step_per_epoch=self.step_per_epoch,
            **fields,  # type: ignore[arg-type]
        )

    def _loss(self, center: Vector, directions: Vector, x: float, y: float) -> float:
        point = center + np.float32(x) * directions[0] + np.float32(y) * directions[1]
        return float(self.loss_at(self.path.by_name(point)))

    def _random_direction(self, center: Vector, generator: np.random.Generator) -> Vector:
        """A random direction, 0 for 1-D parameters such as biases."""
        direction = generator.standard_normal(center.size, np.float32)
        for parameter, component in zip(
            self.path.views(center), self.path.views(direction), strict=True
        ):
            if parameter.ndim < 2:
                component[...] = 0
            else:
                norms = self._filter_norms(component) + np.float32(_EPSILON)
                np.multiply(component, self._filter_norms(parameter) / norms, out=component)
        return direction

    def _filter_norms(self, parameter: Vector) -> Vector:
        filter_axis = self.filter_axis % parameter.ndim
        axes = tuple(axis for axis in range(parameter.ndim) if axis != filter_axis)
        norms: Vector = np.sqrt((parameter**2).sum(axis=axes, keepdims=True))
        return norms


def _principal_directions(differences: Vector) -> Vector:
    """The first two principal directions, shape (2, n), of k differences, shape (k, n).

    Computed from the k x k Gram matrix, because n may be millions. Directions without variance
    are 0.
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


def _axis(coordinates: Coordinates, size: int) -> Coordinates:
    low, high = float(coordinates.min()), float(coordinates.max())
    margin = _MARGIN * (high - low) or 1.0
    return np.linspace(low - margin, high + margin, size)
