"""The options of `stepflow run`, most of which `stepflow test` has too, and what they stand for."""

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stepflow_gui.cli.parser import (
    AGENT,
    PIECE,
    USAGE_ERROR,
    Parser,
    UsageError,
    ValueType,
    add_format,
    add_language,
    check_kind,
    choice_error,
    integer,
    number,
)
from stepflow_gui.cli.streams import print_error
from stepflow_gui.formats.climpt.eras import ERAS, era_title
from stepflow_gui.formats.runtimes import RUNTIMES, RuntimeNames
from stepflow_gui.formats.takt.runners import EXAMPLE, RUNNERS
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.trust import Trust
from stepflow_gui.run.agent_run import working_folder
from stepflow_gui.run.effects import Commands
from stepflow_gui.run.host.process import ProcessLimits
from stepflow_gui.run.host.real_commands import RealCommands
from stepflow_gui.run.host.simulated import Simulated
from stepflow_gui.run.machine.closure_checks import unknown_validator
from stepflow_gui.text.files.presence import is_folder
from stepflow_gui.text.json.tree import JsonValue

if TYPE_CHECKING:
    from argparse import _ArgumentGroup

NAME = "stepflow run"


_NEEDS = (  # options that only mean something with one of others
    (("seed",), ("random",)),
    (("format",), ("explore", "log")),
    (("at", "with_log", "save_test"), ("log",)),
    (("all_entries", "write_scripts"), ("explore",)),
    (("max_cost", "yes"), ("anthropic",)),
)
_OF_RUNS = ("trace", "shadow", "trust", "fail", "input", "cwd", "task", "prompts", "explain", "no_prompts")
_UNUSED_BY_LOGS = ("entry", "max_iterations", "interactive")
_RESPONDERS = ("script", "replay", "random", "explore", "anthropic")
_UNUSED = {
    "explore": (*_OF_RUNS, "quiet"),
    "log": (*_OF_RUNS, *_UNUSED_BY_LOGS),
    "follow": (*_OF_RUNS, *_UNUSED_BY_LOGS, *_RESPONDERS, "format", "with_log", "save_test"),
    "anthropic": ("no_prompts",),
}


def make_parser() -> Parser:
    """The options of `stepflow run`, in groups by what they apply to."""
    parser = Parser(NAME, _("Run an agent or a TAKT piece. A script, random answers, a model or you answer."))
    add_agent(parser)
    _add_responders(parser)
    _add_run(parser)
    exploring = parser.add_argument_group(_("With --explore or --log"))
    add_format(exploring, _("print the result as text (default) or json"))
    exploring.add_argument(
        "--write-scripts",
        metavar=_("FOLDER"),
        help=_("with --explore: write scripts that cover everything to a new folder"),
    )
    _add_log(parser)
    model = parser.add_argument_group(_("With --anthropic"))
    model.add_argument(
        "--max-cost",
        type=number(0),
        metavar=_("USD"),
        help=_("stop asking the model once it has cost this much (US dollars)"),
    )
    model.add_argument("--yes", action="store_true", help=_("don't ask before spending money"))
    agents = parser.add_only(AGENT)
    add_args(agents)
    agents.add_argument(
        "--input", metavar=_("FILE"), help=_("read the text for {input_text} from this file; - is standard input")
    )
    agents.add_argument(
        "--all-entries",
        action="store_true",
        help=_("with --explore: explore from every entry, not only the agent's own"),
    )
    agents.add_argument(
        "--explain", action="store_true", help=_("explain how each answer became a transition, as in the window")
    )
    add_no_prompts(agents)
    add_commands(agents)
    pieces = parser.add_only(PIECE)
    pieces.add_argument("--task", metavar=_("TEXT"), help=_("set the text for {task}"))
    pieces.add_argument("--interactive", action="store_true", help=_("also apply the rules for interactive runs"))
    parser.epilog = _(
        "Exit code: 0 if the run finished (with --explore: without dead ends or infinite loops), 1 if it ended"
        " otherwise, 2 if it couldn't begin, 130 after Ctrl-C."
    )
    add_language(parser)
    return parser


