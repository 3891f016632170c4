from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.logs.directories import projector_assets
from mindviz.datavisual.logs.directories.projector_assets import ProjectorAssets
from mindviz.datavisual.payloads.projector_config import (
    ProjectedFiles,
    read_configuration,
)
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.time_series import Embedding
from mindviz.errors import DamagedValue
from tests.backend.test_arrow_stream import read
from tests.golden.write_golden import PNG
from tests.written_logs import loaded, tensorboard_log, write

CONFIG = r"""
# written by hand
model_checkpoint_path: "x"
embeddings {
  tensor_name: "emb:00001"
  tensor_path: "00001/tensors.tsv"
  metadata_path: "00001/metadata.tsv"
  sprite { image_path: "00001/sprite.png" single_image_dim: 2 single_image_dim: 3 }
}
embeddings { tensor_name: "emb:00010", tensor_path: "00010/tensors.tsv" }
embeddings { tensor_name: "raw" tensor_path: "raw.bytes" tensor_shape: 2 tensor_shape: 3 }
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    run = tmp_path / "run"
    write(run, "projector_config.pbtxt", CONFIG.encode())
    write(run / "00001", "tensors.tsv", b"1\t2\n3\t4\n5\t6\n")
    write(run / "00001", "metadata.tsv", "name\tgroup\na\t1\nb\nä\t3\textra\n".encode())
    write(run / "00001", "sprite.png", PNG)
    write(run / "00010", "tensors.tsv", b"1.5\t2.5\n")
    write(run, "raw.bytes", np.arange(6, dtype="<f4").tobytes())
    return run


def embedding(assets: ProjectorAssets, tag: str, index: int = 0) -> Embedding:
    series = assets.series(tag)
    assert series is not None
    value = series.read(index)
    assert isinstance(value, Embedding)
    return value


def test_embeddings_with_equal_names_are_steps_of_a_series(directory: Path) -> None:
    assets = ProjectorAssets(str(directory), directory.parent)
    assert assets.tags() == ["emb", "raw"]
    series = assets.series("emb")
    assert series is not None
    assert series.step.tolist() == [1, 10]
    assert series.wall_time[0] == (directory / "00001/tensors.tsv").stat().st_mtime
    assert assets.series("other") is None


def test_vectors_labels_and_sprites_are_read_from_files(directory: Path) -> None:
    assets = ProjectorAssets(str(directory), directory.parent)
    first = embedding(assets, "emb")
    assert first.vectors.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert first.header == ("name", "group")
    assert first.labels == (("a", "1"), ("b", ""), ("ä", "3"))
    assert (first.sprite, first.sprite_size) == (PNG, (2, 3))
    second = embedding(assets, "emb", 1)
    assert (second.vectors.tolist(), second.labels, second.sprite) == ([[1.5, 2.5]], (), b"")
    assert embedding(assets, "raw").vectors.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_file_of_one_column_has_no_header(directory: Path) -> None:
    write(directory / "00001", "metadata.tsv", b"a\nb\nc\n")
    first = embedding(ProjectorAssets(str(directory), directory.parent), "emb")
    assert (first.header, first.labels) == (("label",), (("a",), ("b",), ("c",)))
    write(directory / "00001", "metadata.tsv", b"a\nb\n")  # of other points
    first = embedding(ProjectorAssets(str(directory), directory.parent), "emb")
    assert (first.header, first.labels) == ((), ())


@pytest.mark.parametrize("path", ["../../secret.tsv", "/etc/hostname", "link.tsv", "gone.tsv", "."])
def test_nothing_is_read_that_is_not_in_the_base_dir(directory: Path, path: str) -> None:
    write(directory.parent.parent, "secret.tsv", b"1\t2\n")
    (directory / "link.tsv").symlink_to(directory.parent.parent / "secret.tsv")
    entry = f'embeddings {{ tensor_name: "x" tensor_path: "{path}" }}'
    write(directory, "projector_config.pbtxt", entry.encode())
    assets = ProjectorAssets(str(directory), directory.parent)
    with pytest.raises(DamagedValue):
        embedding(assets, "x")


def test_damaged_files_are_reported(directory: Path) -> None:
    write(directory / "00010", "tensors.tsv", b"a\tb\n")
    write(directory, "raw.bytes", b"12345")
    assets = ProjectorAssets(str(directory), directory.parent)
    for tag, index in (("emb", 1), ("raw", 0)):
        with pytest.raises(DamagedValue):
            embedding(assets, tag, index)


def test_an_unreadable_configuration_has_no_embeddings(directory: Path) -> None:
    write(directory, "projector_config.pbtxt", b"embeddings { %")
    assert ProjectorAssets(str(directory), directory.parent).tags() == []


def test_assets_are_served_with_the_logs(directory: Path) -> None:
    write(directory, "tfevents.1", tensorboard_log([(1, 0.5)]))
    store = loaded(directory.parent)
    assert store.list_tags("./run")["embedding"] == ["emb", "raw"]
    client = create_app(Config(directory.parent), store).test_client()
    query = {"train_id": "./run", "tag": "emb"}
    base = "/v1/mindviz/series/embedding"
    answer = client.get(base, query_string=query).get_json()
    assert answer["step"] == [1, 10]
    assert answer["sprite_size"] == [[2, 3], None]
    assert answer["header"][0] == ["name", "group"]
    points = client.get(
        "/v1/mindviz/datavisual/embeddings/points", query_string={**query, "step": 1}
    )
    about, columns = read(points.data)
    texts = [
        [labels["values"][code] for code in columns[f"label{i}"]]
        for i, labels in enumerate(about["labels"])
    ]
    assert texts == [["a", "b", "ä"], ["1", "", "3"]]
    blob = client.get(f"{base}/blob", query_string={**query, "step": 1})
    assert (blob.data, blob.content_type) == (PNG, "image/png")
    assert client.get(f"{base}/blob", query_string={**query, "step": 10}).status_code == 404


def test_the_fingerprint_changes_with_any_of_the_files(directory: Path) -> None:
    seen = {ProjectorAssets(str(directory), directory.parent).fingerprint()}
    for name in ("projector_config.pbtxt", "raw.bytes", "00001/metadata.tsv", "00001/sprite.png"):
        with (directory / name).open("ab") as file:
            file.write(b" ")
        seen.add(ProjectorAssets(str(directory), directory.parent).fingerprint())
    assert len(seen) == 5
    assert ProjectorAssets(str(directory.parent), directory.parent).fingerprint() == ""


def test_damage_is_reported_on_reading(directory: Path) -> None:
    findings: list[Finding] = []
    assets = ProjectorAssets(str(directory), directory.parent, findings.append)
    (directory / "raw.bytes").unlink()
    assert assets.tags() == ["emb", "raw"]
    with pytest.raises(DamagedValue, match=r"raw\.bytes"):
        embedding(assets, "raw")
    write(directory, "projector_config.pbtxt", b"embeddings { $")
    assert ProjectorAssets(str(directory), directory.parent, findings.append).tags() == []
    assert [(one.kind, one.path) for one in findings] == [
        (FindingKind.BAD_VALUE, "run/projector_config.pbtxt")
    ] * 2


@pytest.mark.parametrize(
    ("config", "kind", "detail"),
    [
        ('model_checkpoint_path: "x" embeddings { tensor_name: "w" }', "UNREADABLE", "checkpoints"),
        (
            'embeddings { tensor_name: "raw" tensor_path: "raw.bytes" tensor_shape: 6 }',
            "BAD_VALUE",
            r"shape is \[6\]",
        ),
    ],
)
def test_embeddings_that_cannot_be_shown_are_a_problem_with_a_reason(
    directory: Path, config: str, kind: str, detail: str
) -> None:
    findings: list[Finding] = []
    write(directory, "projector_config.pbtxt", config.encode())
    assets = ProjectorAssets(str(directory), directory.parent, findings.append)
    for tag in assets.tags():
        with pytest.raises(DamagedValue, match=detail):
            embedding(assets, tag)
    assert {one.kind for one in findings} == {FindingKind[kind]}
    assert re.search(detail, findings[-1].detail)


def test_a_link_that_replaces_a_file_while_it_is_opened_is_not_followed(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = directory.parent.parent / "secret.tsv"
    secret.write_bytes(b"9\t9\n")
    target = directory / "00010" / "tensors.tsv"

    def resolved(path: str) -> str:
        """A path that changes immediately after it is resolved."""
        answer = realpath(path)
        if Path(answer) == target and not target.is_symlink():
            target.unlink()
            target.symlink_to(secret)
        return answer

    realpath = os.path.realpath
    entry = 'embeddings { tensor_name: "x" tensor_path: "../run/00010/tensors.tsv" }'
    write(directory, "projector_config.pbtxt", entry.encode())
    assets = ProjectorAssets(str(directory), directory.parent)
    (files,) = assets.files("x")
    monkeypatch.setattr(os.path, "realpath", resolved)
    with pytest.raises(DamagedValue, match="could not be read"):
        assets.embedding(files)
    assert target.is_symlink()


def test_a_configuration_is_parsed_once_until_it_changes(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []

    def counted(text: str) -> Sequence[ProjectedFiles]:
        parsed.append(text)
        return read_configuration(text)

    monkeypatch.setattr(projector_assets, "read_configuration", counted)
    for _ in range(3):
        assert ProjectorAssets(str(directory), directory.parent).tags() == ["emb", "raw"]
    assert len(parsed) == 1
    write(directory, "projector_config.pbtxt", CONFIG.replace("raw", "new").encode())
    assert ProjectorAssets(str(directory), directory.parent).tags() == ["emb", "new"]
    assert len(parsed) == 2


def test_a_configuration_that_is_too_large_is_not_parsed(directory: Path) -> None:
    write(directory, "projector_config.pbtxt", b"embeddings { " + b"a: 1 " * 300_000 + b"}")
    findings: list[Finding] = []
    assert ProjectorAssets(str(directory), directory.parent, findings.append).tags() == []
    assert "At most 1048576 are read" in findings[0].detail


def test_the_number_of_embeddings_read_is_limited(directory: Path) -> None:
    named = [f'embeddings {{ tensor_name: "e:{i}" tensor_path: "t" }}' for i in range(5_001)]
    write(directory, "projector_config.pbtxt", " ".join(named).encode())
    findings: list[Finding] = []
    assets = ProjectorAssets(str(directory), directory.parent, findings.append)
    assert len(assets.files("e")) == 5_000
    assert "5001 embeddings" in findings[0].detail


def test_the_memory_of_labels_is_bounded_by_the_points(directory: Path) -> None:
    for content in (b"\n" * 1_000_000, b"\t" * 1_000_000 + b"\n\n\n\n"):
        write(directory / "00001", "metadata.tsv", content)
        first = embedding(ProjectorAssets(str(directory), directory.parent), "emb")
        assert (first.header, first.labels) == ((), ())


def test_an_empty_file_has_no_points(directory: Path) -> None:
    for content in (b"", b"\n\n"):
        write(directory / "00010", "tensors.tsv", content)
        vectors = embedding(ProjectorAssets(str(directory), directory.parent), "emb", 1).vectors
        assert vectors.shape == (0, 0)


@pytest.mark.parametrize(
    "shape", ["9" * 5000, "999999999999999999", "-1 tensor_shape: -1", "9999999 tensor_shape: 0"]
)
def test_a_shape_that_cannot_be_is_damage(directory: Path, shape: str) -> None:
    entry = f'embeddings {{ tensor_name: "x" tensor_path: "raw.bytes" tensor_shape: {shape} }}'
    write(directory, "projector_config.pbtxt", entry.encode())
    if shape.endswith(": 0"):
        write(directory, "raw.bytes", b"")
    findings: list[Finding] = []
    assets = ProjectorAssets(str(directory), directory.parent, findings.append)
    for tag in assets.tags():
        with pytest.raises(DamagedValue):
            embedding(assets, tag)
    assert findings


def test_a_pipe_is_never_waited_for(directory: Path) -> None:
    os.mkfifo(directory / "pipe.tsv")
    entry = 'embeddings { tensor_name: "x" tensor_path: "pipe.tsv" }'
    write(directory, "projector_config.pbtxt", entry.encode())
    with pytest.raises(DamagedValue, match="Not a regular file"):
        embedding(ProjectorAssets(str(directory), directory.parent), "x")


def test_a_configuration_without_logs_is_a_job(directory: Path) -> None:
    store = loaded(directory.parent)
    assert store.list_tags("./run") == {"embedding": ["emb", "raw"]}
    job = store.train_job("./run")
    assert job.update_time == (directory / "projector_config.pbtxt").stat().st_mtime
    series = store.read_values("./run", "embedding", "emb")
    assert series.step.tolist() == [1, 10]
    (directory / "projector_config.pbtxt").unlink()
    assert not loaded(directory.parent).list_train_jobs()


@pytest.mark.parametrize("missing", ["metadata.tsv", "sprite.png"])
def test_points_are_shown_without_a_missing_file(directory: Path, missing: str) -> None:
    (directory / "00001" / missing).unlink()
    reports: list[Finding] = []
    value = embedding(ProjectorAssets(str(directory), directory.parent, reports.append), "emb")
    assert value.vectors.shape == (3, 2)
    assert bool(value.labels) == (missing != "metadata.tsv")
    assert bool(value.sprite) == (missing != "sprite.png")
    assert [missing in finding.detail for finding in reports] == [True]
