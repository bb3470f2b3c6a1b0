"""SF807 path-missing.

What it does: reports a path of agent.json where there is nothing: the system prompt, the registry, the folders of
prompts and schemas, the module of a verdict of your own.

Why is this bad: climpt 2026-04-01 and later stop without the system prompt, older versions put a built-in text in its
place. Every version stops without the module of a verdict. The others are warnings or information: climpt reads
`steps_registry.json` whatever `prompts.registry` names, never looks into `fallbackDir`, and asks the model without a
schema where it finds none.

Fix: write the path of the file, or make it.
"""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.agent.fields import PROMPTS
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.agent.verdicts import OWN, verdicts
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, INFO, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.project.finding.locate import REGISTRY
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.presence import is_folder
from stepflow_gui.text.source import Source

RULE = Rule("SF807", "path-missing", ERROR, looks_at=DOCUMENT)

BAD = changed({"agent.json#/runner/flow/systemPromptPath": "prompts/sytem.md"})
GOOD = changed()

_SYSTEM = "/runner/flow/systemPromptPath"
_USUAL = "prompts/system.md"
_REGISTRY = "/runner/flow/prompts/registry"
_SPARE = "/runner/flow/prompts/fallbackDir"
_SCHEMAS = "/runner/flow/schemas/base"


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Each path that the file names itself. Prompts only where the agent has any: SF506 says where it has none.

    A slip in the usual path of the system prompt is found everywhere.
    """
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None:
        return
    if context.prompts.known and not context.prompts.is_template:
        yield from _file(_SYSTEM, agent, context, ".md")
        if any(field.name == "fallbackDir" and field.known_in(context.era.name) for field in PROMPTS.fields):
            yield from _folder(_SPARE, agent, context)
    else:
        yield from _unusual(agent, context)
    if context.prompts.is_template:
        return
    yield from _file(_REGISTRY, agent, context, ".json")
    yield from _schemas(agent, context)
    for verdict in verdicts(agent):
        if verdict.type == "meta:custom" and context.climpt.gates:
            yield from _file(f"{verdict.pointer}/config/handlerPath", agent, context, ".ts")


def _unusual(agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    """Without any prompts only a misspelt usual name can be recognized."""
    named = agent.text(_SYSTEM)
    if named and is_slip(named, _USUAL) and not context.folder.exists(context.folder.folder / named):
        text = _("{field}: the file “{path}” doesn't exist").format(field=_name(_SYSTEM), path=named)
        text += _(". Did you mean “{meant}”?").format(meant=_USUAL)
        proposals = [write(agent.document, agent.place(_SYSTEM).span, _USUAL)]
        yield agent.finding(text, _SYSTEM, WARNING, proposals=proposals, misspelt=True)


def _file(pointer: str, agent: AgentFile, context: RuleContext, ending: str) -> Iterator[Finding]:
    named = agent.text(pointer)
    if not named:
        return
    path = context.folder.folder / named
    why = context.folder.obstacle(path)
    if not context.folder.inside(path) or (context.folder.exists(path) and not why):
        return  # what lies outside the project is SF707's matter
    text, severity = _outcome(pointer, context)
    if why:
        text = _("{field}: the file “{path}” can't be read: {why}")
    text = text.format(field=_name(pointer), path=named, era=context.climpt.name, registry=REGISTRY, why=why)
    meant = _likely(named, path, context, ending)
    if meant is None and pointer == _SYSTEM and is_slip(named, _USUAL):
        meant = _USUAL
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals: list[Proposal] = [write(agent.document, agent.place(pointer).span, meant)] if meant else []
    if pointer == _SYSTEM and not meant and not why and path.suffix == ".md":
        proposals.append(_begun(path, agent))
    yield agent.finding(text, pointer, severity, proposals=proposals, misspelt=bool(meant))


def _outcome(pointer: str, context: RuleContext) -> tuple[str, Severity]:
    """What the version that messages name does without a file, and how bad that is in the chosen runtime."""
    if pointer == _SYSTEM:
        text = (
            _("{field}: the file “{path}” doesn't exist, and {era} stops there")
            if context.climpt.needs_system_prompt
            else _(
                "{field}: the file “{path}” doesn't exist: {era} uses a built-in text, climpt 2026-04-01 and later stop"
            )
        )
        return text, ERROR if context.era.needs_system_prompt else WARNING
    if pointer == _REGISTRY and context.climpt.gates:
        if context.folder.exists(context.folder.folder / REGISTRY):
            return _("{field}: the file “{path}” doesn't exist, {era} reads “{registry}” instead"), WARNING
        text = _("{field}: the file “{path}” doesn't exist, and neither does “{registry}”, which {era} reads")
        return text, ERROR if context.era.load_errors == "stop" else WARNING
    if pointer == f"{OWN}/config/handlerPath":
        text = _("{field}: the file “{path}” doesn't exist, and {era} stops there")
        return text, ERROR if context.era.load_errors != "reported" else WARNING
    return _("{field}: the file “{path}” doesn't exist"), WARNING


def _begun(path: Path, agent: AgentFile) -> Proposal:
    """The system prompt, with what the agent says of itself."""
    about = "\n\n".join(filter(None, (agent.text("/displayName"), agent.text("/description")))) or path.stem
    file = TextFile(path, Source(""))
    return Proposal(_("Begin the file {path}").format(path=path.name), [(file, TextEdit(0, 0, f"# {about}\n"))])


def _likely(named: str, path: Path, context: RuleContext, ending: str) -> str | None:
    folder = Path(named).parent
    beside = context.folder.files_below(path.parent) if path.parent != context.folder.root else frozenset()
    names = sorted(file.name for file in beside if file.parent == path.parent and file.name.endswith(ending))
    if path.parent == context.folder.folder:
        names = [name for name in names if name != "agent.json"]
    meant = context.nearest(RULE.code, path.name, names)
    if meant or is_folder(path.parent):
        return (folder / meant).as_posix() if meant else None
    base = context.folder.folder
    below = (file for file in context.folder.files_below(base) if file.name.endswith(ending))
    return context.nearest(RULE.code, named, sorted(file.relative_to(base).as_posix() for file in below))


def _folder(pointer: str, agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    """The guide alone looks into it for prompts."""
    named = agent.text(pointer)
    path = context.folder.folder / named if named else None
    if path and context.folder.inside(path) and not is_folder(path):
        text, severity = _("{field}: there is no folder “{path}”"), WARNING
        if not context.settings.guide:
            text, severity = _("{field}: there is no folder “{path}”, {era} runs without it"), INFO
        text = text.format(field=_name(pointer), path=named, era=context.climpt.name)
        yield agent.finding(text, pointer, severity)


def _schemas(agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    """A folder beside the registry serves as well, for an agent that was taken out of its project."""
    named = agent.text(_SCHEMAS)
    if not named:
        return
    tried = [context.folder.root / named, context.folder.folder / named]
    if any(not context.folder.inside(path) or is_folder(path) for path in tried):
        return
    if is_folder(context.registry.path.parent / "schemas") and context.folder.folder.parent.name != ".agent":
        return
    text = _("{field}: there is no folder “{path}”, neither in the project nor in the agent's folder").format(
        field=_name(_SCHEMAS), path=named
    )
    yield agent.finding(text, _SCHEMAS, WARNING)  # SF701 says of which steps the schema is missing


def _name(pointer: str) -> str:
    parts = pointer.split("/")
    return ".".join(parts[-2:] if parts[-2] in {"prompts", "schemas"} else parts[-1:])
