"""Sources: bytes come back as they were, and offsets, lines, columns and UTF-16 units agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.text.source import Position, Source

TEXTS = st.text(alphabet="aé次😀\ud800\n\r\t\u2028\x0c", max_size=30)


@given(st.binary(max_size=20) | st.text(max_size=20).map(lambda text: text.encode("utf-8", "ignore")))
def test_bytes_come_back_or_are_refused_at_the_first_bad_one(data: bytes) -> None:
    try:
        source = Source.decode(data)
    except UnicodeDecodeError as error:
        data[: error.start].decode("utf-8")
    else:
        assert source.encode() == data


def test_only_the_first_byte_order_mark_is_one() -> None:
    source = Source.decode("\ufeff\ufeffa".encode())
    assert source.bom
    assert source.text == "\ufeffa"
    assert source.with_text("b").encode() == "\ufeffb".encode()


@given(TEXTS, st.integers(-2, 40))
def test_a_position_goes_back_to_its_offset(text: str, offset: int) -> None:
    source = Source(text)
    position = source.position(offset)
    held = max(0, min(offset, len(text)))
    assert position.offset == held
    inside_line_end = text[held - 1 : held + 1] == "\r\n" and held > 0
    if not inside_line_end:
        assert source.offset(position.line, position.column) == held
    assert 1 <= position.line <= source.line_count


@given(TEXTS)
def test_lines_are_what_an_editor_counts(text: str) -> None:
    source = Source(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert source.line_count == len(lines)
    assert [source.line_text(number + 1) for number in range(len(lines))] == lines


@given(TEXTS, st.integers(0, 30))
def test_utf16_counts_in_both_directions(text: str, offset: int) -> None:
    source = Source(text)
    offset = min(offset, len(text))
    units = source.utf16(offset)
    assert units == len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2
    assert source.from_utf16(units) == offset


@pytest.mark.parametrize(("units", "offset"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (9, 3)])
def test_a_unit_inside_a_pair_is_the_place_after_it(units: int, offset: int) -> None:
    assert Source("a😀b").from_utf16(units) == offset


def test_places_outside_are_held_inside() -> None:
    source = Source("ab\r\nc")
    assert source.position(99) == Position(2, 2, 5)
    assert source.offset(0, 5) == 0
    assert source.offset(1, 99) == 2
    assert source.offset(2, -3) == 4
    assert source.offset(9, 1) == 5


SIGNS = st.lists(st.sampled_from(["a", "\n", "\r", "\r\n", "語", "🙂", "\u2028"]), max_size=12).map("".join)


@given(SIGNS, SIGNS, st.data())
def test_an_updated_index_of_lines_equals_a_rebuilt_one(text: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    before = Source(text, bom=True)
    assert before.line_count >= 1
    after = before.with_stretch(start, end, new)
    assert after.text == text[:start] + new + text[end:]
    assert after.bom
    fresh = Source(after.text)
    assert [after.position(at) for at in range(len(after.text) + 1)] == [
        fresh.position(at) for at in range(len(after.text) + 1)
    ]
    assert after.line_count == fresh.line_count
