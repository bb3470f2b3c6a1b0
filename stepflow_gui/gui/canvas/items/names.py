"""What a screen reader reads of the nodes and edges."""

from collections.abc import Iterable, Sequence

from stepflow_gui.flow.model import Move, Step, moves_of
from stepflow_gui.formats.checks.card import ports_of
from stepflow_gui.formats.step_card import kind_name
from stepflow_gui.gui.canvas.marks import SeverityCounts, SubMark
from stepflow_gui.gui.canvas.metrics import one_line
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.messages import _, ngettext


def step_name(
    step: Step, counts: SeverityCounts, visits: int = 0, *, active: bool = False, subs: Sequence[SubMark] = ()
) -> str:
    """`initial.issue, work step, next to continuation.issue, 1 error`, in the language in use."""
    own = f"{one_line(step.title)} ({step.id})" if ports_of(step) and step.title != step.id else step.id
    parts = [own, kind_name(step), *_subs(step), *_transitions(step), *counted(*counts)]
    if active:
        parts.append(_("runs now"))
    for sub in subs:
        word = _("{name} runs now").format(name=sub.name)
        parts.append(word if sub.state == "runs" else f"{sub.name}: {one_line(sub.result)}")
    if visits:
        parts.append(ngettext("visited {count} time", "visited {count} times", visits).format(count=visits))
    return _(", ").join(parts)


def transition_name(move: Move, counts: SeverityCounts) -> str:
    """`next to continuation.issue, 1 warning`, in the language in use."""
    return _(", ").join([_transition(move), *counted(*counts)])


def _subs(step: Step) -> Iterable[str]:
    if step.subs:
        yield _("with {names}").format(names=_(", ").join(one_line(sub.id) for sub in step.subs))


def _transitions(step: Step) -> Iterable[str]:
    return map(_transition, moves_of(step))


def _transition(move: Move) -> str:
    return _("{way}, only in interactive runs").format(way=_goal(move)) if move.interactive else _goal(move)


def _goal(move: Move) -> str:
    intent = move.intent if move.case is None else f"{move.intent} {move.case}"
    if move.asks:
        return _("{intent} asks the user, then to itself").format(intent=intent)
    if move.end:
        return _("{intent} to {step}").format(intent=intent, step=move.end)
    if move.target is None:
        return _("{intent} to the end").format(intent=intent)
    if move.target == move.step:
        return _("{intent} to itself").format(intent=intent)
    return _("{intent} to {step}").format(intent=intent, step=move.target)
