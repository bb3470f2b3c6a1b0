"""The prompts of a piece's agents and judges, as they are put together from its parts (takt.md 3, 5, 7-9, 12)."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from stepflow_gui.messages import _, ngettext
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import REPORT_TEXT, Movement
from stepflow_gui.run.takt.machine.state import Call, MovementTask, PieceState
from stepflow_gui.run.takt.machine.tags import offered_tags
from stepflow_gui.run.takt.words import in_its_words
from stepflow_gui.text.json.tree import JsonValue

REPORT_DIR = "reports"  # a run keeps its reports in the trace: this is only a name
_OF_STATE = re.compile(r"\{([a-z]+:)([^{}]+)\}")
_BRACES = str.maketrans("{}", "｛｝")


class Values(NamedTuple):
    """The values of variables. `previous` None: there is no previous response; `passes_previous`: it may be shown."""

    task: str
    iteration: int
    limit: int | None
    movement_iteration: int
    inputs: tuple[str, ...]
    report_dir: str
    report: Callable[[str], str]  # by file name: its path, or its text
    previous: str | None = None
    passes_previous: bool = True
    cycle_count: int | None = None
    variables: tuple[str, ...] = ()  # of those that not all runners know: which are filled in
    facts: Mapping[str, JsonValue] = {}  # what {context:…} and the like stand for, by scope
    own: Mapping[str, str] = {}  # what {var:…} stands for


class Sections(NamedTuple):
    """Which parts of the prompt are put in by the runner, as the template doesn't place them itself."""

    task: bool
    previous: bool
    inputs: bool


class PromptSection(NamedTuple):
    """One part of a prompt. `title`: as shown; `text` as sent."""

    title: str
    text: str


class PiecePrompt(NamedTuple):
    """What an agent or a judge is sent. `system`: the persona; None where there is none."""

    system: str | None
    sections: tuple[PromptSection, ...]
    left: str = ""  # in words which variables the release replaces that stay here

    @property
    def text(self) -> str:
        """The message itself."""
        return "\n\n".join(f"## {section.title}\n{section.text}" for section in self.sections)


def compose(machine: PieceMachine, state: PieceState, call: Call) -> PiecePrompt:
    """What is sent for a call that a state waits for."""
    movement = machine.asked_of(state, call)
    task = next((each for each in state.tasks if each.name == call.task), MovementTask(call.task))
    match call.kind:
        case "agent":
            left = _left(movement.instruction, machine)
            return PiecePrompt(movement.persona, tuple(_work(machine, state, movement)), left)
        case "report":
            return PiecePrompt(movement.persona, tuple(_report(machine, state, movement, call.detail)))
        case "judge":
            listed = "\n".join(f"[JUDGE:{index + 1}] {text}" for index, text in call.texts)
            asked = _("Which of these holds? Answer with its tag alone.")
            output = state.parent.text if state.parent else task.text
            return PiecePrompt(
                None, (PromptSection(_("Output"), output), PromptSection(_("Conditions"), f"{asked}\n{listed}"))
            )
        case _:
            return PiecePrompt(
                movement.persona if call.kind == "consult" else None,
                tuple(_judgement(machine, state, movement, task, call)),
            )


def _left(template: str, machine: PieceMachine) -> str:
    """What stays in a template though the release replaces it, as nothing here tells by what."""
    plain = [name for name in machine.runner.variables if not name.endswith((":", "_iteration"))]
    names = [f"{{{name}}}" for name in plain if not name.startswith("max_") and f"{{{name}}}" in template]
    if not names:
        return ""
    text = ngettext(
        "{runtime} replaces {names}, by what only it knows: it stays as text here",
        "{runtime} replaces {names}, by what only it knows: they stay as text here",
        len(names),
    )
    return text.format(runtime=machine.runner.name, names=_(", ").join(names))


def values_of(machine: PieceMachine, state: PieceState, movement: Movement) -> Values:
    """The values of the variables of a movement's instruction."""
    reads_text = not machine.runner.report_is_path

    def report(name: str) -> str:
        return state.reports.get(name, "") if reads_text else f"{REPORT_DIR}/{name}"

    return Values(
        state.task,
        state.iteration,
        state.limit,
        state.counts.get(movement.name, 0),
        state.inputs,
        REPORT_DIR,
        report,
        state.previous,
        movement.passes_previous,
        state.judging.rounds if state.judging else None,
        machine.runner.variables,
        state.facts,
        movement.variables,
    )


