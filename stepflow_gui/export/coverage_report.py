"""What logged runs went through as one HTML page: tables in which what was visited or cost most is tinted most."""

from collections.abc import Iterator, Sequence

from stepflow_gui.export.html_page import escaped, html_page, page_style
from stepflow_gui.export.palette import CssPalette
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.exploring.report import edge_text
from stepflow_gui.run.logs.log_coverage import LogCoverage, totals_of
from stepflow_gui.run.logs.log_text import duration, ending_of, money

_HOTTEST = 60  # per cent of the tint

_Cell = tuple[str, float | None]  # a text, and from 0 to 1 how hot it is; None: no number


def coverage_html(agent: AgentFolder, coverage: LogCoverage) -> str:
    """The page. It needs no script and no external resources."""
    name = agent.folder.name if agent.format != "takt" else agent.registry.path.stem
    title = _("Real runs of {agent}").format(agent=name)
    body = [
        f"<header><h1>{escaped(title)}</h1>",
        f"<p>{escaped(', '.join(totals_of(coverage)))}</p>",
        "</header>",
        *_table(_("Steps"), (_("Step"), _("Visits"), _("Time"), _("Cost"), _("Differences")), _steps(coverage)),
        *_table(_("Transitions"), (_("Transition"), _("Taken")), _edges(coverage)),
        *_table(_("Ends"), (_("End"), _("Step"), _("Runs")), _ends(coverage)),
    ]
    return html_page(title, page_style(CssPalette(), "auto"), body)


def _steps(coverage: LogCoverage) -> Iterator[Sequence[_Cell]]:
    most = [max((each[at] for each in coverage.steps.values()), default=0) or 1 for at in range(4)]
    for name, each in coverage.steps.items():
        yield (
            (name, None),
            (str(each.visits), each.visits / most[0]),
            (duration(each.seconds), each.seconds / most[1]),
            (money(each.cost or None), each.cost / most[2]),
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
    yield f"<h2>{escaped(title)}</h2>"
    yield '<div class="wide"><table><thead><tr>'
    listed = list(rows)
    numbers = {at for row in listed for at, (_text, heat) in enumerate(row) if heat is not None}
    for at, heading in enumerate(headings):
        kind = ' class="number"' if at in numbers else ""
        yield f'<th scope="col"{kind}>{escaped(heading)}</th>'
    yield "</tr></thead><tbody>"
    for row in listed:
        never = row[-1][0] == "0" or row[1][0] == "0"
        yield "<tr>" + "".join(_cell(text, heat, never=never) for text, heat in row) + "</tr>"
    yield "</tbody></table></div>"


def _cell(text: str, heat: float | None, *, never: bool) -> str:
    if heat is None:
        return f"<td{' class=never' if never else ''}><code>{escaped(text)}</code></td>"
    share = round(_HOTTEST * heat)
    tint = f"background:color-mix(in srgb,var(--active) {share}%,transparent)"
    return f'<td class="number" style="{tint}">{escaped(text)}</td>'
