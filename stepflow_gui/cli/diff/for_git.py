"""`stepflow diff` as git's external diff: one changed file, called with seven arguments, or nine for a renamed one."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.cli.diff.sides import NOTHING
from stepflow_gui.cli.registries import read_problem_text
from stepflow_gui.export.comparison_text import comparison_lines
from stepflow_gui.lint.report.printable import line_of_code
from stepflow_gui.messages import _
from stepflow_gui.project.comparison import compare_documents
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.store import ReadProblem, read
from stepflow_gui.text.source import Source

DONE = 0  # whatever happens: git gives up on all other files otherwise


def show_change(words: Sequence[str], *, color: bool) -> int:
    """Show it. `words`: path, then file, hash and mode of both sides, then the new path and git's description of it."""
    path, old_file, new_file = words[0], Path(words[1]), Path(words[4])
    title = path if len(words) == 7 or words[7] == path else f"{path} → {words[7]}"
    sides = [None if file in NOTHING else read(file) for file in (old_file, new_file)]
    for side in sides:
        if isinstance(side, ReadProblem):
            print(read_problem_text(side._replace(path=Path(path))))
            return DONE
    old, new = (side if isinstance(side, Source) else None for side in sides)
    if not path.endswith(".json"):
        _show_lines(title, old, new)
        return DONE
    documents = [ParsedFile.read(Path(path), side) if side else None for side in (old, new)]
    comparison = compare_documents(*documents)
    for line in comparison_lines(comparison, title, color=color):
        print(line)
    if comparison.unsound:
        print(_("{path}: not valid JSON; compared as far as it could be read").format(path=path))
    return DONE


def _show_lines(title: str, old: Source | None, new: Source | None) -> None:
    """A file that isn't JSON, as plain diff has it."""
    from stepflow_gui.export.file_difference import unified_difference

    before, after = ((side.text if side else "").splitlines() for side in (old, new))
    for line in unified_difference(before, after, title, title):
        print(line_of_code(line.removesuffix("\n")))
