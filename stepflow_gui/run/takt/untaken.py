"""Why an exploration came to rules that no run takes."""

from collections.abc import Mapping

from stepflow_gui.formats.takt.releases.never_chosen import Manner, NeverChosen, RuleRead, never_chosen, words_for
from stepflow_gui.messages import _
from stepflow_gui.run.takt.exploring import PieceExploreResult, RuleAt
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Movement, everyone


class Untaken:
    """The reasons for rules of one piece, as its runner chooses."""

    def __init__(self, machine: PieceMachine, found: PieceExploreResult) -> None:
        self._reached = found.reached
        self._movements: Mapping[str, Movement] = {each.name: each for each in everyone(machine.piece)}
        self._reasons = {name: _never_chosen(machine, each) for name, each in self._movements.items()}

    def reason(self, rule: RuleAt) -> NeverChosen | None:
        """Why a rule that no run takes is never chosen where its movement runs; None where another reason holds."""
        return self._reasons[rule.movement].get(rule.rule) if rule.movement in self._reached else None

    def words(self, rule: RuleAt) -> str:
        """The same in words, or that its movement never runs; "" where it isn't known."""
        if rule.movement not in self._reached:
            return _("“{movement}” never runs").format(movement=rule.movement)
        found = self.reason(rule)
        return words_for(found, _read(self._movements[rule.movement])) if found is not None else ""


def _never_chosen(machine: PieceMachine, movement: Movement) -> Mapping[int, NeverChosen]:
    manner: Manner = "state-stages" if machine.runner.forms.state else "stages"
    if machine.runner.notation == "workflow":
        manner = "order"
    elif machine.runner.judge_phase == "none":
        manner = "status"
    if movement.opens is not None:
        manner = "result"
    subs = [_read(sub) for sub in movement.subs]
    return never_chosen(_read(movement), subs, manner, interactive=machine.interactive)


def _read(movement: Movement) -> list[RuleRead]:
    return [RuleRead(rule.text, rule.condition, rule.interactive_only) for rule in movement.rules]
