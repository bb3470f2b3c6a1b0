"""What logged runs went through as one HTML page: tables in which what was visited or cost most is tinted most."""

from collections.abc import Iterator, Sequence
from html import escape

from stepflow_gui.export.html_report import MARK
from stepflow_gui.flow.layout.captions import visible
from stepflow_gui.messages import _, language, ngettext
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.exploring.report import edge_text
from stepflow_gui.run.logs.log_coverage import LogCoverage
from stepflow_gui.run.logs.log_text import ending_of, money

_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; margin-bottom: 2rem; }
th, td { padding: .25rem .75rem; text-align: left; border-bottom: 1px solid #8884; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.heat { background: color-mix(in srgb, #d9480f var(--heat), transparent); }
td.never { opacity: .6; }
code { font-family: ui-monospace, monospace; }
"""
_HOTTEST = 60  # per cent of the tint

_Cell = tuple[str, float | None]  # a text, and from 0 to 1 how hot it is; None: no number


def coverage_html(agent: AgentFolder, coverage: LogCoverage) -> str:
    """The page. It needs no script and no external resources."""
    name = agent.folder.name if agent.format != "takt" else agent.registry.path.stem
    title = _("Real runs of {agent}").format(agent=name)
    runs = ngettext("{count} run", "{count} runs", coverage.runs).format(count=coverage.runs)
    about = ", ".join(filter(None, (runs, _time(coverage.seconds), money(coverage.cost) if coverage.cost else "")))
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="{language()}">',
        "<head>",
        '<meta charset="utf-8">',
        MARK,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{_x(title)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{_x(title)}</h1>",
        f"<p>{_x(about)}</p>",
        *_table(_("Steps"), (_("Step"), _("Visits"), _("Time"), _("Cost"), _("Differences")), _steps(coverage)),
        *_table(_("Transitions"), (_("Transition"), _("Taken")), _edges(coverage)),
        *_table(_("Ends"), (_("End"), _("Step"), _("Runs")), _ends(coverage)),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(parts)


def _steps(coverage: LogCoverage) -> Iterator[Sequence[_Cell]]:
    most = [max((each[at] for each in coverage.steps.values()), default=0) or 1 for at in range(4)]
    for name, each in coverage.steps.items():
        yield (
            (name, None),
            (str(each.visits), each.visits / most[0]),
            (_time(each.seconds), each.seconds / most[1]),
            (money(each.cost) if each.cost else "", each.cost / most[2]),
            (str(each.differences or ""), each.differences / most[3]),
        )


def _edges(coverage: LogCoverage) -> Iterator[Sequence[_Cell]]:
    counted = coverage.counted
    most = max(counted.values(), default=0) or 1
    for edge, count in counted.items():
        yield (edge_text(edge), None), (str(count), count / most)
    for move, count in coverage.gone.items():
        target = move.to if move.to is not None else _("the end")
        text = _("{step}: {answer} → {target} (no transition of this flow)")
        yield (text.format(step=move.step, answer=move.answer, target=target), None), (str(count), 0.0)


def _ends(coverage: LogCoverage) -> Iterator[Sequence[_Cell]]:
    for end, count in coverage.ends.most_common():
        yield (ending_of(end.kind, end.code), None), (end.step or "", None), (str(count), count / coverage.runs)


def _table(title: str, headings: Sequence[str], rows: Iterator[Sequence[_Cell]]) -> Iterator[str]:
    yield f"<h2>{_x(title)}</h2>"
    yield "<table><thead><tr>"
    listed = list(rows)
    numbers = {at for row in listed for at, (_text, heat) in enumerate(row) if heat is not None}
    for at, heading in enumerate(headings):
        kind = ' class="number"' if at in numbers else ""
        yield f'<th scope="col"{kind}>{_x(heading)}</th>'
    yield "</tr></thead><tbody>"
    for row in listed:
        never = row[-1][0] == "0" or row[1][0] == "0"
        yield "<tr>" + "".join(_cell(text, heat, never=never) for text, heat in row) + "</tr>"
    yield "</tbody></table>"


def _cell(text: str, heat: float | None, *, never: bool) -> str:
    if heat is None:
        return f"<td{' class=never' if never else ''}><code>{_x(text)}</code></td>"
    share = round(_HOTTEST * heat)
    return f'<td class="number heat" style="--heat: {share}%">{_x(text)}</td>'


def _time(seconds: float) -> str:
    return _("{seconds} s").format(seconds=f"{seconds:.1f}") if seconds else ""


def _x(text: str) -> str:
    return escape(visible(text))
