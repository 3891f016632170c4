from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindviz.datavisual.payloads.mesh_message import mesh_config
from mindviz.datavisual.plugins import mesh
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_tensorboard_plugins as plugins
from mindviz.wire.encode import delimited, frames, varint_field
from mindviz.wire.framing import Framing
from tests.written_logs import loaded, write


def test_the_camera_of_a_log_is_shown(tmp_path: Path) -> None:
    config = {"camera": {"cls": "PerspectiveCamera", "fov": 75}}
    points = np.zeros((1, 4, 3), np.float32)
    values = plugins.mesh("m", points, None, None, config)
    event = tensorboard.event(1.0, 1, values)
    write(tmp_path, "tfevents.1", frames([event], Framing.TFRECORD))
    assert mesh.view(loaded(tmp_path), "./", "m").whole().details == {"config": config}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        varint_field(1, 0),
        delimited(5, b"{"),
        delimited(5, b"[1]"),
        b"\xff",
        delimited(5, b"[" * 9999),
        delimited(5, b'{"a":' * 500 + b"1" + b"}" * 500),
        delimited(5, b'{"a": 18446744073709551616}'),
        delimited(5, b'{"a": "\\ud800"}'),
    ],
)
def test_an_empty_message_is_an_empty_mesh(content: bytes) -> None:
    assert mesh_config(content) == {}
