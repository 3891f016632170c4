"""Requirements of every DataProvider: tensors and blobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.series import sampling
from mindviz.datavisual.series.generic_series import Blob
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_query import IndexRange
from mindviz.errors import BlobNotFound
from tests.provider_logs import (
    DECLARED,
    MINDSPORE,
    PNG,
    SEQUENCES,
    START,
    STEPS,
    TB,
    TENSORS,
    VISUALDL,
)
from tests.provider_questions import (
    CONTEXT,
    KEY,
    ProviderQuestions,
    content,
    for_every_provider,
    named,
    names,
)


class TensorAnswers(ProviderQuestions):
    """Tensors as logged; other values are left out."""

    @pytest.mark.parametrize(("plugin_name", "train_id", "tag", "first"), TENSORS)
    def test_tensors_are_read(
        self, provider: DataProvider, plugin_name: str, train_id: str, tag: str, first: object
    ) -> None:
        question: Any = {"experiment_id": "first", "plugin_name": plugin_name}
        answer = provider.read_tensors(CONTEXT, **question, run_tag_filter=named(train_id, tag))
        assert names(answer) == {(train_id, tag)}
        columns = answer[train_id][tag]
        assert len(columns.step) == len(columns.wall_time) == len(columns.value)
        assert columns.value[0].tolist() == first
        assert columns.wall_time[0] == START + columns.step[0]

    def test_tensors_keep_their_type(self, provider: DataProvider) -> None:
        def dtype(plugin_name: str, train_id: str, tag: str) -> str:
            question: Any = {"experiment_id": "first", "plugin_name": plugin_name}
            answer = provider.read_tensors(CONTEXT, **question)
            return answer[train_id][tag].value[0].dtype.name

        assert dtype("inv_tensor", DECLARED, "t") == "int16"
        assert dtype("mesh", TB, "m_COLOR") == "uint8"
        assert dtype("tensors", MINDSPORE, "t") == "float32"
        assert dtype("text", TB, "t/rank0") == "object"

    def test_tensors_are_selected_by_step(self, provider: DataProvider) -> None:
        question: Any = {"experiment_id": "first", "plugin_name": "text"}
        answer = provider.read_tensors(
            CONTEXT, **question, steps=StepRange(20, 90), downsample=Downsample(3)
        )
        columns = answer[TB]["t/rank0"]
        ranks = sampling.uniform(8, 3).tolist()
        assert columns.step.tolist() == [STEPS[1:9][rank] for rank in ranks]
        texts = [value.tolist() for value in columns.value]
        assert texts == [b"step %d" % step for step in columns.step]

    def test_hyper_parameters_are_in_the_metadata_of_empty_tensors(
        self, provider: DataProvider
    ) -> None:
        listed = provider.list_tensors(CONTEXT, experiment_id="first", plugin_name="hparams")
        start = listed[VISUALDL]["_hparams_/session_start_info"].summary_metadata
        assert b"lr" in start.plugin_content
        store = listed[VISUALDL]["_hparams_/experiment"].summary_metadata
        assert b"acc" in store.plugin_content

    def test_values_that_break_their_class_are_left_out(self, provider: DataProvider) -> None:
        question: Any = {"experiment_id": "first"}
        tensors = provider.read_tensors(CONTEXT, **question, plugin_name="histograms")
        assert tensors[DECLARED]["broken/h"].step.tolist() == [10]
        scalars = provider.read_scalars(CONTEXT, **question, plugin_name="scalars")
        assert scalars[DECLARED]["broken/s"].step.tolist() == [10]
        blobs = provider.read_blob_sequences(CONTEXT, **question, plugin_name="inv_blob")
        assert blobs[DECLARED]["broken/b"].step.tolist() == [10]
        assert len(blobs[DECLARED]["b"].step) == 3


class BlobAnswers(ProviderQuestions):
    """Blobs by keys, which cannot be forged."""

    @pytest.mark.parametrize(("plugin_name", "train_id", "tag", "first"), SEQUENCES)
    def test_blobs_are_read_by_their_keys(
        self,
        provider: DataProvider,
        plugin_name: str,
        train_id: str,
        tag: str,
        first: Sequence[bytes],
    ) -> None:
        answer = provider.read_blob_sequences(
            CONTEXT,
            experiment_id="first",
            plugin_name=plugin_name,
            run_tag_filter=named(train_id, tag),
        )
        columns = answer[train_id][tag]
        assert len(columns.step) == len(columns.wall_time) == len(columns.references)
        blobs = []
        for reference in columns.references[0]:
            assert KEY.issuperset(reference.key)
            assert not reference.url
            blob = provider.read_blob(CONTEXT, blob_key=reference.key)
            blobs.append(content(blob))
            assert blob.length == len(blobs[-1])
        assert blobs == first

    def references(self, provider: DataProvider, **query: Any) -> list[list[bytes]]:
        question: Any = {"experiment_id": "first", "plugin_name": "images", **query}
        columns = provider.read_blob_sequences(
            CONTEXT, run_tag_filter=named(TB, "i/v2"), **question
        )[TB]["i/v2"]
        return [
            [content(provider.read_blob(CONTEXT, blob_key=one.key)) for one in sequence]
            for sequence in columns.references
        ]

    @pytest.mark.parametrize(
        ("indices", "expected"),
        [
            (IndexRange(), slice(None)),
            (IndexRange(2), slice(2, None)),
            (IndexRange(1, 3), slice(1, 3)),
            (IndexRange(0, 99), slice(None)),
            (IndexRange(9), slice(9, None)),
            (IndexRange(most_recent=True), slice(3, None)),
        ],
    )
    def test_elements_of_sequences_are_selected_by_index(
        self, provider: DataProvider, indices: IndexRange, expected: slice
    ) -> None:
        (latest,) = self.references(provider, indices=indices, steps=StepRange(most_recent=1))
        assert latest == [b"2", b"1", PNG, PNG + b"100"][expected]

    def test_sequences_are_selected_by_step(self, provider: DataProvider) -> None:
        ranks = sampling.uniform(len(STEPS), 3).tolist()
        kept = self.references(provider, downsample=Downsample(3))
        assert [blobs[3] for blobs in kept] == [PNG + b"%d" % STEPS[rank] for rank in ranks]

    def one_blob(self, provider: DataProvider) -> tuple[str, Blob]:
        answer = provider.read_blob_sequences(
            CONTEXT, experiment_id="", plugin_name="images", run_tag_filter=named(TB, "i/v1")
        )
        key = answer[TB]["i/v1"].references[0][2].key
        return key, provider.read_blob(CONTEXT, blob_key=key)

    def test_a_blob_has_a_type_and_can_be_read_in_part(self, provider: DataProvider) -> None:
        key, blob = self.one_blob(provider)
        assert blob.content_type == "image/png"
        assert blob.etag == provider.read_blob(CONTEXT, blob_key=key).etag
        whole = PNG + b"10"
        for start, stop in ((0, 4), (4, None), (5, 9), (0, 9999), (len(whole), None)):
            assert b"".join(blob.chunks(start, stop)) == whole[start:stop]

    @for_every_provider
    @given(data=st.data())
    def test_a_key_that_was_tampered_with_is_no_key(
        self, provider: DataProvider, data: st.DataObject
    ) -> None:
        key, _ = self.one_blob(provider)
        at = data.draw(st.integers(0, len(key) - 1))
        other = data.draw(st.characters(codec="utf-8"))
        kind = data.draw(st.sampled_from(["change", "insert", "drop"]))
        tampered = key[:at] + ("" if kind == "drop" else other) + key[at + (kind != "insert") :]
        if tampered != key:
            with pytest.raises(BlobNotFound):
                provider.read_blob(CONTEXT, blob_key=tampered)

    @pytest.mark.parametrize("key", ["", "..", "/etc/passwd", "a" * 100_000, "\u00e9", "AAAA"])
    def test_an_invalid_key_is_not_found(self, provider: DataProvider, key: str) -> None:
        with pytest.raises(BlobNotFound):
            provider.read_blob(CONTEXT, blob_key=key)
