"""A report on an agent as one HTML page: graph, steps, findings. It needs no script and no external resources."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from stepflow_gui.export.html_page import escaped, html_page, page_style
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.palette import CssPalette
from stepflow_gui.export.placement import picture_layout
from stepflow_gui.export.svg import flow_svg
from stepflow_gui.flow.layout import Layout
from stepflow_gui.flow.model import Flow, Move, Step, moves_of
from stepflow_gui.formats.names import name_of_format
from stepflow_gui.formats.step_card import kind_of, kind_word
from stepflow_gui.lint.diagnostic import ERROR, INFO, WARNING, Diagnostic
from stepflow_gui.lint.report.counts import counted
from stepflow_gui.lint.report.paths import shown_path
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder

_PAGE = 1170.0  # pixels that the page has for a graph, its margins left out


def html_of(agent: AgentFolder, options: ExportOptions) -> str:
    """The page; with the theme `auto` it follows the reader's, and is light on paper."""
    flow, diagnostics = agent.flow, options.diagnostics
    css = CssPalette()
    palette = css if options.theme == "auto" else options.palette  # plain colours are known to more programs
    layout = picture_layout(agent, options.positions, loops=options.loops)
    picture = flow_svg(flow, palette=palette, overlay=options.overlay, verdict=agent.verdict, layout=layout)
    name = _name(agent)
    body = [
        f"<header><h1>{escaped(name)}</h1>",
        *_about(agent, diagnostics),
        "</header>",
        f'<section aria-labelledby="graph"><h2 id="graph">{escaped(_("Graph"))}</h2>',
        *_size_switch(layout),
        '<div class="graph" tabindex="0">',
        picture.strip(),
        "</div></section>",
        *_steps(flow, diagnostics),
        *(_findings(agent, diagnostics) if diagnostics is not None else ()),
    ]
    return html_page(_("Step flow of {agent}").format(agent=name), page_style(css, options.theme), body)


def _name(agent: AgentFolder) -> str:
    return agent.flow.agent_id.value if agent.flow.agent_id else agent.folder.name


def _size_switch(layout: Layout) -> Iterator[str]:
    """A box to tick for graphs that are wider than the page, and so drawn smaller."""
    if layout.bounds.width > _PAGE:
        yield f'<input type="checkbox" id="full"><label for="full">{escaped(_("Actual size"))}</label>'


def _about(agent: AgentFolder, diagnostics: Sequence[Diagnostic] | None) -> Iterator[str]:
    flow = agent.flow
    facts = [
        (_("File"), shown_path(agent.registry.path, agent.root)),
        (_("Version"), flow.version.value if flow.version else "–"),
        (_("Format"), name_of_format(flow) if agent.format else "–"),
        (_("Steps"), str(len(flow.steps))),
    ]
    facts += [
        (_("Entry") if entry.key is None else entry.key, entry.target.value) for entry in flow.entries if entry.target
    ]
    yield "<dl>"
    for term, value in facts:
        yield f"<div><dt>{escaped(term)}</dt><dd>{escaped(value)}</dd></div>"
    yield "</dl>"
    if diagnostics is not None:
        badges = list(_counted(diagnostics)) or [f'<span class="none">{escaped(_("No findings"))}</span>']
        yield f'<p class="sum">{" ".join(badges)}</p>'


def _counted(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """A badge for each severity of which there is one."""
    count = Counter(each.severity for each in diagnostics)
    there = [severity for severity in (ERROR, WARNING, INFO) if count[severity]]
    texts = counted(count[ERROR], count[WARNING], count[INFO])
    yield from (
        f'<span class="badge {severity}">{escaped(text)}</span>' for severity, text in zip(there, texts, strict=True)
    )


def _steps(flow: Flow, diagnostics: Sequence[Diagnostic] | None) -> Iterator[str]:
    places = {step_id: f"step-{number}" for number, step_id in enumerate(flow.steps, 1)}
    of_step: dict[str, list[Diagnostic]] = {}
    for found in diagnostics or ():
        if found.step is not None:
            of_step.setdefault(found.step, []).append(found)
    heads = [_("Step"), _("Kind"), _("Transitions"), _("Output schema")]
    heads += [_("Findings")] if diagnostics is not None else []
    yield f'<section aria-labelledby="steps"><h2 id="steps">{escaped(_("Steps"))}</h2><div class="wide"><table>'
    yield "<thead><tr>" + "".join(f'<th scope="col">{escaped(head)}</th>' for head in heads) + "</tr></thead><tbody>"
    for step_id, step in flow.steps.items():
        kind = kind_of(step)
        cells = [
            f'<th scope="row"><span class="name">{escaped(step.title)}</span><code>{escaped(step_id)}</code></th>',
            f'<td><span class="kind {kind or "plain"}">{escaped(kind_word(step) or "–")}</span></td>',
            f"<td>{_transitions(step, places)}</td>",
            f"<td>{_schema(step)}</td>",
        ]
        if diagnostics is not None:
            cells.append(f"<td>{' '.join(_counted(of_step.get(step_id, ())))}</td>")
        yield f'<tr id="{places[step_id]}">{"".join(cells)}</tr>'
    yield "</tbody></table></div></section>"


def _transitions(step: Step, places: dict[str, str]) -> str:
    moves = list(moves_of(step))
    return f"<ul>{''.join(_transition(move, places) for move in moves)}</ul>" if moves else ""


def _transition(move: Move, places: dict[str, str]) -> str:
    intent = move.intent if move.case is None else f"{move.intent}: {move.case}"
    if move.target is None:
        target = escaped(_("the end"))
    elif move.target in places:
        target = f'<a href="#{places[move.target]}"><code>{escaped(move.target)}</code></a>'
    else:
        target = f'<code class="lost">{escaped(_("{step} (missing)").format(step=move.target))}</code>'
    return f"<li>{escaped(intent)} → {target}</li>"


def _schema(step: Step) -> str:
    if step.schema_ref is None:
        return ""
    named = [text.value for text in (step.schema_ref.file, step.schema_ref.schema) if text]
    return "<br>".join(f"<code>{escaped(name)}</code>" for name in named)


def _findings(agent: AgentFolder, diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    yield f'<section aria-labelledby="findings"><h2 id="findings">{escaped(_("Findings"))}</h2>'
    if not diagnostics:
        yield f'<p class="none">{escaped(_("No findings"))}</p></section>'
        return
    names = {"error": _("error"), "warning": _("warning"), "info": _("note")}
    yield '<ol class="findings">'
    for found in diagnostics:
        start = found.range.start
        place = f"{shown_path(found.file, agent.root)}:{start.line}:{start.column}"
        where = f" · <code>{escaped(found.step)}</code>" if found.step is not None else ""
        yield (
            f'<li><span class="badge {found.severity}">{escaped(names[found.severity])}</span>'
            f" <b>{escaped(found.code)}</b> {escaped(found.message)}<br><code>{escaped(place)}</code>{where}</li>"
        )
    yield "</ol></section>"
