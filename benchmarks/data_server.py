"""TensorBoard's time-series page on 4 million events, with mindviz or its own data server.

    python benchmarks/data_server.py [--repeats N]

First the page's gRPC calls to `mindviz-data-server` and to TensorBoard's Rust data server, both
with everything loaded; the client is the same and decodes nothing. Then the page's HTTP requests to
TensorBoard with either data server, and the time from its start to a complete response. mindviz
samples from 5,000 points per series, the Rust server from the 1,000 it keeps.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import grpc
from comparison import Row, at_least, median, progress, report, spread
from generated_logs import log_directory, tag_name, warm
from peers import ENVIRONMENT, patience, rust_server, serving, tensorboard_command, workspace
from questions import connect, free_port

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mindviz.rpc.data_provider_service import SERVICE_NAME
from tests.proto import data_provider_pb2 as proto

PEER = "Rust data server 0.7.2"
RUNS, TAGS, LAST_STEP = 40, 20, 4999
CARDS = 12
"""Per page of TensorBoard."""
POINTS = 1000
ASKED_EVERY = 0.02
_CODE = "from mindviz.cli.data_server import main; main()"

Ask = Callable[[], object]


def own_program(home: Path) -> Path:
    """`mindviz-data-server` of this checkout, as an executable file."""
    path = home / "mindviz-data-server"
    root = Path(__file__).resolve().parents[1]
    path.write_text(
        f"#!{sys.executable}\nimport sys; sys.path.insert(0, {str(root)!r})\n{_CODE}\n", "utf-8"
    )
    path.chmod(0o755)
    return path


# Over gRPC ----------------------------------------------------------------------------------------


@contextmanager
def data_server(program: str, base: Path, home: Path) -> Iterator[grpc.Channel]:
    """A channel to a server that has loaded everything."""
    port_file = home / f"port-{Path(program).name}"
    command = [program, "--logdir", str(base), "--reload=once", "--port=0", "--host=127.0.0.1"]
    with serving([*command, f"--port-file={port_file}"]):
        for _ in patience():
            if port_file.exists() and port_file.read_text("ascii").endswith("\n"):
                break
            time.sleep(0.01)
        channel = grpc.insecure_channel(
            f"127.0.0.1:{int(port_file.read_text('ascii'))}",
            options=[("grpc.max_receive_message_length", -1)],
        )
        for _ in patience():
            answer = call(channel, "ListScalars", list_request("Scalars", "scalars"))
            if is_loaded(proto.ListScalarsResponse.FromString(answer)):
                break
            time.sleep(0.1)
        yield channel
        channel.close()


def is_loaded(listed: proto.ListScalarsResponse) -> bool:
    """Whether all series are there, with their last steps."""
    steps = [tag.metadata.max_step for run in listed.runs for tag in run.tags]
    return len(steps) == RUNS * TAGS and set(steps) == {LAST_STEP}


def call(channel: grpc.Channel, name: str, request: bytes) -> bytes:
    """The size of the response."""
    answer: bytes = channel.unary_unary(f"/{SERVICE_NAME}/{name}", bytes, bytes)(request)
    return answer


def list_request(kind: str, plugin_name: str) -> bytes:
    """All series of a plugin."""
    request = getattr(proto, f"List{kind}Request")()
    request.plugin_filter.plugin_name = plugin_name
    data: bytes = request.SerializeToString()
    return data


def read_request(tag: str, points: int) -> bytes:
    """One tag of all runs."""
    request = proto.ReadScalarsRequest()
    request.plugin_filter.plugin_name = "scalars"
    request.run_tag_filter.tags.names.append(tag)
    request.downsample.num_points = points
    return request.SerializeToString()


def calls(channel: grpc.Channel) -> Mapping[str, Ask]:
    """The page's calls: listings, then cards."""
    tags = [tag_name(number).decode() for number in range(CARDS)]

    def listed() -> None:
        call(channel, "ListRuns", b"")
        call(channel, "ListScalars", list_request("Scalars", "scalars"))
        call(channel, "ListTensors", list_request("Tensors", "histograms"))
        call(channel, "ListBlobSequences", list_request("BlobSequences", "images"))

    def cards() -> None:
        for tag in tags:
            call(channel, "ReadScalars", read_request(tag, POINTS))

    return {
        "gRPC: runs and tags": listed,
        f"gRPC: one card, {RUNS} runs x {POINTS:,} points": lambda: call(
            channel, "ReadScalars", read_request(tags[3], POINTS)
        ),
        f"gRPC: {CARDS} cards": cards,
        "gRPC: last points of a tag": lambda: call(
            channel, "ReadScalars", read_request(tags[3], 1)
        ),
    }


# Over HTTP ----------------------------------------------------------------------------------------


