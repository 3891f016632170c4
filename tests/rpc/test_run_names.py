from __future__ import annotations

import pytest

from mindviz.rpc.run_names import run_name, train_id

PAIRS = [("./", "."), ("./a", "a"), ("./a/b", "a/b"), ("././x", "./x"), ("./.hidden", ".hidden")]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
def test_every_train_job_has_a_name_and_every_name_leads_back(ours: str, theirs: str) -> None:
    assert run_name(ours) == theirs
    assert train_id(theirs) == ours
