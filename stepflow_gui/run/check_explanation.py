"""How the answer of a step with checks, or of its check, went on, in words."""

from collections.abc import Iterator

from stepflow_gui.messages import _
from stepflow_gui.run.javascript.values import ABSENT
from stepflow_gui.run.machine.check_answer import CheckAnswer
from stepflow_gui.run.machine.gate import in_short
from stepflow_gui.run.machine.route import EndRun, Routed
from stepflow_gui.run.machine.state import TraceEntry


def check_in_words(entry: TraceEntry) -> list[str]:
    """Sentences, one a link, in the order in which it happened; [] where no check has to do with it."""
    return list(_sentences(entry))


def _sentences(entry: TraceEntry) -> Iterator[str]:
    taken = entry.transition
    if entry.judged is None:
        if isinstance(taken, Routed) and taken.how == "check":
            yield _("The step has run; its check is asked.")
        elif isinstance(taken, Routed) and taken.how == "again":
            yield _("The step has run; it runs again before anything else.")
        return
    answer, transition = entry.judged
    yield _read(answer)
    by_end = entry.outcome is not None and entry.outcome.kind == "check"  # by the end itself
    if answer.message and answer.where != "nowhere" and not by_end:
        yield _("It says: {detail}").format(detail=answer.message)
    yield from _result(answer, transition, taken)


def _read(answer: CheckAnswer) -> str:
    where = {
        "fence": _("in the fenced JSON of the answer"),
        "whole": _("in the answer, which is JSON"),
        "words": _("among the words of the answer"),
        "value": _("in the answer"),
    }.get(answer.where)
    if where is None:
        return _("The answer says neither ok nor ng, so the check failed.")
    if answer.raw is ABSENT:
        return _("There is no “result” {where}, so the check failed.").format(where=where)
    text = _("“{word}” is the result {where}: the check passed.")
    if not answer.passed:
        text = _("“{word}” is the result {where}: the check failed.")
    return text.format(word=in_short(answer.raw), where=where)


def _result(answer: CheckAnswer, transition: str, taken: object) -> Iterator[str]:
    outcome = "onPass" if answer.passed else "onFail"
    if isinstance(taken, EndRun):
        if taken.how == "no_rule":
            yield _("Nothing of {outcome} holds any more, so the run ends.").format(outcome=outcome)
        else:
            yield _("“{word}” of {outcome} ends the run.").format(word=transition, outcome=outcome)
    elif isinstance(taken, Routed):
        text = _("“{word}” of {outcome} goes to {target}.")
        yield text.format(word=transition, outcome=outcome, target=taken.step)
