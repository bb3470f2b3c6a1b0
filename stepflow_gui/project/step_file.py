"""A file that a step works with, and its kinds."""

from pathlib import Path
from typing import Literal, NamedTuple

StepFileKind = Literal[
    "prompt",
    "closing-prompt",
    "check-prompt",
    "schema",
    "failure-prompt",
    # and of pieces
    "persona",
    "policy",
    "knowledge",
    "instruction",
    "report-format",
    "shared-step",
    "called-workflow",
]


class StepFile(NamedTuple):
    """A file that a step asks for. `name` is the one of its kind: the closing action, pattern, schema file or key.

    `tried` are the paths at which it is looked for, the best first; none if the step doesn't specify which file it is,
    or leaves a part of its path to be filled in. Of a piece it may be one for the judge of a loop that begins there.
    """

    kind: StepFileKind
    name: str
    tried: tuple[Path, ...]
    found: Path | None
    for_judge: bool = False
