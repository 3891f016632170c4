"""Precision and recall of the anomaly rules on injected series, false events, and speed.

    python benchmarks/anomalies.py [--repeats N] [--points N]

The suite: 12 shapes of clean series x 5 levels of noise, with fixed random seeds. Into each, every
rule's anomaly is injected at a random step; all rules look at all series. An event is right
if its rule was injected there and it begins near the injection. Everything else is false. Clean
series are counted apart: at most one false event per rule per million points.

No other program has these rules, so there is no peer.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from comparison import Row, at_most, progress, report
from numpy.typing import NDArray

from mindviz.config import Config
from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.rule_evaluation import RuleEvaluation
from mindviz.datavisual.health.rules import default_rules
from mindviz.datavisual.health.run_anomalies import run_anomalies
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing

Column = NDArray[np.float64]
Random = np.random.Generator
POINTS = 1_000
"""Per series of the injected suite."""
NOISE = (0.0, 0.003, 0.01, 0.03, 0.1)
"""Standard deviation of the noise, in units of the series' range."""
RUNS, TAGS, LENGTH = 10_000, 20, 500
"""Of the speed."""
RULES = default_rules()
KINDS = [rule.kind for rule in RULES.all]


def staircase(x: Column) -> Column:
    """A learning rate that is divided twice: the loss drops at once."""
    stair = np.floor(np.minimum(x * 3, 2.999))
    return 0.5**stair * (0.6 + 0.4 * np.exp(-8 * (x * 3 - stair)))


SHAPES: dict[str, Callable[[Column], Column]] = {
    "exponential": lambda x: np.exp(-5 * x),
    "steep": lambda x: np.exp(-25 * x),
    "power law": lambda x: (1 + 50 * x) ** -0.5,
    "linear": lambda x: 1 - 0.9 * x,
    "logistic": lambda x: 1 / (1 + np.exp(12 * (x - 0.4))),
    "staircase": staircase,
    "cosine": lambda x: 0.55 + 0.45 * np.cos(np.pi * x),
    "cyclic": lambda x: np.exp(-3 * x) + 0.1 * np.sin(40 * np.pi * x),
    "constant": np.ones_like,
    "two scales": lambda x: 0.6 * np.exp(-30 * x) + 0.4 * np.exp(-2 * x),
    "slow start": lambda x: 1 - 0.9 * x**3,
    "drifting": lambda x: np.exp(-3 * x),  # its noise is correlated
}


@dataclass
class Series:
    """A training loss, its validation, a gradient norm and times, all clean until injected."""

    loss: Column
    validation: Column
    gradient: Column
    wall_time: Column

    def evaluate(self) -> Iterator[tuple[AnomalyKind, str, int]]:
        """Kind, tag and step of all events."""
        columns = {
            "train/loss": self.loss,
            "val/loss": self.validation,
            "grad_norm": self.gradient,
        }
        evaluation = RuleEvaluation(RULES, list(columns))
        steps = np.arange(len(self.loss))
        for tag, column in columns.items():
            evaluation.append(tag, steps, self.wall_time, column)
        for event in evaluation.events():
            yield event.rule.kind, event.tag, event.step


def noise_of(shape: str, random: Random, points: int) -> Column:
    """Noise of standard deviation 1: independent, or correlated over ten points."""
    white = random.standard_normal(points)
    if shape != "drifting":
        return white
    drift = np.empty(points)
    last = 0.0
    for at, value in enumerate(white.tolist()):
        drift[at] = last = 0.9 * last + 0.436 * value
    return drift


