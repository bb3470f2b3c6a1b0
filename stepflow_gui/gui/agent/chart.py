"""Which verdict type does an agent need? The questions that determine it, and the settings each type needs.

Independent of Qt. The questions follow the runner's reference.
"""

from collections.abc import Callable
from typing import NamedTuple

from stepflow_gui.formats.climpt.agent.fields import CONFIG, VERDICTS
from stepflow_gui.formats.fields import Field
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue


class ChartAnswer(NamedTuple):
    """An answer to choose, and the question or the verdict type that it goes to."""

    label: Callable[[], str]
    goal: str


class ChartQuestion(NamedTuple):
    """One step of the chart."""

    text: Callable[[], str]
    answers: tuple[ChartAnswer, ...]


def _yes() -> str:
    return _("Yes")


def _no() -> str:
    return _("No")


FIRST = "rounds"
QUESTIONS = {
    "rounds": ChartQuestion(
        lambda: _("Should the agent stop after a fixed number of rounds?"),
        (
            ChartAnswer(lambda: _("Yes, of iterations"), "count:iteration"),
            ChartAnswer(lambda: _("Yes, of status checks"), "count:check"),
            ChartAnswer(_no, "outside"),
        ),
    ),
    "outside": ChartQuestion(
        lambda: _("Does the state of something outside decide, such as an issue that is closed?"),
        (ChartAnswer(_yes, "poll:state"), ChartAnswer(_no, "model")),
    ),
    "model": ChartQuestion(
        lambda: _("Does the model itself report when the work is done?"),
        (
            ChartAnswer(lambda: _("Yes, by a keyword"), "detect:keyword"),
            ChartAnswer(lambda: _("Yes, by a block of JSON"), "detect:structured"),
            ChartAnswer(_no, "flow"),
        ),
    ),
    "flow": ChartQuestion(
        lambda: _("Does the agent follow a flow of several steps, and is done at its end?"),
        (ChartAnswer(_yes, "detect:graph"), ChartAnswer(_no, "several")),
    ),
    "several": ChartQuestion(
        lambda: _("Do several of these conditions have to be combined?"),
        (ChartAnswer(_yes, "meta:composite"), ChartAnswer(lambda: _("No, code of our own decides"), "meta:custom")),
    ),
}
"""The chart: every path from `FIRST` ends at a verdict type."""


def settings_of(verdict: str) -> list[Field]:
    """The config fields that are asked for with a type: those it needs, and the others it reads. Conditions aside."""
    verdict_type = VERDICTS[verdict]
    known = {field.name: field for field in CONFIG.fields}
    return [
        known[name]
        for name in (*verdict_type.needed, *verdict_type.also)
        if name not in {"conditions", "requiredFields"}
    ]


def needed(verdict: str, name: str) -> bool:
    """Whether a type can't do without a setting."""
    return name in VERDICTS[verdict].needed


def unread(verdict: str, config: JsonValue) -> list[str]:
    """The settings that a config has of other types, and that this one doesn't read."""
    verdict_type = VERDICTS[verdict]
    known = {field.name for field in CONFIG.fields if not field.newer}
    given = config if isinstance(config, dict) else {}
    return [name for name in given if name in known and name not in {*verdict_type.needed, *verdict_type.also}]


def first_conditions(types: list[str]) -> list[dict[str, JsonValue]]:
    """The conditions of a composite, of these types, with what each still needs."""
    made: list[dict[str, JsonValue]] = []
    for verdict in types:
        config: dict[str, JsonValue] = {
            name: 10 if name.startswith("max") else "" for name in VERDICTS[verdict].needed if name != "conditions"
        }
        made.append({"type": verdict, "config": config})
    return made
