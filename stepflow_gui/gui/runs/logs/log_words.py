"""A logged run in words: the rows of its trace, how each is known, what explains it, and how it ended."""

import re

from stepflow_gui.flow.model import Flow
from stepflow_gui.gui.canvas.marks import RunMarks, TransitionRef
from stepflow_gui.gui.runs.panel.now import AnswerOffer, Status
from stepflow_gui.gui.widgets.table import Cell, TableRow
from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.logs.log_coverage import edge_of_move
from stepflow_gui.run.logs.log_runs import LogHistory, LogMoment, LogMove
from stepflow_gui.run.logs.log_text import (
    answer_of,
    differences_of,
    duration,
    failed_checks_of,
    money,
    not_read_of,
    seconds_of,
    target_of,
    title_of,
)
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, LogEnd, LoggedRun, Mark

FIRST_DIFFERENCE, LAST_STEP, FOLLOW = "log-difference", "log-last-step", "log-follow"
OPEN_ANOTHER, SAVE_TEST, CLOSE = "open-log", "run-save-test", "run-stop"
_LOOKED_BACK = 2_000  # rows in which the step that called another workflow is looked for
_TOKENS = {"finished": "closure", "failed": "error", "limit": "error", "unfinished": "warning"}


def mark_of(found: ComparedTurn) -> Mark:
    """How it is known what a turn was answered."""
    turn = found.turn
    if found.mark in {"guessed", "cut"}:
        return found.mark
    if turn.intent is None and found.intent is not None:
        return "computed"
    return "cut" if turn.intent is None and turn.texts_mark == "cut" else "seen"


def _mark_words(mark: Mark) -> tuple[str, str]:
    """A sign with a word for it, and what it means."""
    match mark:
        case "seen":
            return f"● {_('log')}", _("The log has this entry.")
        case "computed":
            return f"◐ {_('computed')}", _(
                "The log doesn't name the intent; this flow reads it from the logged answer."
            )
        case "guessed":
            text = _("The log names the intent but not the whole answer; an answer with this intent is assumed.")
            return f"◌ {_('guessed')}", text
        case "cut":
            return f"◍ {_('cut off')}", _("The log keeps only the beginning of what the model wrote.")


def row_of(moment: LogMoment, number: int, run: LoggedRun) -> TableRow:
    """A row of the trace."""
    first, line = Cell(str(number), token="muted"), Cell(str(moment.line), mono=True, token="muted")
    if moment.end is not None:
        cells = (first, Cell(""), Cell(_end_in_short(moment.end), token=_TOKENS[moment.end.kind]), line)
        return TableRow((*cells, Cell(""), Cell(""), Cell(_mark_words("seen")[0])), tip=moment.end.text)
    if moment.turn is None:
        cells = (first, Cell(moment.step or "", mono=True), Cell(_("start")), line)
        return TableRow((*cells, Cell(""), Cell(""), Cell(_mark_words("seen")[0])), moment.step)
    found, turn = moment.turn, moment.turn.turn
    sign, tip = _mark_words(mark_of(found))
    answer, target = answer_of(found, is_piece=run.kind == "takt"), target_of(turn)
    text = "  ".join(filter(None, (answer if target is None else f"{answer}  →  {target}", failed_checks_of(turn))))
    token, tip = "text", f"{text}\n{tip}"
    if found.difference is not None:
        text, token, tip = f"◆ {text}", "error", f"{text}\n{found.difference}"
    cells = (first, Cell(turn.step or "?", mono=True), Cell(text, token=token), line)
    measures = Cell(seconds_of(turn)), Cell(money(turn.cost))
    return TableRow((*cells, *measures, Cell(sign, token="muted")), turn.step, tip)


def compared_cell(moment: LogMoment, run: LoggedRun) -> Cell:
    """A row in one cell, to compare two runs."""
    _number, step, what, *_rest = row_of(moment, 0, run).cells
    return what._replace(text=f"{step.text}: {what.text}" if step.text else what.text)


