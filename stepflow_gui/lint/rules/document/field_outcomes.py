"""Which value of a wrong type has which consequence: a row a field, for the registries of all formats.

Of what neither the documents nor recorded runs tell a row says "unspecified": that is a warning without a claim.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from stepflow_gui.formats.checks.vocabulary import NAMING
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.fields import Shape
from stepflow_gui.lint.rules.document.type_outcomes import (
    PLAIN,
    Consequence,
    Decided,
    Outcome,
    WrongValue,
    all_transitions,
    allowed_intents,
    at_gate,
    command,
    ends,
    entry,
    gate_itself,
    in_use,
    in_words,
    intent,
    intent_field,
    listed_intent,
    named_by_check,
    no_steps,
    of_check_prompt,
    of_input,
    of_prompt,
    retry_path,
    schema_ref,
    step_itself,
    success_when,
    uses_stdin,
    uv_variables,
    with_clause,
)
from stepflow_gui.lint.rules.prelude import ADDRESSED, KINDS, WARNING, _


class FieldOutcome(NamedTuple):
    """What becomes of a field's value. `validated`: in which versions `climpt --validate` refuses a wrong type."""

    outcome: Outcome | Callable[[WrongValue], Decided]
    validated: Callable[[Era], bool] = lambda _era: True


def consequence_of(place: WrongValue, shape: Shape) -> Consequence | None:
    """What follows from a value of a wrong type; None where another rule speaks of the field."""
    context = place.context
    row = rows_of(context.format).get("/".join(field_path(place.keys, shape)), _UNSPECIFIED)
    if row is None:
        return None
    decided = row.outcome(place) if callable(row.outcome) else row.outcome
    found = decided if isinstance(decided, Consequence) else in_words(decided, context)
    refused_on_request = context.judged_as in KINDS and row.validated(place.era)
    if found.severity != WARNING or not refused_on_request:
        return found
    if found.text == PLAIN:
        return found._replace(text=_("{message}: only “climpt --validate” refuses the registry"))
    text = _("{message}, and “climpt --validate” refuses the registry")
    return found._replace(text=text.replace("{message}", found.text))


def is_refused_null(place: WrongValue, shape: Shape) -> bool:
    """Whether null in a field that may be left out is refused on request alone: a run treats it as missing."""
    row = rows_of(place.context.format).get("/".join(field_path(place.keys, shape)))
    plain = row is not None and isinstance(row.outcome, str)
    return plain and row is not None and place.context.judged_as in KINDS and row.validated(place.era)


def rows_of(format_id: str) -> Mapping[str, FieldOutcome | None]:
    """The rows of a format by the path of their field; None where another rule speaks of it."""
    return _CHECKS if format_id == "checks" else _ADDRESSED if format_id in ADDRESSED else _FLAT


def field_path(keys: tuple[str, ...], shape: Shape) -> list[str]:
    """The keys of a pointer with “*” for free keys and elements."""
    path: list[str] = []
    at: Shape | None = shape
    for key in keys:
        holders = (at, *at.either) if at else ()
        field = next((field for each in holders for field in each.fields if field.name == key), None)
        path.append(key if field else "*")
        at = field.shape if field else next((each.of for each in holders if each.of), None)
    return path


def _never(_era: Era) -> bool:
    return False


def _until_march(era: Era) -> bool:
    return era.spare_prompts


def _with_modes(era: Era) -> bool:
    return era.step_modes


