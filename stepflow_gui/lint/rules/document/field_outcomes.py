"""Which value of a wrong type has which consequence: a row a field, for the registries of all formats.

Of what neither the documents nor recorded runs tell a row says "untold": that is a warning without a claim.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.fields import Shape
from stepflow_gui.lint.rules.document.type_outcomes import (
    PLAIN,
    Decided,
    Outcome,
    Place,
    Told,
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
    no_steps,
    of_check_prompt,
    of_input,
    of_prompt,
    retry_path,
    step_itself,
    success_when,
    uses_stdin,
    uv_variables,
    with_clause,
)
from stepflow_gui.lint.rules.prelude import ADDRESSED, KINDS, WARNING, _


class Row(NamedTuple):
    """What becomes of a field's value. `validated`: in which versions `climpt --validate` refuses a wrong type."""

    outcome: Outcome | Callable[[Place], Decided]
    validated: Callable[[Era], bool] = lambda _era: True


def told(place: Place, shape: Shape) -> Told | None:
    """What follows from a value of a wrong type; None where another rule speaks of the field."""
    context = place.context
    row = rows_of(context.format).get("/".join(field_path(place.keys, shape)), _UNTOLD)
    if row is None:
        return None
    decided = row.outcome(place) if callable(row.outcome) else row.outcome
    found = decided if isinstance(decided, Told) else in_words(decided, context)
    refused_on_request = context.judged_as in KINDS and row.validated(place.era)
    if found.severity != WARNING or not refused_on_request:
        return found
    if found.text == PLAIN:
        return found._replace(text=_("{message}: only “climpt --validate” refuses the registry"))
    text = _("{message}, and “climpt --validate” refuses the registry")
    return found._replace(text=text.replace("{message}", found.text))


def rows_of(format_id: str) -> Mapping[str, Row | None]:
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


