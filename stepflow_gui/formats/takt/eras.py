"""The two eras of TAKT files: pieces, and the workflows that took their place, with what differs between them as data.

Names are what users see; the differences are those of takt.md 13.
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from stepflow_gui.formats.takt.conditions_model import Notation


class TaktEra(NamedTuple):
    """The names of keys, and what the loader does, in one era. `notation` is also what field tables know it by."""

    name: str
    release: str  # the release that reads files of the era: “TAKT 0.60”
    notation: "Notation"
    steps: str  # the key of the movements
    initial: str
    limit: str
    instruction: str  # the key of an inline instruction
    tags_by_name: bool  # a tag repeats the movement's name, which then may hold only letters, “_” and “-”
    refuses_unknown: bool  # unknown keys at the top and in rules; elsewhere both eras drop them silently
    refuses_doubles: bool  # two movements of one name
    judges_rest: bool  # where no rule is true the judge picks among all; else the run aborts
    error_label: str  # the result of a sub-step that failed; "": the run aborts there
    facets: bool  # a bare name that no section map has is looked for among facet files
    file_kind: str  # the folder that such files lie in


TAKT_2026_02_07 = TaktEra(
    "takt-2026-02-07",
    "TAKT 0.8",
    "piece",
    steps="movements",
    initial="initial_movement",
    limit="max_iterations",
    instruction="instruction_template",
    tags_by_name=True,
    refuses_unknown=False,
    refuses_doubles=False,
    judges_rest=True,
    error_label="",
    facets=False,
    file_kind="pieces",
)
TAKT_2026_08_23 = TaktEra(
    "takt-2026-08-23",
    "TAKT 0.60",
    "workflow",
    steps="steps",
    initial="initial_step",
    limit="max_steps",
    instruction="instruction",
    tags_by_name=False,
    refuses_unknown=True,
    refuses_doubles=True,
    judges_rest=False,
    error_label="error",
    facets=True,
    file_kind="workflows",
)
TAKT_ERAS = {era.name: era for era in (TAKT_2026_08_23, TAKT_2026_02_07)}
BY_STEPS = {era.steps: era for era in (TAKT_2026_02_07, TAKT_2026_08_23)}
LIMITS = ("max_iterations", "max_movements", "max_steps")  # what the limit was called, in the order of time
INITIALS = ("initial_movement", "initial_step")
COMPLETE, ABORT = "COMPLETE", "ABORT"
ENDS = (COMPLETE, ABORT)
