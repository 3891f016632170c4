"""Requirements of every DataProvider: scalars."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.series import sampling
from mindviz.datavisual.series.generic_series import ScalarAggregate
from mindviz.datavisual.series.selection import Downsample, StepRange
from mindviz.datavisual.series.series_query import IndexRange, RunTagFilter
from mindviz.errors import InvalidQuery
from tests.provider_logs import (
    START,
    STEPS,
    TB,
    value_of,
)
from tests.provider_questions import (
    CONTEXT,
    ONE,
    ProviderQuestions,
    for_every_provider,
)


class ScalarAnswers(ProviderQuestions):
    """Points, ranges, samples and aggregates."""

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
        ("steps", "expected"),
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
        self, provider: DataProvider, steps: StepRange, expected: Sequence[int]
    ) -> None:
        assert [step for step, _ in self.points(provider, steps=steps)] == list(expected)

    @for_every_provider
    @given(count=st.integers(0, 12))
    def test_uniform_keeps_the_ranks_of_its_function(
        self, provider: DataProvider, count: int
    ) -> None:
        ranks = sampling.uniform(len(STEPS), count).tolist()
        kept = [step for step, _ in self.points(provider, downsample=Downsample(count))]
        assert kept == [STEPS[rank] for rank in ranks]
        # The range applies first; series with equal steps keep equal ones.
        question = {**self.question, "run_tag_filter": RunTagFilter(frozenset([TB]))}
        answer = provider.read_scalars(
            CONTEXT, **question, steps=StepRange(30, 80), downsample=Downsample(count)
        )
        ranks = sampling.uniform(6, count).tolist()
        for tag in ("loss", "acc"):
            assert answer[TB][tag].step.tolist() == [STEPS[2:8][rank] for rank in ranks]

    def test_a_reservoir_keeps_the_ranks_of_its_function(self, provider: DataProvider) -> None:
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
    def test_invalid_numbers_are_refused(
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
