"""A logged run in words, the same in terminal and window: its title, answers, measures and end."""

from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.logs.logged_run import ComparedRun, ComparedTurn, EndOfRun, LogEnd, LoggedRun, LoggedTurn


def title_of(compared: ComparedRun) -> str:
    """Whose log it is, from when, and under which runtime the flow was run."""
    run = compared.run
    text = (
        _("climpt log of “{name}”, {time}, compared under {runtime}")
        if run.kind == "climpt"
        else _("TAKT log of “{name}”, {time}, compared under {runtime}")
    )
    title = text.format(name=run.name or "?", time=run.began or "?", runtime=compared.era)
    if compared.flow:
        title = _("{title}, with {flow}").format(title=title, flow=compared.flow)
    if run.kind != "climpt":
        return title
    if run.era.name is None:
        return _("{title} (the log doesn’t show which version wrote it)").format(title=title)
    if run.era.name != compared.era:
        return _("{title} (the log points to {runtime})").format(title=title, runtime=run.era.name)
    if run.era.other:
        return _("{title} ({others} fits as well)").format(title=title, others=_(", ").join(run.era.other))
    return title


def answer_of(compared: ComparedTurn, *, is_piece: bool) -> str:
    """What a turn was answered, as far as it is known."""
    turn = compared.turn
    if turn.intent is not None and is_piece:
        text = _("rule {number} ({rule})") if compared.intent else _("rule {number}")
        return text.format(number=int(turn.intent) + 1, rule=compared.intent)
    if turn.intent is not None:
        return turn.intent
    if compared.intent is not None:
        return _("{intent} (computed)").format(intent=compared.intent)
    return _("no answer in the log")


def target_of(turn: LoggedTurn) -> str | None:
    """Where a turn led by the log; None where that names nothing."""
    return _("closing") if turn.closes else turn.to


def seconds_of(turn: LoggedTurn) -> str:
    """How long a turn took; "" where the log doesn't have it."""
    return "" if turn.seconds is None else _("{seconds} s").format(seconds=f"{turn.seconds:.1f}")


def duration(seconds: float | None) -> str:
    """Seconds; "" where there are none."""
    return _("{seconds} s").format(seconds=f"{seconds:.1f}") if seconds else ""


def money(cost: float | None) -> str:
    """US dollars; "" where there are none."""
    return "" if cost is None else f"${cost:.2f}"


def failed_checks_of(turn: LoggedTurn) -> str:
    """The failure that validators reported in a turn; "" where none did."""
    failed = next((each for each in turn.checks if not each.passed), None)
    return "" if failed is None else _("validators failed: {pattern}").format(pattern=failed.pattern or "?")


def end_of(end: LogEnd) -> str:
    """How a run ended, with the line of its log."""
    text = {
        "unfinished": _("The log has no end: the run goes on, or was killed"),
        "finished": _("line {line}: finished: {text}"),
        "failed": _("line {line}: failed: {text}"),
        "limit": _("line {line}: stopped at the limit: {text}"),
    }[end.kind]
    line = text.format(line=end.line, text=end.text)
    return f"{line} [{end.code}]" if end.code else line


def ending_of(kind: EndOfRun, code: str | None) -> str:
    """How a run ended, in a word, with its code."""
    word = {
        "finished": _("finished"),
        "failed": _("error"),
        "limit": _("stopped at the limit"),
        "unfinished": _("no end"),
    }[kind]
    return word if code is None else f"{word} [{code}]"


def differences_of(compared: ComparedRun) -> str:
    """How often the flow does something else."""
    count = sum(each.difference is not None for each in compared.turns)
    if not count:
        return _("No differences between the log and this flow")
    text = ngettext(
        "{count} difference between the log and this flow",
        "{count} differences between the log and this flow",
        count,
    )
    return text.format(count=count)


def not_read_of(run: LoggedRun) -> str:
    """What of the log wasn't read; "" where all was."""
    parts = []
    if run.skipped:
        text = ngettext(
            "{count} line isn't a log line and was skipped",
            "{count} lines aren't log lines and were skipped",
            run.skipped,
        )
        parts.append(text.format(count=run.skipped))
    if run.is_cut:
        parts.append(_("the last line is incomplete"))
    if run.verbose and run.verbose_index is None:
        parts.append(_("the folder {folder} with the whole texts isn’t beside the log").format(folder=run.verbose))
    return ", ".join(parts)
