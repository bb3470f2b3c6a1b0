"""`stepflow export`: the graph of an agent as a picture, a diagram, data or a report."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.cli.export.options import NAME, STDOUT, read_export_options
from stepflow_gui.cli.streams import print_error
from stepflow_gui.export.formats import FORMATS, ExportFormat
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.overlay import NO_OVERLAY, Overlay, coverage_overlay, lint_overlay
from stepflow_gui.export.writing import ExportRefusal, write_file
from stepflow_gui.flow.model import Flow
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.choosing import NotChosen, choose_agent
from stepflow_gui.project.finding.files_of_registry import files_of
from stepflow_gui.project.problem_text import describe
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.files.presence import is_file
from stepflow_gui.text.files.store import ReadProblem, read

DONE, TROUBLE = 0, 2


class _Export(NamedTuple):
    """What was made, of which document, and the files that it may not be written to."""

    data: bytes
    document: ParsedFile
    protected: Iterable[Path]


def main(arguments: Sequence[str]) -> int:
    """Run it: 0, also where only a part could be read, which is reported; 2 if nothing was written."""
    options = read_export_options(arguments)
    path = Path(options.agent)
    found = _of_file(path) if options.format == "text" and is_file(path) else _of_agent(options)
    if isinstance(found, _Export):
        _report_syntax_error(found.document)
        if options.output in {None, STDOUT}:
            sys.stdout.flush()
            sys.stdout.buffer.write(found.data)
            sys.stdout.buffer.flush()
            return DONE
        refused = write_file(Path(options.output), found.data, found.protected, force=options.force)
        if refused is None:
            return DONE
        found = refused
    print_error(f"{NAME}: {found.message}")
    return TROUBLE


def _of_file(path: Path) -> _Export | ExportRefusal:
    """The text of any JSON file by itself: git gives a textconv whatever has changed, at whatever place."""
    from stepflow_gui.export.outline_text import outline_text
    from stepflow_gui.formats.read import read_flow

    source = read(path)
    if isinstance(source, ReadProblem):
        return ExportRefusal(describe(source))
    document = ParsedFile.read(path, source)
    return _Export(outline_text(read_flow(document)).encode("utf-8", "backslashreplace"), document, [path])


def _of_agent(options: Namespace) -> _Export | ExportRefusal:
    agent = choose_agent(options.agent)
    if isinstance(agent, NotChosen):
        return ExportRefusal(agent.message)
    content = _content(agent, options)
    return content if isinstance(content, ExportRefusal) else _Export(content, agent.registry, files_of(agent))


def _report_syntax_error(document: ParsedFile) -> None:
    tree = document.tree
    if not tree.valid and document.source.text.strip():
        line = document.source.position(tree.problems[0].start).line
        text = _("{path}:{line}: not valid JSON; exported as far as it could be read")
        print_error(f"{NAME}: " + text.format(path=document.path.name, line=line))


def _content(agent: AgentFolder, options: Namespace) -> bytes | ExportRefusal:
    chosen = FORMATS[options.format]
    diagnostics = _diagnostics(agent) if options.lint or chosen.always_lints else None
    if isinstance(diagnostics, ExportRefusal):
        return diagnostics
    overlay: Overlay | ExportRefusal = NO_OVERLAY
    if options.lint:
        overlay = lint_overlay(agent, diagnostics or ())
    elif options.coverage:
        overlay = _coverage(agent.flow, options.coverage)
    if isinstance(overlay, ExportRefusal):
        return overlay
    wanted = ExportOptions(
        options.theme or "auto", options.scale or chosen.scale, overlay, diagnostics, checks=not options.no_checks
    )
    return paint_offscreen(agent, chosen, wanted) if chosen.painted else chosen.content(agent, wanted)


def _diagnostics(agent: AgentFolder) -> list[Diagnostic] | ExportRefusal:
    from stepflow_gui.lint.engine.configured_lint import lint_as_configured

    found = lint_as_configured(agent.registry.path)
    return ExportRefusal(describe(found)) if isinstance(found, ReadProblem) else found


def _coverage(flow: Flow, files: Sequence[str]) -> Overlay | ExportRefusal:
    from stepflow_gui.run.responders.replay import why_not_of
    from stepflow_gui.run.traces.trace import Trace, read_trace

    traces: list[Trace] = []
    for file in files:
        source = read(Path(file))
        if isinstance(source, ReadProblem):
            return ExportRefusal(describe(source))
        trace = read_trace(source.text)
        if not isinstance(trace, Trace):
            return ExportRefusal(f"{file}: {trace.message}")
        problem = why_not_of(trace, flow)
        if problem is not None:
            return ExportRefusal(f"{file}: {problem.message}")
        traces.append(trace)
    return coverage_overlay(traces)


def paint_offscreen(agent: AgentFolder, painted: ExportFormat, options: ExportOptions) -> bytes | ExportRefusal:
    """The graph as the canvas paints it, without a window."""
    reason = _why_no_painting()
    if reason is not None:
        return ExportRefusal(reason)
    if not os.environ.get("QT_QPA_PLATFORM"):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from stepflow_gui.gui.pictures.painting import paint

    return paint(agent, painted, options)


def _why_no_painting() -> str | None:
    """What keeps Qt from painting without a window; it would abort the process."""
    from stepflow_gui import qt_libraries

    try:
        import_module("PySide6.QtWidgets")
    except ImportError as error:
        return qt_libraries.explain(str(error), window=False)
    if sys.platform.startswith("linux") and not all(map(qt_libraries.loads, qt_libraries.OFFSCREEN)):
        return qt_libraries.explain("", window=False)
    return None
