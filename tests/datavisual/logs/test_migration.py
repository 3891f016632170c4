from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.formats import LoggedMetadata, SeriesClass, logged_metadata
from mindviz.datavisual.logs.migration import (
    GenericSeries,
    asset_series,
    generic_tensor,
    logged_blobs,
    logged_class,
    logged_tensor,
    with_first_tensor,
)
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
from mindviz.wire.fields import Message
from mindviz.wire.proto import tensorboard_pb2 as pb
from tests.migrated_series import metadata_of, migrated

SCALAR, TENSOR, BLOBS = DataClass.SCALAR, DataClass.TENSOR, DataClass.BLOB_SEQUENCE


@pytest.mark.parametrize(
    ("format_name", "kind", "plugin_name", "data_class", "content"),
    [
        ("tensorboard", "scalar", "scalars", SCALAR, b""),
        ("tensorboard", "histo", "histograms", TENSOR, b""),
        ("tensorboard", "image", "images", BLOBS, b"\x10\x01"),
        ("tensorboard", "audio", "audio", BLOBS, b"\x10\x0b\x18\x01"),
        ("tensorboard", "graph_def", "graphs", BLOBS, b""),
        ("tensorboard", "meta_graph_def", "graphs", BLOBS, b""),
        ("tensorboard", "tagged_run_metadata", "graph_tagged_run_metadata", BLOBS, b""),
        ("visualdl", "scalar", "scalars", SCALAR, b""),
        ("visualdl", "image", "images", BLOBS, b"\x10\x01"),
        ("visualdl", "audio", "audio", BLOBS, b"\x10\x0b\x18\x01"),
        ("visualdl", "histogram", "histograms", TENSOR, b""),
        ("visualdl", "text", "text", TENSOR, b""),
        ("visualdl", "pr_curve", "pr_curves", TENSOR, b""),
        ("visualdl", "roc_curve", "roc_curves", TENSOR, b""),
        ("visualdl", "embeddings", "embedding", TENSOR, b""),
        ("mindspore", "scalar", "scalars", SCALAR, b""),
        ("mindspore", "image", "images", BLOBS, b"\x10\x01"),
        ("mindspore", "histogram", "histograms", TENSOR, b""),
        ("mindspore", "tensor", "tensors", TENSOR, b""),
        ("mindspore", "graph", "mindspore_graph", BLOBS, b""),
        ("mindspore", "loss_landscape", "loss_landscape", BLOBS, b""),
    ],
)
def test_the_field_of_a_value_determines_its_series(
    format_name: str, kind: str, plugin_name: str, data_class: DataClass, content: bytes
) -> None:
    series = migrated(format_name, kind)[0]
    metadata = series.metadata
    assert (metadata.plugin_name, metadata.data_class) == (plugin_name, data_class)
    assert metadata.plugin_content == content
    # As in TensorBoard's own migration.
    assert metadata.display_name == ("" if "graph" in plugin_name else series.tag)


@pytest.mark.parametrize(
    ("plugin_name", "data_class"),
    [
        ("scalars", SCALAR),
        ("histograms", TENSOR),
        ("images", BLOBS),
        ("audio", BLOBS),
        ("text", TENSOR),
        ("pr_curves", TENSOR),
        ("mesh", TENSOR),
        ("hparams", TENSOR),
        ("custom_scalars", TENSOR),
        ("tensor", TENSOR),
        ("graph_run_metadata", BLOBS),
        ("graph_run_metadata_graph", BLOBS),
        ("graph_keras_model", BLOBS),
        ("nobody_knows", DataClass.UNKNOWN),
    ],
)
def test_the_metadata_of_a_tensor_determines_its_series(
    plugin_name: str, data_class: DataClass
) -> None:
    series = migrated("tensorboard", "tensor", metadata_of(plugin_name), is_tensor=True)[0]
    expected = SummaryMetadata(plugin_name, b"own", "shown", "*said*", data_class)
    assert series == GenericSeries("a/b", expected)


