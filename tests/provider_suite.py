"""What every DataProvider answers. A provider's tests subclass this and say how it is opened."""

from __future__ import annotations

import math
import string
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.datavisual.data_transform import sampling
from mindviz.datavisual.data_transform.answer_bounds import AnswerBounds
from mindviz.datavisual.data_transform.data_provider import Blob, DataProvider, ScalarAggregate
from mindviz.datavisual.data_transform.series_query import (
    Downsample,
    IndexRange,
    RequestContext,
    RunTagFilter,
    StepRange,
)
from mindviz.datavisual.data_transform.time_series import DataClass
from mindviz.errors import AnswerTooLarge, BlobNotFound, ExperimentNotFound, InvalidQuery
from tests.provider_logs import (
    BLOBS,
    DECLARED,
    LISTED,
    MINDSPORE,
    PLUGINS,
    PNG,
    SCALAR,
    SEQUENCES,
    START,
    STEPS,
    TB,
    TENSOR,
    TENSORS,
    VISUALDL,
    value_of,
    write_provider_logs,
)

CONTEXT = RequestContext()
ONE = RunTagFilter(frozenset([TB]), frozenset(["loss"]))
for_every_provider = settings(suppress_health_check=[HealthCheck.differing_executors])
"""A suite runs each of its properties in several classes."""
KEY = frozenset(string.ascii_letters + string.digits + "-_")


def named(train_id: str, tag: str) -> RunTagFilter:
    return RunTagFilter(frozenset([train_id]), frozenset([tag]))


def names(answer: Mapping[str, Mapping[str, object]]) -> set[tuple[str, str]]:
    return {(train_id, tag) for train_id, tags in answer.items() for tag in tags}


def content(blob: Blob) -> bytes:
    return b"".join(blob.chunks())