_UNTOLD = Row("untold", _never)
_PATTERNS: dict[str, Row | None] = {
    "": Row("missing"),
    "/*": Row("skipped"),
    "/*/description": Row("unread"),
    "/*/edition": Row("untold"),
    "/*/adaptation": Row("untold"),
    "/*/params": Row("untold"),
    "/*/params/*": Row("untold"),
    "/*/semanticMatch": Row("untold", _never),
    "/*/semanticMatch/*": Row("untold", _never),
    "/*/recoverableByDefault": Row("untold", _never),
}
_CONDITIONS: dict[str, Row | None] = {
    "": Row("missing"),
    "/*": Row("skipped"),
    "/*/validator": Row("skipped"),
    "/*/params": Row("missing", _never),
}
_ADDRESS = ("c1", "c2", "c3", "edition", "adaptation")
_VALIDATION_STEPS: dict[str, Row | None] = {
    "": Row("missing"),
    "/*": Row("skipped"),
    **{f"/*/{field}": Row("unread") for field in ("stepId", "name", "description")},
    "/*/c2": Row(retry_path),
    "/*/c3": Row(retry_path),
    "/*/address": Row("untold", _never),
    **{f"/*/address/{field}": Row("untold", _never) for field in _ADDRESS},
    **{
        f"/*/{conditions}{below}": row
        for conditions in ("validationConditions", "completionConditions", "preflightConditions", "postLLMConditions")
        for below, row in _CONDITIONS.items()
    },
    "/*/onFailure": Row("missing"),
    "/*/onFailure/action": Row("missing"),
    "/*/onFailure/maxAttempts": Row("untold"),
    "/*/outputSchemaRef": Row("unread"),
    "/*/outputSchemaRef/file": Row("unread"),
    "/*/outputSchemaRef/schema": Row("unread"),
}
_FLAT: Mapping[str, Row | None] = {
    "$schema": Row("unread"),
    "agentId": Row("refused"),
    "version": Row("untold"),
    "c1": Row("untold"),
    "userPromptsBase": Row("untold", _until_march),
    "schemasBase": Row("untold", _until_march),
    "pathTemplate": Row("unread"),
    "pathTemplateNoAdaptation": Row("unread"),
    "entryStep": Row(partial(entry, of_true="refused")),
    "entryStepMapping": Row(entry),
    "flow": Row("untold", _never),
    "flow/*": Row("untold", _never),
    "flow/*/*": Row("untold", _never),
    "steps": Row(no_steps),
    "steps/*": Row(step_itself),
    **{f"steps/*/{field}": Row("unread") for field in ("stepId", "description", "type", "model")},
    "steps/*/name": Row("untold"),
    "steps/*/stepKind": Row(at_gate("refused")),
    "steps/*/c2": Row(of_prompt),
    "steps/*/c3": Row(of_prompt),
    "steps/*/edition": Row("untold"),
    "steps/*/adaptation": Row("untold"),
    "steps/*/promptPath": Row("untold", _never),
    "steps/*/fallbackKey": Row("untold", _until_march),
    "steps/*/uvVariables": Row(uv_variables),
    "steps/*/uvVariables/*": Row("untold"),
    "steps/*/usesStdin": Row(uses_stdin),
    "steps/*/permissionMode": Row(lambda place: "untold" if place.era.step_modes else "unread", _with_modes),
    "steps/*/outputSchemaRef": Row(at_gate("refused")),
    "steps/*/outputSchemaRef/file": Row(at_gate("refused", "refused")),
    "steps/*/outputSchemaRef/schema": Row(at_gate("refused", "refused")),
    "steps/*/structuredGate": Row(gate_itself),
    "steps/*/structuredGate/allowedIntents": Row(allowed_intents),
    "steps/*/structuredGate/allowedIntents/*": Row(listed_intent),
    "steps/*/structuredGate/intentSchemaRef": Row(at_gate("refused", "refused")),
    "steps/*/structuredGate/intentField": Row(intent_field),
    "steps/*/structuredGate/targetField": Row("missing"),
    "steps/*/structuredGate/handoffFields": Row("untold"),
    "steps/*/structuredGate/handoffFields/*": Row("untold"),
    "steps/*/structuredGate/targetMode": Row("unread"),
    "steps/*/structuredGate/failFast": Row("true"),
    "steps/*/structuredGate/fallbackIntent": Row(intent),
    "steps/*/transitions": Row(all_transitions),
    "steps/*/inputs": Row("untold", _never),
    "steps/*/inputs/*": Row("untold", _never),
    "steps/*/inputs/*/from": Row(partial(of_input, "stops", "missing"), _never),
    "steps/*/inputs/*/required": Row(partial(of_input, "true", "false"), _never),
    **{f"steps/*/{field}": Row("unread", _never) for field in ("condition", "priority", "schemaRef")},
    "steps/*/validationSteps": Row("unread", _never),
    "steps/*/validationSteps/*": Row("unread", _never),
    "steps/*/runner": Row(lambda place: "missing" if place.era.subprocesses else "unread", _never),
    **{f"steps/*/runner/{field}": Row("untold", _never) for field in ("command", "args", "args/*", "timeout")},
    **{f"{name}{path}": row for name in ("failurePatterns", "completionPatterns") for path, row in _PATTERNS.items()},
    "validators": Row("missing"),
    "validators/*": Row("missing"),
    "validators/*/type": Row(partial(in_use, "stops")),
    "validators/*/command": Row(partial(in_use, command)),
    "validators/*/path": Row("untold", _never),
    "validators/*/successWhen": Row(partial(in_use, success_when)),
    "validators/*/failurePattern": Row("missing"),
    "validators/*/extractParams": Row("untold"),
    "validators/*/extractParams/*": Row(
        lambda _place: with_clause(WARNING, _("the retry prompt gets no value for it")),
    ),
    "validators/*/phase": Row("unread", _never),
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
_ADDRESSED: Mapping[str, Row | None] = {
    **_FLAT,
    **{path: Row("refused") for path in _REFUSED_ADDRESSED},
    "entryStepMapping/*": None,  # SF407 speaks of pairs
    "steps/*/adaptationChain": None,  # SF231 does
    "steps/*/adaptationChain/*": None,
    "validators/*/phase": Row("unread"),
}
_PROMPT_PARTS = ("path", *_ADDRESS[:4])
_CHECKS: Mapping[str, Row | None] = {
    **{field: Row("unread") for field in ("$schema", "agentId", "version")},
    "basePath": Row("untold"),
    "entryStep": Row(entry),
    "steps": Row(no_steps),
    "steps/*": Row(step_itself),
    "steps/*/id": Row("untold"),
    "steps/*/name": Row("unread"),
    **{
        f"steps/*/{prompt}/{part}": Row(of_check_prompt)
        for prompt in ("prompt", "check/prompt")
        for part in _PROMPT_PARTS
    },
    **{f"steps/*/{prompt}/adaptation": Row("untold") for prompt in ("prompt", "check/prompt")},
    "steps/*/iterations": Row("untold"),
    "steps/*/iterations/min": Row("unread"),
    "steps/*/iterations/max": Row("untold"),
    "steps/*/check": Row(partial(ends, lambda: _("{era} ends the run there, as a failure"))),
    "steps/*/check/responseFormat": Row("unread"),
    **{
        f"steps/*/check/{outcome}{below}": row
        for outcome in ("onPass", "onFail")
        for below, row in {
            "": Row(partial(ends, lambda: _("{era} ends the run there, as a success"))),
            **{f"/{field}": Row("untold") for field in ("next", "fallback", "retry", "maxRetries", "complete")},
        }.items()
    },
}
