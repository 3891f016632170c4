from __future__ import annotations

import pytest

from mindviz.datavisual.logs.loading.retries import LONGEST, ReloadRetries, backoff
from mindviz.errors import LogUnreadable


def test_pauses_double_up_to_a_minute() -> None:
    assert [backoff(failures) for failures in (1, 2, 3)] == [0.5, 1.0, 2.0]
    assert backoff(10) == backoff(10_000) == LONGEST == 60.0


def test_a_failed_reload_is_not_repeated_at_once_and_forgotten_once_it_succeeds() -> None:
    retries = ReloadRetries()
    retries.check()
    assert str(retries.failed("a/log cannot be read.")) == "a/log cannot be read."
    with pytest.raises(LogUnreadable, match=r"^a/log cannot be read\.$"):
        retries.check()
    retries.succeeded()
    retries.check()
    assert retries.problem == ""
