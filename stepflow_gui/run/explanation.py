"""How an answer became a move, as data and in words (ux.md, Run)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.check_explanation import check_in_words
from stepflow_gui.run.javascript.values import ABSENT, text_of
from stepflow_gui.run.machine.gate import Cause, in_short
from stepflow_gui.run.machine.route import (
    HANDOFF_FROM_INITIAL,
    REPEAT_TARGET_UNKNOWN,
    EndRun,
    How,
    Routed,
    rule_pointer,
)
from stepflow_gui.run.machine.state import Answered, NotAsked, State, TraceEntry, Validated
from stepflow_gui.text.json.tree import JsonValue


class Explanation(NamedTuple):
    """Each link from an answer to a move. What doesn't apply is None, ABSENT or empty."""

    step: str
    intent: str
    enum: tuple[str, ...] | None = None  # the intents that the output schema let the model choose; None: unknown
    field: str | None = None  # the gate's intentField
    raw: JsonValue = ABSENT  # the value found there
    alias: str | None = None  # the word taken for the intent, where it is another
    cause: Cause | None = None  # why the intent is a fallback; None: the answer gave an allowed one
    rule: str | None = None  # JSON Pointer of the rule or case followed
    how: How | None = None
    case: str | None = None
    target: str | None = None  # the next step; None: the end or an error
    handoff: dict[str, JsonValue] | None = None
    missing: tuple[str, ...] = ()  # handoffFields that the answer lacks
    warning: str | None = None
    reason: str | None = None  # the answer's own words
    wrong_step_id: str | None = None


def explain(flow: Flow, entry: TraceEntry, enum: Sequence[str] | None = None) -> Explanation | None:
    """The explanation of a trace entry; None where no gate was asked. `enum`: of the step's output schema."""
    read, taken = entry.interpretation, entry.transition
    if read is None or entry.step is None or not isinstance(entry.event, Answered) or entry.judged is not None:
        return None
    step = flow.steps.get(entry.step)
    word = text_of(read.raw) if read.cause is None and read.raw is not ABSENT else read.intent
    return Explanation(
        entry.step,
        read.intent,
        None if enum is None else tuple(enum),
        read.field,
        read.raw,
        None if word == read.intent else word,
        read.cause,
        _rule(step, read.intent, taken),
        taken.how if taken else None,
        taken.case if taken else None,
        taken.step if isinstance(taken, Routed) else None,
        read.handoff,
        read.missing,
        taken.warning if taken else None,
        read.reason,
        entry.wrong_step_id,
    )


def in_words(found: Explanation) -> list[str]:
    """The explanation as sentences, one a link, in the order in which it happened."""
    return list(_sentences(found))


def sentences_of(flow: Flow, entry: TraceEntry, enum: Sequence[str] | None, parting: str | None = None) -> list[str]:
    """How an event went on, sentence by sentence. `parting`: where the run diverges from its shadow run."""
    explained = explain(flow, entry, enum)
    lines = in_words(explained) if explained is not None else check_in_words(entry)
    event = entry.event
    if isinstance(event, Validated) and event.error:
        lines.append(_("Output: {text}").format(text=event.error.strip()))
    if isinstance(event, Validated) and event.fault:
        lines.append(event.fault)
    if isinstance(event, NotAsked):
        lines.append(event.message)
    if entry.error is not None and entry.error.message not in lines:
        lines.append(entry.error.message)
    if entry.outcome is not None:
        lines.append(entry.outcome.message)
    return lines if parting is None else [*lines, parting]


def offered_intents(agent: AgentFolder, step: Step | None) -> list[str] | None:
    """The intents that a step's output schema lets the model choose; None where that is unknown."""
    if step is None:
        return None
    schema = agent.schema(step)
    return None if schema.problem else [item.value for item in schema.enum if isinstance(item.value, str)]


