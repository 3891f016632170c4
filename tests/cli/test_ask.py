"""`mindviz ask` as its user sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mindviz.asking.token_count import count_tokens
from mindviz.cli import cli
from mindviz.lineagemgr.annotations import WorkspaceAnnotations
from tests.sample_trainings import HOSTILE, write_trainings
from tests.served_logs import serving
from tests.written_logs import tensorboard_log, write


def ask(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(cli, ["ask", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return write_trainings(tmp_path / "trainings")


def test_a_question_is_one_text_or_several_words(base: Path) -> None:
    answer = ask(base, "series spiked train/loss")
    assert answer == ask(base, "series", "spiked", "train/loss")
    assert answer.startswith("series spiked train/loss\naxis: ")
    assert f"mindviz start {base}" in answer.splitlines()[-1]
    found = ask(base, "find", "lr", "<", "0.05", "sort", "lr", "desc")
    assert found.startswith("find 'lr < 0.05' sort lr desc\n")


def test_json_is_one_line(base: Path) -> None:
    answer = ask(base, "list", "--json", "--max-tokens", 450)
    assert answer.count("\n") == 1
    assert count_tokens(answer) <= 450
    content = json.loads(answer)
    assert content["start"] == f"mindviz start {base}"
    rest = json.loads(ask(base, "list", "--json", "--cursor", content["cursor"]))
    assert len(content["rows"]) + len(rest["rows"]) == content["total"] == 5


def test_a_link_is_a_question_and_names_its_server(base: Path) -> None:
    with serving(base) as url:
        link = f"{url}#/scalar?runs=spiked&tags=%5Etrain/loss%24"
        answer = ask(link)
        assert answer.startswith("series spiked train/loss\n")
        assert answer == ask(url, "series spiked train/loss")
        assert answer.splitlines()[-1] == f"page: {link}"
        # A link to another server is about these runs, too.
        assert ask(base, link).startswith("series spiked train/loss\n")


def test_errors_are_one_line(base: Path) -> None:
    for arguments, complaint in (
        ([base], "Give a question: list"),
        ([base, "what"], "Did you mean `list`?"),
        ([base, "run spike"], "Did you mean 'spiked'?"),
        ([base, "list", "--max-tokens", "9"], "takes at least"),
        ([base.parent / "no", "list"], "There is nothing at"),
        (["http://127.0.0.1:1/", "list"], "does not answer"),
    ):
        output = ask(*arguments, code=2)
        assert complaint in output
        assert output.count("\n") == 1


def test_names_of_logs_are_escaped_in_errors(base: Path) -> None:
    output = ask(base, "series", "damaged", HOSTILE[:-1], code=2)
    assert "\\x3cb>" in output
    assert "\x1b" not in output


def test_logs_without_a_mindviz_of_their_own_are_read_with_its_notes(
    base: Path, tmp_path: Path
) -> None:
    WorkspaceAnnotations(tmp_path / "work", base).update("./spiked", {"remark": "cooling failed"})
    assert "remark: cooling failed" in ask(base, "run spiked", "--workspace", tmp_path / "work")
    found = ask(base, "find 'remark ~ cooling'", "--workspace", tmp_path / "work")
    assert "matching runs: 1" in found


def test_archived_runs_are_left_out_and_counted(base: Path, tmp_path: Path) -> None:
    WorkspaceAnnotations(tmp_path / "work", base).update("./spiked", {"hidden": True})
    answer = ask(base, "list", "--workspace", tmp_path / "work")
    assert "matching runs: 4\nruns: 5\narchived runs: 1\n" in answer


def test_the_run_in_the_directory_itself_has_a_name(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 0.5), (2, 0.25)]))
    assert "\n./ " in ask(tmp_path, "list")
    assert "last         2   0.25" in ask(tmp_path, "series ./ loss")
