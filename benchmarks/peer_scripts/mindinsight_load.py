"""Load a base dir with MindInsight's own loader; prints [seconds, peak RSS] as JSON."""

import json
import os
import resource
import sys
import tempfile
import time


def main() -> None:
    """As `mindinsight start` in the background, but synchronous."""
    os.environ["MINDINSIGHT_WORKSPACE"] = tempfile.mkdtemp()
    os.environ["MINDINSIGHT_SUMMARY_BASE_DIR"] = sys.argv[1]
    from mindinsight.datavisual.data_transform.data_manager import DataManager  # noqa: PLC0415  needs the settings above

    manager = DataManager(sys.argv[1])
    started = time.perf_counter()
    detail, _ = manager.start_load_data(reload_interval=0)
    detail.join()
    seconds = time.perf_counter() - started
    tags = manager.get_train_job_by_plugin("./run0", "scalar")["tags"]
    if not tags:
        raise SystemExit("MindInsight loaded nothing.")
    usage = (
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(json.dumps([seconds, sum(usage) * 1024]))


if __name__ == "__main__":
    main()
