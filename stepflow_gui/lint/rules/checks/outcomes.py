"""What the rules about checks look at: a step's check, and what its two outcomes say."""

from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.checks.vocabulary import READ_IN_ORDER
from stepflow_gui.formats.climpt.eras import CLIMPT_2026_01_09
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.text.json.tree import JsonValue, Member
from stepflow_gui.text.pointer import join
from stepflow_gui.text.source import Span

OUTCOMES = ("onPass", "onFail")


class OutcomeObject(NamedTuple):
    """An outcome that is an object: where it is, and its targets, the one that climpt follows first.

    A target of a wrong type counts as given: SF004 reports it.
    """

    member: Member
    pointer: str
    value: dict[str, JsonValue]
    given_keys: tuple[str, ...]

    @property
    def name(self) -> str:
        """`onPass` or `onFail`."""
        return self.member.key

    @property
    def key_span(self) -> Span:
        """Where the name stands."""
        return self.member.key_span


def reader(context: RuleContext) -> str:
    """The version that says what becomes of a check: one that doesn't know checks runs no such file (SF011)."""
    return (CLIMPT_2026_01_09 if context.climpt.gates else context.climpt).name


def check_of(step: Step) -> Member | None:
    """A step's check, where it is an object."""
    return step.node.member("check") if isinstance(step.raw.get("check"), dict) else None


def outcomes(step: Step) -> Iterator[OutcomeObject]:
    """The outcomes of a step's check."""
    check = check_of(step)
    for member in check.value.members() if check else ():
        value = member.value.value
        if member.key in OUTCOMES and isinstance(value, dict):
            given_keys = tuple(key for key in READ_IN_ORDER if value.get(key) not in (None, False, ""))
            yield OutcomeObject(member, join(step.pointer, "check", member.key), value, given_keys)
