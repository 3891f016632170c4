"""TensorBoard's encoders, imported on first use because they import protobuf."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def encoder() -> Any:
    """`mindviz.wire.encode_tensorboard`."""
    return import_module("mindviz.wire.encode_tensorboard")


def plugin_encoder() -> Any:
    """`mindviz.wire.encode_tensorboard_plugins`."""
    return import_module("mindviz.wire.encode_tensorboard_plugins")