class DataProviderSuite(ABC):
    """Subclasses open a provider over a base dir; nothing else differs."""

    question: ClassVar[Any] = {"experiment_id": "first", "plugin_name": "scalars"}

    @classmethod
    @abstractmethod
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> AbstractContextManager[DataProvider]:
        """A provider whose only experiment is what lies below the base dir."""

    @pytest.fixture(scope="class")
    @classmethod
    def base_dir(cls, tmp_path_factory: pytest.TempPathFactory) -> Path:
        directory = tmp_path_factory.mktemp("logs")
        write_provider_logs(directory)
        return directory

    @pytest.fixture(scope="class")
    @classmethod
    def provider(cls, base_dir: Path) -> Iterator[DataProvider]:
        with cls.opened(base_dir, "first", AnswerBounds()) as provider:
            yield provider

    # Lists --------------------------------------------------------------------------------------

    def test_plugins_that_have_data_are_listed(self, provider: DataProvider) -> None:
        assert list(provider.list_plugins(CONTEXT, experiment_id="first")) == PLUGINS

    def test_train_jobs_are_listed_by_start_time(self, provider: DataProvider) -> None:
        runs = provider.list_train_jobs(CONTEXT, experiment_id="first")
        assert [(run.train_id, run.start_time) for run in runs] == [
            ("./", START - 20),
            (MINDSPORE, START),
            (TB, START),
            (VISUALDL, START),
            (DECLARED, START + 10),
        ]
        assert [run.display_name for run in runs] == ["", "", "", "shown", ""]

    def test_the_empty_experiment_id_means_the_first(self, provider: DataProvider) -> None:
        first = provider.experiment(CONTEXT, experiment_id="first")
        assert provider.experiment(CONTEXT, experiment_id="") == first
        assert first.experiment_id == "first"
        assert provider.list_plugins(CONTEXT, experiment_id="") == PLUGINS

    def test_other_experiments_are_not_found(self, provider: DataProvider) -> None:
        with pytest.raises(ExperimentNotFound, match="'other'"):
            provider.experiment(CONTEXT, experiment_id="other")
        with pytest.raises(ExperimentNotFound):
            provider.list_plugins(CONTEXT, experiment_id="other")
        with pytest.raises(ExperimentNotFound):
            provider.read_scalars(CONTEXT, experiment_id="other", plugin_name="scalars")

    @pytest.mark.parametrize("expected", LISTED)
    def test_a_listing_says_what_a_series_is(
        self, provider: DataProvider, expected: tuple[Any, ...]
    ) -> None:
        plugin_name, train_id, tag, *_ = expected
        listed = provider.list_series(CONTEXT, experiment_id="first", plugin_name=plugin_name)
        one = listed[train_id][tag]
        metadata = one.summary_metadata
        assert metadata.data_class is one.data_class
        assert expected == (
            metadata.plugin_name,
            train_id,
            tag,
            one.data_class,
            one.max_step,
            one.max_length,
            metadata.plugin_content,
        )
        if train_id != "./":
            assert one.max_wall_time == START + one.max_step

    def test_series_are_listed_by_class(self, provider: DataProvider) -> None:
        every = {name: self.listed(provider, name) for name in PLUGINS}
        for name, series in every.items():
            question: Any = {"experiment_id": "first", "plugin_name": name}
            of_class = {
                SCALAR: provider.list_scalars(CONTEXT, **question),
                TENSOR: provider.list_tensors(CONTEXT, **question),
                BLOBS: provider.list_blob_sequences(CONTEXT, **question),
            }
            for data_class, listed in of_class.items():
                wanted = {key for key, one in series.items() if one is data_class}
                assert names(listed) == wanted, name

    def listed(self, provider: DataProvider, plugin: str) -> dict[tuple[str, str], DataClass]:
        answer = provider.list_series(CONTEXT, experiment_id="first", plugin_name=plugin)
        return {
            (train_id, tag): series.data_class
            for train_id, tags in answer.items()
            for tag, series in tags.items()
        }

    def test_metadata_of_old_values_is_made_up(self, provider: DataProvider) -> None:
        listed = provider.list_scalars(CONTEXT, **self.question)
        assert listed[TB]["loss"].summary_metadata.display_name == "loss"
        assert listed[TB]["acc"].summary_metadata.display_name == ""

    def test_series_of_unknown_class_are_not_served(self, provider: DataProvider) -> None:
        question: Any = {"experiment_id": "first", "plugin_name": "nobody"}
        assert provider.list_series(CONTEXT, **question) == {}
        assert provider.read_tensors(CONTEXT, **question) == {}

    # Filters ------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("train_ids", "tags", "found"),
        [
            (None, None, 6),
            (None, {"loss"}, 3),
            ({TB}, None, 2),
            ({TB, MINDSPORE}, {"loss", "acc"}, 3),
            (set(), None, 0),
            (None, set(), 0),
            ({"./nobody"}, None, 0),
            ({TB, "./nobody"}, {"loss", "nothing"}, 1),
        ],
    )
    def test_a_filter_is_the_cross_product_of_its_sets(
        self,
        provider: DataProvider,
        train_ids: set[str] | None,
        tags: set[str] | None,
        found: int,
    ) -> None:
        wanted = RunTagFilter(
            None if train_ids is None else frozenset(train_ids),
            None if tags is None else frozenset(tags),
        )
        question = {**self.question, "run_tag_filter": wanted}
        listed = provider.list_scalars(CONTEXT, **question)
        assert len(names(listed)) == found
        for train_id, tag in names(listed):
            assert train_ids is None or train_id in train_ids
            assert tags is None or tag in tags
        assert all(listed.values())
        assert names(provider.read_scalars(CONTEXT, **question)) == names(listed)
        assert names(provider.aggregate_scalars(CONTEXT, **question)) == names(listed)

    def test_what_is_unknown_is_absent(self, provider: DataProvider) -> None:
        for plugin_name in ("nothing", "", "inv_blob"):
            question: Any = {"experiment_id": "first", "plugin_name": plugin_name}
            assert provider.list_scalars(CONTEXT, **question) == {}
            assert provider.read_scalars(CONTEXT, **question) == {}
            assert provider.read_tensors(CONTEXT, **question) == {}
            assert provider.aggregate_scalars(CONTEXT, **question) == {}

    # Scalars ------------------------------------------------------------------------------------

    def points(self, provider: DataProvider, **query: Any) -> list[tuple[int, float]]:
        question = {**self.question, "run_tag_filter": ONE, **query}
        columns = provider.read_scalars(CONTEXT, **question)[TB]["loss"]
        assert columns.wall_time.tolist() == [START + step for step in columns.step.tolist()]
        return list(zip(columns.step.tolist(), columns.value.tolist(), strict=True))

    def test_scalars_are_read_as_logged(self, provider: DataProvider) -> None:
        answer = provider.read_scalars(CONTEXT, **self.question)
        columns = answer[TB]["loss"]
        assert columns.step.tolist() == list(STEPS)
        np.testing.assert_array_equal(columns.value, [value_of(step) for step in STEPS])
        assert (columns.step.dtype.name, columns.value.dtype.name) == ("int64", "float64")
        assert answer[TB]["acc"].value.tolist() == [step / 3 for step in STEPS]

    def test_points_that_a_restart_replaced_are_not_served(self, provider: DataProvider) -> None:
        columns = provider.read_scalars(CONTEXT, **self.question)["./"]["loss"]
        assert columns.step.tolist() == [1, 2, 3, 4]
        assert columns.value.tolist() == [0.5, 0.25, 9.0, 8.0]
        aggregate = provider.aggregate_scalars(CONTEXT, **self.question)["./"]["loss"]
        assert aggregate == ScalarAggregate(4, 0.25, 2, 9.0, 3, 0.5, 8.0)

    @pytest.mark.parametrize(
        ("steps", "wanted"),
        [
            (StepRange(), STEPS),
            (StepRange(30), STEPS[2:]),
            (StepRange(25, 60), STEPS[2:6]),
            (StepRange(end=20), STEPS[:2]),
            (StepRange(most_recent=3), STEPS[-3:]),
            (StepRange(end=50, most_recent=2), STEPS[3:5]),
            (StepRange(start=80, most_recent=9), STEPS[7:]),
            (StepRange(most_recent=0), ()),
            (StepRange(60, 20), ()),
            (StepRange(-(1 << 70), 1 << 70), STEPS),
            (StepRange(1 << 70), ()),
        ],
    )
    def test_a_range_of_steps_is_closed(
        self, provider: DataProvider, steps: StepRange, wanted: Sequence[int]
    ) -> None:
        assert [step for step, _ in self.points(provider, steps=steps)] == list(wanted)

    @for_every_provider
    @given(count=st.integers(0, 12))
    def test_uniform_keeps_the_ranks_that_its_function_says(
        self, provider: DataProvider, count: int
    ) -> None:
        ranks = sampling.uniform(len(STEPS), count).tolist()
        kept = [step for step, _ in self.points(provider, downsample=Downsample(count))]
        assert kept == [STEPS[rank] for rank in ranks]
        # The range is taken before; series with equal steps keep equal ones.
        question = {**self.question, "run_tag_filter": RunTagFilter(frozenset([TB]))}
        answer = provider.read_scalars(
            CONTEXT, **question, steps=StepRange(30, 80), downsample=Downsample(count)
        )
        ranks = sampling.uniform(6, count).tolist()
        for tag in ("loss", "acc"):
            assert answer[TB][tag].step.tolist() == [STEPS[2:8][rank] for rank in ranks]

    def test_a_reservoir_keeps_the_ranks_that_its_function_says(
        self, provider: DataProvider
    ) -> None:
        for seed in (0, 1):
            downsample = Downsample(4, "reservoir", seed)
            ranks = sampling.reservoir(len(STEPS), 4, seed).tolist()
            kept = [step for step, _ in self.points(provider, downsample=downsample)]
            assert kept == [STEPS[rank] for rank in ranks]

    def test_minmax_keeps_the_extremes_of_scalars_alone(self, provider: DataProvider) -> None:
        kept = dict(self.points(provider, downsample=Downsample(5, "minmax")))
        assert kept[10] == 90.0
        assert kept[100] == 0.0
        assert math.isnan(kept[50])
        with pytest.raises(InvalidQuery, match="scalars"):
            provider.read_tensors(
                CONTEXT,
                experiment_id="first",
                plugin_name="histograms",
                downsample=Downsample(5, "minmax"),
            )

    @pytest.mark.parametrize(
        "query",
        [
            {"downsample": Downsample(-1)},
            {"downsample": Downsample(1, "lttb")},  # type: ignore[arg-type]
            {"downsample": Downsample(1, "reservoir", -1)},
            {"steps": StepRange(most_recent=-1)},
        ],
    )
    def test_numbers_that_make_no_sense_are_refused(
        self, provider: DataProvider, query: Mapping[str, Any]
    ) -> None:
        for read in (provider.read_scalars, provider.read_tensors, provider.read_blob_sequences):
            with pytest.raises(InvalidQuery):
                read(CONTEXT, **self.question, **query)

    def test_ranges_of_indices_do_not_begin_below_zero(self, provider: DataProvider) -> None:
        for indices in (IndexRange(-1), IndexRange(0, -1)):
            with pytest.raises(InvalidQuery, match="begin at 0"):
                provider.read_blob_sequences(
                    CONTEXT, experiment_id="first", plugin_name="images", indices=indices
                )

    def test_aggregates_are_of_a_range_of_steps(self, provider: DataProvider) -> None:
        def aggregate(**steps: int) -> ScalarAggregate | None:
            question = {**self.question, "run_tag_filter": ONE, **steps}
            found = provider.aggregate_scalars(CONTEXT, **question)
            return found[TB]["loss"] if found else None

        assert aggregate() == ScalarAggregate(10, 0.0, 100, 90.0, 10, 90.0, 0.0)
        assert aggregate(start_step=20, end_step=70) == ScalarAggregate(
            6, 30.0, 70, 80.0, 20, 80.0, 30.0
        )
        assert aggregate(start_step=101) is None
        alone = aggregate(start_step=50, end_step=50)
        assert alone is not None
        assert (alone.count, alone.argmin, alone.argmax) == (1, 50, 50)
        numbers = (alone.min, alone.max, alone.first, alone.last)
        assert all(math.isnan(number) for number in numbers)

    # Tensors ------------------------------------------------------------------------------------

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
        experiment = listed[VISUALDL]["_hparams_/experiment"].summary_metadata
        assert b"acc" in experiment.plugin_content

    def test_values_that_break_their_class_are_left_out(self, provider: DataProvider) -> None:
        question: Any = {"experiment_id": "first"}
        tensors = provider.read_tensors(CONTEXT, **question, plugin_name="histograms")
        assert tensors[DECLARED]["broken/h"].step.tolist() == [10]
        scalars = provider.read_scalars(CONTEXT, **question, plugin_name="scalars")
        assert scalars[DECLARED]["broken/s"].step.tolist() == [10]
        blobs = provider.read_blob_sequences(CONTEXT, **question, plugin_name="inv_blob")
        assert blobs[DECLARED]["broken/b"].step.tolist() == [10]
        assert len(blobs[DECLARED]["b"].step) == 3

    # Blobs --------------------------------------------------------------------------------------

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
        ("indices", "wanted"),
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
        self, provider: DataProvider, indices: IndexRange, wanted: slice
    ) -> None:
        (latest,) = self.references(provider, indices=indices, steps=StepRange(most_recent=1))
        assert latest == [b"2", b"1", PNG, PNG + b"100"][wanted]

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

    def test_a_blob_says_its_type_and_is_read_in_part(self, provider: DataProvider) -> None:
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
    def test_what_is_no_key_is_not_found(self, provider: DataProvider, key: str) -> None:
        with pytest.raises(BlobNotFound):
            provider.read_blob(CONTEXT, blob_key=key)

    # Bounds -------------------------------------------------------------------------------------

    def test_an_answer_over_a_bound_is_refused_by_its_name(self, base_dir: Path) -> None:
        few = AnswerBounds(points=12, bytes=1 << 20)
        with self.opened(base_dir, "first", few) as provider:
            assert len(self.points(provider)) == 10
            with pytest.raises(AnswerTooLarge, match=r"more than 12 points \(train jobs x tags"):
                provider.read_scalars(CONTEXT, **self.question)
            with pytest.raises(AnswerTooLarge, match="12 points"):
                provider.read_tensors(CONTEXT, experiment_id="", plugin_name="text")
            with pytest.raises(AnswerTooLarge, match="12 points"):
                provider.read_blob_sequences(CONTEXT, experiment_id="", plugin_name="images")
            provider.read_scalars(CONTEXT, **self.question, downsample=Downsample(1))
        small = AnswerBounds(points=1000, bytes=100)
        with self.opened(base_dir, "first", small) as provider:
            with pytest.raises(AnswerTooLarge, match="more than 100 bytes"):
                provider.read_scalars(CONTEXT, **self.question)
            with pytest.raises(AnswerTooLarge, match="more than 100 bytes"):
                provider.read_tensors(CONTEXT, experiment_id="", plugin_name="histograms")

    def test_large_tensors_are_left_out(self, base_dir: Path) -> None:
        small = AnswerBounds(tensor_bytes=45)
        with self.opened(base_dir, "first", small) as provider:
            question: Any = {"experiment_id": ""}
            tensors = provider.read_tensors(CONTEXT, **question, plugin_name="inv_tensor")
            assert len(tensors[DECLARED]["t"].step) == 3
            histograms = provider.read_tensors(CONTEXT, **question, plugin_name="mesh")
            assert histograms[TB]["m_VERTEX"].value == ()
