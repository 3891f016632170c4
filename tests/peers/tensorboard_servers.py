"""TensorBoard as a server: with its own reader of logs, and with mindviz as its data provider."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mindviz.config import Config
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.rpc.data_provider_service import DataProviderService
from mindviz.rpc.grpc_server import serving

PATIENCE = 60.0
"""Seconds until an answer is given up."""
UNSAMPLED = ",".join(
    f"{plugin_name}=1000000"
    for plugin_name in (
        *("scalars", "histograms", "distributions", "images", "audio", "text", "pr_curves"),
        *("mesh", "hparams", "custom_scalars", "graphs", "timeseries"),
    )
)
"""For `--samples_per_plugin`: neither the reader nor the pages choose among a series' values."""
DATA_SERVER = "from mindviz.cli.data_server import main; main()"

_ADDRESS = re.compile(r"TensorBoard \S+ at (http://\S+)")


class TensorBoard:
    """One that runs."""

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self.url = url.rstrip("/")

    def ask(self, route: str, **query: Any) -> tuple[int, bytes]:
        """Status and body of a GET below `/data`."""
        asked = f"?{urllib.parse.urlencode(query, doseq=True)}" if query else ""
        try:
            with urllib.request.urlopen(
                f"{self.url}/data/{route}{asked}", timeout=PATIENCE
            ) as response:
                return response.status, response.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def bytes(self, route: str, **query: Any) -> Any:
        """The body, or the status if that is not 200."""
        status, body = self.ask(route, **query)
        return body if status == 200 else f"status {status}"

    def json(self, route: str, **query: Any) -> Any:
        """The decoded body, or the status if that is not 200."""
        status, body = self.ask(route, **query)
        return json.loads(body) if status == 200 else f"status {status}"


@contextmanager
def tensorboard(
    name: str, *options: str, environment: Mapping[str, str] | None = None
) -> Iterator[TensorBoard]:
    """Started with these options, from the peers' environment; ended in the end."""
    command = [os.environ["MINDVIZ_PEER_PYTHON"], "-m", "tensorboard.main", "--port=0"]
    command += ["--host=127.0.0.1", "--samples_per_plugin", UNSAMPLED, *options]
    without_ours = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**without_ours, **(environment or {})}
    ) as process:
        try:
            assert process.stderr is not None
            said = []
            for line in process.stderr:
                said.append(line)
                found = _ADDRESS.search(line)
                if found:
                    break
            else:
                raise RuntimeError(f"{name} ended: {''.join(said)}")
            yield TensorBoard(name, found[1])
        finally:
            process.terminate()


@contextmanager
def with_its_own_reader(base_dir: Path) -> Iterator[TensorBoard]:
    """The reference: TensorBoard's reader in Python, once it has read everything."""
    options = ["--load_fast=false", "--reload_interval=0", "--reload_task=blocking"]
    with tensorboard("TensorBoard", "--logdir", str(base_dir), *options) as server:
        yield server


@contextmanager
def with_provider(provider: DataProvider) -> Iterator[TensorBoard]:
    """TensorBoard with this provider."""
    with (
        serving(DataProviderService(provider), "127.0.0.1", 0) as port,
        tensorboard("mindviz", f"--grpc_data_provider=localhost:{port}") as server,
    ):
        yield server


@contextmanager
def with_mindviz(base_dir: Path) -> Iterator[TensorBoard]:
    """TensorBoard with a mindviz that has read everything."""
    store = LogStore(Config(summary_base_dir=base_dir, inotify=False, follow_external_links=True))
    store.load_once()
    with with_provider(StoreProvider.of(store)) as server:
        yield server


@contextmanager
def with_data_server(base_dir: Path, scratch: Path) -> Iterator[TensorBoard]:
    """TensorBoard with `mindviz-data-server` instead of its own server."""
    program = scratch / "mindviz-data-server"
    program.write_text(f"#!{sys.executable}\n{DATA_SERVER}\n", "utf-8")
    program.chmod(0o755)
    variables = {
        "TENSORBOARD_DATA_SERVER_BINARY": str(program),
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    options = ["--logdir", str(base_dir), "--load_fast=true"]
    with tensorboard("data server", *options, environment=variables) as server:
        yield server
