"""Load a logdir as VisualDL's server does at startup; prints [seconds, peak RSS] as JSON."""

import json
import resource
import sys
import time


def main() -> None:
    """VisualDL's server creates such a LogReader before it responds."""
    from visualdl import LogReader  # noqa: PLC0415  only in its environment

    started = time.perf_counter()
    reader = LogReader(sys.argv[1])
    seconds = time.perf_counter() - started
    if "scalar" not in reader.components():
        raise SystemExit("VisualDL loaded nothing.")
    print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024]))


if __name__ == "__main__":
    main()
