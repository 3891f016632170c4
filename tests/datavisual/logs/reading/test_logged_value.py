from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mindviz.datavisual.logs.migration import asset_series, generic_tensor, logged_class
from mindviz.datavisual.logs.reading.logged_value import logged_blobs, logged_tensor
from mindviz.datavisual.plugins import generic_names
from mindviz.datavisual.series.generic_series import SummaryMetadata
from mindviz.datavisual.series.time_series import (
    Audio,
    DataClass,
    Embedding,
    Histogram,
    Image,
    Tensor,
)
from mindviz.errors import DamagedValue
from mindviz.wire.proto import tensorboard_pb2 as pb
from tests.migrated_series import metadata_of, migrated


def there_and_back(format_name: str, kind: str, value: Any) -> Any:
    main, *companions = migrated(format_name, kind)
    beside = {one.metadata.plugin_name: generic_tensor(one, value) for one in companions}
    return logged_tensor(main.metadata, generic_tensor(main, value), beside)


def test_tensors_round_trip() -> None:
    histogram = Histogram(np.array([[0.0, 1.0, 2.0]]), 1, 2, 3)
    back = there_and_back("mindspore", "histogram", histogram)
    assert back.buckets.tolist() == [[0.0, 1.0, 2.0]]
    counts = (back.nan_count, back.positive_infinity_count, back.negative_infinity_count)
    assert counts == (1, 2, 3)
    tensor = there_and_back(
        "mindspore", "tensor", Tensor(np.ones((2, 1), np.float16), "DT_FLOAT16")
    )
    assert (tensor.dtype_name, tensor.data.shape) == ("DT_FLOAT16", (2, 1))
    text = there_and_back("visualdl", "text", Tensor(np.array([b"a", b"b"], object), "DT_STRING"))
    assert (text.dtype_name, text.data.tolist()) == ("DT_STRING", [b"a", b"b"])


@pytest.mark.parametrize("labels", [(), (("x", "1"), ("\u00fc", "2"))])
def test_embeddings_round_trip_with_labels(labels: tuple[tuple[str, ...], ...]) -> None:
    header = ("name", "class") if labels else ()
    embedding = Embedding(np.arange(6, dtype=np.float32).reshape(2, 3), labels, header)
    back = there_and_back("visualdl", "embeddings", embedding)
    assert back.vectors.tolist() == embedding.vectors.tolist()
    assert (back.labels, back.header) == (labels, header)


def test_projector_embeddings_have_their_sprites() -> None:
    embedding = Embedding(np.eye(2, dtype=np.float32), sprite=b"png", sprite_size=(3, 4))
    main, _, sprites = (asset_series("a", name) for name in generic_names().assets)
    beside = {"embedding_sprites": generic_tensor(sprites, embedding)}
    assert beside["embedding_sprites"].tolist() == [b"3", b"4", b"png"]
    back = logged_tensor(main.metadata, generic_tensor(main, embedding), beside)
    assert isinstance(back, Embedding)
    assert (back.sprite, back.sprite_size) == (b"png", (3, 4))
    assert generic_names().companion_of("embedding_sprites") == "embedding"
    assert logged_class("a", main.metadata) is not None
    assert logged_class("a", sprites.metadata) is None


def test_labels_of_audio_are_a_separate_series() -> None:
    main, labels = migrated("tensorboard", "tensor", metadata_of("audio"), is_tensor=True)
    assert labels.metadata.plugin_name == "audio_labels"
    assert labels.metadata.data_class is DataClass.TENSOR
    audio = Audio((b"RIFF1", b"RIFF2"), ("first", "\u00fc"))
    back = logged_blobs(main.metadata, audio.clips, {"audio_labels": generic_tensor(labels, audio)})
    assert back == audio
    assert logged_blobs(main.metadata, audio.clips) == Audio(audio.clips)


def test_blobs_round_trip() -> None:
    (images,) = migrated("tensorboard", "image")
    assert logged_blobs(images.metadata, [b"3", b"2", b"png"]) == Image(3, 2, (b"png",))
    with pytest.raises(DamagedValue, match="width"):
        logged_blobs(images.metadata, [b"png"])
    (graph,) = migrated("tensorboard", "graph_def")
    back = logged_blobs(graph.metadata, [pb.GraphDef().SerializeToString()])
    assert getattr(back, "form", "") == "tensorflow"
    with pytest.raises(DamagedValue):
        logged_blobs(graph.metadata, [b"\xff"])
    invented = logged_blobs(
        SummaryMetadata("invented", data_class=DataClass.BLOB_SEQUENCE), [b"a", b""]
    )
    assert isinstance(invented, Tensor)
    assert invented.data.tolist() == [b"a", b""]
