"""SF807 path-missing.

What it does: reports a path of agent.json where there is nothing: the system prompt, the registry, the folders of
prompts and schemas, the module of a verdict of your own.

Why is this bad: climpt stops with an error as soon as it reads it. Only climpt 2026-03-14 goes on without the system
prompt, with a built-in text in its place.

Fix: write the path of the file, or make it.
"""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.agent.fields import PROMPTS
from stepflow_gui.formats.climpt.eras import CLIMPT_2026_03_14
from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.agent.verdicts import verdicts
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile, TextFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.presence import is_folder
from stepflow_gui.text.source import Source

RULE = Rule("SF807", "path-missing", ERROR, looks_at=DOCUMENT)

BAD = changed({"agent.json#/runner/flow/systemPromptPath": "prompts/sytem.md"})
GOOD = changed()

_SYSTEM = "/runner/flow/systemPromptPath"
_REGISTRY = "/runner/flow/prompts/registry"
_SPARE = "/runner/flow/prompts/fallbackDir"
_SCHEMAS = "/runner/flow/schemas/base"


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Each path that the file names itself. Prompts only where the agent has any: SF506 says where it has none."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None or context.prompts.is_template:
        return
    if context.prompts.known:
        yield from _file(_SYSTEM, agent, context, ".md")
        if any(field.name == "fallbackDir" and field.known_in(context.era.name) for field in PROMPTS.fields):
            yield from _folder(_SPARE, agent, context)
    yield from _file(_REGISTRY, agent, context, ".json")
    yield from _schemas(agent, context)
    for verdict in verdicts(agent):
        if verdict.type == "meta:custom":
            yield from _file(f"{verdict.pointer}/config/handlerPath", agent, context, ".ts")


def _file(pointer: str, agent: AgentFile, context: RuleContext, ending: str) -> Iterator[Finding]:
    named = agent.text(pointer)
    if not named:
        return
    tried = [context.folder.folder / named]
    if ending == ".ts":
        tried.append(context.folder.root / named)
    if any(not context.folder.inside(path) or context.folder.exists(path) for path in tried):
        return  # what lies outside the project is SF707's matter
    stands_in = pointer == _SYSTEM and context.era is CLIMPT_2026_03_14
    text = (
        _("{field}: the file “{path}” doesn't exist: climpt 2026-03-14 uses a built-in text, later versions stop")
        if pointer == _SYSTEM and context.climpt is CLIMPT_2026_03_14
        else _("{field}: the file “{path}” doesn't exist, and {era} stops there")
    ).format(field=_name(pointer), path=named, era=context.climpt.name)
    meant = _likely(named, tried[0], context, ending)
    if meant:
        text += _(". Did you mean “{meant}”?").format(meant=meant)
    proposals: list[Proposal] = [write(agent.document, agent.place(pointer).span, meant)] if meant else []
    if pointer == _SYSTEM and not meant and tried[0].suffix == ".md":
        proposals.append(_begun(tried[0], agent))
    severity = WARNING if stands_in else ERROR
    yield agent.finding(text, pointer, severity, proposals=proposals, misspelt=bool(meant))


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
    named = agent.text(pointer)
    path = context.folder.folder / named if named else None
    if path and context.folder.inside(path) and not is_folder(path):
        text = _("{field}: there is no folder “{path}”").format(field=_name(pointer), path=named)
        yield agent.finding(text, pointer)


def _schemas(agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    """A folder beside the registry serves as well, for an agent that was taken out of its project."""
    named = agent.text(_SCHEMAS)
    if not named:
        return
    tried = [context.folder.root / named, context.folder.folder / named]
    if any(not context.folder.inside(path) or is_folder(path) for path in tried):
        return
    spare = is_folder(context.registry.path.parent / "schemas")
    if spare and context.folder.folder.parent.name != ".agent":
        return
    text = _("{field}: there is no folder “{path}”, neither in the project nor in the agent's folder").format(
        field=_name(_SCHEMAS), path=named
    )
    yield agent.finding(text, _SCHEMAS, WARNING if spare else ERROR)


def _name(pointer: str) -> str:
    parts = pointer.split("/")
    return ".".join(parts[-2:] if parts[-2] in {"prompts", "schemas"} else parts[-1:])
