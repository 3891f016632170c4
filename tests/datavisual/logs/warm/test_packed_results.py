from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.warm import packed_results
from mindviz.datavisual.logs.warm.kept_logs import clear, kept_logs
from mindviz.datavisual.logs.warm.packed_results import KEY_SIZE, MOST_PACKS, PackedResults
from mindviz.datavisual.logs.warm.warm_cache import WarmCache

DAYS = 2 * 86_400


def key(number: int) -> bytes:
    """Also keys that end with zeros."""
    return bytes([number]) + bytes(KEY_SIZE - 1)


def cache(root: Path, **options: Any) -> WarmCache:
    return WarmCache(root, "/logs", **options)


def table(root: Path, of: str = "rules", live: frozenset[bytes] = frozenset()) -> PackedResults:
    return PackedResults(cache(root), of, lambda: live)


def saved(root: Path, number: int, of: str = "rules", live: frozenset[bytes] = frozenset()) -> None:
    """Save a result of a run in a separate pack."""
    results = table(root, of, live)
    results.add(f"./{number}", key(number), [number], {"n": number})
    results.save(now=True)


def packs(root: Path) -> list[Path]:
    return sorted(root.rglob("*.pack"))


results = st.dictionaries(
    st.binary(min_size=KEY_SIZE, max_size=KEY_SIZE) | st.integers(0, 255).map(key),
    st.tuples(st.integers(0, 3), st.none() | st.lists(st.floats(allow_nan=False), max_size=3)),
    max_size=20,
)


@given(first=results, second=results)
def test_the_next_start_has_what_was_added(
    tmp_path_factory: pytest.TempPathFactory,
    first: dict[bytes, tuple[int, Any]],
    second: dict[bytes, tuple[int, Any]],
) -> None:
    root = tmp_path_factory.mktemp("cache")
    for added in (first, second):
        writing = table(root)
        for content, (summary, details) in added.items():
            writing.add(content.hex(), content, summary, details)
            assert writing.find(content.hex(), content) == summary
            assert writing.read(content.hex(), content) == details
        writing.save(now=True)
        for of in (writing, table(root)):
            for content, (summary, details) in added.items():
                assert of.find("", content) == summary
                assert of.read("", content) == details
    reading = table(root)
    assert {of: reading.find("", of) for of in first | second} == {
        of: summary for of, (summary, _) in (first | second).items()
    }
    assert reading.find("", b"\xff" * KEY_SIZE) is None or b"\xff" * KEY_SIZE in first | second


def test_numbers_that_json_does_not_have_are_kept(tmp_path: Path) -> None:
    writing = table(tmp_path)
    writing.add("./a", key(1), None, [math.inf, math.nan])
    writing.save(now=True)
    assert repr(table(tmp_path).read("./a", key(1))) == "[inf, nan]"


def test_another_content_or_computation_is_not_found(tmp_path: Path) -> None:
    saved(tmp_path, 1)
    assert table(tmp_path).find("./1", key(1)) == [1]
    assert table(tmp_path).find("./1", key(2)) is None
    assert table(tmp_path, "other rules").find("./1", key(1)) is None
    for other in (
        cache(tmp_path, version="2"),
        cache(tmp_path, formats=["new 1"]),
        cache(tmp_path, plugins=["new"]),
        cache(tmp_path, verify_all=True),
        WarmCache(tmp_path, "/other logs"),
    ):
        assert PackedResults(other, "rules", frozenset).find("./1", key(1)) is None


def test_the_newest_result_of_a_content_counts(tmp_path: Path) -> None:
    for summary in ("old", "new"):
        writing = table(tmp_path)
        writing.add("./a", key(1), summary, summary)
        writing.save(now=True)
    assert table(tmp_path).find("./a", key(1)) == "new"
    assert table(tmp_path).read("./a", key(1)) == "new"


@pytest.mark.parametrize("place", [0.1, 0.5, 0.9])
def test_a_damaged_pack_gives_no_wrong_result_and_is_written_again(
    tmp_path: Path, place: float
) -> None:
    saved(tmp_path, 1)
    (path,) = packs(tmp_path)
    data = bytearray(path.read_bytes())
    data[int(place * len(data))] ^= 1
    path.write_bytes(data)
    reading = table(tmp_path)
    assert reading.find("./1", key(1)) in (None, [1])
    assert reading.read("./1", key(1)) in (None, {"n": 1})
    saved(tmp_path, 1)
    assert table(tmp_path).read("./1", key(1)) == {"n": 1}


def test_a_pack_that_is_cut_off_or_deleted_counts_as_missing(tmp_path: Path) -> None:
    saved(tmp_path, 1)
    (path,) = packs(tmp_path)
    reading = table(tmp_path)
    assert reading.find("./1", key(1)) == [1]
    path.unlink()
    assert reading.read("./1", key(1)) is None
    path.write_bytes(b"")
    assert table(tmp_path).find("./1", key(1)) is None


def test_many_packs_are_merged_without_what_runs_no_longer_have(tmp_path: Path) -> None:
    live = frozenset(map(key, range(1, 99)))
    for number in range(MOST_PACKS + 1):
        saved(tmp_path, number, live=live)
    assert len(packs(tmp_path)) == 1
    reading = table(tmp_path)
    assert reading.find("./0", key(0)) is None
    for number in range(1, MOST_PACKS + 1):
        assert reading.find("", key(number)) == [number]
        assert reading.read("", key(number)) == {"n": number}


def test_what_other_computations_kept_is_deleted_once_it_is_not_used(tmp_path: Path) -> None:
    saved(tmp_path, 1, "old rules")
    (old,) = packs(tmp_path)
    saved(tmp_path, 1)
    assert old in packs(tmp_path)
    os.utime(old, (old.stat().st_mtime - DAYS,) * 2)
    saved(tmp_path, 2)
    assert old not in packs(tmp_path)
    assert table(tmp_path).find("./1", key(1)) == [1]


def test_results_count_for_the_size_of_the_cache(tmp_path: Path, caplog: Any) -> None:
    saved(tmp_path, 1)
    (path,) = packs(tmp_path)
    assert [(kept.base_dir, kept.bytes) for kept in kept_logs(tmp_path)] == [
        ("/logs", path.stat().st_size)
    ]
    full = PackedResults(cache(tmp_path, max_bytes=0), "rules", frozenset)
    full.add("./2", key(2), [2], None)
    full.save(now=True)  # the only pack makes room, but not enough
    assert "Cannot write to the cache" in caplog.text
    assert full.find("./2", key(2)) == [2]
    saved(tmp_path, 1)
    clear(tmp_path, "/logs")
    assert packs(tmp_path) == []


def test_results_of_this_release_outlive_a_day_without_use(tmp_path: Path) -> None:
    saved(tmp_path, 1)
    (mine,) = packs(tmp_path)
    old = PackedResults(cache(tmp_path, version="old"), "rules", frozenset)
    old.add("./1", key(1), [1], None)
    old.save(now=True)
    for path in packs(tmp_path):
        os.utime(path, (path.stat().st_mtime - DAYS,) * 2)
    cache(tmp_path).collect()
    assert packs(tmp_path) == [mine]


def test_few_results_wait_for_more_after_the_first_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_results, "_SAVE_RESULTS", 3)
    writing = table(tmp_path)
    for number, expected in enumerate((1, 1, 1, 2)):
        writing.add(f"./{number}", key(number), number, None)
        writing.save()
        assert len(packs(tmp_path)) == expected
