"""Write all scalars of a logdir as CSV, with TensorBoard's EventAccumulator: logdir, file."""

import csv
import sys
from pathlib import Path


def main() -> None:
    """As users do it, because TensorBoard has no command for it."""
    from tensorboard.backend.event_processing.event_accumulator import (  # noqa: PLC0415
        EventAccumulator,
    )

    base = Path(sys.argv[1])
    with Path(sys.argv[2]).open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(["run", "tag", "step", "wall_time", "value"])
        for run in sorted({path.parent for path in base.rglob("*tfevents*")}):
            events = EventAccumulator(str(run), size_guidance={"scalars": 0})
            events.Reload()
            name = str(run.relative_to(base))
            for tag in events.Tags()["scalars"]:
                for point in events.Scalars(tag):
                    lines.writerow([name, tag, point.step, point.wall_time, point.value])


if __name__ == "__main__":
    main()
