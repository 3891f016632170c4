"""A plugin and a log format are added by adding a file: proven with the ones in the documents."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mindviz.wire import encode_tensorboard
from mindviz.wire.encode import delimited, double_field, float_field, frames, varint_field
from mindviz.wire.framing import Framing

ROOT = Path(__file__).resolve().parent.parent


def example_in(document: str) -> str:
    """The first Python example of a document: a whole module."""
    text = (ROOT / "docs" / document).read_text("utf-8")
    found = re.search(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def in_new_process(program: str, *arguments: object) -> Any:
    """What a program prints, as JSON: registries are filled once per process."""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


READ_WITH_A_FORMAT_FROM = """
import json, sys
from pathlib import Path
from mindviz.config import Config
from mindviz.datavisual.data_transform import formats
formats.__path__.append(sys.argv[1])
from mindviz.datavisual.data_transform.log_directory_experiment import LogDirectoryExperiment
experiment = LogDirectoryExperiment(Config(Path(sys.argv[2]), reload_interval=0))
experiment.load_once()
(job,) = experiment.list_train_jobs()
points = experiment.read_scalars(job.train_id, "loss")
print(json.dumps([job.formats, points.step.tolist(), points.value.tolist()]))
"""


def test_a_log_format_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "added").mkdir()
    (tmp_path / "added" / "acme.py").write_text(example_in("adding-a-log-format.md"), "utf-8")
    records = [
        double_field(1, 1e9 + step)
        + varint_field(2, step)
        + delimited(3, delimited(1, b"loss") + float_field(2, 1 / step))
        for step in (1, 2, 4)
    ]
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "run.acme").write_bytes(frames(records, Framing.TFRECORD))
    answer = in_new_process(READ_WITH_A_FORMAT_FROM, tmp_path / "added", logs)
    assert answer == [["acme"], [1, 2, 4], [1.0, 0.5, 0.25]]


SERVE_A_PLUGIN_FROM = """
import json, sys
from pathlib import Path
from mindviz.config import Config
from mindviz.datavisual import plugins
plugins.__path__.extend(sys.argv[2:])
from mindviz.backend.app import create_app
from mindviz.datavisual.data_transform.log_directory_experiment import LogDirectoryExperiment
config = Config(Path(sys.argv[1]), reload_interval=0)
experiment = LogDirectoryExperiment(config)
experiment.load_once()
client = create_app(config, experiment).test_client()
listed = client.get("/v1/mindviz/plugins").get_json()
view = client.get("/v1/mindviz/series/best?train_id=./&tag=loss")
assert view.status_code == 200, view.get_data(as_text=True)
print(json.dumps([listed, view.get_json()]))
"""


def assert_is_served(answer: Any) -> None:
    listed, view = answer
    assert "best" in json.dumps(listed)
    assert view["step"] == [1, 2, 3]
    assert view["value"] == [4.0, 2.0, 2.0]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    events = [
        encode_tensorboard.event(1e9 + step, step, [encode_tensorboard.scalar("loss", value)])
        for step, value in ((1, 4.0), (2, 2.0), (3, 8.0))
    ]
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "events.out.tfevents.1").write_bytes(frames(events, Framing.TFRECORD))
    return folder


def test_a_plugin_is_one_file(tmp_path: Path, logs: Path) -> None:
    (tmp_path / "added").mkdir()
    (tmp_path / "added" / "best.py").write_text(example_in("adding-a-plugin.md"), "utf-8")
    assert_is_served(in_new_process(SERVE_A_PLUGIN_FROM, logs, tmp_path / "added"))


def test_a_plugin_is_an_entry_point_of_another_distribution(
    tmp_path: Path, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    (site / "acme-1.0.dist-info").mkdir(parents=True)
    (site / "acme-1.0.dist-info" / "METADATA").write_text("Name: acme\nVersion: 1.0\n", "utf-8")
    (site / "acme-1.0.dist-info" / "entry_points.txt").write_text(
        "[mindviz.plugins]\nbest = acme:PLUGIN\n", "utf-8"
    )
    (site / "acme.py").write_text(example_in("adding-a-plugin.md"), "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(site))
    assert_is_served(in_new_process(SERVE_A_PLUGIN_FROM, logs))
