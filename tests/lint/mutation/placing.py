"""Where a mistake is found, and which changes mean nothing in their file."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.climpt.eras import era_for
from stepflow_gui.formats.climpt.fallback_keys import FALLBACK_KEYS
from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.diagnostic import Diagnostic
from stepflow_gui.lint.engine.engine import lint
from stepflow_gui.lint.prompt_files import PromptFiles
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.text.edit import TextEdit, apply
from stepflow_gui.text.pointer import join, parent, split
from stepflow_gui.text.source import Source

from .measuring import new_findings
from .mistakes import AGENT, REGISTRY, Kind, Mistake, mistakes, removed, step_everywhere_but_references, value
from .originals import Original

Where = Literal["at its line", "elsewhere", "silent"]
_BESIDE = 1  # lines above or below


class Placed(NamedTuple):
    """A mistake, and where it is found. `neutral` is why nothing depends on what was changed; empty where it does."""

    mistake: Mistake
    shape: str
    file: str
    where: Where
    neutral: str
    codes: tuple[str, ...]

    def __str__(self) -> str:
        written = [each.text for each in self.mistake.edits]
        return f"{self.mistake.kind.name}: {self.file} {self.mistake.pointer} {written} {self.where} {self.codes}"


def placements(original: Original, most: int, kinds: Iterable[Kind]) -> Iterator[Placed]:
    """Make at most so many mistakes of each kind, one at a time, and lint."""
    agent = original.agent
    before = lint(agent)
    name = agent.registry.path.parts[-4]  # as originals lay them out
    for mistake in (each for kind in kinds for each in mistakes(kind, agent, most)):
        source = mistake.document.source
        after = source.with_text(apply(source.text, mistake.edits))
        new = new_findings(lint(agent.with_buffers({**original.texts, mistake.document.path: after})), before)
        codes = tuple(each.code for each in new)
        place = where(mistake, agent, after, new)
        yield Placed(mistake, agent.flow.format, name, place, neutral(mistake, agent), codes)


def by_shape(placed: Iterable[Placed]) -> dict[str, list[Placed]]:
    """What counts, by shape; the neutral ones are left out."""
    found: dict[str, list[Placed]] = {}
    for each in placed:
        if not each.neutral:
            found.setdefault(each.shape, []).append(each)
    return found


def placing_table(placed: list[Placed]) -> str:
    """Each shape with its share, its kinds that aren't all found at their line, and why others don't count."""
    lines = []
    for shape, group in by_shape(placed).items():
        places = Counter(each.where for each in group)
        lines.append(f"{shape}: {len(group)} cases, {100 * places['at its line'] / len(group):.1f}% at their line")
        for kind in dict.fromkeys(each.mistake.kind.name for each in group if each.where != "at its line"):
            of_kind = Counter(each.where for each in group if each.mistake.kind.name == kind)
            lines.append(f"    {kind}: " + ", ".join(f"{count} {place}" for place, count in of_kind.items()))
        for reason, count in Counter(each.neutral for each in placed if each.shape == shape and each.neutral).items():
            lines.append(f"    {count} aside: {reason}")
    return "\n".join(lines)


def where(mistake: Mistake, agent: AgentFolder, after: Source, new: Iterable[Diagnostic]) -> Where:
    """Where the new findings stand. What was left out has no line: its place is what lacks it, or what it named."""
    found = [each for each in new if each.file == mistake.document.path]
    lines = _lines(mistake.edits, after)
    if any(abs(each.range.start.line - line) <= _BESIDE for each in found for line in lines):
        return "at its line"
    if mistake.kind.change is removed and any(_is_about(each, mistake, agent, after) for each in found):
        return "at its line"
    return "elsewhere" if any(True for _each in new) else "silent"


def _lines(edits: list[TextEdit], after: Source) -> list[int]:
    moved, lines = 0, []
    for edit in sorted(edits):
        lines.append(after.position(min(edit.start + moved, len(after.text))).line)
        moved += len(edit.text) - (edit.end - edit.start)
    return lines


def _is_about(found: Diagnostic, mistake: Mistake, agent: AgentFolder, after: Source) -> bool:
    """Whether a finding stands in the step or object that lacks something, or at what goes with it."""
    holder = parent(mistake.pointer)
    keys = split(mistake.pointer)
    if keys[0] == "steps" and len(keys) > 2:
        holder = join("/steps", keys[1])
    node = mistake.document.tree.at(mistake.pointer)
    named = {join("/steps", word) for word in _words(node.value if node else None) if word in agent.flow.steps}
    if keys[0] == "steps" and len(keys) == 2:  # at what names the step, or at the steps as a whole
        text = after.text[found.range.start.offset : found.range.end.offset]
        return found.pointer == holder or text.strip('"') == keys[1]
    return found.pointer is not None and (
        found.pointer == holder or found.pointer in named or _in(found.pointer, holder)
    )


def _in(pointer: str, holder: str) -> bool:
    return bool(holder) and pointer.startswith(f"{holder}/")


def _words(value: object) -> set[str]:
    if isinstance(value, str):
        return {value}
    return set().union(*map(_words, value.values())) if isinstance(value, dict) else set()


def neutral(mistake: Mistake, agent: AgentFolder) -> str:
    """Why nothing depends on what was changed; empty where something does."""
    for reason, holds in _REASONS.items():
        if holds(mistake, split(mistake.pointer), agent):
            return reason
    return ""


Holds = Callable[[Mistake, list[str], AgentFolder], bool]


def _unknown_key(mistake: Mistake, keys: list[str], _agent: AgentFolder) -> bool:
    return mistake.kind.change is value and keys[-1:] == ["fallbackKey"] and _value(mistake) not in FALLBACK_KEYS


def _same_entry(mistake: Mistake, keys: list[str], agent: AgentFolder) -> bool:
    """An entry that is gone, and the agent's run begins where it began.

    Without an agent.json, or with one that is a template, it isn't known which entry a run takes.
    """
    if keys[0] != "entryStepMapping" or len(keys) != 2 or mistake.kind.change is not removed:
        return False
    verdict = agent.agent.verdict_type if agent.agent and agent.agent.document.path.is_file() else None
    if verdict is None or has_placeholder(verdict.value):
        return True
    names = {verdict.value, OLDER_VERDICT_TYPES.get(verdict.value)}
    targets = [entry.target.value for entry in agent.flow.entries if entry.target and entry.key in {None, *names}]
    return keys[1] not in names or sum(target == _value(mistake) for target in targets) > 1


def _unnamed_step(mistake: Mistake, keys: list[str], agent: AgentFolder) -> bool:
    """A step that is gone or has another name, to which nothing goes: no entry, no other step's rule, no custom."""
    step, flow = _step(mistake, keys, agent), agent.flow
    if step is None or len(keys) != 2 or mistake.kind.change not in (removed, step_everywhere_but_references):
        return False
    names = {entry.target.value for entry in flow.entries if entry.target}
    rules = [rule for each in flow.steps.values() if each is not step for rule in each.transitions]
    names |= {text.value for rule in rules for text in (rule.target, *(case.target for case in rule.cases)) if text}
    phase, _dot, topic = step.id.partition(".")
    return step.id not in names and not (rules and phase == "continuation" and f"initial.{topic}" in flow.steps)


