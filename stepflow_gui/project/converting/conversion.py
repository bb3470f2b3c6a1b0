"""An agent brought into another format: text edits over all its files, and what can't be carried over."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.formats.converting import bases
from stepflow_gui.formats.converting.of_checks import Checks
from stepflow_gui.formats.edits import Edits, Refusal
from stepflow_gui.formats.names import format_name
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.converting.agent_file import convert_agent_file
from stepflow_gui.project.converting.prompts import (
    report_closing_prompts,
    report_missing_prompts,
    report_unshown_prompts,
)
from stepflow_gui.project.converting.registries import (
    bases_of,
    complete_closing,
    from_addressed,
    from_checks,
    from_complete,
    from_prompts,
    to_addressed,
    to_c3l,
)
from stepflow_gui.project.converting.work import ConversionDraft, LostPart
from stepflow_gui.project.problem_text import describe
from stepflow_gui.project.prompt_engine import engine_patterns
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.edit import TextEdit
from stepflow_gui.text.files.store import ReadProblem
from stepflow_gui.text.source import Source


def _allow_engine_words(work: ConversionDraft) -> set[Path]:
    """Add each c2 and c3 that steps have got to the pattern of the configuration; gives the files with the patterns.

    A pattern that is not a plain list of words stays as it is, and the word is listed as lost.
    """
    known = set(_words(work.before))
    files = set()
    for name, word in dict.fromkeys(_words(work.agent)):
        patterns = [each for each in engine_patterns(work.agent) if each[1].name == name]
        files |= {file.path for file, _pattern in patterns}
        if (name, word) in known or not patterns or any(pattern.accepts(word) for _file, pattern in patterns):
            continue
        file, pattern = patterns[-1]
        wider = pattern.with_word(word)
        if wider is not None and word.replace("-", "").isalnum():
            work.apply({file.path: [TextEdit(pattern.span.start, pattern.span.end, wider)]})
            continue
        what = _("{name}: “{word}” is missing").format(name=name, word=word)
        work.add_loss(file.path, what, _("the prompt engine accepts only words in the pattern: add it there"))
    return files


def _words(agent: AgentFolder) -> list[tuple[str, str]]:
    return [
        (name, text.value)
        for step in agent.flow.steps.values()
        for name, text in (("directiveType", step.c2), ("layerType", step.c3))
        if text is not None and text.value
    ]


ADDRESSED = "adt-kind-address"
TARGETS = ("closing", "c3l", ADDRESSED)
WITHOUT_GATES = ("gateless", "transitions-only")  # whose steps have no gates: those of the others need some
OF_PROMPTS = ("prompt-path", "flow-array", "c3l-completion", "c3l-flat")  # older shapes, to which gates are given
SOURCES = ("complete", "checks", "closing", "c3l", ADDRESSED, "entry-pair", *WITHOUT_GATES, *OF_PROMPTS)


class Conversion(NamedTuple):
    """An agent converted. Nothing is written: `edits` count in the texts as they are, a new file's in an empty text.

    `unused` are prompts whose text is elsewhere now; they aren't deleted automatically. `steps` lists what each step
    has become, in the order in which its parts run, `intents` which word of today a step has for one of before.
    `beside` are those of `edits` in the prompt engine's configuration, which isn't in the agent's folder.
    """

    title: str
    before: AgentFolder
    after: AgentFolder
    edits: Edits
    lost: tuple[LostPart, ...]
    notes: tuple[str, ...]
    unused: tuple[Path, ...]
    steps: Mapping[str, tuple[str, ...]]
    intents: Mapping[tuple[str, str], str]
    beside: frozenset[Path] = frozenset()


def convert(
    agent: AgentFolder,
    target: str,
    checks: Checks = "verification",
    unsaved: Mapping[Path, Source] | None = None,
    called_off: Callable[[], bool] = lambda: False,
) -> Conversion | Refusal:
    """The agent in the format `target`, its agent.json in today's layout; why it can't be, as a Refusal.

    `checks` sets what becomes of the checks of a registry that has some; `unsaved` are the texts that the agent was
    opened or laid over with. An agent that is in the format already is given without edits.

    Raises ConversionCancelledError soon after `called_off`, which is polled, returns True.
    """
    refused = _unfit(agent, target)
    return refused or _convert(ConversionDraft(agent, unsaved or {}, called_off), target, checks)


def _unfit(agent: AgentFolder, target: str) -> Refusal | None:
    found = agent.flow.format
    if target not in TARGETS:
        return Refusal(_("There is no conversion to “{format}”").format(format=target))
    if agent.agent_problem is not None:
        return Refusal(describe(agent.agent_problem))
    documents: list[ParsedFile | ReadProblem] = [agent.registry]
    documents += [each for each in (agent.agent_document, *agent.schema_files()) if each is not None]
    for document in documents:
        if isinstance(document, ReadProblem):
            continue
        if not document.tree.valid or document.root is None:
            problem = next(iter(document.tree.problems), None)
            line = document.source.position(problem.start).line if problem else 1
            reason = _("“{file}” has a syntax error in line {line}: fix it first")
            return Refusal(reason.format(file=document.path.name, line=line))
        doubled = next(iter(document.tree.duplicates()), None)
        if doubled is not None:
            reason = _("“{place}” appears twice in “{file}”: remove one of the two first")
            return Refusal(reason.format(place=doubled.pointer, file=document.path.name))
    if found in WITHOUT_GATES and target != ADDRESSED:
        reason = _(
            "{format}: there is no conversion to {target}, whose steps have gates. Add gates to the steps first, or"
            " convert to {other}"
        )
        names = {"target": format_name(target), "other": format_name(ADDRESSED)}
        return Refusal(reason.format(format=format_name(found), **names))
    if found not in SOURCES:
        name = format_name(found) if found else agent.registry.path.name
        reason = _("{format}: there is no conversion to {target}")
        return Refusal(reason.format(format=name, target=format_name(target)))
    if agent.flow.odd_steps:
        odd = agent.flow.odd_steps[0]
        return Refusal(_("“{place}” is not an object: fix it first").format(place=odd.pointer))
    return None


def _convert(work: ConversionDraft, target: str, checks: Checks) -> Conversion | Refusal:
    source = work.before.flow.format
    title = _("Convert to {format}").format(format=format_name(target))
    refused = _give_gates(work, source, checks) or convert_agent_file(work, source, checks)
    if refused:
        return refused
    if source in {ADDRESSED, "entry-pair"} and target != ADDRESSED:
        from_addressed(work)
        source = "c3l"
    elif target == ADDRESSED and source != ADDRESSED:
        to_addressed(work)
    elif target == "c3l" and source != "c3l":
        to_c3l(work)
    if target == "closing" and source == "c3l":
        folders = bases_of(work, "prompts")
        work.rewrite(bases.to_closing(work.value(), folders, work.verdict()), "closing")
    elif target == source and work.verdict() in OLDER_VERDICT_TYPES:  # which agent.json calls by today's name now
        work.rewrite(bases.with_entries_of_today(work.value(), work.verdict()))
    if target == "closing" and source in {"complete", "checks", *OF_PROMPTS}:
        complete_closing(work)
        report_missing_prompts(work)
    if target == "closing" and source not in {"closing", "complete"}:  # which showed no more of them
        report_unshown_prompts(work)
    if target != source:
        report_closing_prompts(work)
    beside = _allow_engine_words(work)
    _report_beside(work)
    used = _prompts_used(work)
    edits = work.edits(used)
    outside = next((path for path in edits if path != work.before.layout_file and not work.before.inside(path)), None)
    if outside is not None:
        reason = _("“{path}” lies outside the project, where nothing is written: fix it or what refers to it first")
        return Refusal(reason.format(path=_shown(outside, work.before.root)))
    kept = tuple(path for path in dict.fromkeys(work.unused) if path not in used and work.before.exists(path))
    return Conversion(
        title,
        work.before,
        work.agent,
        edits,
        tuple(work.lost),
        tuple(work.notes),
        kept,
        work.steps,
        work.intents,
        frozenset(beside & edits.keys()),
    )


def _give_gates(work: ConversionDraft, source: str, checks: Checks) -> Refusal | None:
    """Bring an older format to that of gates with closure steps."""
    if source == "complete":
        return from_complete(work)
    if source == "checks":
        from_checks(work, checks)
    elif source in OF_PROMPTS:
        from_prompts(work)
    return None


def _shown(path: Path, root: Path) -> str:
    """A path as messages have it: from the project's root on, without steps back."""
    return Path(os.path.relpath(path, root)).as_posix()


def _prompts_used(work: ConversionDraft) -> set[Path]:
    agent = work.agent
    found = (work.prompt_there(agent, step_id) for step_id in agent.flow.steps)
    return {path for path in found if path is not None}


def _report_beside(work: ConversionDraft) -> None:
    renamed = any(new != (old,) for old, new in work.steps.items()) or any(
        old[1] != new for old, new in work.intents.items()
    )
    if renamed and work.agent.files_below(work.before.folder / "flow_tests"):
        work.notes.append(_("The scripts in flow_tests name the old steps and intents: rewrite them"))
