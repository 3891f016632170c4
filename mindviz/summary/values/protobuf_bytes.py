"""Serializes protobuf messages of any package."""

from __future__ import annotations

from mindviz.errors import InvalidValue


def message_name(value: object) -> str:
    """The name of a message without its package; empty for other values."""
    return str(getattr(getattr(value, "DESCRIPTOR", None), "name", ""))


def serialized(value: object, what: str, wanted: str | None = None) -> bytes:
    """A message as bytes; bytes unchanged.

    Raises InvalidValue for other values, or if the message is not a `wanted` one.
    """
    serialize = getattr(value, "SerializeToString", None)
    content = value if serialize is None else serialize()
    if not isinstance(content, bytes) or (wanted and message_name(value) not in {"", wanted}):
        raise InvalidValue(
            f"{what} must be a {wanted or 'protobuf'} message, not {type(value).__name__}."
        )
    return content
