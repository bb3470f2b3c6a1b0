"""The lines of a run in the terminal: one an event, and how it ended."""

from pathlib import Path

from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.host.host import Ran
from stepflow_gui.run.machine.route import Routed
from stepflow_gui.run.machine.state import CheckJudged, NotAsked, ProgramEnded, Start, TraceEntry, Validated


def line_of(entry: TraceEntry) -> str:
    """A line of the trace: the iteration, the step, its answer, the target."""
    if isinstance(entry.event, Start):
        return _("start → {step}").format(step=entry.to or "?")
    where = _("{number}. {step}").format(number=entry.iteration, step=entry.step)
    if isinstance(entry.event, Validated):
        return _validator(entry, entry.event, where)
    if isinstance(entry.event, NotAsked):
        return _("{where} – not asked: {reason}").format(where=where, reason=entry.event.message)
    if isinstance(entry.event, ProgramEnded):
        text = _("{where} – program exited with {code} → {step}")
        code = entry.event.failed or entry.event.exit_code
        return text.format(where=where, code=code, step=_("end") if entry.outcome else entry.to)
    if entry.judged is not None:
        return _check(entry, entry.judged, where)
    if isinstance(entry.transition, Routed) and entry.transition.how in {"check", "again"}:
        checked = _("{where} – has run → its check")
        return (checked if entry.transition.how == "check" else _("{where} – has run → once more")).format(where=where)
    return _answer(entry, where)


def _answer(entry: TraceEntry, where: str) -> str:
    intent = entry.interpretation.intent if entry.interpretation else "?"
    case = entry.transition.case if entry.transition else None
    intent = f"{intent} ({case})" if case is not None else intent
    if entry.error is not None:
        return _("{where} – {intent} → stopped").format(where=where, intent=intent)
    if entry.to is None and entry.outcome is None:
        return _("{where} – {intent} → validators").format(where=where, intent=intent)
    if entry.to is None:
        return _("{where} – {intent} → end").format(where=where, intent=intent)
    return _("{where} – {intent} → {step}").format(where=where, intent=intent, step=entry.to)


def _check(entry: TraceEntry, judged: CheckJudged, where: str) -> str:
    answer, transition = judged
    text = _("{where}: check passes") if answer.passed else _("{where}: check fails")
    text = text.format(where=where)
    if entry.error is not None:
        target = _("stopped")
    elif entry.outcome is not None:
        target = _("end")
    else:
        target = f"{entry.to} ({transition})" if transition in {"retry", "fallback"} else entry.to or ""
    first = next((line.strip() for line in answer.message.splitlines() if line.strip()), "")
    return f"{text} → {target}: {first}" if first else f"{text} → {target}"


def _validator(entry: TraceEntry, event: Validated, where: str) -> str:
    if event.passed:
        return _("{where}: validator {name} passes").format(where=where, name=entry.validator)
    text = _("{where}: validator {name} fails").format(where=where, name=entry.validator)
    first = next((line.strip() for line in (event.fault or event.error).splitlines() if line.strip()), "")
    return f"{text}: {first}" if first else text


def end_of(ran: Ran) -> str:
    """How a run ended, in words."""
    if ran.outcome is not None:
        return ran.outcome.message
    if ran.stopped is not None:
        error = ran.stopped.error
        return f"{error.message} [{error.code}]" if error.code else error.message
    assert ran.unanswered is not None
    return ran.unanswered.message


def findings_at(agent: AgentFolder, step: str | None, era: str, folder: Path) -> list[str]:
    """The errors that the linter finds at a step where a run broke; those of no step, where none is named.

    It judges by the era that the run imitated; a run by the guide is judged by what becomes of the file.
    """
    from stepflow_gui.formats.climpt.eras import GUIDE
    from stepflow_gui.lint.config.settings import LintSettings
    from stepflow_gui.lint.diagnostic import ERROR
    from stepflow_gui.lint.engine.engine import lint

    return [
        f"{shown_path(each.file, folder)}:{each.range.start.line}:{each.range.start.column}: {each.code} {each.message}"
        for each in lint(agent, LintSettings(None if era == GUIDE.name else era), lambda _failure: None)
        if each.severity == ERROR and each.file == agent.registry.path and each.step == step
    ]
