"""A server over made-up jobs for trying the UI; one job grows.

Run `python -m tests.fake_server --port 8080`.
"""

from __future__ import annotations

import argparse
import math
import threading
import time
import zlib
from pathlib import Path

import numpy as np

from mindviz.datavisual.series.columns import Float64s
from tests.store_fake import START, FakeStore


def demo_store(jobs: int = 12, points: int = 5000) -> FakeStore:
    """Made-up jobs with noisy losses and accuracies."""
    store = FakeStore("/data/summaries")
    steps = range(points)
    for number in range(jobs):
        job = store.add(f"./sweep/lr_{number:02}")
        job.update_time = START + number
        random = np.random.default_rng(zlib.crc32(job.train_id.encode()))
        axis: Float64s = np.linspace(0, 6, points)
        for tag in ("loss/train", "loss/valid", "accuracy/top1", "lr"):
            noise = random.normal(0, 0.05, points)
            job.append(tag, steps, (np.exp(-axis * (1 + number / 10)) + noise).tolist())
    return store


def main() -> None:
    """Serve the made-up jobs; the first one grows by a point per second."""
    from mindviz.backend.app import create_app
    from mindviz.config import Config

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8080)
    port = parser.parse_args().port
    store = demo_store()
    growing = next(iter(store.jobs.values()))

    def grow() -> None:
        while True:
            time.sleep(1)
            for tag, series in list(growing.scalars.items()):
                growing.append(tag, [series.step[-1] + 1], [math.sin(time.time())], time.time())
            growing.update_time = time.time()

    threading.Thread(target=grow, daemon=True).start()
    app = create_app(Config(Path(store.summary_base_dir), port=port), store)
    app.run("127.0.0.1", port, threaded=True)


if __name__ == "__main__":
    main()
