"""Lines for the terminal in both languages."""

import re
import textwrap

import pytest

from stepflow_gui.cli.wrapping import wrapped
from stepflow_gui.lint.examples.rule_docs import docs_of
from stepflow_gui.lint.report.printable import width
from stepflow_gui.lint.rules.table import MODULES
from stepflow_gui.messages import use_language


def test_english_breaks_where_the_standard_library_breaks_it() -> None:
    for code in MODULES:
        why = docs_of(code).why
        assert list(wrapped(why, 94)) == textwrap.wrap(why, 94, break_on_hyphens=False)


@pytest.mark.usefixtures("japanese_catalogue")
@pytest.mark.parametrize("columns", [40, 94])
def test_japanese_fills_its_lines_and_loses_nothing(columns: int) -> None:
    use_language("ja")
    for code in MODULES:
        what = docs_of(code).what
        lines = list(wrapped(what, columns))
        assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", what)
        assert all(width(line) <= columns or " " not in line for line in lines)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("一二三四五六七", ["一二三四五", "六七"]),
        ("一二三四五。六", ["一二三四", "五。六"]),  # no line begins with a full stop
        ("一二三四「五六」", ["一二三四", "「五六」"]),  # nor ends with an opening bracket
        ("一二三ステップを", ["一二三", "ステップを"]),  # a word in katakana stays whole
        ("一二 `a.b.c.d` を", ["一二", "`a.b.c.d`", "を"]),
        ("一二三四`五六`七", ["一二三四", "`五六`七"]),
        ("`a.b.c.d.e.f.g`", ["`a.b.c.d.e.f.g`"]),  # what can't be broken stays long
        ("", []),
    ],
)
def test_where_japanese_breaks(text: str, lines: list[str]) -> None:
    assert list(wrapped(text, 10)) == lines
