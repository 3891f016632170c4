from __future__ import annotations

import contextlib
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.data_transform.directories.projector_assets import (
    ProjectorAssets,
    read_configuration,
)
from mindviz.datavisual.data_transform.findings import Finding, FindingKind
from mindviz.datavisual.data_transform.time_series import Embedding
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


def test_embeddings_of_one_name_are_the_steps_of_a_series(directory: Path) -> None:
    assets = ProjectorAssets(str(directory), directory.parent)
    assert assets.tags() == ["emb", "raw"]
    series = assets.series("emb")
    assert series is not None
    assert series.step.tolist() == [1, 10]
    assert series.wall_time[0] == (directory / "00001/tensors.tsv").stat().st_mtime
    assert assets.series("other") is None


def test_vectors_labels_and_pictures_come_from_their_files(directory: Path) -> None:
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


def test_damaged_files_are_told(directory: Path) -> None:
    write(directory / "00010", "tensors.tsv", b"a\tb\n")
    write(directory, "raw.bytes", b"12345")
    assets = ProjectorAssets(str(directory), directory.parent)
    for tag, index in (("emb", 1), ("raw", 0)):
        with pytest.raises(DamagedValue):
            embedding(assets, tag, index)


def test_texts_may_be_escaped() -> None:
    (one,) = read_configuration(r'embeddings { tensor_name: "\303\244\x41\"" tensor_path: "ä/\\" }')
    assert (one.tensor_name, one.tensor_path) == ('äA"', "ä/\\")
    with pytest.raises(DamagedValue):
        read_configuration(r'embeddings { tensor_name: "\z" }')


@given(st.text(st.sampled_from('embdings{}<>: "\\x0 \n#'), max_size=60))
def test_whatever_a_configuration_holds_it_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(DamagedValue):
        read_configuration(text)


def test_a_configuration_that_cannot_be_read_names_nothing(directory: Path) -> None:
    write(directory, "projector_config.pbtxt", b"embeddings { %")
    assert ProjectorAssets(str(directory), directory.parent).tags() == []


def test_they_are_served_beside_the_logs(directory: Path) -> None:
    write(directory, "tfevents.1", tensorboard_log([(1, 0.5)]))
    experiment = loaded(directory.parent)
    assert experiment.list_tags("./run")["embedding"] == ["emb", "raw"]
    client = create_app(Config(directory.parent), experiment).test_client()
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
    assets = ProjectorAssets(str(directory), directory.parent)
    seen = {assets.fingerprint()}
    for name in ("projector_config.pbtxt", "raw.bytes", "00001/metadata.tsv", "00001/sprite.png"):
        with (directory / name).open("ab") as file:
            file.write(b" ")
        seen.add(assets.fingerprint())
    assert len(seen) == 5
    assert ProjectorAssets(str(directory.parent), directory.parent).fingerprint() == ""


def test_what_is_wrong_with_a_file_is_reported_when_it_is_read(directory: Path) -> None:
    findings: list[Finding] = []
    assets = ProjectorAssets(str(directory), directory.parent, findings.append)
    (directory / "raw.bytes").unlink()
    assert assets.tags() == ["emb", "raw"]
    with pytest.raises(DamagedValue, match=r"raw\.bytes"):
        embedding(assets, "raw")
    write(directory, "projector_config.pbtxt", b"embeddings { $")
    assert assets.tags() == []
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
def test_embeddings_that_cannot_be_shown_are_a_problem_that_says_why(
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
