from __future__ import annotations

import pytest

from mindviz.datavisual.payloads.encoded_image import PNG
from mindviz.datavisual.payloads.image_message import message_image, message_image_size
from mindviz.errors import DamagedValue
from mindviz.wire.encode import delimited, varint_field

ENCODED = PNG + bytes([0, 0, 0, 13]) + b"IHDR" + bytes([0, 0, 0, 3, 0, 0, 0, 2])


def test_the_size_is_the_messages_or_the_encoded_images() -> None:
    sized = varint_field(1, 5) + varint_field(2, 7) + delimited(4, ENCODED)
    assert message_image_size(sized) == (7, 5)
    image = message_image(delimited(4, ENCODED))
    assert (image.width, image.height, image.encoded) == (3, 2, (ENCODED,))


def test_a_message_that_is_cut_off_has_a_size_but_is_no_image() -> None:
    head = delimited(4, ENCODED + bytes(100))[:-50]
    assert message_image_size(head) == (3, 2)
    with pytest.raises(DamagedValue, match="cut off"):
        message_image(head)