_UNSPECIFIED = FieldOutcome("unspecified", _never)
_PATTERNS: dict[str, FieldOutcome | None] = {
    "": FieldOutcome("missing"),
    "/*": FieldOutcome("skipped"),
    "/*/description": FieldOutcome("unread"),
    "/*/edition": FieldOutcome("unspecified"),
    "/*/adaptation": FieldOutcome("unspecified"),
    "/*/params": FieldOutcome("unspecified"),
    "/*/params/*": FieldOutcome("unspecified"),
    "/*/semanticMatch": FieldOutcome("unspecified", _never),
    "/*/semanticMatch/*": FieldOutcome("unspecified", _never),
    "/*/recoverableByDefault": FieldOutcome("unspecified", _never),
}
_CONDITIONS: dict[str, FieldOutcome | None] = {
    "": FieldOutcome("missing"),
    "/*": FieldOutcome("skipped"),
    "/*/validator": FieldOutcome("skipped"),
    "/*/params": FieldOutcome("missing", _never),
}
_ADDRESS = ("c1", "c2", "c3", "edition", "adaptation")
_VALIDATION_STEPS: dict[str, FieldOutcome | None] = {
    "": FieldOutcome("missing"),
    "/*": FieldOutcome("skipped"),
    **{f"/*/{field}": FieldOutcome("unread") for field in ("stepId", "name", "description")},
    "/*/c2": FieldOutcome(retry_path),
    "/*/c3": FieldOutcome(retry_path),
    "/*/address": FieldOutcome("unspecified", _never),
    **{f"/*/address/{field}": FieldOutcome("unspecified", _never) for field in _ADDRESS},
    **{
        f"/*/{conditions}{below}": row
        for conditions in ("validationConditions", "completionConditions", "preflightConditions", "postLLMConditions")
        for below, row in _CONDITIONS.items()
    },
    "/*/onFailure": FieldOutcome("missing"),
    "/*/onFailure/action": FieldOutcome("missing"),
    "/*/onFailure/maxAttempts": FieldOutcome("unspecified"),
    "/*/outputSchemaRef": FieldOutcome("unread"),
    "/*/outputSchemaRef/file": FieldOutcome("unread"),
    "/*/outputSchemaRef/schema": FieldOutcome("unread"),
}
_FLAT: Mapping[str, FieldOutcome | None] = {
    "$schema": FieldOutcome("unread"),
    "agentId": FieldOutcome("refused"),
    "version": FieldOutcome("unspecified"),
    "c1": FieldOutcome("unspecified"),
    "userPromptsBase": FieldOutcome("unspecified", _until_march),
    "schemasBase": FieldOutcome("unspecified", _until_march),
    "pathTemplate": FieldOutcome("unread"),
    "pathTemplateNoAdaptation": FieldOutcome("unread"),
    "entryStep": FieldOutcome(partial(entry, of_true="refused")),
    "entryStepMapping": FieldOutcome(entry),
    "flow": FieldOutcome("unspecified", _never),
    "flow/*": FieldOutcome("unspecified", _never),
    "flow/*/*": FieldOutcome("unspecified", _never),
    "steps": FieldOutcome(no_steps),
    "steps/*": FieldOutcome(step_itself),
    **{f"steps/*/{field}": FieldOutcome("unread") for field in ("stepId", "description", "type", "model")},
    "steps/*/name": FieldOutcome("unspecified"),
    "steps/*/stepKind": FieldOutcome(at_gate("refused")),
    "steps/*/c2": FieldOutcome(of_prompt),
    "steps/*/c3": FieldOutcome(of_prompt),
    "steps/*/edition": FieldOutcome("unspecified"),
    "steps/*/adaptation": FieldOutcome("unspecified"),
    "steps/*/promptPath": FieldOutcome("unspecified", _never),
    "steps/*/fallbackKey": FieldOutcome("unspecified", _until_march),
    "steps/*/uvVariables": FieldOutcome(uv_variables),
    "steps/*/uvVariables/*": FieldOutcome("unspecified"),
    "steps/*/usesStdin": FieldOutcome(uses_stdin),
    "steps/*/permissionMode": FieldOutcome(
        lambda place: "unspecified" if place.era.step_modes else "unread", _with_modes
    ),
    "steps/*/outputSchemaRef": FieldOutcome(schema_ref),
    "steps/*/outputSchemaRef/file": FieldOutcome(at_gate("refused", "refused")),
    "steps/*/outputSchemaRef/schema": FieldOutcome(at_gate("refused", "refused")),
    "steps/*/structuredGate": FieldOutcome(gate_itself),
    "steps/*/structuredGate/allowedIntents": FieldOutcome(allowed_intents),
    "steps/*/structuredGate/allowedIntents/*": FieldOutcome(listed_intent),
    "steps/*/structuredGate/intentSchemaRef": FieldOutcome(at_gate("refused", "refused")),
    "steps/*/structuredGate/intentField": FieldOutcome(intent_field),
    "steps/*/structuredGate/targetField": FieldOutcome("missing"),
    "steps/*/structuredGate/handoffFields": FieldOutcome("unspecified"),
    "steps/*/structuredGate/handoffFields/*": FieldOutcome("unspecified"),
    "steps/*/structuredGate/targetMode": FieldOutcome("unread"),
    "steps/*/structuredGate/failFast": FieldOutcome("true"),
    "steps/*/structuredGate/fallbackIntent": FieldOutcome(intent),
    "steps/*/transitions": FieldOutcome(all_transitions),
    "steps/*/inputs": FieldOutcome("unspecified", _never),
    "steps/*/inputs/*": FieldOutcome("unspecified", _never),
    "steps/*/inputs/*/from": FieldOutcome(partial(of_input, "stops", "missing"), _never),
    "steps/*/inputs/*/required": FieldOutcome(partial(of_input, "true", "false"), _never),
    **{f"steps/*/{field}": FieldOutcome("unread", _never) for field in ("condition", "priority", "schemaRef")},
    "steps/*/validationSteps": FieldOutcome("unread", _never),
    "steps/*/validationSteps/*": FieldOutcome("unread", _never),
    "steps/*/runner": FieldOutcome(lambda place: "missing" if place.era.subprocesses else "unread", _never),
    **{
        f"steps/*/runner/{field}": FieldOutcome("unspecified", _never)
        for field in ("command", "args", "args/*", "timeout")
    },
    **{f"{name}{path}": row for name in ("failurePatterns", "completionPatterns") for path, row in _PATTERNS.items()},
    "validators": FieldOutcome("missing"),
    "validators/*": FieldOutcome("missing"),
    "validators/*/type": FieldOutcome(partial(in_use, "stops")),
    "validators/*/command": FieldOutcome(partial(in_use, command)),
    "validators/*/path": FieldOutcome("unspecified", _never),
    "validators/*/successWhen": FieldOutcome(partial(in_use, success_when)),
    "validators/*/failurePattern": FieldOutcome("missing"),
    "validators/*/extractParams": FieldOutcome("unspecified"),
    "validators/*/extractParams/*": FieldOutcome(
        lambda _place: with_clause(WARNING, _("the retry prompt gets no value for it")),
    ),
    "validators/*/phase": FieldOutcome("unread", _never),
    **{
        f"{name}{path}": row
        for name in ("validationSteps", "completionSteps")
        for path, row in _VALIDATION_STEPS.items()
    },
}
_REFUSED_ADDRESSED = (
    *("agentId", "version", "c1", "steps", "steps/*/stepId", "steps/*/name", "steps/*/kind", "steps/*/address"),
    *(f"steps/*/address/{field}" for field in _ADDRESS),
    *("steps/*/uvVariables", "steps/*/usesStdin", "steps/*/permissionMode"),
)
_ADDRESSED: Mapping[str, FieldOutcome | None] = {
    **_FLAT,
    **{path: FieldOutcome("refused") for path in _REFUSED_ADDRESSED},
    "entryStepMapping/*": None,  # SF407 speaks of pairs
    "steps/*/adaptationChain": None,  # SF231 does
    "steps/*/adaptationChain/*": None,
    "validators/*/phase": FieldOutcome("unread"),
}
_PROMPT_PARTS = ("path", *_ADDRESS[:4])
_CHECKS: Mapping[str, FieldOutcome | None] = {
    **{field: FieldOutcome("unread") for field in ("$schema", "agentId", "version")},
    "basePath": FieldOutcome("unspecified"),
    "entryStep": FieldOutcome(entry),
    "steps": FieldOutcome(no_steps),
    "steps/*": FieldOutcome(step_itself),
    "steps/*/id": FieldOutcome("unspecified"),
    "steps/*/name": FieldOutcome("unread"),
    **{
        f"steps/*/{prompt}/{part}": FieldOutcome(of_check_prompt)
        for prompt in ("prompt", "check/prompt")
        for part in _PROMPT_PARTS
    },
    **{f"steps/*/{prompt}/adaptation": FieldOutcome("unspecified") for prompt in ("prompt", "check/prompt")},
    "steps/*/iterations": FieldOutcome("unspecified"),
    "steps/*/iterations/min": FieldOutcome("unread"),
    "steps/*/iterations/max": FieldOutcome("unspecified"),
    "steps/*/check": FieldOutcome(partial(ends, lambda: _("{era} ends the run there, as a failure"))),
    "steps/*/check/responseFormat": FieldOutcome("unread"),
    **{
        f"steps/*/check/{outcome}{below}": row
        for outcome in ("onPass", "onFail")
        for below, row in {
            "": FieldOutcome(partial(ends, lambda: _("{era} ends the run there, as a success"))),
            **{f"/{field}": FieldOutcome(named_by_check) for field in NAMING},
            **{f"/{field}": FieldOutcome("unspecified") for field in ("retry", "maxRetries", "complete")},
        }.items()
    },
}
