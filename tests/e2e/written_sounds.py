"""Writes a job with a labeled clip, for the browser tests.

python -m tests.e2e.written_sounds DIRECTORY
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.sounds import wav
from tests.written_logs import write


def write_sound(directory: Path) -> None:
    """At step 1 tag `bell`, a clip and its label, and `chord`, clips of one and two seconds."""
    clip = [wav(np.zeros(800, np.int16)), b"rung *twice*"]
    bell = tensorboard.strings_tensor("bell", clip, (1, 2), plugin_name="audio")
    seconds = [wav(np.zeros(8000 * n, np.int16)) for n in (1, 2)]
    chord = tensorboard.strings_tensor("chord", seconds, (2,), plugin_name="audio")
    events = [tensorboard.version_event(1.7e9), tensorboard.event(1.7e9, 1, [bell, chord])]
    write(directory, "events.out.tfevents.1700000000.host", frames(events, Framing.TFRECORD))


if __name__ == "__main__":
    write_sound(Path(sys.argv[1]))
