"""What at a place can be renamed, and the change that does it wherever the name stands."""

from stepflow_gui.formats.changes import Change, RenameCase, RenameIntent, RenameKey, RenameSchema, RenameStep
from stepflow_gui.formats.climpt.validation import PATTERN_HOLDERS, STEP_HOLDERS
from stepflow_gui.formats.edits import Refusal
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.assist.definitions import defined_at
from stepflow_gui.project.assist.subject import Subject, subject_at
from stepflow_gui.text.document import AnyDocument
from stepflow_gui.text.pointer import join, split


def renamable_at(agent: AgentFolder, file: AnyDocument, offset: int) -> Subject | Refusal:
    """The name at an offset, where it can be renamed; else why not."""
    subject = subject_at(agent, file, offset)
    if subject is None:
        return Refusal(_("No name stands here"))
    change = rename_of(agent, subject, subject.name)
    return change if isinstance(change, Refusal) else subject


def rename_of(agent: AgentFolder, subject: Subject, new: str) -> Change | Refusal:
    """The change that renames what a name is of; a refusal where nobody can."""
    match subject.kind:
        case "step":
            known = subject.name in agent.flow.steps
            return RenameStep(subject.name, new) if known else _undefined(subject)
        case "intent" if subject.step is not None:
            return RenameIntent(subject.step, subject.name, new)
        case "case":
            _steps, step, _transitions, intent, *_rest = split(subject.pointer)
            return RenameCase(step, intent, subject.name, new)
        case "validator":
            return _key(agent, subject, new, ("validators",))
        case "failure-pattern":
            return _key(agent, subject, new, PATTERN_HOLDERS)
        case "validation-step":
            return _key(agent, subject, new, STEP_HOLDERS)
        case "schema":
            found = defined_at(agent, subject)
            return RenameSchema(found[0].document.path, found[0].pointer, new) if found else _undefined(subject)
        case "verdict":
            return Refusal(_("Verdict types belong to the runner: choose another one in place of it"))
        case "variable":
            return Refusal(_("Variables are renamed in agent.json and in the prompts, by hand"))
    return Refusal(_("“{name}” can’t be renamed here").format(name=subject.name))


def _key(agent: AgentFolder, subject: Subject, new: str, holders: tuple[str, ...]) -> Change | Refusal:
    for holder in holders:
        node = agent.registry.tree.at(join("", holder))
        if node is not None and node.member(subject.name) is not None:
            return RenameKey(join("", holder, subject.name), new)
    return _undefined(subject)


def _undefined(subject: Subject) -> Refusal:
    return Refusal(_("Nothing defines “{name}”").format(name=subject.name))
