"""Fills the page that holds two kept runs against each other, of whatever kind they are."""

from collections.abc import Callable

from stepflow_gui.gui.runs.panel.compare import RunCompare
from stepflow_gui.gui.runs.run_text import branch_name, short_name
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.messages import _
from stepflow_gui.run.debugging.branches import Branches, R
from stepflow_gui.run.debugging.comparing import RunComparison


def show_comparison(
    page: RunCompare,
    debugger: Branches[R],
    number: int | None,
    compare: Callable[[R, R], RunComparison],
    line: Callable[[R, int], Cell],
) -> None:
    """Compare the current run with that of a number, by default the last of the others.

    `line` gives an entry, by its 0-based place, in one cell.
    """
    current = debugger.current
    others = [branch for branch in debugger.branches if branch is not current]
    if current is None or not others:
        return
    other = next((branch for branch in others if branch.number == number), others[-1])
    page.show_others([(branch.number, branch_name(branch)) for branch in others], other.number)
    found = compare(current.run, other.run)
    if found.same:
        summary = _("No differences.")
    elif found.common == 0:
        summary = _("They differ from the first step.")
    else:
        summary = _("They are the same up to entry {number} and then differ.").format(number=found.common)

    def cell(run: R, at: int) -> Cell:
        return line(run, at) if at < run.length else Cell("–", token="muted")

    def make(at: int) -> TableRow:
        token = "warning" if at == found.common else "muted"
        cells = (Cell(str(at + 1), token=token), cell(current.run, at), cell(other.run, at))
        return TableRow(cells, bold=at == found.common)

    names = short_name(current), short_name(other)
    page.show_pairs(names, summary, max(found.first, found.second), make, found.common)
