"""Object stores: loading a log from a local S3 server, compared with the disk and with s3fs.

    python benchmarks/objects.py [--repeats N] [--copies N] [LOG]

Five copies of the default log are 1 GB in 200 objects. The server is moto's, in Python. s3fs, if
installed (`pip install s3fs`), only fetches the same bytes, all objects at once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from comparison import Row, at_most, median, progress, report, spread
from generated_logs import CACHE, log_directory, warm
from linked_copies import link_copies
from questions import free_port

from mindviz.config import Config
from mindviz.datavisual.logs.log_store import LogStore

_BUCKET = "bench"
_SIGNED = "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/s3/aws4_request, Signature=0"


def load(base_dir: Path | str) -> None:
    """Read all points."""
    store = LogStore(Config(base_dir, reload_interval=0, inotify=False))
    store.load_once()
    assert not store.status().problem_count


@contextmanager
def object_server() -> Iterator[str]:
    """The address of an empty server."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    address = f"http://127.0.0.1:{port}"
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            try:
                put(f"{address}/{_BUCKET}", b"")
                break
            except OSError:
                time.sleep(0.1)
        yield address
    finally:
        process.terminate()
        process.wait()


def fetch(address: str) -> None:
    """Only the bytes, by s3fs."""
    import s3fs  # noqa: PLC0415 - optional, and after the environment is set

    files = s3fs.S3FileSystem(endpoint_url=address, use_listings_cache=False)
    files.cat(files.find(f"{_BUCKET}/logs"))


def put(url: str, content: bytes) -> None:
    """Write an object or a bucket."""
    headers = {"Content-Type": "application/octet-stream", "Authorization": _SIGNED}
    request = urllib.request.Request(url, content, headers, method="PUT")
    with urllib.request.urlopen(request, timeout=60):
        pass


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("log", nargs="?", default="scalars")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--copies", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=CACHE) as scratch, object_server() as address:
        base = Path(scratch)
        link_copies(log_directory(options.log), options.copies, base)
        warm(base)
        os.environ.update(
            AWS_ENDPOINT_URL=address,
            AWS_ACCESS_KEY_ID="x",
            AWS_SECRET_ACCESS_KEY="x",
            AWS_DEFAULT_REGION="us-east-1",
        )
        for path in (path for path in base.rglob("*") if path.is_file()):
            put(f"{address}/{_BUCKET}/logs/{path.relative_to(base)}", path.read_bytes())
        measured: dict[str, Callable[[], None]] = {
            "disk": lambda: load(base),
            "S3": lambda: load(f"s3://{_BUCKET}/logs"),
        }
        if find_spec("s3fs"):
            measured["s3fs, bytes only"] = lambda: fetch(address)
        times: dict[str, list[float]] = {name: [] for name in measured}
        for turn in range(options.repeats + 1):
            progress(f"turn {turn}")
            for name, run in measured.items():
                started = time.perf_counter()
                run()
                if turn:
                    times[name].append(time.perf_counter() - started)
    peer = "s3fs, bytes only"
    disk, objects = median(times["disk"]), median(times["S3"])
    theirs = median(times[peer]) if peer in times else None
    slower, reached = at_most(3 * disk, objects, "s")
    what = f"logs in {options.copies * 40} objects"
    report(
        [
            Row(f"{what}: from disk", "", disk, None, "s", note=spread(times["disk"])),
            Row(
                f"{what}: from S3", peer, objects, theirs, "s", slower, reached, spread(times["S3"])
            ),
        ]
    )


if __name__ == "__main__":
    main()