@contextmanager
def tensorboard(program: str, base: Path) -> Iterator[int]:
    """The port of a TensorBoard that uses this data server."""
    port = free_port()
    before = ENVIRONMENT.get("TENSORBOARD_DATA_SERVER_BINARY")
    ENVIRONMENT["TENSORBOARD_DATA_SERVER_BINARY"] = program
    try:
        with serving(tensorboard_command(base, port)):
            yield port
    finally:
        if before is None:
            del ENVIRONMENT["TENSORBOARD_DATA_SERVER_BINARY"]
        else:
            ENVIRONMENT["TENSORBOARD_DATA_SERVER_BINARY"] = before


def time_series(port: int, tags: list[str]) -> list[dict[str, object]]:
    """Cards of the time-series page, one request for all of them."""
    requests = [{"plugin": "scalars", "tag": tag} for tag in tags]
    body = get(port, f"timeSeries?{urlencode({'requests': json.dumps(requests)})}")
    answer: list[dict[str, object]] = json.loads(body)
    return answer


def get(port: int, route: str) -> bytes:
    """The body of a response of the time-series plugin."""
    connection = connect(port)
    connection.request("GET", f"/data/plugin/timeseries/{route}")
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    if answer.status != 200:
        raise ConnectionError(f"Status {answer.status}: {body[:200]!r}")
    return body


def seconds_to_answer(program: str, base: Path) -> float:
    """From TensorBoard's start to a card with the last step of all runs."""
    warm(base)
    started = time.perf_counter()
    with tensorboard(program, base) as port:
        for _ in patience():
            try:
                (card,) = time_series(port, [tag_name(3).decode()])
                series = card["runToSeries"]
                assert isinstance(series, dict)
                if len(series) == RUNS and all(
                    points and points[-1]["step"] == LAST_STEP for points in series.values()
                ):
                    return time.perf_counter() - started
            except OSError:
                pass
            time.sleep(ASKED_EVERY)
    raise AssertionError("patience() raises before it ends")


def requests(port: int) -> Mapping[str, Ask]:
    """The browser's requests to TensorBoard."""
    tags = [tag_name(number).decode() for number in range(CARDS)]
    return {
        "HTTP: tags": lambda: get(port, "tags"),
        f"HTTP: one card, {RUNS} runs x {POINTS:,} points": lambda: time_series(port, tags[:1]),
        f"HTTP: {CARDS} cards": lambda: time_series(port, tags),
    }


# Both ---------------------------------------------------------------------------------------------


def timed(ask: Ask) -> float:
    """Seconds."""
    started = time.perf_counter()
    ask()
    return time.perf_counter() - started


def compare(ours: Mapping[str, Ask], theirs: Mapping[str, Ask], repeats: int) -> list[Row]:
    """Each call to both alternately, after an unmeasured one."""
    rows = []
    for name, own in ours.items():
        timed(own), timed(theirs[name])
        pairs = [(timed(own), timed(theirs[name])) for _ in range(repeats)]
        own_seconds, peer_seconds = map(median, zip(*pairs, strict=True))
        target, reached = at_least(1, own_seconds, peer_seconds)
        row = Row(name, PEER, own_seconds, peer_seconds, "s", target, reached)
        rows.append(row)
    return rows


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    base = log_directory("scalars")
    warm(base)
    with workspace() as home:
        own, peer = str(own_program(home)), rust_server()
        progress("data_server: over gRPC")
        with data_server(own, base, home) as ours, data_server(peer, base, home) as theirs:
            rows = compare(calls(ours), calls(theirs), 20 * options.repeats)
        progress("data_server: starts")
        starts: tuple[list[float], list[float]] = ([], [])
        for _ in range(options.repeats):
            starts[0].append(seconds_to_answer(own, base))
            starts[1].append(seconds_to_answer(peer, base))
        target, reached = at_least(1, median(starts[0]), median(starts[1]))
        note = f"{spread(starts[0])} against {spread(starts[1])}"
        what = "tensorboard --logdir to a complete card"
        times = median(starts[0]), median(starts[1])
        rows.append(Row(what, PEER, *times, "s", target, reached, note))
        progress("data_server: over HTTP")
        with tensorboard(own, base) as ours, tensorboard(peer, base) as theirs:
            for port in (ours, theirs):
                wait_until_up(port)
            rows += compare(requests(ours), requests(theirs), 2 * options.repeats)
    report(rows)


def wait_until_up(port: int) -> None:
    """Until a page of twelve cards is complete."""
    for _ in patience():
        try:
            cards = time_series(port, [tag_name(number).decode() for number in range(CARDS)])
            if all(len(card["runToSeries"]) == RUNS for card in cards):  # type: ignore[arg-type]
                return
        except OSError:
            pass
        time.sleep(0.1)


if __name__ == "__main__":
    main()
