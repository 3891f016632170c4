"""Entry points of other distributions, from real metadata on `sys.path`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mindviz.datavisual import plugins as plugin_package
from mindviz.datavisual.logs import formats as format_package
from mindviz.datavisual.logs.formats import LogFormat, log_formats
from mindviz.datavisual.plugins import Plugin, exported_plugins, plugins
from mindviz.errors import StartError
from mindviz.extensions import extensions, versions
from tests.written_logs import tensorboard_log, write

ROOT = Path(__file__).resolve().parent.parent

MODULE = """
from dataclasses import replace
from mindviz.datavisual.logs.formats import mindspore
from mindviz.datavisual.plugins import image, scalar

FORMAT = replace(mindspore.FORMAT, name="acme")
PLUGIN = replace(scalar.PLUGIN, name="acme", names=())
OTHER = replace(scalar.PLUGIN, name="beta", names=())
TAKEN_SERIES = replace(scalar.PLUGIN, name="gamma")
TAKEN_KEY = replace(PLUGIN, name="optimized_graph")
EXPORTED = replace(PLUGIN, table=image.PLUGIN.table)
TAKEN_EXPORT = replace(EXPORTED, name="lineage")
TAKEN_FORMAT, TAKEN_PLUGIN = mindspore.FORMAT, scalar.PLUGIN
NEITHER = "acme"
"""


def install(site: Path, name: str, group: str, points: str, module: str = MODULE) -> None:
    """Install a distribution with these entry points on `sys.path`."""
    (site / f"{name}.py").write_text(module, "utf-8")
    metadata = site / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {name}\nVersion: 1.0\n", "utf-8")
    (metadata / "entry_points.txt").write_text(f"[{group}]\n{points}\n", "utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_without_distributions_there_are_no_extensions(site: Path) -> None:
    install(site, "acme_none", "acme.things", "x = acme_none:PLUGIN")
    assert list(extensions("mindviz.nothing", Plugin)) == []


def test_versions_are_those_of_the_distributions_in_a_group(site: Path) -> None:
    install(site, "acme_two", "acme.things", "x = acme_two:PLUGIN\ny = acme_two:OTHER")
    assert versions("acme.things") == ["acme_two 1.0"]
    assert versions("acme.nothing") == []


def test_extension_plugins_come_after_built_in_ones_by_entry_point_name(site: Path) -> None:
    ours = list(plugins())
    install(
        site,
        "acme_two",
        plugin_package.ENTRY_POINTS,
        "b = acme_two:OTHER\na = acme_two:PLUGIN",
    )
    assert list(plugins.__wrapped__()) == [*ours, "acme", "beta"]


def test_extension_formats_come_after_built_in_ones(site: Path) -> None:
    ours = [one.name for one in log_formats()]
    install(site, "acme_format", format_package.ENTRY_POINTS, "x = acme_format:FORMAT")
    assert [one.name for one in log_formats.__wrapped__()] == [*ours, "acme"]


@pytest.mark.parametrize(
    ("group", "kind", "point", "message"),
    [
        (
            plugin_package.ENTRY_POINTS,
            Plugin,
            "NEITHER",
            "not a Plugin. Update or uninstall acme_p",
        ),
        (plugin_package.ENTRY_POINTS, Plugin, "MISSING", "Cannot load"),
        (plugin_package.ENTRY_POINTS, Plugin, "TAKEN_PLUGIN", "Two plugins are named 'scalar'"),
        (
            format_package.ENTRY_POINTS,
            LogFormat,
            "NEITHER",
            "it is not a LogFormat. Update",
        ),
        (format_package.ENTRY_POINTS, LogFormat, "MISSING", "Cannot load"),
        (format_package.ENTRY_POINTS, LogFormat, "TAKEN_FORMAT", "named 'mindspore'"),
    ],
)
def test_an_unusable_extension_is_reported(
    site: Path, group: str, kind: type[Plugin | LogFormat], point: str, message: str
) -> None:
    name = f"acme_{kind.__name__}_{point}".lower()
    install(site, name, group, f"x = {name}:{point}")
    registry = plugins if kind is Plugin else log_formats
    with pytest.raises(StartError, match=message) as raised:
        registry.__wrapped__()
    assert f"{name}:{point}" in str(raised.value)


@pytest.mark.parametrize(
    ("point", "message"),
    [
        ("TAKEN_SERIES", "'scalar' and 'gamma' both declare the series 'scalars'"),
        ("TAKEN_KEY", "'graph' and 'optimized_graph' both use the name 'optimized_graph'"),
        ("TAKEN_EXPORT", "'lineage' uses the name 'lineage'"),
    ],
)
def test_names_that_are_taken_are_reported_when_plugins_load(
    site: Path, point: str, message: str
) -> None:
    install(site, point.lower(), plugin_package.ENTRY_POINTS, f"x = {point.lower()}:{point}")
    with pytest.raises(StartError, match=message):
        plugins.__wrapped__()


def test_a_plugin_without_names_is_exported_by_its_own(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(site, "acme_export", plugin_package.ENTRY_POINTS, "x = acme_export:EXPORTED")
    monkeypatch.setattr(plugin_package, "plugins", plugins.__wrapped__)
    assert "acme" in exported_plugins.__wrapped__()


@pytest.mark.parametrize(
    "arguments",
    [["inspect"], ["export", "--what=scalars", "--format=csv"], ["import", "--db=x.db"]],
    ids=lambda arguments: arguments[0],
)
def test_commands_stop_once_at_a_plugin_that_cannot_be_loaded(
    tmp_path: Path, arguments: list[str]
) -> None:
    install(tmp_path, "acme", plugin_package.ENTRY_POINTS, "best = acme:PLUGIN", "import no_such")
    for name in "ab":
        write(tmp_path / "logs" / name, "tfevents.1", tensorboard_log([(1, 1.0)]))
    command = [sys.executable, "-m", "mindviz", *arguments, "logs"]
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    result = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "mindviz: Cannot load the entry point best = acme:PLUGIN (mindviz.plugins): "
        """ModuleNotFoundError("No module named 'no_such'"). Update or uninstall acme.\n"""
    )
    assert not (tmp_path / "x.db").exists()