def explained(moment: LogMoment, compared: ComparedRun) -> list[str]:
    """What the log says, what the flow does with the same answer, and the difference."""
    if moment.end is not None:
        line = _("Line {line}: {text}").format(line=moment.line, text=_end_in_short(moment.end))
        return [line, *_end_now(compared)]
    if moment.turn is None:
        return [title_of(compared), *_of_whole_run(compared)]
    found, turn = moment.turn, moment.turn.turn
    lines = [_logged(found, is_piece=compared.run.kind == "takt"), _now(found)]
    if found.difference is not None:
        lines.append(_("Difference: {difference}").format(difference=found.difference))
    elif found.mark is not None:
        lines.append(_("No difference."))
    mark = mark_of(found)
    if mark != "seen":
        lines.append(_mark_words(mark)[1])
    for check in turn.checks:
        text = _("validators passed") if check.passed else _("validators failed: {pattern}")
        text = text.format(pattern=check.pattern or "?")
        lines.append(_("Line {line}: {text}").format(line=check.line, text=text))
    lines += [_("Line {line}: {text}").format(line=note.line, text=note.text) for note in turn.notes]
    return lines


def _end_now(compared: ComparedRun) -> list[str]:
    """What the flow does after the last turn, where the log is at its end."""
    last = compared.turns[-1] if compared.turns else None
    if last is None or last.mark is None:
        return [_("This flow: nothing to compare, as there is no answer for it.")] if last is not None else []
    lines = [_now(last)]
    if last.difference is not None:
        lines.append(_("Difference: {difference}").format(difference=last.difference))
    return lines


def _logged(found: ComparedTurn, *, is_piece: bool) -> str:
    turn, target = found.turn, target_of(found.turn)
    line = turn.intent_line or turn.answer_line or turn.line
    text = (
        _("Log, line {line}: {step} answered {answer}, and the run went on with {target}.")
        if target is not None
        else _("Log, line {line}: {step} answered {answer}.")
    )
    if turn.intent is None and found.intent is None:
        text = (
            _("Log, line {line}: the log has no answer of {step}; the run went on with {target}.")
            if target is not None
            else _("Log, line {line}: the log has no answer of {step}.")
        )
    return text.format(line=line, step=turn.step or "?", answer=answer_of(found, is_piece=is_piece), target=target)


def _now(found: ComparedTurn) -> str:
    if found.mark is None:
        return _("This flow: nothing to compare, as there is no answer for it.")
    if found.ends:
        return _("This flow: with this answer the run ends: {reason}").format(reason=found.end)
    if found.to is None:
        return _("This flow: nothing to compare.")
    return _("This flow: with this answer it goes to {target}.").format(target=found.to)


def status_of(moment: LogMoment, history: LogHistory) -> Status:
    """Where a logged run stands, as the card of its end too."""
    compared = history.compared
    run = compared.run
    if moment.end is not None or (history.position == history.length and run.end.kind == "unfinished"):
        return _status_of_end(compared)
    if moment.turn is None:
        return Status(_("Beginning of the run"), title_of(compared))
    turn = moment.turn.turn
    parts = (
        *(
            _("Iteration {number}").format(number=turn.iteration),
            _clock(turn.began),
            seconds_of(turn),
            money(turn.cost),
        ),
        *(_("line {line}").format(line=turn.line), _mark_words(mark_of(moment.turn))[0]),
    )
    detail = " · ".join(filter(None, parts))
    return Status(turn.step or "?", detail, "active", mono=True, note=moment.turn.difference or "")


def _clock(time: str | None) -> str:
    """The time of day in what a log has for a time; all of it where that is no usual one."""
    found = re.match(r"\d{4}-\d\d-\d\dT(\d\d:\d\d:\d\d)", time or "")
    return found[1] if found is not None else time or ""


