"""The findings as rows of a list."""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal, get_args

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from stepflow_gui.gui.problems.suppressed_rows import why
from stepflow_gui.lint.diagnostic import RANK, Diagnostic, Severity, order
from stepflow_gui.lint.suppressions.suppressing import Suppressed
from stepflow_gui.messages import _, ngettext

Index = QModelIndex | QPersistentModelIndex
DIAGNOSTIC = Qt.ItemDataRole.UserRole
SUPPRESSED = Qt.ItemDataRole.UserRole + 1
HEADING = Qt.ItemDataRole.UserRole + 2  # what stands above the first row of a group

Grouping = Literal["", "rule", "file", "step"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


class ProblemModel(QAbstractListModel):
    """The worst first, in one severity by file and position. What a filter keeps out has no row.

    Grouped by rule, file or step, that is the order within a group, and groups go by the worst of each.

    Where asked for, the suppressed ones come behind all others; each row is a finding, and `SUPPRESSED` gives more.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Diagnostic] = []
        self.hidden: set[Severity] = set()
        self.words = ""
        self.step: str | None = None
        self.quiet: list[Suppressed] = []  # those with a row
        self.suppressed: list[Suppressed] = []
        self.grouping: Grouping = ""
        self._headings: dict[int, str] = {}  # by the first row of each group
        self._with_suppressed = False
        self._all: list[Diagnostic] = []

    def show(self, diagnostics: Sequence[Diagnostic], suppressed: Sequence[Suppressed] = ()) -> None:
        """List these findings."""
        self.suppressed = list(suppressed)
        self._all = sorted(diagnostics, key=lambda found: (RANK[found.severity], *order(found)))
        self._fill()

    def set_filter(self, hidden: set[Severity], words: str, step: str | None) -> None:
        """Leave severities out; list only findings with all these words, and only those of a step, if any."""
        self.hidden, self.words, self.step = hidden, words, step
        self._fill()

    def show_suppressed(self, wanted: bool) -> None:
        """List the suppressed findings as well."""
        self._with_suppressed = wanted
        self._fill()

    def group_by(self, grouping: Grouping) -> None:
        """List the findings in groups; "": in none."""
        self.grouping = grouping
        self._fill()

    def listed(self) -> list[Diagnostic]:
        """The findings of all rows."""
        return [*self.rows, *(each.found for each in self.quiet)]

    def counts(self) -> Counter[Severity]:
        """How many there are of each severity, hidden ones too."""
        return Counter(found.severity for found in self._all)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows) + len(self.quiet)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        behind = index.row() - len(self.rows)
        suppressed = self.quiet[behind] if behind >= 0 else None
        found = suppressed.found if suppressed else self.rows[index.row()]
        if role == SUPPRESSED:
            return suppressed
        if role == DIAGNOSTIC:
            return found
        if role == HEADING:
            return self._headings.get(index.row(), "")
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{found.code} {found.message}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(found) + (f", {why(suppressed)}" if suppressed else "")
        return None

    def _fill(self) -> None:
        rows = [found for found in self._all if found.severity not in self.hidden and self._meets(found)]
        quiet = [each for each in self.suppressed if self._with_suppressed and self._meets(each.found)]
        headings: dict[int, str] = {}
        if self.grouping:
            groups: dict[str, list[Diagnostic]] = {}
            for found in rows:
                groups.setdefault(group_of(found, self.grouping), []).append(found)
            rows = [found for group in groups.values() for found in group]
            starts = accumulate((len(group) for group in groups.values()), initial=0)
            headings = {
                start: f"{name}  ·  {len(group)}" for start, (name, group) in zip(starts, groups.items(), strict=False)
            }
        if (rows, quiet, headings) != (self.rows, self.quiet, self._headings):
            self.beginResetModel()
            self.rows, self.quiet, self._headings = rows, quiet, headings
            self.endResetModel()

    def _meets(self, found: Diagnostic) -> bool:
        if self.step is not None and found.step != self.step:
            return False
        whole = f"{found.code} {found.name} {found.message} {found.file.name} {found.step or ''}".casefold()
        return all(word in whole for word in self.words.casefold().split())


def group_of(found: Diagnostic, grouping: Grouping) -> str:
    """The name of the group that a finding belongs to."""
    if grouping == "rule":
        return f"{found.code}  {found.name}"
    if grouping == "file":
        return found.file.name
    return found.step or _("The whole")


def severity_word(severity: Severity) -> str:
    """A severity as a word."""
    return {"error": _("error"), "warning": _("warning"), "info": _("note")}[severity]


def count_text(severity: Severity, count: int) -> str:
    """So many findings of a severity."""
    if severity == "error":
        return ngettext("{count} error", "{count} errors", count).format(count=count)
    if severity == "warning":
        return ngettext("{count} warning", "{count} warnings", count).format(count=count)
    return ngettext("{count} note", "{count} notes", count).format(count=count)


def place_text(found: Diagnostic) -> str:
    """Where a finding is, and what it is related to: `a.json:83 ↔ b.json:217`."""
    places = [f"{found.file.name}:{found.range.start.line}"]
    places += [f"{related.file.name}:{related.range.start.line}" for related in found.related]
    return " ↔ ".join(dict.fromkeys(places))


def spoken(found: Diagnostic) -> str:
    """A finding as a screen reader reads it."""
    text = _("{severity} {code}: {message}, {file} line {line}").format(
        severity=severity_word(found.severity),
        code=found.code,
        message=found.message,
        file=found.file.name,
        line=found.range.start.line,
    )
    if not found.fixes:
        return text
    count = len(found.fixes)
    return text + ", " + ngettext("{count} fix", "{count} fixes", count).format(count=count)
