"""Lineage: tables of 999 and of 10,000 jobs, from mindviz and MindInsight on the same files.

    python benchmarks/lineage.py [--repeats N]

MindInsight shows at most 999 jobs; 10,000 are for mindviz only. Each job has a lineage file
(dataset graph, info, training, evaluation) and a summary file with a few scalars. A start ends with
the first response that contains the lineage of all jobs; then requests are measured alternately.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from comparison import Row, at_most, median, progress, report, spread
from generated_logs import CACHE, recorded, warm
from peers import mindviz_command, patience, peer_python, serving, workspace
from questions import connect, free_port

from mindviz.summary import EvalLineage, TrainLineage

MINDINSIGHT = "MindInsight 2.3.1"
STARTED = 1_700_000_000
ASKED_EVERY = 0.1
"""Seconds. More frequent requests would distort the measurement."""
QUESTIONS: dict[str, dict[str, Any]] = {
    "page": {"limit": 10, "offset": 0},
    "page, sorted": {"limit": 10, "sorted_name": "metric/accuracy", "sorted_type": "descending"},
    "page, filtered and sorted": {
        "learning_rate": {"ge": 0.001, "lt": 0.1},
        "optimizer": {"in": ["Adam", "SGD"]},
        "user_defined/seed": {"gt": 3},
        "sorted_name": "loss",
        "sorted_type": "ascending",
        "limit": 50,
        "offset": 1,
    },
}
OURS_ALONE: dict[str, dict[str, Any]] = {
    "page, sorted by a scalar": {"limit": 10, "sorted_name": "scalar/loss/last"},
    "every row": {},
}


def write_job(directory: Path, number: int, random: np.random.Generator) -> None:
    """One job; in a sweep, few settings differ."""
    rate = float(10 ** random.uniform(-4, 0))
    loss, accuracy = random.uniform(size=2).tolist()
    batch_size = 32 << number % 3
    mnist = {"op_type": "MnistDataset", "dataset_dir": "/data/mnist"}
    dataset = {"op_type": "BatchDataset", "batch_size": batch_size, "children": [mnist]}
    training = TrainLineage(
        optimizer=("Adam", "SGD", "Momentum")[number % 3],
        learning_rate=rate,
        loss_function="CrossEntropy",
        epoch=10,
        device_num=1,
        batch_size=batch_size,
        train_dataset_path="/data/mnist",
        train_dataset_size=60_000,
        network="LeNet5",
        loss=loss,
        model_size=242_000,
    )
    with recorded(directory, lambda: STARTED + number) as record:
        record.add_value("dataset_graph", "dataset", dataset)
        info = {"seed": number % 10, "team": f"team {number % 4}"}
        record.add_value("custom_lineage_data", "info", info)
        record.add_value("train_lineage", "training", training)
        record.add_value("eval_lineage", "evaluation", EvalLineage(metric={"accuracy": accuracy}))
        record.record(0)
        for step in range(1, 21):
            for tag in ("loss", "accuracy"):
                record.add_value("scalar", tag, float(random.uniform()))
            record.record(step)


def base_dir(jobs: int) -> Path:
    """This many jobs; written if missing."""
    directory = CACHE / "logs" / f"lineage-{jobs}"
    if not directory.is_dir():
        progress(f"writing {jobs} jobs")
        unfinished = directory.with_name(directory.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        random = np.random.default_rng(0)
        for number in range(jobs):
            write_job(unfinished / f"job_{number:05}", number, random)
        unfinished.rename(directory)
    return directory


def ask(connection: HTTPConnection, prefix: str, body: dict[str, Any]) -> bytes:
    """The response to one request. Raises OSError until the server responds."""
    headers = {"Content-Type": "application/json"}
    connection.request("POST", f"/v1/{prefix}/lineagemgr/lineages", orjson.dumps(body), headers)
    answer = connection.getresponse()
    found = answer.read()
    if answer.status != 200:
        raise ConnectionError(f"Status {answer.status}: {found[:200]!r}")
    return found


def seconds_to_first_answer(port: int) -> float:
    """The duration of the first page of lineages after the port responds."""
    connection = connect(port)
    for _ in patience():
        try:
            connection.request("GET", "/v1/mindviz/status")
            connection.getresponse().read()
            break
        except OSError:
            connection.close()
            time.sleep(0.01)
    started = time.perf_counter()
    ask(connection, "mindviz", {"limit": 10})
    connection.close()
    return time.perf_counter() - started


def wait_until_complete(port: int, prefix: str, jobs: int) -> tuple[float, float]:
    """Poll until all jobs are in the table: seconds until the first response and until then."""
    started = time.perf_counter()
    connection = connect(port)
    first = None
    for _ in patience():
        try:
            # A job's row appears before its lineage is read, which sets the epoch.
            body = {"epoch": {"gt": 0}, "limit": 10}
            count = orjson.loads(ask(connection, prefix, body))["count"]
            first = first or time.perf_counter() - started
            if count == jobs:
                return first, time.perf_counter() - started
        except OSError:
            connection.close()
        time.sleep(ASKED_EVERY)
    raise AssertionError("patience() raises before it ends")


def latencies(port: int, prefix: str, body: dict[str, Any], count: int) -> list[float]:
    """Seconds of each of `count` requests of one client."""
    connection = connect(port)
    ask(connection, prefix, body)
    seconds = []
    for _ in range(count):
        started = time.perf_counter()
        ask(connection, prefix, body)
        seconds.append(time.perf_counter() - started)
    connection.close()
    return seconds


def mindviz_starts(
    base: Path, jobs: int, repeats: int
) -> tuple[list[float], list[float], list[float]]:
    """Seconds from process start to the first and to the first complete response.

    Then, of separate starts, the duration of the first response after the port responds.
    """
    firsts, completes, alone = [], [], []
    for _ in range(repeats):
        warm(base)
        port = free_port()
        with workspace() as home, serving(mindviz_command(base, port, home)):
            first, complete = wait_until_complete(port, "mindviz", jobs)
        firsts.append(first)
        completes.append(complete)
        with workspace() as home, serving(mindviz_command(base, port, home)):
            alone.append(seconds_to_first_answer(port))
    return firsts, completes, alone


def mindinsight(action: str, port: int, *options: str) -> None:
    """Run one of MindInsight's commands, with its gunicorn on the PATH."""
    folder = Path(peer_python("mindinsight")).parent
    command = ["env", f"PATH={folder}:/usr/bin:/bin", str(folder / "mindinsight"), action]
    subprocess.run(
        [*command, "--port", str(port), *options], check=False, stdout=subprocess.DEVNULL
    )


