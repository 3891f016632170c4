from __future__ import annotations

import pytest

from mindviz.datavisual.series.generic_series import SeriesListing, SummaryMetadata
from mindviz.datavisual.series.time_series import DataClass
from mindviz.rpc.hparams_listing import without_empty_experiments
from mindviz.wire.encode import delimited

METRICS_ALONE = delimited(2, delimited(5, delimited(1, delimited(2, b"loss"))))
WITH_HPARAMS = delimited(2, delimited(4, delimited(1, b"lr")))


def listing(content: bytes) -> SeriesListing:
    metadata = SummaryMetadata("hparams", content, data_class=DataClass.TENSOR)
    return SeriesListing(DataClass.TENSOR, 0, 0.0, 0, metadata)


@pytest.mark.parametrize(
    ("content", "kept"),
    [(METRICS_ALONE, False), (b"", False), (WITH_HPARAMS, True), (b"\xff", True)],
)
def test_an_experiment_that_would_hide_all_hyperparameters_is_not_sent(
    content: bytes, kept: bool
) -> None:
    start = listing(delimited(3, b""))
    tags = {"_hparams_/experiment": listing(content), "_hparams_/session_start_info": start}
    seen = without_empty_experiments({"./a": tags, "./b": {"_hparams_/session_start_info": start}})
    assert seen == {
        "./a": tags if kept else {"_hparams_/session_start_info": start},
        "./b": {"_hparams_/session_start_info": start},
    }
