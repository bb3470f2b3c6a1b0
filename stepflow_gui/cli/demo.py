"""`stepflow demo`: the bundled example in the window; without a display the same in text, and a picture of it."""

from collections.abc import Sequence
from pathlib import Path

from stepflow_gui.bundled import resource
from stepflow_gui.cli.export.command import paint_offscreen
from stepflow_gui.cli.gui import run_gui, why_no_window
from stepflow_gui.cli.parser import Parser, add_color, add_language
from stepflow_gui.cli.registries import collect_registries
from stepflow_gui.cli.run.lines import line_of
from stepflow_gui.cli.streams import print_error, wants_color
from stepflow_gui.export.formats import FORMATS
from stepflow_gui.export.options import ExportOptions
from stepflow_gui.export.writing import ExportRefusal
from stepflow_gui.lint.engine.outcome import judge
from stepflow_gui.lint.report.full import FullReport
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.finding.locate import marked_root
from stepflow_gui.text.files.output import write_output
from stepflow_gui.text.files.store import SaveFailed

DONE, FAILED = 0, 1
EXAMPLE, BROKEN = "issue-flow", "issue-flow-broken"
SCRIPT = ("examples", "issue-flow", ".agent", "issue-flow", "flow_tests", "happy.jsonl")
PICTURE = "stepflow-demo"


def main(arguments: Sequence[str]) -> int:
    """Run it: 0, or 1 where the example didn't do what it is there to show, or left no picture."""
    options = make_parser().read(arguments)
    reason = None if options.text else why_no_window()
    if reason is None and not options.text:
        return run_gui([], options.lang, example=True)
    if reason:
        print(_("No window: {reason}.").format(reason=reason))
        print()
    return show_in_terminal(Path.cwd(), color=wants_color(options.color))


def show_in_terminal(folder: Path, *, color: bool) -> int:
    """Lint the example and its broken variant, run the flow, and leave pictures of it in `folder`."""
    example, broken = _example(EXAMPLE), _example(BROKEN)
    for agent, title in (
        (example, _("Lint: the example")),
        (broken, _("Lint: the same with five mistakes")),
    ):
        _heading(title)
        for line in FullReport(judge([agent]), agent.root, color=color).lines():
            print(line)
        print()
    _heading(_("Run: the example, answered by a script"))
    success = _run(example)
    print()
    _heading(_("Pictures"))
    drawn = _draw(example, folder)
    return DONE if success and drawn else FAILED


def make_parser() -> Parser:
    """The options of `stepflow demo`."""
    parser = Parser("stepflow demo", _("Show the bundled example in the window, or in the terminal without a display."))
    parser.options.add_argument(
        "--text", action="store_true", help=_("show it in the terminal even if there is a display")
    )
    add_color(parser)
    add_language(parser)
    return parser


def _example(name: str) -> AgentFolder:
    gathered = collect_registries([Path(str(resource("examples", name)))])
    return gathered.agents[0]


def _heading(title: str) -> None:
    print(f"── {title} ──")


def _run(agent: AgentFolder) -> bool:
    from stepflow_gui.run.machine.verdict import verdict_of
    from stepflow_gui.run.responders.script import ScriptProblem
    from stepflow_gui.run.scripts.script_file import read_script_file
    from stepflow_gui.run.scripts.scripted import run_script

    script = read_script_file(resource(*SCRIPT).read_text("utf-8"), SCRIPT[-1])
    if isinstance(script, ScriptProblem):
        print(script.message)
        return False
    result = run_script(agent.flow, script.lines, verdict_of(agent.agent))
    for entry in result.trace:
        print(line_of(entry))
    if result.outcome:
        print(result.outcome.message)
    elif result.error:
        print(result.error.message)
    return result.success


def _draw(agent: AgentFolder, folder: Path) -> bool:
    """Write the graph as SVG, and as PNG if Qt is installed; print where. False if a file can't be written."""
    from stepflow_gui.export.svg import flow_svg

    if not _written(folder / f"{PICTURE}.svg", flow_svg(agent.flow).encode("utf-8")):
        return False
    png = FORMATS["png"]
    picture = paint_offscreen(agent, png, ExportOptions(scale=png.scale))
    if isinstance(picture, ExportRefusal):
        print(_("No PNG: {reason}").format(reason=picture.message))
        return True
    return _written(folder / f"{PICTURE}.png", picture)


def _written(path: Path, data: bytes) -> bool:
    """Write a file and print its path; False if that fails."""
    written = write_output(path, data, marked_root(path))
    if isinstance(written, SaveFailed):
        why = _("{path}: can't be written ({reason})").format(path=path, reason=written.reason)
        print_error(f"stepflow demo: {why}")
        return False
    print(path)
    return True
