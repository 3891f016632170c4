"""Decodes the Image message, which has the same fields in all formats."""

from __future__ import annotations

from mindviz.datavisual.payloads.encoded_image import pixel_size
from mindviz.datavisual.series.time_series import Image
from mindviz.wire.fields import Message


def message_image(value: bytes) -> Image:
    """Height 1, width 2, encoded image 4. Raises DamagedValue."""
    return Image(*message_image_size(value), (bytes(Message(value).bytes(4)),))


def message_image_size(head: bytes) -> tuple[int, int]:
    """Width and height, if missing those of the encoded image, from the first bytes of the message.

    Raises DamagedValue.
    """
    image = Message(head, cut_off=True)
    width, height = image.integer(2), image.integer(1)
    return (width, height) if width > 0 and height > 0 else pixel_size(bytes(image.bytes(4)))
