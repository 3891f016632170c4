"""All scalars of a logdir as numpy columns, with TensorBoard's EventAccumulator: logdir."""

import sys
from pathlib import Path

import numpy as np


def main() -> None:
    """As in notebooks: run by run, tag by tag."""
    from tensorboard.backend.event_processing.event_accumulator import (  # noqa: PLC0415
        EventAccumulator,
    )

    base = Path(sys.argv[1])
    points = 0
    for run in sorted({path.parent for path in base.rglob("*tfevents*")}):
        events = EventAccumulator(str(run), size_guidance={"scalars": 0})
        events.Reload()
        for tag in events.Tags()["scalars"]:
            series = events.Scalars(tag)
            step = np.array([point.step for point in series])
            value = np.array([point.value for point in series])
            points += min(len(step), len(value))
    print(points)


if __name__ == "__main__":
    main()
