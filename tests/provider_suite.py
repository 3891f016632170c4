"""Requirements of every DataProvider. Subclasses define how it is opened."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_query import RunTagFilter
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import AnswerTooLarge, ExperimentNotFound
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.proto import tensorboard_pb2 as proto
from tests.provider_logs import (
    BLOBS,
    DECLARED,
    LISTED,
    MINDSPORE,
    PLUGINS,
    SCALAR,
    START,
    STEPS,
    TB,
    TENSOR,
    VISUALDL,
)
from tests.provider_questions import (
    CONTEXT,
    content,
    named,
    names,
)
from tests.provider_scalars import ScalarAnswers
from tests.provider_values import BlobAnswers, TensorAnswers
from tests.written_logs import tensorboard_log, write

RESTARTS = Path(__file__).parent / "golden" / "restarts"


class DataProviderSuite(ScalarAnswers, TensorAnswers, BlobAnswers):
    """Subclasses open a provider over a base dir; nothing else differs."""

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
    def test_a_listing_describes_each_series(
        self, provider: DataProvider, expected: tuple[Any, ...]
    ) -> None:
        plugin_name, train_id, tag, *_ = expected
        listed = provider.list_series(CONTEXT, experiment_id="first", plugin_name=plugin_name)
        listing = listed[train_id][tag]
        metadata = listing.summary_metadata
        assert metadata.data_class is listing.data_class
        assert expected == (
            metadata.plugin_name,
            train_id,
            tag,
            listing.data_class,
            listing.max_step,
            listing.max_length,
            metadata.plugin_content,
        )
        if train_id != "./":
            assert listing.max_wall_time == START + listing.max_step

    def test_series_are_listed_by_class(self, provider: DataProvider) -> None:
        every = {name: self.listed(provider, name) for name in PLUGINS}
        for name, series in every.items():
            query: Any = {"experiment_id": "first", "plugin_name": name}
            of_class = {
                SCALAR: provider.list_scalars(CONTEXT, **query),
                TENSOR: provider.list_tensors(CONTEXT, **query),
                BLOBS: provider.list_blob_sequences(CONTEXT, **query),
            }
            for data_class, listed in of_class.items():
                expected = {key for key, kind in series.items() if kind is data_class}
                assert names(listed) == expected, name

    def listed(self, provider: DataProvider, plugin: str) -> dict[tuple[str, str], DataClass]:
        answer = provider.list_series(CONTEXT, experiment_id="first", plugin_name=plugin)
        return {
            (train_id, tag): series.data_class
            for train_id, tags in answer.items()
            for tag, series in tags.items()
        }

    def test_metadata_of_old_values_is_generated(self, provider: DataProvider) -> None:
        listed = provider.list_scalars(CONTEXT, **self.question)
        assert listed[TB]["loss"].summary_metadata.display_name == "loss"
        assert listed[TB]["acc"].summary_metadata.display_name == ""

    @pytest.mark.parametrize(
        ("plugin_name", "tag"), [("histograms", "broken/h"), ("inv_blob", "broken/b")]
    )
    def test_values_that_break_their_class_are_listed_but_not_answered(
        self, provider: DataProvider, plugin_name: str, tag: str
    ) -> None:
        query: Any = {
            "experiment_id": "first",
            "plugin_name": plugin_name,
            "run_tag_filter": named(DECLARED, tag),
        }
        listed = provider.list_series(CONTEXT, **query)[DECLARED][tag]
        assert (listed.max_step, listed.max_wall_time) == (STEPS[2], START + STEPS[2])
        read = dict(provider.read_tensors(CONTEXT, **query))
        columns = (read or provider.read_blob_sequences(CONTEXT, **query))[DECLARED][tag]
        assert columns.step.tolist() == [STEPS[0]]

    def test_projector_embeddings_are_read_by_step(self, provider: DataProvider) -> None:
        for plugin_name, steps in (
            ("embedding", [10, 20]),
            ("embedding_labels", [10]),
            ("embedding_sprites", [10]),
        ):
            answer = provider.read_tensors(
                CONTEXT,
                experiment_id="",
                plugin_name=plugin_name,
                run_tag_filter=named(TB, "points"),
            )
            assert answer[TB]["points"].step.tolist() == steps

    def test_series_of_unknown_class_are_not_served(self, provider: DataProvider) -> None:
        query: Any = {"experiment_id": "first", "plugin_name": "nobody"}
        assert provider.list_series(CONTEXT, **query) == {}
        assert provider.read_tensors(CONTEXT, **query) == {}

    # Filters ------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        ("train_ids", "tags", "count"),
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
        count: int,
    ) -> None:
        run_tags = RunTagFilter(
            None if train_ids is None else frozenset(train_ids),
            None if tags is None else frozenset(tags),
        )
        query = {**self.question, "run_tag_filter": run_tags}
        listed = provider.list_scalars(CONTEXT, **query)
        assert len(names(listed)) == count
        for train_id, tag in names(listed):
            assert train_ids is None or train_id in train_ids
            assert tags is None or tag in tags
        assert all(listed.values())
        assert names(provider.read_scalars(CONTEXT, **query)) == names(listed)
        assert names(provider.aggregate_scalars(CONTEXT, **query)) == names(listed)

    def test_unknown_series_are_absent(self, provider: DataProvider) -> None:
        for plugin_name in ("nothing", "", "inv_blob"):
            query: Any = {"experiment_id": "first", "plugin_name": plugin_name}
            assert provider.list_scalars(CONTEXT, **query) == {}
            assert provider.read_scalars(CONTEXT, **query) == {}
            assert provider.read_tensors(CONTEXT, **query) == {}
            assert provider.aggregate_scalars(CONTEXT, **query) == {}

    # Odd logs -----------------------------------------------------------------------------------

    def test_the_first_of_several_writers_is_served(self, tmp_path: Path) -> None:
        for name, sign in (("tfevents.1", 1.0), ("tfevents.2", -1.0)):
            points = [(step, sign * step) for step in range(4)]
            write(tmp_path, name, tensorboard_log(points, start=1000.0 - sign))
        with self.opened(tmp_path, "first", AnswerBounds()) as provider:
            (columns,) = provider.read_scalars(CONTEXT, **self.question)["./"].values()
            assert columns.value.tolist() == [0, 1, 2, 3]

    def test_one_point_is_the_value_written_last_even_if_an_hparams_session_wrote_it(
        self, tmp_path: Path
    ) -> None:
        # TensorBoard reads the metrics of its HParams page like this.
        base_dir = shutil.copytree(RESTARTS / "torch", tmp_path / "torch")
        with self.opened(base_dir, "first", AnswerBounds()) as provider:

            def last(job: str, **selection: Any) -> list[float]:
                query = {**self.question, "run_tag_filter": named(job, "val/acc")}
                columns = provider.read_scalars(CONTEXT, **query, **selection)[job]["val/acc"]
                assert len(columns.step) == len(columns.wall_time)
                return list(columns.value.tolist())

            last_point = Downsample(1)
            for job in ("./hparams", "./hparams_within"):
                assert last(job, downsample=last_point) == [0.5]
                assert last(job) == pytest.approx([step / 100 for step in range(20)])
                within = last(job, downsample=last_point, steps=StepRange(0, 10))
                assert within == pytest.approx([0.10])
            assert last("./stray", downsample=last_point) == pytest.approx([0.19])

    def test_any_logged_names_steps_and_numbers_are_served(self, tmp_path: Path) -> None:
        steps = [-(1 << 63), -1, 0, 1, (1 << 63) - 1]
        numbers = [math.nan, math.inf, -math.inf, -0.0, 5e-324]
        tags = ["", " ", "損失/é 'x' \"y\" <b>&?#%2F", "a\nb", "".join(map(chr, range(33, 5000)))]
        events = [
            tensorboard.event(
                START + 1, step, [tensorboard.scalar_tensor(tag, np.float64(value)) for tag in tags]
            )
            for step, value in zip(steps, numbers, strict=True)
        ]
        write(tmp_path / "日本 語" / "%2e%2e", "tfevents.1", frames(events, Framing.TFRECORD))
        with self.opened(tmp_path, "first", AnswerBounds()) as provider:
            read = provider.read_scalars(CONTEXT, **self.question)
            assert {name: set(of_job) for name, of_job in read.items()} == {
                "./日本 語/%2e%2e": set(tags)
            }
            for train_id, tag in names(read):
                columns = read[train_id][tag]
                assert columns.step.tolist() == steps
                # Bytes, because -0.0 equals 0.0.
                assert columns.value.tobytes() == np.array(numbers).tobytes()
                query = {**self.question, "run_tag_filter": named(train_id, tag)}
                assert names(provider.list_scalars(CONTEXT, **query)) == {(train_id, tag)}

    def test_tensors_and_sequences_of_any_shape_round_trip(self, tmp_path: Path) -> None:
        shapes = [(0,), (1,), (0, 3), (2, 0, 2), (1, 2, 1, 2, 1, 2, 3)]
        arrays = [np.full(shape, 1.5, np.float32) for shape in shapes]
        texts = [b"", b"\xff\x00", b"x" * 100_000]
        values = [
            *(
                tensorboard.tensor(
                    str(array.shape), array, plugin_name="acme", data_class=proto.DATA_CLASS_TENSOR
                )
                for array in arrays
            ),
            *(
                tensorboard.strings_tensor(
                    f"blobs {len(blobs)}",
                    blobs,
                    (len(blobs),),
                    plugin_name="acme",
                    data_class=proto.DATA_CLASS_BLOB_SEQUENCE,
                )
                for blobs in (texts, [])
            ),
        ]
        event = tensorboard.event(START, 1, values)
        write(tmp_path, "tfevents.1", frames([event], Framing.TFRECORD))
        acme: Any = {"experiment_id": "", "plugin_name": "acme"}
        with self.opened(tmp_path, "first", AnswerBounds()) as provider:
            tensors = provider.read_tensors(CONTEXT, **acme)["./"]
            for array in arrays:
                (value,) = tensors[str(array.shape)].value
                np.testing.assert_array_equal(value, array)
                assert (value.shape, value.dtype) == (array.shape, array.dtype)
            sequences = provider.read_blob_sequences(CONTEXT, **acme)["./"]
            assert sequences["blobs 0"].references == ((),)
            (references,) = sequences["blobs 3"].references
            blobs = [provider.read_blob(CONTEXT, blob_key=blob.key) for blob in references]
            assert [content(blob) for blob in blobs] == texts

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
            query: Any = {"experiment_id": ""}
            tensors = provider.read_tensors(CONTEXT, **query, plugin_name="inv_tensor")
            assert len(tensors[DECLARED]["t"].step) == 3
            histograms = provider.read_tensors(CONTEXT, **query, plugin_name="mesh")
            assert histograms[TB]["m_VERTEX"].value == ()
