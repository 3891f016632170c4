from __future__ import annotations

from pathlib import Path

from mindviz.datavisual.logs.directories.projector_assets import ProjectorAssets
from mindviz.datavisual.logs.reading.asset_values import asset_values
from tests.golden.write_golden import PNG
from tests.written_logs import write

CONFIG = b"""
embeddings { tensor_name: "a:1" tensor_path: "a.tsv" }
embeddings {
  tensor_name: "a:2" tensor_path: "a.tsv" metadata_path: "labels.tsv"
  sprite { image_path: "sprite.png" single_image_dim: 2 single_image_dim: 3 }
}
"""


def assets_in(directory: Path) -> ProjectorAssets:
    write(directory, "projector_config.pbtxt", CONFIG)
    write(directory, "a.tsv", b"1\t2\n3\t4\n")
    write(directory, "labels.tsv", b"x\ny\n")
    write(directory, "sprite.png", PNG)
    return ProjectorAssets(str(directory), directory)


def test_a_step_belongs_to_the_series_of_its_files(tmp_path: Path) -> None:
    found = {
        values.series.metadata.plugin_name: values
        for values in asset_values(assets_in(tmp_path), {})
    }
    assert {name: values.step.tolist() for name, values in found.items()} == {
        "embedding": [1, 2],
        "embedding_labels": [2],
        "embedding_sprites": [2],
    }
    assert found["embedding"].tensor(1).tolist() == [[1, 2], [3, 4]]
    assert found["embedding_labels"].tensor(0).tolist() == [[b"label"], [b"x"], [b"y"]]
    assert found["embedding_sprites"].tensor(0).tolist() == [b"2", b"3", PNG]
    assert found["embedding_sprites"].size(0) == len(PNG)


def test_logged_embeddings_only_have_sprites(tmp_path: Path) -> None:
    (sprites,) = asset_values(assets_in(tmp_path), {"embedding": {"a"}})
    assert sprites.series.metadata.plugin_name == "embedding_sprites"


def test_a_file_may_be_tensor_and_sprite(tmp_path: Path) -> None:
    write(
        tmp_path,
        "projector_config.pbtxt",
        b'embeddings { tensor_name: "a" tensor_path: "a.tsv" sprite { image_path: "a.tsv" } }',
    )
    write(tmp_path, "a.tsv", b"1\t2\n")
    embedding, sprites = asset_values(ProjectorAssets(str(tmp_path), tmp_path), {})
    assert embedding.tensor(0).tolist() == [[1, 2]]
    assert sprites.tensor(0).tolist() == [b"0", b"0", b"1\t2\n"]
