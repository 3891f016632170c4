"""Shared parts of the suites of DataProvider."""

from __future__ import annotations

import string
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext
from mindviz.datavisual.series.generic_series import Blob
from mindviz.datavisual.series.series_query import RunTagFilter
from tests.provider_logs import (
    TB,
    write_provider_logs,
)

CONTEXT = RequestContext()
ONE = RunTagFilter(frozenset([TB]), frozenset(["loss"]))
for_every_provider = settings(suppress_health_check=[HealthCheck.differing_executors])
"""Each property of the suite runs in several classes."""
KEY = frozenset(string.ascii_letters + string.digits + "-_")


def named(train_id: str, tag: str) -> RunTagFilter:
    return RunTagFilter(frozenset([train_id]), frozenset([tag]))


def names(answer: Mapping[str, Mapping[str, object]]) -> set[tuple[str, str]]:
    return {(train_id, tag) for train_id, tags in answer.items() for tag in tags}


def content(blob: Blob) -> bytes:
    return b"".join(blob.chunks())


class ProviderQuestions(ABC):
    """Opens a provider over logs, as subclasses define."""

    question: ClassVar[Any] = {"experiment_id": "first", "plugin_name": "scalars"}

    @classmethod
    @abstractmethod
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> AbstractContextManager[DataProvider]:
        """A provider whose only experiment is a base dir."""

    @pytest.fixture(scope="class")
    @classmethod
    def base_dir(cls, tmp_path_factory: pytest.TempPathFactory) -> Path:
        directory = tmp_path_factory.mktemp("logs")
        write_provider_logs(directory)
        return directory

    @pytest.fixture(scope="class")
    @classmethod
    def provider(cls, base_dir: Path) -> Iterator[DataProvider]:
        with cls.opened(base_dir, "first", AnswerBounds()) as provider:
            yield provider
