"""Images: what was logged at each step, and each of them on its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mindviz.datavisual.data_transform.encoded_image import mimetype
from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.data_transform.time_series import DataClass, Image, ValueTimeSeries
from mindviz.datavisual.plugins import Plugin, SeriesView
from mindviz.errors import DamagedValue, StepNotFound

NEWEST = -1
"""In place of a step: the newest one. Steps of logs may be negative; this one then is out of reach
by number."""


@dataclass(frozen=True, slots=True)
class EncodedImage:
    """One image as logged."""

    content: bytes
    mimetype: str
    """By its first bytes; `application/octet-stream` if it is none that browsers show."""


def view(experiment: Experiment, train_id: str, tag: str, writer: str | None = None) -> SeriesView:
    """Width and height of every step. Raises TrainJobNotFound, TagNotFound."""
    series = experiment.read_values(train_id, "image", tag, writer=writer)
    widths: list[int | None] = []
    heights: list[int | None] = []
    problems: dict[int, str] = {}
    for i in range(len(series.step)):
        try:
            width, height = _size(series, i)
        except DamagedValue as error:
            problems[i] = str(error)
            widths.append(None)
            heights.append(None)
        else:
            widths.append(width)
            heights.append(height)
    return SeriesView(
        step=series.step,
        wall_time=series.wall_time,
        columns={"width": widths, "height": heights},
        epoch=series.epoch,
        problems=problems,
    )


def read_image(
    experiment: Experiment, train_id: str, tag: str, step: int, sample: int = 0
) -> EncodedImage:
    """One image of a series: sample number `sample` at `step`, or at the newest step for -1.

    Raises TrainJobNotFound, TagNotFound, StepNotFound (also for a sample that is not there),
    DamagedValue.
    """
    series = experiment.read_values(train_id, "image", tag)
    row = len(series.step) - 1 if step == NEWEST else int(np.searchsorted(series.step, step))
    if not 0 <= row < len(series.step) or step not in (NEWEST, series.step[row]):
        raise StepNotFound(tag, step)
    image = _image(series, row)
    if not 0 <= sample < len(image.encoded):
        raise StepNotFound(tag, step)
    content = image.encoded[sample]
    return EncodedImage(content, mimetype(content))


def _size(series: ValueTimeSeries, row: int) -> tuple[int, int]:
    if series.read_size is not None:
        try:
            return series.read_size(row)
        except DamagedValue:
            # The header may lie further back, behind a camera's notes and thumbnail.
            pass
    image = _image(series, row)
    return image.width, image.height


def _image(series: ValueTimeSeries, row: int) -> Image:
    value = series.read(row)
    if not isinstance(value, Image):
        raise DamagedValue("The value is not an image.")
    return value


PLUGIN = Plugin("image", "/image", DataClass.BLOB_SEQUENCE, view)
