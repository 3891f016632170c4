from __future__ import annotations

import pytest

from mindviz.errors import InvalidValue
from mindviz.summary.writing.recorded_step import describe


def test_a_description_has_the_kind_and_the_tag() -> None:
    assert describe("image", "input") == "image 'input'"


@pytest.mark.parametrize("tag", [None, 1, b"input"])
def test_a_tag_must_be_a_string(tag: object) -> None:
    with pytest.raises(InvalidValue, match="The tag of a image is"):
        describe("image", tag)
