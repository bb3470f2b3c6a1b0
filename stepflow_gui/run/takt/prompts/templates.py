"""The variables of instruction texts (takt.md 12)."""

import re
from collections.abc import Callable
from typing import NamedTuple

_REPORT = re.compile(r"\{report:([^}]+)\}")
_BRACES = str.maketrans("{}", "｛｝")


class Values(NamedTuple):
    """What variables stand for. `previous` None: there is no previous response; `passes_previous`: it may be shown."""

    task: str
    iteration: int
    limit: int | None
    movement_iteration: int
    inputs: tuple[str, ...]
    report_dir: str
    report: Callable[[str], str]  # by file name: its path, or its text
    previous: str | None = None
    passes_previous: bool = True
    cycle_count: int | None = None


class Sections(NamedTuple):
    """Which parts of the prompt are put in by the runner, as the template doesn't place them itself."""

    task: bool
    previous: bool
    inputs: bool


def expand(template: str, values: Values) -> str:
    """A template with its variables filled in; unknown ones stay. Inserted texts can't bring in variables."""
    limit = "infinite" if values.limit is None else str(values.limit)
    text = template.replace("{task}", _inserted(values.task))
    text = text.replace("{iteration}", str(values.iteration))
    for name in ("{max_iterations}", "{max_movements}", "{max_steps}"):
        text = text.replace(name, limit)
    for name in ("{movement_iteration}", "{step_iteration}"):
        text = text.replace(name, str(values.movement_iteration))
    if values.passes_previous:
        text = text.replace("{previous_response}", _inserted(values.previous or ""))
    text = text.replace("{user_inputs}", _inserted("\n".join(values.inputs)))
    text = text.replace("{report_dir}", values.report_dir)
    if values.cycle_count is not None:
        text = text.replace("{cycle_count}", str(values.cycle_count))
    return _REPORT.sub(lambda found: values.report(found[1]), text)


def sections(template: str, values: Values) -> Sections:
    """Which of task, previous response and user inputs get a part of their own in the prompt."""
    return Sections(
        task="{task}" not in template,
        previous=values.passes_previous and values.previous is not None and "{previous_response}" not in template,
        inputs="{user_inputs}" not in template,
    )


def _inserted(text: str) -> str:
    return text.translate(_BRACES)