def peer_latencies(base: Path, jobs: int, count: int) -> tuple[float, dict[str, list[float]]]:
    """MindInsight's seconds to the first complete response, and of each request."""
    port = free_port()
    with workspace() as home:
        started = time.perf_counter()
        try:
            mindinsight("start", port, "--summary-base-dir", str(base), "--workspace", str(home))
            wait_until_complete(port, "mindinsight", jobs)
            complete = time.perf_counter() - started
            found = {
                name: latencies(port, "mindinsight", body, count)
                for name, body in QUESTIONS.items()
            }
        finally:
            mindinsight("stop", port)
    return complete, found


def start_rows(
    jobs: int,
    firsts: Sequence[float],
    completes: Sequence[float],
    alone: Sequence[float],
    peer: float | None,
) -> list[Row]:
    """The figures of a start."""
    peer_name = MINDINSIGHT if peer is not None else "-"
    target, reached = ("", None) if jobs > 1000 else at_most(1, median(completes), "s")
    first_target, first_reached = at_most(0.2, median(alone), "s")
    return [
        Row(
            f"{jobs} jobs: first answer, once the port answers",
            "-",
            median(alone),
            None,
            "s",
            first_target,
            first_reached,
            spread(alone),
        ),
        Row(
            f"{jobs} jobs: start to an answer", "-", median(firsts), None, "s", note=spread(firsts)
        ),
        Row(
            f"{jobs} jobs: start to the complete table",
            peer_name,
            median(completes),
            peer,
            "s",
            target,
            reached,
            spread(completes),
        ),
    ]


def question_rows(
    base: Path, jobs: int, limit: float, count: int, peer: dict[str, list[float]]
) -> list[Row]:
    """The latency of each request, compared with the peer's if it has one."""
    rows = []
    port = free_port()
    with workspace() as home, serving(mindviz_command(base, port, home)):
        wait_until_complete(port, "mindviz", jobs)
        for name, body in (QUESTIONS | OURS_ALONE).items():
            own = latencies(port, "mindviz", body, count)
            theirs = peer.get(name)
            is_page = name in QUESTIONS
            target, reached = at_most(limit, median(own), "s") if is_page else ("", None)
            rows.append(
                Row(
                    f"{jobs} jobs: {name}",
                    MINDINSIGHT if theirs else "-",
                    median(own),
                    median(theirs) if theirs else None,
                    "s",
                    target,
                    reached,
                    spread(own),
                )
            )
    return rows


def measured(
    jobs: int, limit: float, repeats: int, peer: Callable[[Path], tuple[float, Any]] | None
) -> list[Row]:
    """All figures of a table with this many jobs."""
    base = base_dir(jobs)
    progress(f"lineage: {jobs} jobs, {repeats} starts")
    firsts, completes, alone = mindviz_starts(base, jobs, repeats)
    complete, answers = peer(base) if peer else (None, {})
    rows = start_rows(jobs, firsts, completes, alone, complete)
    return rows + question_rows(base, jobs, limit, 10 * repeats, answers)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    rows = measured(999, 0.02, repeats, lambda base: peer_latencies(base, 999, 2 * repeats))
    rows += measured(10_000, 0.2, repeats, None)
    report(rows)


if __name__ == "__main__":
    main()
