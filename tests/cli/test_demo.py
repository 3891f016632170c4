from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from mindviz.cli.demo import demo, write_demo
from mindviz.datavisual.logs.formats import log_formats
from mindviz.errors import StartError
from tests.written_logs import loaded

NOW = 1_800_000_000.0


def files(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file()
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("demo") / "new"
    write_demo(directory, now=NOW)
    return directory


PROJECTED = ("projector_config.pbtxt", "tensors.tsv", "metadata.tsv", "sprite.png")
"""Files next to a log, where TensorBoard's projector looks for points and sprites."""


def test_every_file_is_a_log_in_one_of_the_three_formats(written: Path) -> None:
    formats = set()
    for path in files(written):
        if path.endswith(PROJECTED):
            continue
        owners = [f.name for f in log_formats() if f.file_kind(path.rpartition("/")[2])]
        assert len(owners) == 1, path
        formats.update(owners)
    assert formats == {"mindspore", "tensorboard", "visualdl"}


def test_the_demo_has_no_problems(written: Path) -> None:
    store = loaded(written)
    assert [list(job.problems) for job in store.list_train_jobs()] == [[]] * 9
    store.close()


def test_the_demo_is_small(written: Path) -> None:
    assert sum(map(len, files(written).values())) < 10_000_000


def test_the_newest_file_ends_now(written: Path) -> None:
    assert max(path.stat().st_mtime for path in written.rglob("*.*")) == NOW


def test_the_same_seed_and_time_give_the_same_bytes(written: Path, tmp_path: Path) -> None:
    write_demo(tmp_path, now=NOW)
    assert files(tmp_path) == files(written)
    write_demo(tmp_path / "other", now=NOW, seed=1)
    assert set(files(tmp_path / "other")) == set(files(written))
    assert files(tmp_path / "other") != files(written)


def test_the_demo_needs_an_empty_directory(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(StartError, match="not empty"):
        write_demo(tmp_path, now=NOW)
    assert list(files(tmp_path)) == ["thesis.tex"]


def test_a_directory_that_cannot_be_created_is_a_one_line_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StartError, match="Cannot write demo logs"):
        write_demo(tmp_path / "file" / "below", now=NOW)


def test_the_command_prints_how_to_view_the_runs(tmp_path: Path) -> None:
    result = CliRunner().invoke(demo, [str(tmp_path / "my logs")])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("Wrote 9 runs")
    assert result.output.endswith(f"  mindviz start {shlex.quote(str(tmp_path / 'my logs'))}\n")
