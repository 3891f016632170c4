"""`mindviz check` as its user sees it: exit codes, lines and JSON."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from mindviz.cli import cli
from tests.written_logs import tensorboard_log, write

LOG = "events.out.tfevents.1.h"


def check(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["check", *map(str, arguments)])
    return result.exit_code, result.output


def write_log(job: Path, values: list[float]) -> None:
    job.mkdir(exist_ok=True)
    write(job, LOG, tensorboard_log(list(enumerate(values))))


def values() -> list[float]:
    noise: list[float] = np.random.default_rng(0).normal(5, 0.1, 200).tolist()
    return noise


@pytest.fixture
def base(tmp_path: Path) -> Path:
    write_log(tmp_path / "good", values())
    spiked = values()
    spiked[150] = 50.0
    write_log(tmp_path / "spiked", spiked)
    return tmp_path


def test_events_are_listed_and_fail(base: Path) -> None:
    code, output = check(base)
    line, total = output.splitlines()
    assert code == 1
    assert line.startswith("./spiked: warning, spike in loss at step 150, ")
    assert line.endswith(" times the noise")
    assert total == "2 runs, 400 points, 1 event"


def test_no_events_and_exit_0(base: Path) -> None:
    (base / "spiked" / LOG).unlink()
    assert check(base) == (0, "1 run, 200 points, 0 events\n")


def test_the_severity_that_fails_is_an_option(base: Path) -> None:
    assert check(base, "--fail-on", "severe")[0] == 0
    write_log(base / "diverged", [*values(), math.nan])
    assert check(base, "--fail-on", "severe")[0] == 1
    assert check(base, "--fail-on", "never")[0] == 0


def test_json_has_all_of_an_event(base: Path) -> None:
    code, output = check(base, "--json")
    answer = json.loads(output)
    (event,) = answer["events"]
    assert code == 1
    assert (event["train_id"], event["rule"], event["kind"]) == ("./spiked", "spike", "spike")
    assert (event["step"], event["wall_time"], event["places"][0]["tag"]) == (150, 1150.0, "loss")
    assert event["size"][0] > 300
    assert event["moved"] == []
    assert (answer["train_jobs"], answer["points"], answer["problems"]) == (2, 400, [])


def test_a_rules_file_is_an_option_or_in_the_directory(base: Path, tmp_path: Path) -> None:
    rules = tmp_path / "ci.toml"
    rules.write_text("[rules.spike]\nz = 100000")
    assert check(base, "--rules", rules)[0] == 0
    own = '[rules.limit]\ntype = "threshold"\nabove = 40\n[rules.spike]\nenabled = false'
    (base / "mindviz.toml").write_text(own)
    code, output = check(base)
    assert (code, output.splitlines()[0]) == (
        1, "./spiked: warning, limit (threshold) in loss at step 150, up to 50",
    )  # fmt: skip


def test_errors_exit_with_2_and_name_the_line(base: Path) -> None:
    (base / "mindviz.toml").write_text("[rules.spike]\n\nzz = 3")
    result = CliRunner().invoke(cli, ["check", str(base)])
    assert result.exit_code == 2
    assert "mindviz.toml, line 3, rules.spike.zz: unknown key" in result.output
    assert check(base / "missing")[0] == 2


def test_damage_is_reported_and_the_rest_is_checked(base: Path) -> None:
    log = base / "good" / LOG
    content = bytearray(log.read_bytes())
    content[-10] ^= 1
    log.write_bytes(content)
    code, output = check(base, "--fail-on", "severe")
    assert code == 1
    assert "./good: severe, bad_payload: " in output
    assert "./spiked: warning, spike in loss" in output
    assert output.endswith("2 runs, 399 points, 1 event, 1 problem\n")


def test_nothing_to_check_is_an_error(tmp_path: Path) -> None:
    code, output = check(tmp_path)
    assert code == 2
    assert "There is nothing to check. The directory has no files." in output
