"""MindInsight 2.3.1 and mindviz answer the same about graphs. Runs on the old Python it needs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from mindinsight_graphs import (  # type: ignore[import-not-found]
    SEARCHES,
    ask,
    found_scopes,
    questions,
    without_deliberate_differences,
    without_hits_below,
)

CHECKOUT = Path(__file__).parents[2]
SAMPLES = CHECKOUT.parent / "shared" / "samples" / "mindspore"
EXAMPLES = (
    *("aggregated", "aggregated_few_parameters", "attributes", "bypassed", "lifted"),
    *("names", "optimized", "order", "types"),
)
WAIT_SECONDS = 60

Servers = tuple[str, str]
"""MindInsight's and ours: where the contract's routes are."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_for(is_done: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_done():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)


def answers(server: str) -> bool:
    try:
        urllib.request.urlopen(f"{server}/datavisual/train-jobs").close()
    except urllib.error.HTTPError:
        return False
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Servers]]:
    mindinsight = Path(sys.executable).parent / "mindinsight"
    python = os.environ["MINDVIZ_PYTHON"]
    environment = {**os.environ, "PATH": f"{mindinsight.parent}:{os.environ['PATH']}"}
    stops: list[Callable[[], object]] = []

    def start(base_dir: Path) -> Servers:
        workspace = tmp_path_factory.mktemp("workspace")
        options = ["--summary-base-dir", str(base_dir), "--workspace", str(workspace)]
        theirs, ours = free_port(), free_port()
        subprocess.run(
            [str(mindinsight), "start", *options, "--port", str(theirs)],
            check=True,
            env={k: v for k, v in environment.items() if k != "PYTHONPATH"},
        )
        stops.append(
            lambda: subprocess.run(
                [str(mindinsight), "stop", "--port", str(theirs)], check=False, env=environment
            )
        )
        process = subprocess.Popen(
            [python, "-m", "mindviz", "start", *options, "--port", str(ours)], cwd=CHECKOUT
        )
        stops.append(process.terminate)
        servers = (
            f"http://127.0.0.1:{theirs}/v1/mindinsight",
            f"http://127.0.0.1:{ours}/v1/mindinsight",
        )
        for server in servers:
            wait_for(lambda server=server: answers(server), f"{server} does not answer")  # type: ignore[misc]
        return servers

    yield start
    for stop in stops:
        stop()


def load(servers: Servers, train_id: str) -> None:
    """Have the job loaded by both."""
    for server in servers:
        query = {"train_id": train_id, "manual_update": "true"}

        def is_loaded(server: str = server, query: dict[str, str] = query) -> bool:
            found = ask(server, ("plugins", query)).get("plugins", {})
            return bool(found.get("graph"))

        wait_for(is_loaded, f"{server} has no graphs of {train_id}")


def differences(servers: Servers, train_id: str) -> list[Any]:
    load(servers, train_id)
    different = []
    for question in questions(servers[0], train_id):
        theirs, ours = (ask(server, question) for server in servers)
        ours = without_deliberate_differences(ours)
        text = question[1].get("search")
        if text and "nodes" in ours and "nodes" in theirs:
            found = found_scopes(ours["nodes"], text)
            theirs, ours = (without_hits_below(one["nodes"], found) for one in (theirs, ours))
        if theirs != ours:
            different.append((question, theirs, ours))
    return different


@pytest.fixture(scope="module")
def examples(serve: Callable[[Path], Servers], tmp_path_factory: pytest.TempPathFactory) -> Servers:
    base_dir = tmp_path_factory.mktemp("graphs") / "base"
    command = [os.environ["MINDVIZ_PYTHON"], "-m", "tests.mindspore_graphs", str(base_dir)]
    subprocess.run(command, check=True, cwd=CHECKOUT)
    return serve(base_dir)


@pytest.mark.parametrize("name", EXAMPLES)
def test_small_graphs_are_equal(examples: Servers, name: str) -> None:
    assert differences(examples, f"./{name}") == []


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample logs are not here")
def test_the_graphs_of_the_samples_are_equal(serve: Callable[[Path], Servers]) -> None:
    servers = serve(SAMPLES)
    jobs = sorted(path.name for path in SAMPLES.iterdir() if path.name.startswith("lenet"))
    assert jobs
    assert SEARCHES
    assert [one for job in jobs for one in differences(servers, f"./{job}")] == []
