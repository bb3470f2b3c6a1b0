"""The files that a step works with: where each is looked for, which is taken, and with what a missing one begins."""

from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.lookup import is_closing, path_of_fields, with_address_parts
from stepflow_gui.formats.climpt.new_texts import check_prompt_text, failure_prompt_text, prompt_text, schema_text
from stepflow_gui.formats.climpt.validation import FailurePattern, Validation, ValidationStep
from stepflow_gui.formats.climpt.vocabulary import CLOSURE_ACTIONS
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.step_file import StepFile, StepFileKind


def step_files(agent: AgentFolder, step: Step) -> list[StepFile]:
    """The files of a step: its prompt, those that closing asks for, the schema of its answer, its retry prompts.

    Of a movement of a piece they are its facets.
    """
    if agent.format == "takt":
        from stepflow_gui.project.piece_files import files_of_movement  # registries have none of these

        return files_of_movement(agent, step)
    return list(_files(agent, step, Validation(agent.registry.root)))


def files_by_step(agent: AgentFolder) -> dict[str, list[StepFile]]:
    """The same for every step of an agent."""
    if agent.format == "takt":
        return {step.id: step_files(agent, step) for step in agent.flow.steps.values()}
    checks = Validation(agent.registry.root)
    return {step.id: list(_files(agent, step, checks)) for step in agent.flow.steps.values() if not step.is_section}


def new_text(agent: AgentFolder, step: Step, file: StepFile) -> str:
    """What a file that doesn't exist would begin with."""
    if agent.format == "takt":
        from stepflow_gui.project.piece_files import new_facet

        return new_facet(file)
    if file.kind == "schema":
        return schema_text(each for each in agent.flow.steps.values() if _schema_file(each) == file.name)
    pattern = Validation(agent.registry.root).patterns.get(file.name) if file.kind == "failure-prompt" else None
    if pattern is not None:
        return failure_prompt_text(pattern)
    return check_prompt_text(step) if file.kind == "check-prompt" else prompt_text(step)


def _files(agent: AgentFolder, step: Step, checks: Validation) -> Iterator[StepFile]:
    flow, folders = agent.flow, agent.prompt_folders()
    yield _file(agent, "prompt", "", _below(folders, [path_of_fields(flow, step.raw), _plain(flow, step)]))
    action = agent.agent.default_closure_action if agent.agent else None
    if action and action.value in CLOSURE_ACTIONS[1:] and is_closing(step) and flow.format != "checks":
        tail = path_of_fields(flow, with_address_parts(step.raw, {"adaptation": action.value}))
        yield _file(agent, "closing-prompt", action.value, _below(folders, [tail, _plain(flow, step)]))
    check = step.raw.get("check")
    if flow.format == "checks" and isinstance(check, dict):
        yield _file(agent, "check-prompt", "", _below(folders, [path_of_fields(flow, check)]))
    named = _schema_file(step)
    if named:
        yield _file(agent, "schema", named, agent.schema_candidates(named))
    for pattern, tails in _failures(agent, step, checks).items():
        yield _file(agent, "failure-prompt", pattern, _below(folders, tails))


def _plain(flow: Flow, step: Step) -> str | None:
    """The prompt without an adaptation, which replaces a missing one."""
    return None if flow.format == "checks" else path_of_fields(flow, with_address_parts(step.raw, {"adaptation": ""}))


def _schema_file(step: Step) -> str:
    return step.schema_ref.file.value if step.schema_ref and step.schema_ref.file else ""


def _file(agent: AgentFolder, kind: StepFileKind, name: str, paths: list[Path]) -> StepFile:
    inside = [path for path in dict.fromkeys(paths) if agent.inside(path)]
    return StepFile(kind, name, tuple(inside), next((path for path in inside if agent.exists(path)), None))


def _below(folders: list[Path], tails: list[str | None]) -> list[Path]:
    return [folder / tail for tail in tails if tail and "{" not in tail for folder in folders]


def _failures(agent: AgentFolder, step: Step, checks: Validation) -> dict[str, list[str | None]]:
    """The retry prompts of the checks before a step closes, by pattern: paths below a prompts folder."""
    found: dict[str, list[str | None]] = {}
    for each in checks.steps if is_closing(step) else ():
        if not _is_for(each, step, agent):
            continue
        for name in _patterns(each, checks):
            pattern = checks.patterns[name]
            places = ((each.c2, each.c3), (step.c2, step.c3))
            tails = [_tail(agent, pattern, c2.value, c3.value) for c2, c3 in places if c2 and c3]
            found.setdefault(name, []).extend(tails)
    return found


def _is_for(check: ValidationStep, step: Step, agent: AgentFolder) -> bool:
    named = {check.at.name, check.step_id.value if check.step_id else ""}
    return step.id in named or not any(name in agent.flow.steps for name in named)


def _patterns(check: ValidationStep, checks: Validation) -> list[str]:
    validators = [checks.validators.get(text.value) for text in check.validators]
    named = [each.failure_pattern.value for each in validators if each and each.failure_pattern]
    return [name for name in dict.fromkeys(named) if name in checks.patterns]


def _tail(agent: AgentFolder, pattern: FailurePattern, c2: str, c3: str) -> str | None:
    fields = {"c2": c2, "c3": c3, "edition": pattern.edition.value if pattern.edition else None}
    adaptation = {"adaptation": pattern.adaptation.value} if pattern.adaptation else {}
    return path_of_fields(agent.flow, fields | adaptation)