@pytest.mark.parametrize("kind", ["scalar", "tensor", "histo"])
@pytest.mark.parametrize("data_class", [SCALAR, TENSOR, BLOBS])
@pytest.mark.parametrize("plugin_name", ["invented", "images"])
def test_a_declared_class_takes_precedence(
    kind: str, data_class: DataClass, plugin_name: str
) -> None:
    metadata = metadata_of(plugin_name, data_class)
    (series,) = migrated("tensorboard", kind, metadata, is_tensor=kind == "tensor")
    assert series.metadata.plugin_name == plugin_name
    assert series.metadata.data_class is data_class
    assert series.metadata.plugin_content == b"own"


def test_a_dedicated_field_takes_precedence_over_the_metadata() -> None:
    (series,) = migrated("tensorboard", "scalar", metadata_of("histograms"))
    assert series.metadata == SummaryMetadata("scalars", b"", "shown", "*said*", SCALAR)


def test_a_bare_tensor_has_no_class() -> None:
    (series,) = migrated("tensorboard", "tensor", is_tensor=True)
    assert series.metadata.data_class is DataClass.UNKNOWN


def test_hyper_parameters_of_visualdl_are_no_series() -> None:
    assert migrated("visualdl", "hparam") == ()


@given(metadata=st.binary(max_size=40))
def test_damaged_metadata_is_ignored(metadata: bytes) -> None:
    found = logged_metadata(metadata)
    assert isinstance(found.data_class, DataClass)
    assert logged_metadata(b"\x0a\xff" + metadata) == LoggedMetadata()


@pytest.mark.parametrize(
    ("format_name", "kind", "plugin_name"),
    [
        ("tensorboard", "scalar", "scalar"),
        ("tensorboard", "histo", "histogram"),
        ("tensorboard", "audio", "audio"),
        ("tensorboard", "graph_def", "graph"),
        ("tensorboard", "tagged_run_metadata", "run_metadata"),
        ("visualdl", "embeddings", "embedding"),
        ("visualdl", "roc_curve", "roc_curve"),
        ("mindspore", "tensor", "tensor"),
        ("mindspore", "graph", "graph"),
    ],
)
def test_the_way_back_leads_to_the_plugin_of_the_log(
    format_name: str, kind: str, plugin_name: str
) -> None:
    main, *companions = migrated(format_name, kind)
    logged = logged_class(main.tag, main.metadata)
    assert logged is not None
    assert logged.plugin_name == plugin_name
    for companion in companions:
        assert companion.companion is not None


def test_unknown_plugins_keep_their_names() -> None:
    for data_class, plugin_name in ((TENSOR, "invented"), (BLOBS, "invented"), (SCALAR, "scalar")):
        metadata = SummaryMetadata("invented", data_class=data_class)
        logged = logged_class("a", metadata)
        assert logged == SeriesClass(plugin_name, "a", data_class)
    logged = logged_class("a", SummaryMetadata("invented", data_class=DataClass.UNKNOWN))
    assert logged == SeriesClass("tensor", "a", TENSOR)


def test_curves_without_metadata_have_a_number_of_thresholds() -> None:
    (series,) = migrated("visualdl", "pr_curve")
    completed = with_first_tensor(series.metadata, np.zeros((6, 200)))
    assert Message(completed.plugin_content).integer(2) == 200
    (histograms,) = migrated("visualdl", "histogram")
    assert with_first_tensor(histograms.metadata, np.zeros((6, 3))) == histograms.metadata


def test_a_value_of_another_kind_is_not_a_tensor() -> None:
    (series,) = migrated("mindspore", "tensor")
    with pytest.raises(DamagedValue, match="tensors"):
        generic_tensor(series, b"raw")


def there_and_back(format_name: str, kind: str, value: Any) -> Any:
    main, *companions = migrated(format_name, kind)
    others = {one.metadata.plugin_name: generic_tensor(one, value) for one in companions}
    return logged_tensor(main.metadata, generic_tensor(main, value), others)


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
    others = {"embedding_sprites": generic_tensor(sprites, embedding)}
    assert others["embedding_sprites"].tolist() == [b"3", b"4", b"png"]
    back = logged_tensor(main.metadata, generic_tensor(main, embedding), others)
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
