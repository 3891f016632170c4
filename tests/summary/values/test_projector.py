from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mindviz.errors import InvalidValue
from mindviz.summary.values.projector import Projector, embedding

VECTORS = np.array([[1, 2.5], [np.nan, -3], [0.1, 1e-20]], np.float32)


def written(directory: Path, tag: str = "words", step: int = 7, **facts: object) -> Path:
    """The folder of an embedding of three points."""
    record = embedding(Projector(directory), tag, VECTORS, **facts)  # type: ignore[arg-type]
    assert record.encode(1.0, step)
    configuration = (directory / "projector_config.pbtxt").read_text("utf-8")
    found = re.search('tensor_path: ("[^"]*")', configuration)
    assert found
    return (directory / str(json.loads(found[1]))).parent


def test_vectors_keep_float32_precision(tmp_path: Path) -> None:
    folder = written(tmp_path)
    assert folder == tmp_path / "00007" / "words"
    found = np.loadtxt(folder / "tensors.tsv", np.float32)
    assert np.array_equal(found, VECTORS, equal_nan=True)
    assert [path.name for path in folder.iterdir()] == ["tensors.tsv"]


def test_labels_may_have_columns(tmp_path: Path) -> None:
    rows = [("a", 1), ("tab\there", 2), ("line\nbreak", 3)]
    folder = written(tmp_path, metadata=rows, header=["name", "number"])
    assert (folder / "metadata.tsv").read_text("utf-8").splitlines() == [
        "name\tnumber",
        "a\t1",
        "tab here\t2",
        "line break\t3",
    ]


def test_the_sprite_is_a_square_grid(tmp_path: Path) -> None:
    images = np.zeros((3, 1, 4, 5))
    images[2] = 1
    folder = written(tmp_path, label_images=images)
    sprite = np.asarray(Image.open(folder / "sprite.png"))
    assert sprite.shape == (8, 10)
    assert sprite[4:, :5].min() == 255
    assert sprite[:4].max() == 0


@pytest.mark.parametrize("tag", ["a/b", "..", ".", "", 'qu"ote\\', "%2f", "你好"])
def test_no_tag_escapes_the_directory(tmp_path: Path, tag: str) -> None:
    record = embedding(Projector(tmp_path), tag, VECTORS)
    assert record.encode(1.0, 0)
    (vectors,) = tmp_path.rglob("tensors.tsv")
    assert vectors.parent.parent == tmp_path / "00000"


def test_a_resumed_training_keeps_embeddings_and_lists_each_once(tmp_path: Path) -> None:
    embedding(Projector(tmp_path), "first", VECTORS).encode(1.0, 0)
    resumed = Projector(tmp_path)
    for tag in ("first", "second"):
        embedding(resumed, tag, VECTORS).encode(1.0, 0)
    configuration = (tmp_path / "projector_config.pbtxt").read_text()
    assert configuration.count('tensor_name: "first:00000"') == 1
    assert configuration.count("tensor_name:") == 2


def test_concurrent_writes_list_each_embedding_once(tmp_path: Path) -> None:
    projector = Projector(tmp_path)

    def write(step: int) -> None:
        labels = np.array(["a", "b", "c"])
        embedding(projector, "x", VECTORS, metadata=labels).encode(1.0, step)  # type: ignore[arg-type]

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(20)))
    configuration = (tmp_path / "projector_config.pbtxt").read_text("utf-8")
    names = re.findall('tensor_name: "x:(.*)"', configuration)
    assert sorted(names) == [f"{step:05}" for step in range(20)]
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "projector_config.pbtxt"
    ]


@pytest.mark.parametrize(
    ("metadata", "images"),
    [
        (["a"], None),
        ([("a", "b"), ("c",), ("d",)], None),
        ([], np.ones((2, 1, 4, 4))),
        ([], np.ones(3)),
    ],
)
def test_metadata_and_images_must_match_the_vectors(
    tmp_path: Path, metadata: list[object], images: object
) -> None:
    with pytest.raises(InvalidValue, match="embedding 'x'"):
        embedding(Projector(tmp_path), "x", VECTORS, metadata=metadata, label_images=images)