def attempts_left(action: str, most: int | None, failures: int) -> str:
    """How often a validation may still fail, in words."""
    if action == "abort":
        return _("A failure ends the run.")
    if action == "skip":
        return _("Failures are ignored.")
    if most is None:
        return _("It may fail any number of times.")
    return _("{left} of {most} retries are left.").format(left=max(0, most - failures), most=most)


def failed_validator(state: State) -> str:
    """What follows a failed validator: the step, the retry prompt's pattern, the attempts; "" where nothing is left."""
    retry = state.retry
    if retry is None or not retry.validator:
        return ""
    pattern = retry.failure.name if retry.failure else _("no pattern")
    failures = state.failures.get(retry.validation.key, 0)
    left = attempts_left(retry.validation.action, retry.validation.max_attempts, failures)
    text = _("→ {step} with the retry prompt of “{pattern}” (attempt {attempt}). {attempts}")
    return text.format(step=state.step, pattern=pattern, attempt=retry.attempt, attempts=left)


def _rule(step: Step | None, intent: str, taken: Routed | EndRun | None) -> str | None:
    if step is None or taken is None or taken.how not in {"rule", "case", "no_case"}:
        return None
    return rule_pointer(step, intent, taken.case)


def _sentences(found: Explanation) -> Iterator[str]:
    if found.wrong_step_id is not None:
        text = _("The answer called itself “{given}”; it was taken as {step}'s.")
        yield text.format(given=found.wrong_step_id, step=found.step)
    if found.enum is not None:
        yield _("The schema allowed {intents}.").format(intents=_list(found.enum))
    yield _read(found)
    yield from _followed(found)
    if found.handoff:
        yield _("Handed over: {keys}.").format(keys=_list(found.handoff))
    if found.missing:
        yield _("Not in the answer: {paths}.").format(paths=_list(found.missing))


def _read(found: Explanation) -> str:
    match found.cause:
        case None:
            if found.alias is None:
                return _("“{intent}” was at {field} and is allowed.").format(intent=found.intent, field=found.field)
            text = _("“{word}” at {field} means “{intent}”, which is allowed.")
            return text.format(word=found.alias, field=found.field, intent=found.intent)
        case "no_gate":
            return _("The step has no gate, so it means “{intent}”.").format(intent=found.intent)
        case "no_value":
            text = _("{field} has no value; the fallback “{intent}” is used.")
        case "no_intent_field":
            text = _("The gate doesn't say where the intent is; “{intent}” is the fallback.")
        case "unknown_value":
            text = _("“{word}” at {field} is not an intent; “{intent}” is the fallback.")
        case "not_allowed":
            text = _("“{word}” at {field} isn't allowed; “{intent}” is the fallback.")
    return text.format(word=in_short(found.raw), field=found.field, intent=found.intent)


def _followed(found: Explanation) -> Iterator[str]:
    where = found.target if found.target is not None else _("the end")
    match found.how:
        case "rule":
            yield _("The transition “{intent}” goes to {target}.").format(intent=found.intent, target=where)
        case "case":
            text = _("The transition “{intent}” goes to {target} in the case “{case}”.")
            yield text.format(intent=found.intent, target=where, case=found.case)
        case "no_case":
            text = _("No case of the transition “{intent}” fits, and there is no default, so the run ends.")
            yield text.format(intent=found.intent)
        case "stays":
            yield _("The step runs again.")
        case "jump":
            yield _("The answer named {target} as the step to jump to.").format(target=where)
        case "continuation":
            yield _("No transition is declared, so {target} follows.").format(target=where)
        case "no_rule":
            yield _("No transition is declared, so the run ends.")
        case "signal":
            yield _("“{intent}” asks for the end.").format(intent=found.intent)
    if found.warning == HANDOFF_FROM_INITIAL:
        yield _("An initial step is not meant to hand off.")
    elif found.warning == REPEAT_TARGET_UNKNOWN:
        yield _("The transition “repeat” names no step, so the step runs again.")


def _list(words: Sequence[str] | dict[str, JsonValue]) -> str:
    return ", ".join(words)