def clean(shape: str, level: float, random: Random, points: int = POINTS) -> Series:
    """A series without anomalies."""
    x = np.linspace(0, 1, points)
    curve = SHAPES[shape](x)
    loss = 0.1 + curve + level * noise_of(shape, random, points)
    validation = 0.15 + curve + level * noise_of(shape, random, points)
    gradient = (1 + 2 * curve) * np.exp(3 * level * random.standard_normal(points))
    pace = 0.1 * np.exp(0.2 * random.standard_normal(points))
    pace[:: points // 10] += 2.0  # a validation, a checkpoint
    return Series(loss, validation, gradient, 1.7e9 + np.cumsum(pace))


def spike(series: Series, at: int, level: float, random: Random) -> str:
    """One to five values, far off, some of which decay."""
    length = int(random.integers(1, 6))
    height = max(0.5, 15 * level) * (1 + random.random())
    series.loss[at : at + length] += height * np.exp(-np.arange(length) / 4)
    return "train/loss"


def nan(series: Series, at: int, level: float, random: Random) -> str:
    """NaN from here on."""
    series.loss[at:] = np.nan
    return "train/loss"


def infinity(series: Series, at: int, level: float, random: Random) -> str:
    """A few infinite values."""
    series.loss[at : at + 3] = np.inf
    return "train/loss"


def divergence(series: Series, at: int, level: float, random: Random) -> str:
    """A rise over 30 to 100 points to twice the range, to stay."""
    points = np.arange(len(series.loss) - at)
    rise = np.minimum(points / random.integers(30, 100), 1)
    series.loss[at:] += rise * (1.5 + random.random())
    return "train/loss"


def plateau(series: Series, at: int, level: float, random: Random) -> str:
    """Progress stops, noise goes on."""
    rest = len(series.loss) - at
    series.loss[at:] = series.loss[at - 8 : at].mean() + level * random.standard_normal(rest)
    return "train/loss"


def throughput(series: Series, at: int, level: float, random: Random) -> str:
    """Steps take 2 to 4 times as long."""
    pace = np.diff(series.wall_time)
    pace[at:] *= 2 + 2 * random.random()
    series.wall_time[1:] = series.wall_time[0] + np.cumsum(pace)
    return "train/loss"


def validation_gap(series: Series, at: int, level: float, random: Random) -> str:
    """The validation loss rises by half to one and a half of the range."""
    rest = np.arange(len(series.loss) - at) / (len(series.loss) - at)
    series.validation[at:] = series.validation[at] + rest * (0.5 + random.random() + 10 * level)
    series.validation[at:] += level * random.standard_normal(len(rest))
    return "val/loss"


def gradient_change(series: Series, at: int, level: float, random: Random) -> str:
    """The norm is divided or multiplied by 6 to 12."""
    factor = 6 * (1 + random.random())
    series.gradient[at:] *= factor if random.random() < 0.5 else 1 / factor
    return "grad_norm"


INJECTIONS = (
    spike, nan, infinity, divergence, plateau, throughput, validation_gap, gradient_change,
)  # fmt: skip
NEAR = {"divergence": 120, "plateau": 150, "validation_gap": 400, "throughput": 20}
"""Points that an event may begin after its injection; else 12. It may begin half of it before."""


def seeded(*names: object) -> Random:
    """The same numbers on every machine."""
    return np.random.default_rng(zlib.crc32(repr(names).encode()))


NO_PROGRESS = {"steep", "constant", "staircase", "logistic"}
"""Shapes that may have no progress left where a plateau would be injected."""


def is_meaningful(kind: str, shape: str) -> bool:
    """Whether the anomaly can exist in the shape."""
    if kind == "plateau":
        return shape not in NO_PROGRESS
    return kind != "validation_gap" or shape != "constant"  # it has to improve first


@dataclass
class Score:
    """Counts per rule."""

    right: Counter[str] = field(default_factory=Counter)
    """Events where the rule's anomaly was injected."""
    false: Counter[str] = field(default_factory=Counter)
    detected: Counter[str] = field(default_factory=Counter)
    injected: Counter[str] = field(default_factory=Counter)

    def precision(self, kind: str) -> float:
        """Share of the rule's events that are right."""
        return self.right[kind] / max(self.right[kind] + self.false[kind], 1)

    def recall(self, kind: str) -> float:
        """Share of the rule's anomalies that are detected."""
        return self.detected[kind] / self.injected[kind]


def injected(repeats: int) -> Score:
    """All rules on all injected series."""
    score = Score()
    for inject in INJECTIONS:
        kind = inject.__name__
        near = NEAR.get(kind, 12)
        for shape in SHAPES:
            if not is_meaningful(kind, shape):
                continue
            for level in NOISE:
                for repeat in range(repeats):
                    random = seeded(kind, shape, level, repeat)
                    series = clean(shape, level, random)
                    last = 2 if kind == "plateau" else 3
                    at = int(random.integers(POINTS // 5, POINTS * last // 5))
                    where = inject(series, at, level, random)
                    score.injected[kind] += 1
                    hits = 0
                    for event, tag, step in series.evaluate():
                        is_near = -near // 2 <= step - at <= near
                        if event == kind and is_near and (tag == where or kind == "throughput"):
                            hits += 1
                        else:
                            score.false[event.value] += 1
                    score.right[kind] += hits
                    score.detected[kind] += hits > 0
    return score


def false_events(points: int) -> tuple[Counter[str], Counter[str]]:
    """False events per rule on clean series, and the points that each rule evaluated."""
    false: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    tags = ("train/loss", "val/loss", "grad_norm")
    kinds_of = {tag: [rule.kind.value for rule in RULES.of_tag(tag)] for tag in tags}
    while min(seen.values(), default=0) < points:
        for shape in SHAPES:
            for level in NOISE:
                for length in (200, 1_000, 5_000):
                    random = seeded(shape, level, length, sum(seen.values()))
                    for event, _, _ in clean(shape, level, random, length).evaluate():
                        false[event.value] += 1
                    for tag in tags:
                        seen.update(dict.fromkeys(kinds_of[tag], length))
    return false, seen


def write_runs(base: Path) -> None:
    """Runs with a loss, its validation, a gradient norm and other series, noisy and clean."""
    random = seeded("speed")
    names = ["train/loss", "val/loss", "grad_norm"]
    names += [f"metric{number}" for number in range(TAGS - len(names))]
    times = 1.7e9 + np.cumsum(0.1 * np.exp(0.2 * random.standard_normal(LENGTH)))
    descent = np.exp(-3 * np.linspace(0, 1, LENGTH))
    values = descent[:, None] + 0.05 * random.standard_normal((LENGTH, TAGS))
    log = frames(
        [
            tensorboard.scalars_event(
                float(times[step]), step, dict(zip(names, values[step].tolist(), strict=True))
            )
            for step in range(LENGTH)
        ],
        Framing.TFRECORD,
    )
    for number in range(RUNS):
        folder = base / f"run{number:05d}"
        folder.mkdir()
        (folder / "events.out.tfevents.1").write_bytes(log)


def speed() -> list[Row]:
    """CPU time of the rules on all series of 10,000 runs, which are loaded."""
    with tempfile.TemporaryDirectory() as directory:
        base = Path(directory)
        progress(f"{RUNS:,} logs ...")
        write_runs(base)
        store = LogStore(Config(base, reload_interval=0, inotify=False))
        store.load_once()
        progress("evaluating the rules ...")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        begun, found = time.process_time(), 0
        for train_id in store.list_train_ids():
            found += len(run_anomalies(store, train_id, RULES))
        took = time.process_time() - begun
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    target, reached = at_most(60, took, "s")
    note = f"{found:,} events, peak memory + {grown:.0f} MB"
    what = f"rules on {RUNS:,} runs x {TAGS} tags x {LENGTH} points, CPU"
    return [Row(what, "-", took, None, "s", target, reached, note)]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--points", type=int, default=4_000_000, help="clean points per rule")
    parser.add_argument("--no-speed", action="store_true", help="only precision and recall")
    options = parser.parse_args()
    progress("injected series ...")
    score = injected(options.repeats)
    progress("clean series ...")
    false, seen = false_events(options.points)
    rows = []
    for kind in (inject.__name__ for inject in INJECTIONS):
        rate = false[kind] * 1e6 / seen[kind]
        target, reached = at_most(1, rate, "")
        note = f"{false[kind]} in {seen[kind]:,} clean points, {score.injected[kind]} injected"
        rows += [
            Row(f"rule {kind}: precision", "-", 100 * score.precision(kind), None, "%"),
            Row(f"rule {kind}: recall", "-", 100 * score.recall(kind), None, "%"),
            Row(f"rule {kind}: false per 10^6", "-", rate, None, "", target, reached, note),
        ]
    report([*rows, *([] if options.no_speed else speed())])


if __name__ == "__main__":
    main()
