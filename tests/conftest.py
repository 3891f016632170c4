"""Settings of every test: bounded, repeatable properties, and no `MINDVIZ_*` from outside."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# `make test`: the same examples on every machine, few enough for all tests to take minutes.
settings.register_profile(
    "bounded",
    max_examples=60,
    derandomize=True,
    deadline=None,  # a loaded machine is no failure
    suppress_health_check=[HealthCheck.too_slow],  # as above
)
# `make properties`: fresh examples each time, and many.
settings.register_profile(
    "long", settings.get_profile("bounded"), max_examples=5000, derandomize=False
)
settings.load_profile("bounded")

LONGEST = ("test_packaging.py", "test_hostile_logs.py", "test_databases.py")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest modules first: at the end, one would run while other processes are idle."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.fixture(autouse=True)
def no_settings_of_the_developer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the settings of the mindviz that the developer uses."""
    for name in list(os.environ):
        if name.startswith("MINDVIZ_") and not name.startswith("MINDVIZ_TEST_"):
            monkeypatch.delenv(name)


@pytest.fixture
def untraced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep coverage out of the processes that the test starts: it would be among their modules."""
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
