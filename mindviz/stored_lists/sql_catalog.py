"""What an experiment in a database has, without its runs: names of fields, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import (
    Connection,
    select,
)

from mindviz.datavisual.analysis.parameter_names import (
    LOGGED,
    ParameterNames,
    field_of,
    parameter_names,
)
from mindviz.datavisual.series.lineage_facts import MetricTag
from mindviz.datavisual.series.value_order import natural_key
from mindviz.datavisual.sql.catalog import (
    NUMBER,
    Shape,
)
from mindviz.datavisual.sql.run_sums import ExperimentVersion, Groups
from mindviz.datavisual.sql.tables import RUNS, SHAPES
from mindviz.lineagemgr.run_table import (
    FieldNames,
)


@dataclass
class Catalog:
    """What a version of an experiment has, without its runs."""

    at: ExperimentVersion
    total: int = 0
    has_root: bool = False
    """Whether a run is in the base dir itself."""
    fields: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    """Name of each fact -> kind -> number of runs."""
    metrics: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Metric of hparams sessions -> shapes of the runs that have it."""
    plugins: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    """plugin_name -> shapes of the runs that have its data -> number of these runs."""
    scalar_tags: Mapping[str, int] = field(default_factory=dict)
    unmeasured_tags: Mapping[str, int] = field(default_factory=dict)
    names: FieldNames = field(
        default_factory=lambda: FieldNames(frozenset(), ParameterNames((), {}), {})
    )
    is_grouped: bool = False
    """Whether metrics of runs are series of other runs, which only memory joins."""

    @property
    def number(self) -> int:
        """`EXPERIMENTS.experiment_id`."""
        return self.at.number

    def follows(self, other: Catalog) -> bool:
        """Whether this is a later version of the same experiment."""
        return self.at.follows(other.at)


def read_catalog(connection: Connection, at: ExperimentVersion, runs_of_shapes: Groups) -> Catalog:
    """The catalog of an experiment; `runs_of_shapes`: shape_id -> number of runs."""
    number = at.number
    ours = RUNS.c.experiment_id == number
    counts: dict[int, int] = {shape_id: runs for (shape_id,), (runs,) in runs_of_shapes.items()}

    def shapes() -> Iterator[tuple[int, int, Shape]]:
        query = select(SHAPES.c.shape_id, SHAPES.c.content).where(SHAPES.c.experiment_id == number)
        streamed = {"stream_results": True, "yield_per": 100}
        for shape_id, content in connection.execute(query, execution_options=streamed):
            if shape_id in counts:
                yield shape_id, counts[shape_id], Shape.of(content)

    tags: set[MetricTag] = set()
    every: set[str] = set()
    for _, _, shape in shapes():
        tags.update(shape.metric_tags)
        every.update(shape.fields)
    metric_tags = {tag.tag for tag in tags}
    spelled = _spelled(every | {f"metric/{tag}" for tag in metric_tags})
    fields: dict[str, Counter[int]] = {}
    metrics: dict[str, list[int]] = {}
    plugins: dict[str, dict[int, int]] = {}
    scalar_tags: Counter[str] = Counter()
    unmeasured: Counter[str] = Counter()
    spellings: set[tuple[frozenset[str], frozenset[str]]] = set()
    for shape_id, runs, shape in shapes():
        for name, kind in shape.fields.items():
            fields.setdefault(name, Counter())[kind] += runs
        measured = metric_tags.intersection(shape.measured)
        for tag in measured:
            metrics.setdefault(tag, []).append(shape_id)
            fields.setdefault(f"metric/{tag}", Counter())[NUMBER] += runs
        for plugin_name in shape.tags:
            plugins.setdefault(plugin_name, {})[shape_id] = runs
        scalars = dict.fromkeys(shape.tags.get("scalar", ()), runs)
        scalar_tags.update(scalars)
        unmeasured.update({} if measured or _has_metrics(shape) else scalars)
        present = frozenset(spelled.intersection(shape.fields))
        spellings.add((present, frozenset(shape.same)))

    def is_within(some: str, others: str) -> bool:
        same = some if some.startswith(LOGGED) else others
        return all(some not in present or same in equal for present, equal in spellings)

    facts = tuple(sorted(fields, key=natural_key))
    root = select(RUNS.c.run_id).where(ours, RUNS.c.train_id == "./")
    return Catalog(
        at=at,
        total=sum(counts.values()),
        has_root=connection.execute(root).first() is not None,
        fields=fields,
        metrics=metrics,
        plugins=plugins,
        scalar_tags=scalar_tags,
        unmeasured_tags=unmeasured,
        names=FieldNames(frozenset(facts), parameter_names(facts, is_within), scalar_tags),
        is_grouped=any(tag.group for tag in tags),
    )


def column_names(catalog: Catalog) -> Iterator[str]:
    """The columns that lists may need, by exact names; those of most runs first."""
    yield from ("name", "points", "tags", "size", "problems")
    runs = {name: sum(kinds.values()) for name, kinds in catalog.fields.items()}
    yield from sorted(runs, key=lambda name: -runs[name])
    tags = sorted(catalog.scalar_tags, key=lambda tag: -catalog.scalar_tags[tag])
    yield from (f"scalar/{tag}/{statistic}" for statistic in ("last", "min", "max") for tag in tags)


def _has_metrics(shape: Shape) -> bool:
    return any(name.startswith("metric/") for name in shape.fields)


def _spelled(names: Collection[str]) -> set[str]:
    """Logged parameters that repeat another field, and these fields."""
    logged = {name for name in names if name.startswith(LOGGED) and field_of(name) in names}
    return logged | {field_of(name) for name in logged}