def _work(machine: PieceMachine, state: PieceState, movement: Movement) -> Iterator[PromptSection]:
    values = values_of(machine, state, movement)
    placed = sections(movement.instruction, values)
    yield from _texts(_("Policy"), movement.policies)
    yield from _texts(_("Knowledge"), movement.knowledge)
    yield PromptSection(_("Where the run is"), _place(machine, state, movement))
    if placed.task:
        yield PromptSection(_("Task"), state.task)
    if placed.previous:
        yield PromptSection(_("Previous response"), state.previous or "")
    if placed.inputs:
        yield PromptSection(_("Answers of the user"), "\n".join(state.inputs))
    yield PromptSection(_("Instruction"), expand(movement.instruction, values))
    if movement.structured is not None:
        text = _("Answer with one JSON object by the schema “{name}”.")
        yield PromptSection(_("Structured output"), text.format(name=movement.structured))
    if movement.quality_gates:
        yield PromptSection(_("Quality gates"), "\n".join(f"- {gate}" for gate in movement.quality_gates))


def _place(machine: PieceMachine, state: PieceState, movement: Movement) -> str:
    piece = machine.piece_at(state)
    lines = [
        in_its_words(piece, _("Piece: {name}")).format(name=piece.name),
        in_its_words(piece, _("Movement: {name}, run {count}")).format(
            name=movement.name, count=state.counts.get(movement.name, 0)
        ),
        _("Iteration: {count} of {limit}").format(count=state.iteration, limit=state.limit or "∞"),
    ]
    if movement.edit is not None:
        lines.append(_("Editing files is allowed.") if movement.edit else _("Editing files is forbidden."))
    if movement.reports:
        lines.append(_("Reports are asked for afterwards: {names}").format(names=_names(movement)))
    return "\n".join(lines)


def _report(machine: PieceMachine, state: PieceState, movement: Movement, name: str) -> Iterator[PromptSection]:
    first = movement.reports[0]  # order and format are read from the first alone
    if first.order is not None:
        yield PromptSection(_("Order"), expand(first.order, values_of(machine, state, movement)))
    yield PromptSection(_("Report"), _("Write the report {name}. Answer with its text alone.").format(name=name))
    if first.format is not None:
        yield PromptSection(_("Format"), first.format)


def _judgement(
    machine: PieceMachine, state: PieceState, movement: Movement, task: MovementTask, call: Call
) -> Iterator[PromptSection]:
    if call.detail == "reports":
        texts = (state.reports.get(report.name, "") for report in movement.reports if report.judged)
        yield PromptSection(_("Reports"), "\n\n".join(texts))
    elif call.detail == "response":
        yield PromptSection(_("Output"), task.text)
    offered = list(offered_tags(movement.name, movement.rules, machine.interactive))
    lines = [f"{tag} {rule.text}" for tag, rule in offered]
    asked = _("Which of these is the result? Answer with its tag alone.")
    yield PromptSection(_("Results"), "\n".join([asked, *lines]))
    appended = [f"{tag}\n{rule.appendix}" for tag, rule in offered if rule.appendix]
    if appended:
        yield PromptSection(_("To add after the tag"), "\n".join(appended))


def _texts(title: str, texts: tuple[str, ...]) -> Iterator[PromptSection]:
    if texts:
        yield PromptSection(title, "\n\n".join(texts))


def _names(movement: Movement) -> str:
    return ", ".join(report.name for report in movement.reports)


def expand(template: str, values: Values) -> str:
    """A template with its variables filled in; unknown ones stay. Inserted texts can't bring in variables."""
    limit = "infinite" if values.limit is None else str(values.limit)
    text = template.replace("{task}", _inserted(values.task))
    text = text.replace("{iteration}", str(values.iteration))
    for name in values.variables:
        if name.endswith(":"):
            text = _OF_STATE.sub(partial(_of_state, name, values), text)
        elif name.startswith("max_") or name.endswith("_iteration"):
            text = text.replace(f"{{{name}}}", limit if name.startswith("max_") else str(values.movement_iteration))
    if values.passes_previous:
        text = text.replace("{previous_response}", _inserted(values.previous or ""))
    text = text.replace("{user_inputs}", _inserted("\n".join(values.inputs)))
    text = text.replace("{report_dir}", values.report_dir)
    if values.cycle_count is not None:
        text = text.replace("{cycle_count}", str(values.cycle_count))
    return REPORT_TEXT.sub(lambda found: values.report(found[1]), text)


def _of_state(scope: str, values: Values, found: re.Match[str]) -> str:
    """What a variable with a name stands for; one that stands for nothing stays."""
    if found[1] != scope:
        return found[0]
    if scope == "var:":
        return values.own.get(found[2], found[0])
    value: JsonValue = values.facts.get(scope.rstrip(":"))
    for key in found[2].split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    if value is None:
        return found[0]
    return _inserted(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def sections(template: str, values: Values) -> Sections:
    """Which of task, previous response and user inputs get a part of their own in the prompt."""
    return Sections(
        task="{task}" not in template,
        previous=values.passes_previous and values.previous is not None and "{previous_response}" not in template,
        inputs="{user_inputs}" not in template,
    )


def _inserted(text: str) -> str:
    return text.translate(_BRACES)