def _add_log(parser: Parser) -> None:
    group = parser.add_argument_group(_("Logs of real runs"))
    group.add_argument(
        "--follow",
        action="store_true",
        help=_("print what is added to a log, until its run ends: the one of --log, or the newest of the agent"),
    )
    group.add_argument(
        "--at",
        metavar=_("REVISION"),
        help=_("compare with the flow at this git revision; “then”: when the run began"),
    )
    group.add_argument("--with-log", metavar=_("FILE"), help=_("compare with another log, not with the flow"))
    group.add_argument("--save-test", metavar=_("FILE"), help=_("write the run as a test to this new file"))


def _add_responders(parser: Parser) -> None:
    group = parser.add_argument_group(_("Responder (you, in a terminal, if none is chosen)"))
    who = group.add_mutually_exclusive_group()
    who.add_argument(
        "--script", metavar=_("FILE"), help=_("answer by a script (JSON, YAML or, for agents, JSON Lines)")
    )
    who.add_argument("--replay", metavar=_("FILE"), help=_("answer by a trace and report where the run diverges"))
    who.add_argument(
        "--log", metavar=_("FILE"), help=_("show the log of a real run and what this flow does with its answers")
    )
    who.add_argument("--random", type=integer(1), metavar=_("N"), help=_("answer at random, in N runs"))
    who.add_argument("--explore", action="store_true", help=_("explore every path instead of running"))
    who.add_argument(
        "--anthropic", action="store_true", help=_("ask a model through the Messages API; this costs money")
    )
    group.add_argument(
        "--seed",
        type=integer(),
        default=0,
        metavar=_("SEED"),
        help=_("with --random: the seed of the first run (default: 0)"),
    )


def _add_run(parser: Parser) -> None:
    group = parser.add_argument_group(_("Run"))
    group.add_argument(
        "--entry", metavar=_("STEP"), help=_("start at this step or movement, or at the entry of a verdict type")
    )
    add_runtime(group)
    group.add_argument(
        "--shadow",
        choices=RUNTIMES,
        metavar=_("RUNTIME"),
        help=_("also run under this runtime and report where they diverge"),
    )
    add_max_iterations(group)
    group.add_argument("--trace", metavar=_("FILE"), help=_("write the trace of the run to this file"))
    group.add_argument("--prompts", action="store_true", help=_("print every prompt"))
    group.add_argument("-q", "--quiet", action="store_true", help=_("print only how the run ended"))


def add_agent(parser: Parser) -> None:
    """The argument that names an agent or a piece."""
    parser.words.add_argument(
        "agent",
        metavar=_("AGENT"),
        nargs="?",
        default=".",
        help=_("an agent folder or file, an agent's name, or a TAKT piece (default: the current folder)"),
    )


def add_args(group: "_ArgumentGroup") -> None:
    """The option for parameters of an agent."""
    group.add_argument(
        "--arg",
        dest="args",
        type=ValueType(_parameter, lambda: _("NAME=VALUE")),
        action="append",
        default=[],
        metavar=_("NAME=VALUE"),
        help=_("set a parameter of the agent; can be repeated"),
    )


def add_runtime(group: "_ArgumentGroup") -> None:
    """The option for the runtime of a run."""
    group.add_argument(
        "--runtime",
        choices=RUNTIMES,
        metavar=_("RUNTIME"),
        help=_(
            "simulate this runtime: {runtimes}, or a TAKT release such as {release} (default: as set in stepflow.toml,"
            " or guide)"
        ).format(runtimes=", ".join(map(era_title, RUNTIMES)), release=EXAMPLE),
    )


def add_max_iterations(group: "_ArgumentGroup") -> None:
    """The option for the limit of a run."""
    group.add_argument(
        "--max-iterations",
        type=integer(1),
        metavar=_("N"),
        help=_("set the iteration limit, instead of the one in the file"),
    )


def add_no_prompts(group: "_ArgumentGroup") -> None:
    """The option for runs that read no prompts."""
    group.add_argument(
        "--no-prompts",
        action="store_true",
        help=_("don't stop at a missing prompt or variable, even if the runtime does, and print no warning"),
    )


