from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import sys
import mindviz.summary
from mindviz.summary.writing import tensorboard_encoders
assert "google.protobuf" not in sys.modules
tensorboard_encoders.encoder().version_event(0.0)
assert tensorboard_encoders.plugin_encoder().hparams_session_end()
assert "google.protobuf" in sys.modules
"""


def test_protobuf_is_imported_with_the_first_value_in_tensorboards_format() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)
