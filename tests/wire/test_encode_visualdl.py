from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mindviz.wire import encode_visualdl as visualdl
from tests.proto import visualdl_pb2 as proto
from tests.strategies import steps, tags, values


def value_of(record: bytes) -> proto.Record.Value:
    (value,) = proto.Record.FromString(record).values
    return value


@given(milliseconds=st.integers(0, 2**42), step=steps(), tag=tags(), value=values())
def test_hand_packed_records_are_those_of_the_generated_classes(
    milliseconds: int, step: int, tag: bytes, value: float
) -> None:
    packed = value_of(visualdl.scalar(milliseconds / 1000, step, tag, value))
    generated = proto.Record.Value(id=step, tag=tag, timestamp=milliseconds, value=value)
    # Compared as text, in which NaN equals NaN.
    assert str(packed) == str(generated)


def test_a_new_file_is_as_long_as_visualdls() -> None:
    # A file that was opened and never written to has 34 bytes: 8 of length, and the meta record.
    assert len(visualdl.meta(1_700_000_000.0)) == 26
    assert value_of(visualdl.meta(1.7e9, "run")).meta_data.display_name == "run"


def test_one_number_of_several_under_a_tag() -> None:
    value = value_of(visualdl.sub_scalar(1.7e9, 3, "iou", "road", 0.5))
    assert (value.tag, value.tag_value.tag, value.tag_value.value) == (b"iou", b"road", 0.5)


def test_the_other_kinds() -> None:
    assert value_of(visualdl.image(1.7e9, 3, "t", b"png")).image.encoded_image_string == b"png"
    histogram = value_of(visualdl.histogram(1.7e9, 3, "t", [0, 1, 3], [4, 5])).histogram
    assert list(histogram.hist) == [4, 5]
    assert list(histogram.bin_edges) == [0, 1, 3]