def add_commands(group: "_ArgumentGroup") -> None:
    """The options for the commands of validators and closures."""
    commands = group.add_mutually_exclusive_group()
    commands.add_argument(
        "--trust", action="store_true", help=_("run the commands of validators and closures this time")
    )
    commands.add_argument("--simulate", action="store_true", help=_("run no commands, even in a trusted project"))
    group.add_argument(
        "--fail",
        action="append",
        default=[],
        metavar=_("NAME[=TEXT]"),
        help=_("let this validator fail, where commands are simulated; can be repeated"),
    )
    group.add_argument(
        "--cwd", metavar=_("FOLDER"), help=_("run commands in this folder (default: the project's root folder)")
    )
    group.add_argument(
        "--timeout",
        type=number(0, above=True),
        default=ProcessLimits().seconds,
        metavar=_("SECONDS"),
        help=_("set the time limit of each command (default: {seconds:g})").format(seconds=ProcessLimits().seconds),
    )


def check_options(parser: Parser, options: Namespace, kind: str) -> None:
    """Refuse what doesn't apply to the kind of file, or to who answers. Raises UsageError."""
    check_kind(parser, options, kind)
    for names, others in _NEEDS if "explore" in options else ():
        for option in () if any(getattr(options, other) for other in others) else parser.given(options, names):
            needed = _(" or ").join(f"--{other}" for other in others)
            raise UsageError(_("{option} needs {other}").format(option=option, other=needed))
    for mode, unused in _UNUSED.items():
        for option in parser.given(options, unused) if getattr(options, mode, None) else ():
            raise UsageError(_("{option} can't be used with {other}").format(option=option, other=f"--{mode}"))
    if getattr(options, "entry", None) and options.all_entries:
        raise UsageError(_("{option} can't be used with {other}").format(option="--entry", other="--all-entries"))
    choices = tuple(ERAS) if kind == AGENT else RuntimeNames(RUNNERS)
    for name in ("runtime", "shadow"):
        word = getattr(options, name, None)
        if word is not None and word not in choices:
            raise UsageError(choice_error(f"--{name}", word, choices))


def _parameter(text: str) -> str:
    name, equals, _value = text.partition("=")
    if not name or not equals:
        raise ValueError
    return text


def parameters_of(agent: AgentFolder, given: Sequence[str]) -> dict[str, JsonValue]:
    """The parameters of the command line, of the types that agent.json gives them."""
    found: dict[str, JsonValue] = {}
    types = _types(agent) if given else {}
    for item in given:
        name, _equals, text = item.partition("=")
        found[name] = _value(name, text, types.get(name))
    return found


def _types(agent: AgentFolder) -> Mapping[str, str | None]:
    if agent.agent_document is None:
        return {}
    from stepflow_gui.formats.climpt.agent.resolving import resolve_agent

    return {name: each.type for name, each in resolve_agent(agent.agent_document).parameters.items()}


def _value(name: str, text: str, kind: str | None) -> JsonValue:
    if kind in {None, "string"}:
        return text
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        value = text.split(",") if kind == "array" else None
    fits = {"number": int | float, "boolean": bool, "array": list}[kind or ""]
    if not isinstance(value, fits) or (kind == "number" and isinstance(value, bool)):
        raise UsageError(
            _("invalid value “{text}” for the parameter “{name}”: expected the type {type}").format(
                name=name, type=kind, text=text
            )
        )
    return value


def commands_for(agent: AgentFolder, options: Namespace) -> tuple[Commands, bool]:
    """Who carries commands out, and whether they are really run."""
    chosen = Path(options.cwd) if options.cwd else None
    if chosen is not None and not is_folder(chosen):
        raise UsageError(_("{path}: no such folder").format(path=chosen))
    failing: dict[str, str] = {}
    for item in options.fail:
        name, _equals, text = item.partition("=")
        failing[name] = text or _("failed as requested")
    wrong = unknown_validator(agent.flow, failing)
    if wrong is not None:
        raise UsageError(f"--fail: {wrong}")
    real = options.trust or (not options.simulate and not failing and Trust().trust_state_of(agent) == "trusted")
    if real and failing:
        raise UsageError(_("{option} can't be used with {other}").format(option="--fail", other="--trust"))
    if real:
        return RealCommands(working_folder(agent, chosen), ProcessLimits(options.timeout)), True
    return Simulated(failing), False


def report_usage_error(command: str, error: Exception | str) -> int:
    """Report what is wrong with the command line or a file that it names; return the exit code."""
    print_error(f"{command}: {error}")
    return USAGE_ERROR
