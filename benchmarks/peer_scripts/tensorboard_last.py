"""The runs with the largest last values of a scalar, with TensorBoard's EventAccumulator."""

import sys
from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def main() -> None:
    """Of the base dir and tag on the command line."""
    base, tag = sys.argv[1:]
    values = {}
    for directory in sorted({path.parent for path in Path(base).rglob("*tfevents*")}):
        events = EventAccumulator(str(directory))
        events.Reload()
        if tag in events.Tags()["scalars"]:
            values[directory] = events.Scalars(tag)[-1].value
    for directory in sorted(values, key=lambda directory: -values[directory])[:100]:
        print(directory, values[directory])


if __name__ == "__main__":
    main()
