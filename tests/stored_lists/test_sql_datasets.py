from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mindviz.stored_lists.sql_datasets import DatasetNumbers

DIGESTS = st.lists(
    # Numpy ignores zeros at the end.
    st.binary(min_size=16, max_size=16)
    | st.binary(min_size=14, max_size=14).map(lambda b: b + b"\0\0"),
    unique=True,
    max_size=20,
)


@given(digests=DIGESTS, others=DIGESTS)
def test_numbers_follow_the_order_of_first_runs(digests: list[bytes], others: list[bytes]) -> None:
    numbers = DatasetNumbers(b"".join(digests))
    expected = {digest: str(number) for number, digest in enumerate(digests, 2)}
    assert dict(numbers.items()) == expected
    asked = [*digests, *others, None]
    assert numbers.of(asked) == [expected.get(digest) for digest in asked if digest] + [None]


def test_a_number_takes_20_bytes() -> None:
    digests = [number.to_bytes(16, "big") for number in range(1_000)]
    assert DatasetNumbers(b"".join(digests)).nbytes == 20_000
