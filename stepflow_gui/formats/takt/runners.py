"""The runners of TAKT files that a run can imitate, with what differs between them as data (takt.md 6, 7, 12-14)."""

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from stepflow_gui.formats.takt.conditions_model import PIECE_FORMS, WORKFLOW_FORMS, ConditionForms, Notation

JudgePhase = Literal["none", "agent", "conductor", "structured"]
"""Who is asked for a result: nobody, as the text has a status; the agent itself; conductors, who answer with a tag;
or a judge, who answers by a form, then with a tag, then over all rules."""


class TaktRunner(NamedTuple):
    """How one runner reads a file, takes rules, judges and fills templates. Names are what users see."""

    name: str
    release: str  # the release of TAKT that it is; "" where it is none, and reads what any release does
    notation: Notation
    forms: ConditionForms
    judge_phase: JudgePhase
    judge_names_are_latin: bool  # a judge's tag is only found for names of A-Z, `_` and `-`
    failed_judge_aborts: bool  # else the rules are still put to the AI judge
    judge_counts_visible_rules: bool  # its answer is held against the rules it was shown, by their place in the file
    first_tag_counts: bool  # of several tags in a text; else the last one
    report_is_path: bool  # {report:x} is the report's path; else its text
    report_must_exist: bool  # a report that isn't written yet ends the run
    monitors_wait_for_return: bool  # they fire only when the run is about to begin the cycle again
    variables: tuple[str, ...]  # which of those it replaces that not all runners know
    calls_count: bool  # a step that calls a workflow is one of the iterations
    template_wins: bool  # over `instruction`, where both are given
    facets: tuple[str, ...] | None  # the folder in `.takt` of facets that bare names name; None: names are texts


_OLDER = ("max_iterations", "movement_iteration")
GUIDE = TaktRunner(
    "guide",
    release="",
    notation="piece",
    forms=PIECE_FORMS,
    judge_phase="conductor",
    judge_names_are_latin=False,
    failed_judge_aborts=False,
    judge_counts_visible_rules=False,
    first_tag_counts=False,
    report_is_path=False,
    report_must_exist=False,
    monitors_wait_for_return=False,
    variables=(*_OLDER, "max_movements"),
    calls_count=True,
    template_wins=True,
    facets=None,
)
PIECES = GUIDE._replace(
    name="takt-2026-02-07",
    release="0.8.0-alpha.1",
    judge_names_are_latin=True,
    failed_judge_aborts=True,
    judge_counts_visible_rules=True,
    report_is_path=True,
    variables=_OLDER,
)
WORKFLOWS = GUIDE._replace(
    name="takt-2026-08-23",
    release="head",
    notation="workflow",
    forms=WORKFLOW_FORMS,
    judge_phase="structured",
    failed_judge_aborts=True,
    report_must_exist=True,
    monitors_wait_for_return=True,
    variables=("max_steps", "step_iteration", "review_scope", "context:", "structured:", "effect:", "var:"),
    calls_count=False,
    template_wins=False,
    facets=("facets",),
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
    from stepflow_gui.formats.takt.releases.setting import releases_of_runtime  # the tables of all releases

    releases = releases_of_runtime(name)
    return _of_release(name, releases) if releases else None


def runner_of_releases(releases: int) -> TaktRunner:
    """The runner of the newest of some releases, by its name. Raises ValueError for none."""
    from stepflow_gui.formats.takt.releases.sets import between, minors_of, newest_of
    from stepflow_gui.formats.takt.releases.setting import PREFIX

    release = newest_of(releases)
    name = next(iter(minors_of(between(release, release))), release)
    return _of_release(f"{PREFIX}{name}", releases)


def _of_release(name: str, releases: int) -> TaktRunner:
    """The runner of the newest of some releases."""
    from stepflow_gui.formats.takt.releases.sets import before, between, newest_of, since
    from stepflow_gui.formats.takt.releases.variables import replaced_by_some

    release = newest_of(releases)
    newest = between(release, release)
    ordered, state = bool(newest & since("0.53.0")), bool(newest & since("0.36.0"))
    phases: tuple[tuple[JudgePhase, int], ...] = (
        ("none", before("0.3.0")),
        ("agent", between("0.3.0", "0.5.1")),
        ("conductor", between("0.6.0-rc1", "0.12.1")),
    )
    folders = (((), between("0.9.0", "0.21.0")), (("facets",), since("0.22.0")))
    return TaktRunner(
        name,
        release,
        "workflow" if ordered else "piece",
        forms=WORKFLOW_FORMS if ordered else forms_of(newest),
        judge_phase=next((phase for phase, known in phases if known & newest), "structured"),
        judge_names_are_latin=bool(newest & between("0.6.0-rc1", "0.12.1")),
        failed_judge_aborts=bool(newest & ~before("0.6.0-rc1") & ~between("0.31.0", "0.52.0")),
        judge_counts_visible_rules=not state,
        first_tag_counts=bool(newest & before("0.3.9")),
        report_is_path=not ordered,
        report_must_exist=ordered,
        monitors_wait_for_return=ordered,
        variables=replaced_by_some(newest),
        calls_count=bool(newest & before("0.55.0")),
        template_wins=bool(newest & before("0.32.0")),
        facets=next((folder for folder, known in folders if known & newest), None),
    )


def forms_of(newest: int) -> ConditionForms:
    """The forms of conditions that a release reads before those of workflows."""
    from stepflow_gui.formats.takt.releases.sets import before, between, since

    return ConditionForms(
        statuses=bool(newest & before("0.3.0")),
        several_texts=bool(newest & since("0.3.9")),
        bare_texts=bool(newest & since("0.47.0")),
        odd_is_label=bool(newest & (before("0.3.9") | between("0.47.0", "0.49.0"))),
        state="bare" if newest & between("0.36.0", "0.49.0") else "when" if newest & since("0.50.0") else "",
        lists_state=bool(newest & since("0.47.0")),
    )
