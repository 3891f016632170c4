from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.series.time_series import Image
from mindviz.export.exports import export_query, open_export
from mindviz.lineagemgr.lineage_table import Lineages
from tests.exported_files import csv_rows
from tests.store_fake import FakeStore

PNG, GIF = b"\x89PNG\r\n\x1a\n1", b"GIF89a2"


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    job = store.add("./a")
    images = [Image(1, 1, (PNG, GIF)), Image(1, 1, ()), Image(1, 1, (b"what is this",))]
    job.add_values("image", "../../../etc/pass\0wd", [0, 1, 7], images)
    store.add("./b").add_values("image", "x", [-1], [Image(1, 1, (PNG,))])
    return store


def test_each_image_is_a_file_that_its_row_names(store: FakeStore, tmp_path: Path) -> None:
    folder = tmp_path / "images_files"
    folder.mkdir()
    export = open_export(store, Lineages(store), export_query("images", "csv"))
    rows = csv_rows(b"".join(export.pieces(images=folder)))
    assert [row["file"] for row in rows] == [
        "images_files/0/0_0.png",
        "images_files/0/0_1.gif",
        "",
        "images_files/0/7_0.bin",
        "images_files/1/-1_0.png",
    ]
    assert rows[2]["problem"]
    found = [(tmp_path / row["file"]).read_bytes() for row in rows if row["file"]]
    assert found == [PNG, GIF, b"what is this", PNG]
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 4
