"""Runs MindInsight and mindviz on one base dir and sends requests to both."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]
PATIENCE = 60.0
"""Seconds until a wait is given up."""
POLLED_EVERY = 0.2
AUTOMATICALLY_LOADED = 15
"""Jobs that MindInsight loads by itself."""

Query = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True, slots=True)
class Question:
    """One request, below `/v1/mindinsight`."""

    route: str
    query: Query = field(default_factory=dict)
    body: bytes | None = None
    method: str = "GET"

    def __str__(self) -> str:
        query = urllib.parse.urlencode(self.query, doseq=True, safe="./:[],")
        body = (self.body or b"").decode("utf-8", "replace")
        return f"{self.method} {self.route}{query and '?' + query} {body}".rstrip()


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered."""

    status: int
    content_type: str
    content: Any
    """Decoded JSON, or bytes."""


def get(route: str, **query: str | Sequence[str]) -> Question:
    """A GET."""
    return Question(route, query)


def post(route: str, body: Any, method: str = "POST", **query: str) -> Question:
    """A body of JSON, or of these bytes."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Question(route, query, data, method)


class Server:
    """One of the two."""

    def __init__(self, name: str, port: int) -> None:
        self.name = name
        self.url = f"http://127.0.0.1:{port}/v1/mindinsight"

    def ask(self, question: Question) -> Answer:
        """The answer, errors included. Raises OSError if there is none."""
        query = urllib.parse.urlencode(question.query, doseq=True)
        request = urllib.request.Request(
            f"{self.url}{question.route}{query and '?' + query}",
            data=question.body,
            method=question.method,
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as response:
                return _answer(response.status, response)
        except urllib.error.HTTPError as error:
            with error:
                return _answer(error.code, error)

    def content(self, route: str, **query: str | Sequence[str]) -> Any:
        """Of an answer that has to be there."""
        question = get(route, **query)
        answer = self.ask(question)
        assert answer.status == 200, (self.name, str(question), answer)
        return answer.content

    def train_jobs(self) -> list[dict[str, Any]]:
        """All that it lists at most."""
        found: list[dict[str, Any]] = self.content("/datavisual/train-jobs", limit="999")[
            "train_jobs"
        ]
        return found

    def wait_until_listed(self) -> None:
        """Return once the list of jobs is complete and nothing is being loaded."""

        def is_listed() -> bool:
            answer = self.ask(get("/datavisual/train-jobs", limit="999"))
            # MindInsight keeps waiting for the rest of a truncated file.
            return answer.content.get("load_status") == "loaded" and not any(
                job["cache_status"] == "CACHING" and job["is_integrity"]
                for job in answer.content["train_jobs"]
            )

        wait_for(is_listed, f"{self.name} has listed its jobs")

    def wait_until_loaded(self) -> None:
        """Return once every job with something to load is loaded."""
        self.wait_until_listed()
        for job in self.train_jobs():
            has_values = job["summary_files"] + job["graph_files"]
            if has_values and job["cache_status"] == "NOT_IN_CACHE":
                query = {"train_id": job["train_id"], "manual_update": "true"}
                self.content("/datavisual/plugins", **query)
                self.wait_until_listed()


@dataclass(frozen=True, slots=True)
class Pair:
    """Both, on the same base dir."""

    theirs: Server
    ours: Server


@contextmanager
def both(base_dir: Path, workspace: Path) -> Iterator[Pair]:
    """Start both, wait until both have read the base dir, and stop them at the end.

    They read the base dir once: in MindInsight, a job that is read again is CACHING for a while.
    """
    port = free_port()
    options = ["--summary-base-dir", str(base_dir), "--reload-interval", "0"]
    mindinsight = mindinsight_program()
    environment = {**os.environ, "PATH": f"{mindinsight.parent}:{os.environ['PATH']}"}
    environment.pop("PYTHONPATH", None)
    theirs = [*options, "--port", str(port), "--workspace", str(workspace / "mindinsight")]
    subprocess.run(
        [str(mindinsight), "start", *theirs],
        check=True,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    try:
        own_port = free_port()
        command = [sys.executable, "-m", "mindviz", "start", *options, "--port", str(own_port)]
        command += ["--workspace", str(workspace / "mindviz")]
        with (workspace / "mindviz.log").open("wb") as output:
            process = subprocess.Popen(command, cwd=CHECKOUT, stdout=output, stderr=output)
        try:
            pair = Pair(Server("MindInsight", port), Server("mindviz", own_port))
            for server in (pair.theirs, pair.ours):
                wait_for(lambda server=server: is_up(server), f"{server.name} answers")  # type: ignore[misc]
            yield pair
        finally:
            process.terminate()
            process.wait()
    finally:
        stop = [str(mindinsight), "stop", "--port", str(port)]
        subprocess.run(stop, check=False, env=environment, stdout=subprocess.DEVNULL)


def mindinsight_program() -> Path:
    """In the peers' environment, whose interpreter environments.py prints."""
    return Path(os.environ["MINDVIZ_PEER_PYTHON"]).parent / "mindinsight"


def is_up(server: Server) -> bool:
    """Whether it answers at all."""
    try:
        server.ask(get("/ui-config"))
    except OSError:
        return False
    return True


def free_port() -> int:
    """A free port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_for(is_done: Callable[[], bool], what: str) -> None:
    """Ask again and again. Raises TimeoutError."""
    deadline = time.monotonic() + PATIENCE
    while not is_done():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {PATIENCE:.0f} s in vain until {what}")
        time.sleep(POLLED_EVERY)


def _answer(status: int, response: Any) -> Answer:
    content_type = response.headers.get("Content-Type", "")
    content = response.read()
    if content and content_type.startswith("application/json"):
        content = json.loads(content)
    return Answer(status, content_type, content)
