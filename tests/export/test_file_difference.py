"""Unified differences are those of difflib, in long texts as well."""

from difflib import unified_diff
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from stepflow_gui.export.file_difference import file_difference, unified_difference
from stepflow_gui.lint.fixing import FixedFile
from stepflow_gui.text.source import Source


@given(st.sets(st.integers(0, 79)), st.lists(st.integers(0, 80), max_size=5))
def test_lines_gone_and_new_are_reported_as_difflib_reports_them(gone: set[int], new: list[int]) -> None:
    before = [f"line {at}\n" for at in range(80)]
    after = [line for at, line in enumerate(before) if at not in gone]
    for number, at in enumerate(new):
        after.insert(at, f"new {number}\n")
    assert [*unified_difference(before, after, "a/x", "b/x")] == [*unified_diff(before, after, "a/x", "b/x")]


def test_a_last_line_without_an_end_is_marked() -> None:
    change = FixedFile(Path("/agent/x.json"), Source("{}\n"), Source("{}"))
    assert [*file_difference(change, Path("/agent"))][2:] == [
        "@@ -1 +1 @@\n",
        "-{}\n",
        "+{}\n\\ No newline at end of file\n",
    ]
