"""The runners of TAKT files that a run can imitate, with what differs between them as data (takt.md 6, 7, 12-14)."""

from collections.abc import Mapping
from functools import cache
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
    variables: tuple[str, ...]  # of those that stand for the limit and the count of a movement: which it replaces
    facets: bool  # a bare name that no section map has is looked for among facet files


_OLDER = ("max_iterations", "movement_iteration")
GUIDE = TaktRunner("guide", "piece", False, False, False, False, False, (*_OLDER, "max_movements"), False)
PIECES = TaktRunner("takt-2026-02-07", "piece", True, True, True, True, False, _OLDER, False)
WORKFLOWS = TaktRunner(
    "takt-2026-08-23", "workflow", False, True, False, False, True, ("max_steps", "step_iteration"), True
)

RUNNERS: Mapping[str, TaktRunner] = {runner.name: runner for runner in (GUIDE, PIECES, WORKFLOWS)}


class RunnerNames(tuple[str, ...]):
    """Names to choose from. Releases of TAKT are among them, as `takt-0.27`, and not listed."""

    __slots__ = ()

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and runner_named(name) is not None


RUNNER_NAMES = RunnerNames(RUNNERS)
EXAMPLE = "takt-0.27"  # how the name of a release is written


@cache
def runner_named(name: str) -> TaktRunner | None:
    """The runner of a name: one of the above, or that of a release; of several the newest. None for any other name."""
    if name in RUNNERS:
        return RUNNERS[name]
    from stepflow_gui.formats.takt.releases.sets import between, since  # the tables of all releases
    from stepflow_gui.formats.takt.releases.setting import releases_of_runtime
    from stepflow_gui.formats.takt.releases.variables import SAME, VARIABLES

    releases = releases_of_runtime(name)
    if not releases:
        return None
    newest = 1 << (releases.bit_length() - 1)
    ordered = bool(newest & since("0.53.0"))
    return TaktRunner(
        name,
        "workflow" if ordered else "piece",
        judge_names_are_latin=bool(newest & between("0.6.0-rc1", "0.12.1")),
        failed_judge_aborts=not newest & between("0.31.0", "0.52.0"),
        judge_counts_visible_rules=not ordered,
        report_is_path=not ordered,
        monitors_wait_for_return=ordered,
        variables=tuple(word for group in SAME for word in group if VARIABLES[word] & newest),
        facets=bool(newest & since("0.9.0")),
    )
