"""Writes tensors of strings and of numbers, for the browser tests.

python -m tests.e2e.written_strings DIRECTORY

Run `strings` has the tensors `words` and `numbers`, and a histogram with a long tag.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from mindviz.summary import SummaryRecord
from mindviz.wire import encode_tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.written_logs import write

START = 1_700_000_000
LONG = "encoder/layers/11/batch_norm/module/with_a_long_name/running_mean"


def write_strings(directory: Path) -> None:
    """One step of each."""
    tensors = [
        encode_tensorboard.strings_tensor("words", [b"a", b"b"], (2,)),
        encode_tensorboard.tensor("numbers", np.arange(6.0)),
    ]
    events = [encode_tensorboard.version_event(START), encode_tensorboard.event(START, 0, tensors)]
    write(directory, f"events.out.tfevents.{START}.host", frames(events, Framing.TFRECORD))


def write_long_tag(directory: Path) -> None:
    """A histogram."""
    with SummaryRecord(str(directory)) as record:
        record.add_value("histogram", LONG, np.arange(100.0))
        record.record(0)


if __name__ == "__main__":
    write_strings(Path(sys.argv[1]) / "strings")
    write_long_tag(Path(sys.argv[1]) / "long")
