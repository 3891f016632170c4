from __future__ import annotations

import pytest

from mindviz.datavisual.data_transform.time_series import Image
from mindviz.datavisual.plugins.image import pixels, read_image, view
from mindviz.errors import DamagedValue, StepNotFound, TagNotFound
from tests.experiment_fake import FakeExperiment
from tests.golden.write_golden import PNG

JPEG = b"\xff\xd8\xff\xe0 and so on"


@pytest.fixture
def experiment() -> FakeExperiment:
    experiment = FakeExperiment()
    images = [Image(3, 2, (PNG,)), Image(640, 480, (JPEG, b"what is this")), Image(3, 2, (PNG,))]
    experiment.add("./a").add_values("image", "input", [0, 10, 20], images)
    return experiment


def test_the_view_gives_the_size_at_every_step(experiment: FakeExperiment) -> None:
    seen = view(experiment, "./a", "input").whole()
    assert seen.step.tolist() == [0, 10, 20]
    assert list(seen.columns["width"]) == [3, 640, 3]
    assert list(seen.columns["height"]) == [2, 480, 2]
    assert not seen.problems


def test_an_image_is_found_by_its_step(experiment: FakeExperiment) -> None:
    image = read_image(experiment, "./a", "input", 10)
    assert (image.content, image.mimetype) == (JPEG, "image/jpeg")
    assert read_image(experiment, "./a", "input", 0).mimetype == "image/png"


def test_minus_one_is_the_newest_step(experiment: FakeExperiment) -> None:
    experiment.jobs["./a"].add_values("image", "last", [4, 7], [Image(1, 1, (JPEG,))] * 2)
    assert read_image(experiment, "./a", "last", -1).content == JPEG


def test_of_several_images_at_one_step_each_can_be_had(experiment: FakeExperiment) -> None:
    image = read_image(experiment, "./a", "input", 10, sample=1)
    assert image.mimetype == "application/octet-stream"


@pytest.mark.parametrize(("step", "sample"), [(5, 0), (21, 0), (-2, 0), (10, 2), (10, -1)])
def test_a_step_or_sample_that_is_not_there_is_not_found(
    experiment: FakeExperiment, step: int, sample: int
) -> None:
    with pytest.raises(StepNotFound):
        read_image(experiment, "./a", "input", step, sample)


def test_an_empty_series_has_no_newest_image(experiment: FakeExperiment) -> None:
    experiment.jobs["./a"].add_values("image", "none", [], [])
    with pytest.raises(StepNotFound):
        read_image(experiment, "./a", "none", -1)


def test_an_unknown_tag_is_not_found(experiment: FakeExperiment) -> None:
    with pytest.raises(TagNotFound):
        read_image(experiment, "./a", "output", 0)


def test_a_damaged_image_is_named_and_the_others_are_shown(experiment: FakeExperiment) -> None:
    experiment.jobs["./a"].values["image", "input"].damaged.add(1)
    with pytest.raises(DamagedValue):
        read_image(experiment, "./a", "input", 10)
    seen = view(experiment, "./a", "input").whole()
    assert list(seen.columns["width"]) == [3, None, 3]
    assert list(seen.problems) == [1]


def test_what_is_no_image_is_said_in_the_same_words_every_time() -> None:
    experiment = FakeExperiment()
    cut = Image(2, 1, (PNG[:29],))
    experiment.add("./a").add_values("image", "cut", [1], [cut])
    seen = pixels(experiment, "./a", "cut", None).whole()
    assert seen.problems == {0: "The image cannot be decoded."}
