"""pyarrow, the reference implementation, reads our Arrow streams."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from mindviz.backend.app import create_app
from mindviz.config import Config
from tests.store_fake import START, FakeStore


@pytest.mark.parametrize("restarts", ["latest", "all"])
def test_pyarrow_reads_the_stream_and_finds_every_point(restarts: str) -> None:
    import pyarrow.ipc

    store = FakeStore()
    store.add("./a").append("loss", [1, 2, -(2**63), 2], [0.5, math.nan, math.inf, 3.0])
    store.add("./b").append("loss", range(1000), [float(i) for i in range(1000)])
    client = create_app(Config(Path("/data")), store).test_client()
    response = client.get(
        "/v1/mindviz/datavisual/scalars?train_id=./a&train_id=./b&tag=loss/scalar"
        f"&format=arrow&restarts={restarts}"
    )
    reader = pyarrow.ipc.open_stream(io.BytesIO(response.data))
    table = reader.read_all()
    table.validate(full=True)
    series = json.loads(reader.schema.metadata[b"mindviz"])["series"]
    mine = [-(2**63), 2] if restarts == "latest" else [1, 2, -(2**63), 2]
    assert [one["points"] for one in series] == [len(mine), 1000]
    assert table["step"].to_pylist() == [*mine, *range(1000)]
    assert table["wall_time"].to_pylist()[-1] == START + 999
    assert table["value"].to_pylist()[len(mine) - 1 :][:2] == [3.0, 0.0]
    if restarts == "all":
        assert table["superseded"].to_pylist()[:4] == [True, True, False, False]


def test_an_answer_without_series_is_an_empty_table() -> None:
    import pyarrow.ipc

    client = create_app(Config(Path("/data")), FakeStore()).test_client()
    response = client.get("/v1/mindviz/datavisual/scalars?format=arrow")
    assert pyarrow.ipc.open_stream(io.BytesIO(response.data)).read_all().num_rows == 0


def test_pyarrow_and_mindviz_live_in_one_process(import_beside: Callable[[str], None]) -> None:
    import_beside("import pyarrow, pyarrow.ipc")
