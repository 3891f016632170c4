"""Decodes the display options in a mesh's metadata. Source: mesh/plugin_data.proto."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mindviz.wire.fields import Message


def mesh_config(content: bytes) -> Mapping[str, Any]:
    """The JSON object of a MeshPluginData (json_config 5): camera, material; may be empty."""
    import orjson  # noqa: PLC0415 -- `mindviz start` must not wait for it

    try:
        config = json.loads(bytes(Message(content).bytes(5)) or b"{}")
        # Also refuses integers over 64 bits, lone surrogates and depths that answers cannot hold.
        orjson.dumps(config)
    except (ValueError, TypeError, RecursionError):
        return {}
    return config if isinstance(config, dict) else {}