def _status_of_end(compared: ComparedRun) -> Status:
    end = compared.run.end
    title = {
        "finished": _("The run has finished"),
        "failed": _("The run has failed"),
        "limit": _("The run stopped at a limit"),
        "unfinished": _("The log has no end"),
    }[end.kind]
    reason = f"{end.text} [{end.code}]" if end.code else end.text
    if end.kind == "unfinished":
        reason = _("The run goes on, or was killed.")
    detail = "\n".join(filter(None, (reason, *_of_whole_run(compared))))
    first = compared.first_difference
    note = "" if first is None or first.difference is None else first.difference
    return Status(title, detail, _TOKENS[end.kind], note=note)


def running_detail(history: LogHistory) -> str:
    """What is known of a run that goes on."""
    return "\n".join(filter(None, (history.moment.step, *_of_whole_run(history.compared))))


def end_offers(history: LogHistory) -> list[AnswerOffer]:
    """What can be done with a log that was looked through, the next thing first. Keys are mostly names of actions."""
    compared = history.compared
    end, last = compared.run.end.kind, compared.turns[-1].turn.step if compared.turns else None
    rows = (
        (FIRST_DIFFERENCE, _("Go to First Difference"), compared.first_difference is not None),
        (FOLLOW, _("Follow the Newest Log"), end == "unfinished"),
        (LAST_STEP, _("Show {step}").format(step=last), end in {"failed", "limit"} and last is not None),
        (SAVE_TEST, _("Save as Test…"), bool(compared.turns)),
        (OPEN_ANOTHER, _("Open Another Log…"), True),
        (CLOSE, _("Close Log"), True),
    )
    shown = [(key, title) for key, title, fits in rows if fits]
    return [
        AnswerOffer(key, title, primary=at == 0 and key not in {OPEN_ANOTHER, CLOSE})
        for at, (key, title) in enumerate(shown)
    ]


def _of_whole_run(compared: ComparedRun) -> list[str]:
    run = compared.run
    count = len(run.turns)
    seconds = duration(sum(turn.seconds or 0.0 for turn in run.turns))
    facts = [ngettext("{count} turn", "{count} turns", count).format(count=count)]
    facts += [seconds] if seconds else []
    facts += [money(run.cost)] if run.cost is not None else []
    return [" · ".join(facts), differences_of(compared), *filter(None, [not_read_of(run)])]


def _end_in_short(end: LogEnd) -> str:
    if not end.text:
        short = {"finished": _("finished"), "limit": _("stopped at the limit"), "failed": _("error")}
        return short.get(end.kind, _("The log has no end"))
    word = {
        "finished": _("finished: {text}"),
        "failed": _("failed: {text}"),
        "limit": _("stopped at the limit: {text}"),
        "unfinished": _("The log has no end"),
    }[end.kind]
    text = word.format(text=end.text)
    return f"{text} [{end.code}]" if end.code else text


# On the canvas


def marks_of(flow: Flow, history: LogHistory) -> RunMarks:
    """Where a logged run is and has been, as far as the flow has the steps and transitions."""
    moment = history.moment
    taken: dict[TransitionRef, int] = {}
    for move, count in history.taken.items():
        ref = _ref(flow, move)
        if ref is not None:
            taken[ref] = taken.get(ref, 0) + count
    visits = {step: count for step, count in history.visits.items() if step in flow.steps}
    last = _ref(flow, moment.move) if moment.move is not None else None
    active = active_step(flow, history)
    ended = moment.end is not None and moment.end.kind == "finished"
    return RunMarks(frozenset() if active is None else frozenset({active}), last, visits, taken, ended=ended)


def active_step(flow: Flow, history: LogHistory) -> str | None:
    """The step where the run stands; while a called workflow runs, the one that called it."""
    if history.moment.end is not None:
        return None
    for position in range(history.position, max(0, history.position - _LOOKED_BACK), -1):
        step = history.moment_at(position).step
        if step is not None and "/" not in step:
            return step if step in flow.steps else None
        if step in flow.steps:
            return step
    return None


def _ref(flow: Flow, move: LogMove) -> TransitionRef | None:
    edge = edge_of_move(flow, move)
    return None if edge is None else TransitionRef(*edge)
