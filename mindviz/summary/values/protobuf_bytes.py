"""Protobuf messages in bytes, whoever made them."""

from __future__ import annotations

from mindviz.errors import InvalidValue


def message_name(value: object) -> str:
    """What a message is called, without its package; empty if it is none, such as bytes."""
    return str(getattr(getattr(value, "DESCRIPTOR", None), "name", ""))


def serialized(value: object, what: str, wanted: str | None = None) -> bytes:
    """A message, ours or a framework's, on the wire; bytes as they are.

    Raises InvalidValue if it is something else, or not the `wanted` message.
    """
    serialize = getattr(value, "SerializeToString", None)
    content = value if serialize is None else serialize()
    if not isinstance(content, bytes) or (wanted and message_name(value) not in {"", wanted}):
        raise InvalidValue(
            f"{what} is no {wanted or 'protobuf'} message, but of type {type(value).__name__}."
        )
    return content
