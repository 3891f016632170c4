"""Writes a job that has nothing but a text, for the browser tests.

python -m tests.e2e.written_texts DIRECTORY [TAG]
"""

from __future__ import annotations

import sys
from pathlib import Path

from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.written_logs import write


def write_text(directory: Path, notes: str = "notes") -> None:
    """Tag `notes`, or another, at step 1, and the empty tag `silence`."""
    texts = [
        tensorboard.strings_tensor(tag, [text], (), plugin_name="text")
        for tag, text in ((notes, b"all is well"), ("silence", b""))
    ]
    events = [tensorboard.version_event(1.7e9), tensorboard.event(1.7e9, 1, texts)]
    write(directory, "events.out.tfevents.1700000001.texts", frames(events, Framing.TFRECORD))


if __name__ == "__main__":
    write_text(Path(sys.argv[1]), *sys.argv[2:])
