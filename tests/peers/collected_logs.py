"""What mindviz reads of a log that a collector wrote, in the form that assertions like."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from mindviz.datavisual.graph.node import Node
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )
    from mindviz.datavisual.series.lineage_facts import LineageFacts
    from mindviz.datavisual.series.time_series import LossLandscape

RECORDING = Path(__file__).resolve().parents[2] / "docs" / "recording.md"


def warnings_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What our own loggers warn of."""
    ours = [one for one in caplog.records if one.name.startswith("mindviz")]
    return [one.getMessage() for one in ours if one.levelno >= logging.WARNING]


def run_example(framework: str, directory: Path) -> None:
    """Run the script below a framework's heading in docs/recording.md."""
    text = RECORDING.read_text("utf-8").partition(f"\n### {framework}\n")[2]
    code = text.partition("```python\n")[2].partition("```")[0]
    assert "SummaryCollector(" in code
    script = directory / "example.py"
    script.write_text(code, "utf-8")
    command = [sys.executable, str(script)]
    done = subprocess.run(
        command, cwd=directory, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert "not collected" not in done.stderr


class CollectedLog:
    """The only train job of an experiment."""

    def __init__(self, store: LogStore) -> None:
        self._store = store

    def tags(self, plugin: str) -> list[str]:
        """Sorted."""
        return sorted(self._store.list_tags("./").get(plugin, ()))

    def scalars(self, tag: str) -> dict[int, float]:
        """Step -> number."""
        series = self._store.read_scalars("./", tag)
        return dict(zip(series.step.tolist(), series.value.tolist(), strict=True))

    def values(self, plugin: str, tag: str) -> dict[int, Any]:
        """Step -> value of the plugin."""
        series = self._store.read_values("./", plugin, tag)
        return {step: series.read(index) for index, step in enumerate(series.step.tolist())}

    def histogram_counts(self, tag: str) -> dict[int, int]:
        """Step -> how many elements the histogram counts."""
        found = self.values("histogram", tag)
        return {step: int(np.asarray(one.buckets)[:, 2].sum()) for step, one in found.items()}

    def facts(self) -> LineageFacts:
        """The lineage."""
        return self._store.read_lineage("./").facts

    def operators(self) -> list[Node]:
        """The leaves of the graph, parameters and constants left out."""
        from mindviz.datavisual.graph.logged_graphs import LoggedGraphs
        from mindviz.datavisual.graph.node import CONSTANT, PARAMETER

        leaves = LoggedGraphs(self._store, ["graph"]).graph("./").leaves("")
        return [one for one in leaves if one.type not in {PARAMETER, CONSTANT}]

    def landscapes(self) -> dict[str, LossLandscape]:
        """Tag -> the landscape."""
        tags = self.tags("loss_landscape")
        return {tag: next(iter(self.values("loss_landscape", tag).values())) for tag in tags}

    def findings(self) -> list[str]:
        """What mindviz finds wrong with the log."""
        files = self._store.log_files("./")
        return [str(finding) for file in files for finding in file.problems]
