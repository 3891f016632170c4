"""The error if none of the requested series exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from mindviz.backend.errors import SeriesNotFound
from mindviz.datavisual.store import Store
from mindviz.errors import TrainJobNotFound

_MOST_TAGS = 100_000
"""Maximum number of tags to search for similar names, over all train jobs."""


def missing_series(
    store: Store,
    plugin_name: str,
    train_ids: Sequence[str],
    tags: Sequence[str],
    *,
    shown: Callable[[str], str] = str,
) -> SeriesNotFound:
    """The error that names the unknown train job or tag. `shown` converts a log's tag to a route's.

    The request must name at least one train job and one tag.
    """
    known_ids = [job.train_id for job in store.train_jobs(list(dict.fromkeys(train_ids)))]
    if not known_ids:
        message = str(TrainJobNotFound(train_ids[0]))
        known = [job.train_id for job in store.job_versions()]
        return SeriesNotFound(message, name=train_ids[0], known=known)
    logged = islice(_tags(store, plugin_name, known_ids), _MOST_TAGS)
    known_tags = dict.fromkeys(shown(tag) for tag in logged)
    tag = next((name for name in tags if name not in known_tags), tags[0])
    single = f"Run {known_ids[0]!r} has no"
    lacks = single if len(known_ids) == 1 else f"None of {len(known_ids)} runs has"
    message = f"{lacks} {plugin_name} data with tag {tag!r}."
    return SeriesNotFound(message, name=tag, known=known_tags)


def _tags(store: Store, plugin_name: str, train_ids: Iterable[str]) -> Iterable[str]:
    for train_id in train_ids:
        try:
            yield from store.list_tags(train_id).get(plugin_name, ())
        except TrainJobNotFound:  # just deleted
            continue
