"""SeriesSelection: reads the named series from a provider and reports unknown names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext
from mindviz.datavisual.series.generic_series import SeriesListing
from mindviz.datavisual.series.series_query import RunTagFilter, SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import (
    AnswerTooLarge,
    InvalidQuery,
    NotFound,
    PluginNotFound,
    TagNotFound,
    TrainJobNotFound,
)

T = TypeVar("T")
Answer: TypeAlias = Mapping[str, Mapping[str, T]]
Read: TypeAlias = Callable[[RequestContext, str, SeriesQuery], Answer[T]]
"""One of a provider's methods."""
CONTEXT = RequestContext()
EXPERIMENT_ID = ""
"""Providers of an open log have one experiment."""
_METHODS = {
    DataClass.SCALAR: "scalars",
    DataClass.TENSOR: "tensors",
    DataClass.BLOB_SEQUENCE: "blobs",
}
KNOWN = frozenset(("scalars", "tensors", "histograms", "images"))
"""Plugins that may have no data without being misspelled."""


@dataclass(frozen=True, slots=True)
class SeriesSelection:
    """Series of one plugin and class: train jobs x tags, each by name or all."""

    provider: DataProvider
    query: SeriesQuery

    def listed(self) -> Answer[SeriesListing]:
        """The existing series. Raises TrainJobNotFound."""
        listed = self.provider.listings(CONTEXT, EXPERIMENT_ID, self._of_all_points())
        self._check_train_ids(listed)
        return listed

    def existing(self) -> Answer[SeriesListing]:
        """As `listed`. Also raises TagNotFound, PluginNotFound, and InvalidQuery, as `read`."""
        listed = self.listed()
        self._check_tags(listed)
        return listed

    def read(self, read: Read[T]) -> Answer[T]:
        """The result of `read`, from several calls if one answer would be too large.

        Raises TrainJobNotFound, TagNotFound, PluginNotFound, InvalidQuery for series of another
        class, AnswerTooLarge if a single series is too large.
        """
        try:
            answer = read(CONTEXT, EXPERIMENT_ID, self.query)
        except AnswerTooLarge:
            names = [(train_id, tag) for train_id, tags in self.listed().items() for tag in tags]
            answer = self._read_in_parts(read, names)
        self._check_train_ids(answer)
        self._check_tags(answer)
        return answer

    def _of_all_points(self) -> SeriesQuery:
        """The same series without selection of class or points."""
        return SeriesQuery(self.query.plugin_name, None, self.query.run_tag_filter)

    def _read_in_parts(self, read: Read[T], names: list[tuple[str, str]]) -> Answer[T]:
        """Halve the series until each answer fits. Raises AnswerTooLarge for a single series."""
        answer: dict[str, dict[str, T]] = {}
        for part in _halves(names):
            run_tags = RunTagFilter(
                frozenset(train_id for train_id, _ in part), frozenset(tag for _, tag in part)
            )
            try:
                piece = read(CONTEXT, EXPERIMENT_ID, replace(self.query, run_tag_filter=run_tags))
            except AnswerTooLarge:
                if len(part) == 1:
                    raise
                piece = self._read_in_parts(read, part)
            for train_id, tags in piece.items():
                answer.setdefault(train_id, {}).update(tags)
        return answer

    def _check_train_ids(self, answer: Answer[T]) -> None:
        missing = (self.query.run_tag_filter.train_ids or frozenset()) - answer.keys()
        if not missing:
            return
        runs = self.provider.list_train_jobs(CONTEXT, experiment_id=EXPERIMENT_ID)
        known = {run.train_id for run in runs}
        if missing - known:
            raise TrainJobNotFound(min(missing - known), known)

    def _check_tags(self, answer: Answer[T]) -> None:
        missing = (self.query.run_tag_filter.tags or frozenset()).difference(*answer.values())
        if not missing and (answer or self.query.run_tag_filter.tags is not None):
            return
        classes = {
            tag: item.data_class for tags in self.listed().values() for tag, item in tags.items()
        }
        data_class = self.query.data_class
        for tag, logged_class in classes.items():
            if logged_class is not data_class and (tag in missing or not answer):
                raise InvalidQuery(
                    f"{self.query.plugin_name} {tag!r} is a series of class {logged_class}, not "
                    f"{data_class}: read it with `{_METHODS[logged_class]}`."
                )
        if self.query.plugin_name not in KNOWN and not classes:
            plugins = self.provider.list_plugins(CONTEXT, experiment_id=EXPERIMENT_ID)
            if self.query.plugin_name not in plugins:
                raise PluginNotFound(self.query.plugin_name, {*plugins, *KNOWN})
        unknown = missing - classes.keys()
        if unknown:
            raise self._tag_not_found(min(unknown))

    def _tag_not_found(self, tag: str) -> NotFound:
        train_ids = self.query.run_tag_filter.train_ids
        query = self._of_all_points()
        every_tag = replace(query, run_tag_filter=replace(query.run_tag_filter, tags=None))
        listed = self.provider.listings(CONTEXT, EXPERIMENT_ID, every_tag).values()
        known = {name for tags in listed for name in tags}
        if train_ids is not None and len(train_ids) == 1:
            return TagNotFound(min(train_ids), self.query.plugin_name, tag, known)
        return NotFound(
            f"No run has {self.query.plugin_name} data with tag {tag!r}."
            if train_ids is None
            else f"None of these runs has {self.query.plugin_name} data with tag {tag!r}.",
            name=tag,
            known=known,
        )


def _halves(names: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Split by train job, and a single job by tag: queries are always train jobs x tags."""
    by = 0 if len({train_id for train_id, _ in names}) > 1 else 1
    keys = sorted({name[by] for name in names})
    for half in (set(keys[: len(keys) // 2]), set(keys[len(keys) // 2 :])):
        if half:
            yield [name for name in names if name[by] in half]
