"""The options of `stepflow run` and `stepflow test`: agent, era, parameters, commands."""

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from stepflow_gui.cli.parser import USAGE_ERROR, Parser, add_language
from stepflow_gui.cli.streams import print_error
from stepflow_gui.formats.climpt.eras import ERAS, era_title
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


class UsageError(Exception):
    """What is wrong with the command line."""


def read_run_options(arguments: Sequence[str]) -> Namespace:
    """The options of `stepflow run`; ends with exit code 2 where they are wrong."""
    parser = Parser("stepflow run", _("Run an agent, answered by a script, by chance, by a model or by hand."))
    parser.words.add_argument(
        "agent", metavar=_("AGENT"), nargs="?", default=".", help=_("an agent folder or file, or an agent's name")
    )
    who = parser.add_argument_group(
        _("Who answers (by hand in a terminal, if nobody is chosen)")
    ).add_mutually_exclusive_group()
    who.add_argument("--script", metavar=_("FILE"), help=_("a script: JSON, JSON Lines or YAML"))
    who.add_argument("--replay", metavar=_("FILE"), help=_("a trace; says where the run parts from it"))
    who.add_argument(
        "--log", metavar=_("FILE"), help=_("show the log of a real run, and what this flow does with its answers")
    )
    who.add_argument("--random", type=_count, metavar=_("N"), help=_("chance, in N runs"))
    who.add_argument("--explore", action="store_true", help=_("everything: each intent and case at each step"))
    who.add_argument("--anthropic", action="store_true", help=_("a model, by the Messages API; this costs money"))
    options = parser.options
    options.add_argument("--seed", type=int, default=0, metavar=_("S"), help=_("the seed of --random (default 0)"))
    options.add_argument("--entry", metavar=_("STEP"), help=_("begin at this step, or at that of a verdict type"))
    options.add_argument(
        "--arg",
        "--args",
        dest="args",
        action="append",
        default=[],
        metavar=_("NAME=VALUE"),
        help=_("a parameter of the agent; may be given several times"),
    )
    options.add_argument("--input", metavar=_("FILE"), help=_("the text for {input_text}; - is standard input"))
    options.add_argument(
        "--shadow", choices=tuple(ERAS), metavar=_("ERA"), help=_("run along in this era and say where it parts")
    )
    options.add_argument("--trace", metavar=_("FILE"), help=_("write the trace of the run"))
    options.add_argument(
        "--all-entries", action="store_true", help=_("with --explore: from every entry, not only the agent's own")
    )
    options.add_argument("--json", action="store_true", help=_("what --explore finds as JSON"))
    options.add_argument(
        "--write-scripts", metavar=_("FOLDER"), help=_("with --explore: write scripts that cover everything")
    )
    _add_shared(parser)
    options.add_argument(
        "--max-cost", type=amount, metavar=_("USD"), help=_("ask no model any more after so many US dollars")
    )
    options.add_argument("--yes", action="store_true", help=_("agree to what --anthropic costs without being asked"))
    options.add_argument("--quiet", "-q", action="store_true", help=_("say only how it ended"))
    return parser.parse_args(arguments)


def read_test_options(arguments: Sequence[str]) -> Namespace:
    """The options of `stepflow test`."""
    parser = Parser("stepflow test", _("Run every script below the flow_tests folder of an agent."))
    parser.words.add_argument(
        "agent", metavar=_("AGENT"), nargs="?", default=".", help=_("an agent folder or file, or an agent's name")
    )
    options = parser.options
    options.add_argument("--junit", metavar=_("FILE"), help=_("write the results as JUnit XML"))
    options.add_argument("--coverage", action="store_true", help=_("list what no script covers"))
    options.add_argument(
        "--coverage-min",
        action="append",
        default=[],
        metavar=_("KIND=PERCENT"),
        help=_("fail below: steps, edges or validators, such as edges=100"),
    )
    options.add_argument("--only", metavar=_("PATTERN"), help=_("only scripts whose name has this in it"))
    _add_shared(parser)
    options.add_argument("--quiet", "-q", action="store_true", help=_("say only what failed, and the summary"))
    return parser.parse_args(arguments)


def _add_shared(parser: Parser) -> None:
    options = parser.options
    options.add_argument(
        "--era",
        choices=tuple(ERAS),
        metavar=_("ERA"),
        help=_("the runner that is imitated: {eras} (default: the runtime of stepflow.toml, or guide)").format(
            eras=", ".join(map(era_title, ERAS))
        ),
    )
    options.add_argument(
        "--max-iterations", type=_count, metavar=_("N"), help=_("the limit of iterations, in place of the verdict's")
    )
    options.add_argument("--cwd", metavar=_("FOLDER"), help=_("where commands run (default: the root of the project)"))
    commands = options.add_mutually_exclusive_group()
    commands.add_argument(
        "--trust", action="store_true", help=_("run the commands of validators and closures this time")
    )
    commands.add_argument("--simulate", action="store_true", help=_("run none, even in a folder that is trusted"))
    options.add_argument(
        "--fail",
        action="append",
        default=[],
        metavar=_("NAME[=TEXT]"),
        help=_("let this validator fail where commands are simulated"),
    )
    options.add_argument(
        "--timeout",
        type=_seconds,
        default=ProcessLimits().seconds,
        metavar=_("SECONDS"),
        help=_("for each command (default 300)"),
    )
    add_language(parser)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def amount(text: str) -> float:
    """A number that isn't negative, of an option."""
    number = float(text)
    if not 0 <= number < float("inf"):  # NaN is nothing of these
        raise ValueError
    return number


def _seconds(text: str) -> float:
    number = amount(text)
    if not number:
        raise ValueError
    return number


def parameters_of(agent: AgentFolder, given: Sequence[str]) -> dict[str, JsonValue]:
    """The parameters of the command line, of the types that agent.json gives them."""
    found: dict[str, JsonValue] = {}
    types = _types(agent) if given else {}
    for item in given:
        name, equals, text = item.partition("=")
        if not equals or not name:
            raise UsageError(_("--arg wants NAME=VALUE, not “{text}”").format(text=item))
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
            _("the parameter “{name}” is to be of the type {type}, not “{text}”").format(
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
        failing[name] = text or _("failed as wished")
    wrong = unknown_validator(agent.flow, failing)
    if wrong is not None:
        raise UsageError(f"--fail: {wrong}")
    real = options.trust or (not options.simulate and not failing and Trust().trust_state_of(agent) == "trusted")
    if real and failing:
        raise UsageError(_("--fail is for commands that are simulated; leave --trust out"))
    if real:
        return RealCommands(working_folder(agent, chosen), ProcessLimits(options.timeout)), True
    return Simulated(failing), False


def report_usage_error(command: str, error: Exception | str) -> int:
    """Report what is wrong with the command line or a file that it names; return the exit code."""
    print_error(f"{command}: {error}")
    return USAGE_ERROR
