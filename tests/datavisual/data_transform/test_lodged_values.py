"""LodgedValues: found as long as they are kept, and told from what was made of something else."""

from __future__ import annotations

from collections.abc import Hashable

from mindviz.datavisual.data_transform.lodged_values import LodgedValues
from mindviz.datavisual.data_transform.lodgers import Drop, LodgersOfJobs
from mindviz.errors import TrainJobNotFound


def test_a_value_is_found_until_its_memory_is_wanted() -> None:
    lodgers = LodgersOfJobs(100)
    graphs: LodgedValues[str, str] = LodgedValues("graph", lodgers.take_in)
    graphs.keep("./a", "loss", 1, "drawn", 60)
    assert graphs.find("loss", 1) == "drawn"
    assert graphs.find("loss", 2) is None
    assert graphs.find("accuracy", 1) is None
    lodgers.take_in("./b", "other", 60, lambda: None)
    assert graphs.find("loss", 1) is None


def test_a_newer_value_outlives_the_one_that_made_room_for_it() -> None:
    lodgers = LodgersOfJobs(100)
    graphs: LodgedValues[str, str] = LodgedValues("graph", lodgers.take_in)
    graphs.keep("./a", "loss", 1, "drawn", 60)
    graphs.keep("./a", "loss", 2, "drawn anew", 60)
    assert graphs.find("loss", 2) == "drawn anew"


def test_values_of_two_kinds_have_their_places_to_themselves() -> None:
    lodgers = LodgersOfJobs(100)
    graphs: LodgedValues[str, str] = LodgedValues("graph", lodgers.take_in)
    lines: LodgedValues[str, str] = LodgedValues("line", lodgers.take_in)
    graphs.keep("./a", "loss", 1, "drawn", 40)
    lines.keep("./a", "loss", 1, "joined", 40)
    assert (graphs.find("loss", 1), lines.find("loss", 1)) == ("drawn", "joined")


def test_a_value_of_a_job_that_is_gone_is_not_kept() -> None:
    def lodge(train_id: str, _key: Hashable, _nbytes: int, _drop: Drop) -> None:
        raise TrainJobNotFound(train_id)

    graphs: LodgedValues[str, str] = LodgedValues("graph", lodge)
    graphs.keep("./gone", "loss", 1, "drawn", 40)
    assert graphs.find("loss", 1) is None
