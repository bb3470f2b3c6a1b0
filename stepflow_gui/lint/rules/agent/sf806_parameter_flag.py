"""SF806 parameter-flag.

What it does: reports a parameter without `cli`, one whose flag doesn't begin with `--`, a flag that two parameters
share, a default of another type than the parameter's, and a required parameter that has a default. It also points out a
flag that is a slip away from the parameter's name: prompts know the value by the name, the user gives it by the flag.

Why is this bad: climpt refuses to start the agent; a default of a required parameter is never used. Before 2026-04-20
it lets shared flags and odd defaults pass, and one parameter takes the value of the other.

Fix: give each parameter a flag of its own.
"""

import re
from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.check import AgentProblem
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.closest_name import SHORT, is_slip, plain, slips
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Proposal, Side
from stepflow_gui.lint.rules.fixes import put, take_away, write
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.lint.rules.prompts.variables import listed
from stepflow_gui.lint.rules.refusals import refused_agent, refusing_agent
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.pointer import join, split

RULE = Rule("SF806", "parameter-flag", ERROR, looks_at=DOCUMENT)

BAD = changed({"agent.json#/parameters/issue/cli": "-issue"})
GOOD = changed()

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OTHER = re.compile(r"[^a-z0-9]+")


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Take from the loader's own check what concerns flags and defaults; the objections of all eras are reported."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None:
        return
    strict = context.era._replace(checks_parameters=True)
    for problem in agent.raw_problems(strict):
        problem_text = _message(problem, agent, context)
        if problem_text:
            text, severity = problem_text
            pointer = problem.pointer
            yield agent.finding(text, pointer, severity, _sides(problem, agent), _proposals(problem, agent, document))
    yield from _nearly_named(agent, document, context)


def _nearly_named(agent: AgentFile, document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """At the name, for a flag is what people type and see refused at once; at the flag where steps use the name."""
    parameters = agent.value("/parameters")
    for name, parameter in parameters.items() if isinstance(parameters, dict) else ():
        flag = parameter.get("cli") if isinstance(parameter, dict) else None
        if not isinstance(flag, str) or not flag.startswith("--") or len(flag) <= len("--") + SHORT:
            continue
        if not is_slip(_flag(name), flag):
            continue
        meant = min(_names(flag), key=lambda each: slips(name, each, len(name) + len(each)) or 0)
        pointer = join("/parameters", name)
        key = document.tree.key_span(agent.in_file(pointer))
        if key is None or meant in parameters or plain(meant) == plain(name):
            continue
        given = document.tree.at(agent.in_file(join(pointer, "cli")))
        if given and _is_right(name, meant, flag, context):
            text = _("The parameter “{name}”, which is known elsewhere, has the flag {flag}. Did you mean {meant}?")
            message = text.format(name=name, flag=flag, meant=_flag(name))
            proposals = [] if _flag(name) in _flags(agent) else [write(document, given.span, _flag(name))]
            finding = agent.finding(message, join(pointer, "cli"), WARNING, (), proposals)
            yield finding._replace(misspelt=bool(proposals))
            continue
        text = _(
            "The parameter “{name}” has the flag {flag}: prompts know its value as “{name}”. Did you mean “{meant}”?"
        )
        finding = agent.finding(
            text.format(name=name, flag=flag, meant=meant),
            pointer,
            WARNING,
            [agent.side(join(pointer, "cli"), _("the flag"))],
            _renamed(agent.in_file(pointer), meant, document),
        )
        yield finding._replace(span=key, misspelt=True)


def _is_right(name: str, meant: str, flag: str, context: RuleContext) -> bool:
    """Whether a parameter's name is right, and not that of its flag: steps list it, or other evidence is for it."""
    names = {text.value for step in context.flow.steps.values() for text in listed(step)}
    if (name in names) != (meant in names):
        return name in names
    own, other = _flag(name).removeprefix("--"), flag.removeprefix("--")
    return bool(context.evidence.is_right(own, other, named=1, defined=1, within=own != name))


def _names(flag: str) -> tuple[str, ...]:
    """The names that have a flag, by how words are joined."""
    first, *others = flag.removeprefix("--").split("-")
    words = [first, *others]
    return first + "".join(word.capitalize() for word in others), "_".join(words), "-".join(words)


def _renamed(pointer: str, name: str, document: ParsedFile) -> Iterator[Proposal]:
    if document.tree.valid:
        from stepflow_gui.text.json.edit import rename_key

        edits = [(document, edit) for edit in rename_key(document.tree, pointer, name)]
        title = _("Rename the parameter “{parameter}” to “{name}”")
        yield Proposal(title.format(parameter=split(pointer)[-1], name=name), edits)


def _message(problem: AgentProblem, agent: AgentFile, context: RuleContext) -> tuple[str, Severity] | None:
    name = problem.path[1] if len(problem.path) > 1 else ""
    if name and not isinstance(agent.value(join("/parameters", name)), dict | None):
        return None  # SF004 says that it is of a wrong type
    refused = refused_agent(context)
    later = refused if context.era.checks_parameters else WARNING
    match problem.kind:
        case "param_missing_cli":
            text, severity = _("The parameter “{name}” has no flag: {era} refuses to start the agent"), refused
        case "param_cli_prefix":
            text, severity = (
                _("The flag {flag} of “{name}” doesn't begin with --: {era} refuses to start the agent"),
                refused,
            )
        case "param_duplicate_cli":
            text, severity = _("The flag {flag} stands for several parameters: {names}"), later
        case "param_default_type":
            text, severity = _("The default of “{name}” is not of the parameter's type, {type}"), later
        case "param_required_with_default":
            text, severity = _("“{name}” is required, so its default is never used"), WARNING
        case _:
            return None
    names = problem.detail.get("params", [])
    message = text.format(
        name=name,
        flag=problem.detail.get("flag") or agent.value(problem.pointer),
        names=_(", ").join(_("“{word}”").format(word=each) for each in names),
        type=problem.detail.get("declared"),
        era=refusing_agent(context),
    )
    return message, severity


def _sides(problem: AgentProblem, agent: AgentFile) -> list[Side]:
    others = problem.detail.get("params", [])[:-1]
    return [
        agent.side(join("/parameters", name, "cli"), _("“{name}” has the same flag").format(name=name))
        for name in others
    ]


def _proposals(problem: AgentProblem, agent: AgentFile, document: ParsedFile) -> Iterator[Proposal]:
    if problem.kind not in {
        "param_missing_cli",
        "param_cli_prefix",
        "param_required_with_default",
        "param_duplicate_cli",
    }:
        return
    name = str(problem.path[1])
    if problem.kind == "param_required_with_default":
        yield from take_away(document, [problem.pointer], _("Remove the default"))
        return
    flag = _flag(name)
    own = agent.value(problem.pointer)
    if flag == "--" or flag in _flags(agent):
        return
    if isinstance(own, str):
        yield write(document, agent.place(problem.pointer).span, flag)
    elif (
        own is None
        and isinstance(agent.value(join("/parameters", name)), dict)
        and "cli" not in agent.value(join("/parameters", name))
    ):
        title = _("Write “{word}”").format(word=f"cli: {flag}")
        yield from put(document, join("/parameters", name), "cli", flag, title)


def _flag(name: str) -> str:
    """The flag that a parameter of that name has by custom."""
    return "--" + _OTHER.sub("-", _HUMP.sub("-", name).lower()).strip("-")


def _flags(agent: AgentFile) -> set[str]:
    parameters = agent.value("/parameters")
    given = parameters.values() if isinstance(parameters, dict) else []
    return {str(parameter.get("cli")) for parameter in given if isinstance(parameter, dict)}
