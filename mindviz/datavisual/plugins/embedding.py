"""Embeddings: points of many dimensions, projected so that they can be seen."""

from __future__ import annotations

from collections.abc import Mapping

from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.time_series import DataClass, Embedding
from mindviz.datavisual.nearest_points import NearestPoints, nearest_points
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.plugins.tensor import read_tensor
from mindviz.datavisual.principal_components import principal_components
from mindviz.datavisual.series_view import ValuesView, check_elements, read_as
from mindviz.errors import InvalidQuery, TensorTooLarge

MAX_COORDINATES = 50_000_000
"""Points times dimensions of what is projected."""


def view(experiment: Experiment, train_id: str, tag: str, writer: str | None = None) -> ValuesView:
    """Every step's points in the three dimensions that they spread most in, and their labels.

    Raises TrainJobNotFound, TagNotFound, AnswerTooLarge.
    """
    series = experiment.read_values(train_id, "embedding", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        found = read_as(series, row, Embedding, "an embedding")
        if found.vectors.size > MAX_COORDINATES:
            raise TensorTooLarge(
                f"The embedding has {found.vectors.size} coordinates, more than the "
                f"{MAX_COORDINATES} that are projected."
            )
        projection = principal_components(found.vectors)
        return {
            "points": projection.points,
            "explained": list(projection.explained),
            "dims": list(found.vectors.shape),
            "header": list(found.header),
            "labels": [list(texts) for texts in found.labels],
            "sprite_size": list(found.sprite_size) if found.sprite else None,
        }

    return ValuesView.of(series, _COLUMNS, look)


_COLUMNS = ("points", "explained", "dims", "header", "labels", "sprite_size")


def values(
    experiment: Experiment, train_id: str, tag: str, writer: str | None = None
) -> ValuesView:
    """Every step's coordinates, point by point. Raises as `view`."""
    series = experiment.read_values(train_id, "embedding", tag, writer=writer)

    def look(row: int) -> Mapping[str, object]:
        vectors = read_as(series, row, Embedding, "an embedding").vectors
        check_elements(vectors.size)
        return {"data": vectors.ravel(), "size": list(vectors.shape)}

    return ValuesView.of(series, ("data", "size"), look)


def find_neighbours(
    experiment: Experiment,
    train_id: str,
    tag: str,
    step: int,
    point: int,
    *,
    distance: str,
    most: int,
) -> NearestPoints:
    """The points nearest to number `point` at `step`, as `nearest_points` finds them.

    Raises TrainJobNotFound, TagNotFound, StepNotFound, InvalidQuery, DamagedValue.
    """
    vectors = read_tensor(experiment, "embedding", train_id, tag, step)
    if not 0 <= point < len(vectors):
        raise InvalidQuery(f"There is no point {point}: the embedding has {len(vectors)}.")
    return nearest_points(vectors, point, distance, most)


PLUGIN = Plugin("embedding", "/embedding", DataClass.TENSOR, view, values={"": values})
