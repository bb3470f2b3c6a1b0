"""A report on an agent as one HTML page: graph, steps, findings. It needs no script and nothing from elsewhere."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Literal, NamedTuple

from stepflow_gui.bundled import resource
from stepflow_gui.export.overlay import NO_OVERLAY, Overlay
from stepflow_gui.export.palette import CssPalette, Palette
from stepflow_gui.export.svg import flow_svg
from stepflow_gui.flow.layout import Layout
from stepflow_gui.flow.layout.captions import visible
from stepflow_gui.flow.model import Flow, Move, Step, moves_of
from stepflow_gui.formats.names import name_of_format
from stepflow_gui.lint.diagnostic import ERROR, INFO, WARNING, Diagnostic
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _, language
from stepflow_gui.project.agent_folder import AgentFolder

MARK = '<meta name="generator" content="Stepflow">'

_PAGE = 1170.0  # pixels that the page has for a graph, its margins left out

Look = Literal["auto", "light", "dark"]


class ReportContent(NamedTuple):
    """What is reported on. `overlay` is what the graph shows besides; `diagnostics` None: none were asked for."""

    agent: AgentFolder
    layout: Layout
    diagnostics: Sequence[Diagnostic] | None
    overlay: Overlay = NO_OVERLAY
    verdict: str | None = None


def html_report(report: ReportContent, look: Look = "auto") -> str:
    """The page; with the look `auto` it follows the reader's, and is light on paper."""
    flow = report.agent.flow
    css = CssPalette()
    palette = css if look == "auto" else Palette(dark=look == "dark")  # plain colours are known to more programs
    picture = flow_svg(flow, palette=palette, overlay=report.overlay, verdict=report.verdict, layout=report.layout)
    name = _name(report.agent)
    parts = [
        "<!DOCTYPE html>",
        f'<html lang="{language()}">',
        "<head>",
        '<meta charset="utf-8">',
        MARK,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{_x(_('Step flow of {agent}').format(agent=name))}</title>",
        f"<style>{_style(css, look)}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{_x(name)}</h1>",
        *_about(report),
        "</header>",
        f'<section aria-labelledby="graph"><h2 id="graph">{_x(_("Graph"))}</h2>',
        *_size_switch(report.layout),
        '<div class="graph" tabindex="0">',
        picture.strip(),
        "</div></section>",
        *_steps(flow, report.diagnostics),
        *(_findings(report) if report.diagnostics is not None else ()),
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(parts)


def _name(agent: AgentFolder) -> str:
    return agent.flow.agent_id.value if agent.flow.agent_id else agent.folder.name


def _style(palette: CssPalette, look: Look) -> str:
    """The page's rules, with the variables that the picture has asked for."""
    light, dark = (palette.variables(dark=is_dark) for is_dark in (False, True))
    rules = resource("themes", "report.css").read_text("utf-8").strip()
    if look != "auto":
        return f":root{{color-scheme:{look};{dark if look == 'dark' else light}}}\n{rules}"
    return (
        f":root{{color-scheme:light dark;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f"@media print{{:root{{{light}}}}}\n{rules}"
    )


def _size_switch(layout: Layout) -> Iterator[str]:
    """A box to tick for graphs that are wider than the page, and so drawn smaller."""
    if layout.bounds.width > _PAGE:
        yield f'<input type="checkbox" id="full"><label for="full">{_x(_("Actual size"))}</label>'


def _about(report: ReportContent) -> Iterator[str]:
    flow = report.agent.flow
    facts = [
        (_("File"), shown_path(report.agent.registry.path, report.agent.root)),
        (_("Version"), flow.version.value if flow.version else "–"),
        (_("Format"), name_of_format(report.agent.flow) if report.agent.format else "–"),
        (_("Steps"), str(len(flow.steps))),
    ]
    facts += [
        (_("Entry") if entry.key is None else entry.key, entry.target.value) for entry in flow.entries if entry.target
    ]
    yield "<dl>"
    for term, value in facts:
        yield f"<div><dt>{_x(term)}</dt><dd>{_x(value)}</dd></div>"
    yield "</dl>"
    if report.diagnostics is not None:
        said = list(_counted(report.diagnostics)) or [f'<span class="none">{_x(_("No findings"))}</span>']
        yield f'<p class="sum">{" ".join(said)}</p>'


def _counted(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """A badge for each severity of which there is one."""
    count = Counter(each.severity for each in diagnostics)
    there = [severity for severity in (ERROR, WARNING, INFO) if count[severity]]
    texts = counted(count[ERROR], count[WARNING], count[INFO])
    yield from (
        f'<span class="badge {severity}">{_x(text)}</span>' for severity, text in zip(there, texts, strict=True)
    )


def _steps(flow: Flow, diagnostics: Sequence[Diagnostic] | None) -> Iterator[str]:
    places = {step_id: f"step-{number}" for number, step_id in enumerate(flow.steps, 1)}
    of_step: dict[str, list[Diagnostic]] = {}
    for found in diagnostics or ():
        if found.step is not None:
            of_step.setdefault(found.step, []).append(found)
    heads = [_("Step"), _("Kind"), _("Transitions"), _("Output schema")]
    heads += [_("Findings")] if diagnostics is not None else []
    yield f'<section aria-labelledby="steps"><h2 id="steps">{_x(_("Steps"))}</h2><div class="wide"><table>'
    yield "<thead><tr>" + "".join(f'<th scope="col">{_x(head)}</th>' for head in heads) + "</tr></thead><tbody>"
    for step_id, step in flow.steps.items():
        kind = step.kind or ("section" if step.is_section else "")
        cells = [
            f'<th scope="row"><span class="name">{_x(step.title)}</span><code>{_x(step_id)}</code></th>',
            f'<td><span class="kind {kind or "plain"}">{_x(kind or "–")}</span></td>',
            f"<td>{_ways(step, places)}</td>",
            f"<td>{_schema(step)}</td>",
        ]
        if diagnostics is not None:
            cells.append(f"<td>{' '.join(_counted(of_step.get(step_id, ())))}</td>")
        yield f'<tr id="{places[step_id]}">{"".join(cells)}</tr>'
    yield "</tbody></table></div></section>"


def _ways(step: Step, places: dict[str, str]) -> str:
    moves = list(moves_of(step))
    return f"<ul>{''.join(_way(move, places) for move in moves)}</ul>" if moves else ""


def _way(move: Move, places: dict[str, str]) -> str:
    intent = move.intent if move.case is None else f"{move.intent}: {move.case}"
    if move.target is None:
        target = _x(_("the end"))
    elif move.target in places:
        target = f'<a href="#{places[move.target]}"><code>{_x(move.target)}</code></a>'
    else:
        target = f'<code class="lost">{_x(_("{step} (missing)").format(step=move.target))}</code>'
    return f"<li>{_x(intent)} → {target}</li>"


def _schema(step: Step) -> str:
    if step.schema_ref is None:
        return ""
    named = [text.value for text in (step.schema_ref.file, step.schema_ref.schema) if text]
    return "<br>".join(f"<code>{_x(name)}</code>" for name in named)


def _findings(report: ReportContent) -> Iterator[str]:
    assert report.diagnostics is not None
    yield f'<section aria-labelledby="findings"><h2 id="findings">{_x(_("Findings"))}</h2>'
    if not report.diagnostics:
        yield f'<p class="none">{_x(_("No findings"))}</p></section>'
        return
    names = {"error": _("error"), "warning": _("warning"), "info": _("note")}
    yield '<ol class="findings">'
    for found in report.diagnostics:
        start = found.range.start
        place = f"{shown_path(found.file, report.agent.root)}:{start.line}:{start.column}"
        where = f" · <code>{_x(found.step)}</code>" if found.step is not None else ""
        yield (
            f'<li><span class="badge {found.severity}">{_x(names[found.severity])}</span> <b>{_x(found.code)}</b>'
            f" {_x(found.message)}<br><code>{_x(place)}</code>{where}</li>"
        )
    yield "</ol></section>"


def _x(text: str) -> str:
    return escape(visible(text))
