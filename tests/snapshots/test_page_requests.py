"""What comparisons and the sweep show is in a snapshot."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from mindviz.cli.demo import write_demo
from tests.snapshots.test_snapshot import decoded, own, saved


def test_comparisons_and_importances_of_the_view_are_kept(tmp_path: Path) -> None:
    write_demo(tmp_path / "logs", now=2_000_000_000.0)
    for others in ("tensorboard", "visualdl"):
        shutil.rmtree(tmp_path / "logs" / others)
    source = own(tmp_path / "logs")
    runs = "runs=mindspore/lenet_sgd~mindspore/lenet_adam"

    def kept(link: str) -> list[Any]:
        wanted = ("lineagemgr/diff", "parity", "optimizer/targets/search")
        keys = [json.loads(key) for key in decoded(saved(source, link)).answers]
        return [key for key in keys if key[0] in wanted]

    assert kept(f"#/scalar?{runs}") == []
    ids = ["./mindspore/lenet_sgd", "./mindspore/lenet_adam"]
    diff, parity = kept(f"#/compare?view=parity&rules=a%20%3D%20b&rtol=0.1&{runs}")
    assert diff == ["lineagemgr/diff", [], {"train_ids": ids}]
    query = dict(parity[1])
    assert query.pop("map") == "a = b"
    assert query == {"a": ids[0], "b": ids[1], "rtol": "0.1", "atol": "0", "limit": "1000"}
    assert kept("#/compare?runs=mindspore/lenet_sgd") == []
    hidden = "runs=mindspore/lenet_sgd&hide=mindspore/lenet_sgd"
    (diff,) = kept(f"#/compare?{hidden}&show=mindspore/lenet_adam~mindspore/lenet_sgd")
    assert set(diff[2]["train_ids"]) == set(ids)
    targets = {key[2]["targets"][0] for key in kept("#/sweep")}
    assert "metric/accuracy" in targets
    (one, *_) = kept(f"#/sweep?hide=mindspore/lenet_adam&{runs}")
    assert one[2]["summary_dir"] == {"in": ids[:1]}
