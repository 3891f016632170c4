"""The lists of a store, in memory or in SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mindviz.datavisual.store import Store
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_lists import MemoryLists, RunLists


def run_lists(
    store: Store, lineages: Lineages, events: Callable[[], Mapping[str, Sequence[int]]] = dict
) -> RunLists:
    """The lists of a store. `events` as of `RunView`.

    Databases have no events: they follow from a server's rules, and change without an import. What
    filters or sorts by them reads columns of all runs as arrays.
    """
    in_memory = MemoryLists(store, lineages, events)
    if not store.has_catalog:
        return in_memory
    # Imported late, because SQLAlchemy is slow to import.
    from mindviz.stored_lists.sql_lists import SqlLists  # noqa: PLC0415

    return SqlLists(store, in_memory, lineages)
