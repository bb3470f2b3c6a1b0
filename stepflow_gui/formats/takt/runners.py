"""The runners of TAKT files that a run can imitate, with what differs between them as data (takt.md 6, 7, 12-14)."""

from collections.abc import Mapping
from typing import NamedTuple

from stepflow_gui.formats.takt.conditions_model import Notation


class TaktRunner(NamedTuple):
    """How one runner takes rules, judges and fills templates. Names are what users see."""

    name: str
    notation: Notation
    judge_names_are_latin: bool  # a judge's tag is only found for names of A-Z, `_` and `-`
    failed_judge_aborts: bool  # else the rules are still put to the AI judge
    judge_counts_visible_rules: bool  # its answer is held against the rules it was shown, by their place in the file
    report_is_path: bool  # {report:x} is the report's path; else its text
    monitors_wait_for_return: bool  # they fire only when the run is about to begin the cycle again


GUIDE = TaktRunner("guide", "piece", False, False, False, False, False)
PIECES = TaktRunner("takt-2026-02-07", "piece", True, True, True, True, False)
WORKFLOWS = TaktRunner("takt-2026-08-23", "workflow", False, True, False, True, True)

RUNNERS: Mapping[str, TaktRunner] = {runner.name: runner for runner in (GUIDE, PIECES, WORKFLOWS)}
