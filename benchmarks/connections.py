"""Connections: mixed requests from many keep-alive clients at once, by HTTP server.

    python benchmarks/connections.py [--repeats N] [--servers NAME ...]

Each client sends its next request right after a response: a series, a series of 40 jobs, Arrow,
windows, listings, status, lineage, the page. The peer is the same application behind another
server, which decides how mindviz is served.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import quote

import numpy as np
from comparison import Row, median, progress, report, spread, turn_by_turn
from generated_logs import log_directory, tag_name, warm
from peers import cpu_seconds, mindviz_command, peer_python, serving, workspace
from questions import free_port, questions, wait_until_complete

POINTS, TAGS = 5000, 20
CLIENTS = (2, 10, 50, 200)
SERVERS = (
    *("waitress", "waitress-tuned", "gunicorn", "granian", "granian-embedded"),
    *("cheroot", "hypercorn"),
)
"""Of `peer_scripts/other_servers.py`."""
LEAST_RATE, MOST_SECONDS = 500, 1.0
"""Target for 200 clients: requests per second, and 99th percentile."""
API = "/v1/mindviz"
SCALARS = f"{API}/datavisual/scalars"


@dataclass(frozen=True, slots=True)
class Server:
    """A local address."""

    port: int
    pid: int


@dataclass(frozen=True, slots=True)
class Crowd:
    """The measurements of many clients."""

    rate: float
    """Requests per second."""
    p99: float
    """Seconds."""
    cpu: float
    """The server's CPU seconds per request, which are stable on a busy machine."""


def mix(train_ids: Sequence[str], choice: random.Random) -> str:
    """The target of one request."""
    job = f"train_id={quote(choice.choice(train_ids))}"
    tag = f"tag={tag_name(choice.randrange(TAGS)).decode()}/scalar"
    jobs = "&".join(f"train_id={quote(name)}" for name in train_ids[:40])
    return choice.choices(
        [
            f"{SCALARS}?{job}&{tag}&format=columns",
            f"{SCALARS}?{jobs}&{tag}&format=columns&max_points={choice.choice((200, 500, 1000))}",
            f"{SCALARS}?{job}&{tag}&format=arrow&smoothing=ema:0.{choice.randrange(10)}",
            f"{SCALARS}?{job}&{tag}&start_step={choice.randrange(4000)}&max_points=300",
            f"{API}/status",
            f"{API}/datavisual/train-job-columns",
            f"{API}/datavisual/train-jobs?limit=20",
            f"{API}/lineagemgr/lineage-columns",
            "/",
        ],
        (35, 10, 10, 7, 14, 6, 5, 8, 5),
    )[0]


def measure(server: Server, train_ids: Sequence[str], clients: int, seconds: float) -> Crowd:
    """The measurements of `clients` clients. Raises ConnectionError for any other status."""
    choice = random.Random(1)
    took: list[float] = []

    async def ask(end: float) -> None:
        reader, writer = await connect(server)
        while (started := time.perf_counter()) < end:
            target = mix(train_ids, choice)
            try:
                writer.write(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                await read_answer(reader)
            except (ConnectionResetError, asyncio.IncompleteReadError):
                # Some servers close connections between requests under load.
                reader, writer = await connect(server)
                continue
            took.append(time.perf_counter() - started)
        writer.close()

    async def ask_all() -> None:
        end = time.perf_counter() + seconds
        await asyncio.gather(*(ask(end) for _ in range(clients)))

    started, used = time.perf_counter(), cpu_seconds(server.pid)
    asyncio.run(ask_all())
    rate = len(took) / (time.perf_counter() - started)
    used = cpu_seconds(server.pid) - used
    return Crowd(rate, float(np.percentile(took, 99)), used / len(took))


async def connect(server: Server) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A keep-alive connection."""
    return await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 22)


async def read_answer(reader: asyncio.StreamReader) -> None:
    """One response, with a length or in chunks."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if b" 200 " not in head.split(b"\r\n")[0]:
        raise ConnectionError(head.decode())
    _, found, length = head.partition(b"\r\ncontent-length:")
    if found:
        await reader.readexactly(int(length.split(b"\r\n")[0]))
        return
    size = 1
    while size:
        size = int(await reader.readline(), 16)
        await reader.readexactly(size + 2)


def rows(
    clients: int, name: str, ours: Callable[[], Crowd], theirs: Callable[[], Crowd], repeats: int
) -> list[Row]:
    """Requests per second, 99th percentile and CPU time, measured alternately."""
    progress(f"{clients} clients, {repeats} turns with {name}")
    own, peer = turn_by_turn(ours, theirs, repeats)
    rates, peer_rates = ([crowd.rate for crowd in side] for side in (own, peer))
    worst, peer_worst = ([crowd.p99 for crowd in side] for side in (own, peer))
    used, peer_used = ([crowd.cpu for crowd in side] for side in (own, peer))
    is_aim = clients == max(CLIENTS)
    return [
        Row(
            f"a request, {clients} clients: of all time",
            name,
            1 / median(rates),
            1 / median(peer_rates),
            "s",
            f">= {LEAST_RATE}/s" if is_aim else "",
            median(rates) >= LEAST_RATE if is_aim else None,
            f"{spread(rates)} a second against {spread(peer_rates)}",
        ),
        Row(
            f"a request, {clients} clients: p99",
            name,
            median(worst),
            median(peer_worst),
            "s",
            f"<= {MOST_SECONDS:g} s" if is_aim else "",
            median(worst) <= MOST_SECONDS if is_aim else None,
            f"{spread(worst)} s against {spread(peer_worst)} s",
        ),
        Row(f"a request, {clients} clients: CPU", name, median(used), median(peer_used), "s"),
    ]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each turn")
    parser.add_argument("--servers", nargs="+", choices=SERVERS, default=["waitress"])
    parser.add_argument("--clients", nargs="+", type=int, default=CLIENTS, metavar="N")
    options = parser.parse_args()
    base = log_directory("scalars")
    warm(base)
    ours, _ = questions(base, tag_name(0).decode())
    script = Path(__file__).with_name("peer_scripts") / "other_servers.py"
    for name in options.servers:
        ports = free_port(), free_port()
        command = [peer_python("servers"), str(script), name, str(ports[1]), str(base)]
        with (
            workspace() as home,
            serving(mindviz_command(base, ports[0], home)) as own,
            serving(["env", f"PYTHONPATH={script.parents[2]}:{script.parent}", *command]) as peer,
        ):
            for port in ports:
                wait_until_complete(ours, port, POINTS)
            servers = Server(ports[0], own.pid), Server(ports[1], peer.pid)
            found: list[Row] = []
            for clients in options.clients:
                own_turn, peer_turn = (
                    partial(measure, server, ours.train_ids, clients, options.seconds)
                    for server in servers
                )
                found += rows(clients, name, own_turn, peer_turn, options.repeats)
        report(found)


if __name__ == "__main__":
    main()