def _without_schema(mistake: Mistake, keys: list[str], agent: AgentFolder) -> bool:
    step = _step(mistake, keys, agent)
    if step is None or mistake.kind.change is not value or keys[3:4] not in (["handoffFields"], ["targetField"]):
        return False
    return step.schema_ref is None or agent.schema(step).place is None


def _without_prompt(mistake: Mistake, keys: list[str], agent: AgentFolder) -> bool:
    step = _step(mistake, keys, agent)
    return step is not None and keys[2:3] == ["uvVariables"] and len(keys) > 3 and _prompts(agent).of(step) is None


def _without_file(mistake: Mistake, keys: list[str], agent: AgentFolder) -> bool:
    named = _value(mistake)
    meant = mistake.kind.change is value and keys[-1:] == ["systemPromptPath"]
    return meant and isinstance(named, str) and not agent.exists(agent.folder / named)


def _unread(mistake: Mistake, keys: list[str], agent: AgentFolder) -> bool:
    inside = mistake.kind.file == AGENT and keys[:2] == ["runner", "boundaries"] and mistake.kind.change is value
    return inside and era_for(agent.flow.format).settings_file


def _never_followed(mistake: Mistake, keys: list[str], agent: AgentFolder) -> bool:
    gated = any(step.gate for step in agent.flow.steps.values())
    return not gated and _step(mistake, keys, agent) is not None and keys[2:3] == ["transitions"] and len(keys) == 4


_REASONS: dict[str, Holds] = {
    "no built-in prompt has the one key or the other": _unknown_key,
    "a run of this agent begins where it began": _same_entry,
    "nothing in the file names the step": _unnamed_step,
    "the answer's schema doesn't exist": _without_schema,
    "the prompt doesn't exist": _without_prompt,
    "no such file was there before": _without_file,
    "that version of climpt doesn't read it": _unread,
    "without gates no transition is followed": _never_followed,
}


def _step(mistake: Mistake, keys: list[str], agent: AgentFolder) -> Step | None:
    registry = mistake.kind.file == REGISTRY and keys[0] == "steps" and len(keys) > 1
    return agent.flow.steps.get(keys[1]) if registry else None


def _value(mistake: Mistake) -> object:
    node = mistake.document.tree.at(mistake.pointer)
    return node.value if node else None


@cache
def _prompts(agent: AgentFolder) -> PromptFiles:
    return PromptFiles(agent, era_for(agent.flow.format))
