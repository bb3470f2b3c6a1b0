"""The kinds of mistakes: in which formats and file, and at which places each can be made."""

from stepflow_gui.formats.climpt.vocabulary import REGISTRY_FORMATS
from stepflow_gui.text.document import ParsedFile

from .mistakes import (
    AGENT,
    REGISTRY,
    SCHEMA,
    Kind,
    alike,
    another,
    copied,
    defined,
    key,
    last_part,
    own_name,
    refs_alike,
    removed,
    step_everywhere_but_references,
    value,
    written,
)

CHECKS = ("checks",)
TAKT = ("takt",)
CLIMPT = tuple(each for each in REGISTRY_FORMATS if each not in CHECKS)
ADDRESSED = ("adt-kind-address",)
PAIRED = ("entry-pair", *ADDRESSED)
GATE = ("closing", "c3l", "complete", *PAIRED)
OLDER = ("complete", "c3l-completion")  # whose checks have the older names


def _steps(document: ParsedFile) -> list[str]:
    found = document.tree.at("/steps")
    return list(found.value) if found and isinstance(found.value, dict) else []


def _kinds(_document: ParsedFile) -> list[str]:
    return ["work", "verification", "closure"]


def _movements(document: ParsedFile) -> list[str]:
    found = document.tree.at("/movements") or document.tree.at("/steps")
    items = found.value if found and isinstance(found.value, list) else []
    return [item["name"] for item in items if isinstance(item, dict) and isinstance(item.get("name"), str)]


_OBJECTS = {
    "/steps/*/address": "address: ",
    "/entryStepMapping/*": "pair: ",
    "/validationSteps/*": "validation step: ",
    "/completionSteps/*": "older validation step: ",
}


def _keys(
    where: str | tuple[str, ...], names: str, formats: tuple[str, ...] = CLIMPT, file: str = REGISTRY
) -> list[Kind]:
    """Kinds that misspell these keys, below any of the places."""
    places = (where,) if isinstance(where, str) else where
    families: dict[tuple[str, ...], str] = {TAKT: "takt: " if where else "takt: top ", CHECKS: "checks: "}
    family = families.get(formats, _OBJECTS.get(where, "") if isinstance(where, str) else "")
    return [
        Kind(f"{family}key {name}", formats, file, tuple(f"{place}/{name}" for place in places), key)
        for name in names.split()
    ]


_GATE = "/steps/*/structuredGate"
_STEP = ("/movements/*", "/steps/*")
_INNER = (
    *(f"/subworkflow/{name}" for name in ("callable", "visibility", "params", "returns", "params/*/facet_kind")),
    *("/facet_pools/*/uses", "/all_steps/rules/*/position", "/steps/*/structured_output/schema_ref"),
    *(f"/steps/*/system_inputs/*/{name}" for name in ("source", "where", "where/head_branch")),
    *(
        f"/steps/*/effects/*/{name}"
        for name in ("workflow", "worktree", "base_branch", "base_branch/create_if_missing")
    ),
    *("/steps/*/dynamic_facets/selector", "/steps/*/parallel/selection/selector"),
)
_SUB = tuple(f"{step}/parallel/*" for step in _STEP)
_PARTS = ("c1", "c2", "c3", "edition", "adaptation")
_PAIR = ("/entryStepMapping/*/initial", "/entryStepMapping/*/continuation")
_BEFORE_AND_AFTER = tuple(f"/validationSteps/*/{when}Conditions/*/validator" for when in ("preflight", "postLLM"))
_ENUMS = tuple(f"/*/properties/{where}/enum/*" for where in ("next_action/properties/action", "action"))
_OWN = ("/*", "/definitions/*", "/$defs/*")
_ACTION = "properties/next_action/properties/action"
_READ = tuple(f"{at}/{way}" for at in _OWN for way in ("properties/next_action", _ACTION))
_SCHEMAS = tuple(f"{at}{inner}" for at in _OWN for inner in ("", "/properties/next_action", f"/{_ACTION}"))
_STEP_NAMED = (
    *("/entryStep", "/entryStepMapping/*", "/entryStepMapping/*/initial", "/entryStepMapping/*/continuation"),
    *("/steps/*/transitions/*/target", "/steps/*/transitions/*/targets/*"),
)
_MOVEMENT_NAMED = (
    *("/initial_movement", "/initial_step", "/loop_monitors/*/cycle/*", "/loop_monitors/*/judge/rules/*/next"),
    *(f"{at}/rules/*/next" for at in _STEP),
)
_VALIDATOR_NAMED = tuple(
    f"/{steps}/*/{conditions}/*/validator"
    for steps in ("validationSteps", "completionSteps")
    for conditions in ("validationConditions", "completionConditions", "preflightConditions", "postLLMConditions")
)
_SECTIONS = {"persona": "personas", "policy": "policies", "instruction": "instructions", "knowledge": "knowledge"}


def _facet(key: str) -> tuple[str, ...]:
    return tuple(f"{at}/{key}{item}" for at in (*_STEP, *_SUB) for item in ("", "/*"))


_REQUIRED = tuple(f"{at}/required/*" for at in _SCHEMAS)

KINDS: tuple[Kind, ...] = (
    *_keys("", "agentId version entryStepMapping entryStep failurePatterns validators validationSteps steps"),
    *_keys("/steps/*", "stepId name c2 c3 edition fallbackKey stepKind uvVariables usesStdin"),
    *_keys("/steps/*", "structuredGate transitions outputSchemaRef"),
    *_keys(_GATE, "allowedIntents intentSchemaRef intentField handoffFields failFast fallbackIntent targetField"),
    *_keys("/steps/*/outputSchemaRef", "file schema"),
    *_keys("/steps/*/transitions/*", "target condition targets"),
    *_keys("/validators/*", "successWhen failurePattern command extractParams"),
    Kind("key validationConditions", CLIMPT, REGISTRY, ("/validationSteps/*/validationConditions",), key),
    Kind("transition's intent", CLIMPT, REGISTRY, ("/steps/*/transitions/*",), key),
    Kind("verdict of an entry", CLIMPT, REGISTRY, ("/entryStepMapping/*",), key),
    Kind("step key", CLIMPT, REGISTRY, ("/steps/*",), key),
    Kind("step key and stepId", CLIMPT, REGISTRY, ("/steps/*",), step_everywhere_but_references),
    Kind("stepId", CLIMPT, REGISTRY, ("/steps/*/stepId",), value),
    Kind("entry's step", CLIMPT, REGISTRY, ("/entryStepMapping/*", "/entryStep"), value),
    Kind("target", CLIMPT, REGISTRY, ("/steps/*/transitions/*/target",), value),
    Kind("target of a case", CLIMPT, REGISTRY, ("/steps/*/transitions/*/targets/*",), value),
    Kind("allowed intent", CLIMPT, REGISTRY, (f"{_GATE}/allowedIntents/*",), value),
    Kind("fallbackIntent", CLIMPT, REGISTRY, (f"{_GATE}/fallbackIntent",), value),
    Kind("intentField", CLIMPT, REGISTRY, (f"{_GATE}/intentField",), value),
    Kind("intentSchemaRef", CLIMPT, REGISTRY, (f"{_GATE}/intentSchemaRef",), last_part),
    Kind("handoff field", CLIMPT, REGISTRY, (f"{_GATE}/handoffFields/*",), value),
    Kind("stepKind", CLIMPT, REGISTRY, ("/steps/*/stepKind",), value),
    Kind("c1", CLIMPT, REGISTRY, ("/c1",), value),
    Kind("edition", CLIMPT, REGISTRY, ("/steps/*/edition",), value),
    Kind("c2", CLIMPT, REGISTRY, ("/steps/*/c2",), value),
    Kind("c3", CLIMPT, REGISTRY, ("/steps/*/c3",), value),
    Kind("fallbackKey", CLIMPT, REGISTRY, ("/steps/*/fallbackKey",), value),
    Kind("variable", CLIMPT, REGISTRY, ("/steps/*/uvVariables/*",), value),
    Kind("schema name", CLIMPT, REGISTRY, ("/steps/*/outputSchemaRef/schema",), value),
    Kind("schema file", CLIMPT, REGISTRY, ("/steps/*/outputSchemaRef/file",), value),
    Kind("validator", CLIMPT, REGISTRY, ("/validationSteps/*/validationConditions/*/validator",), value),
    Kind("failure pattern", CLIMPT, REGISTRY, ("/validators/*/failurePattern",), value),
    Kind("validator's own name", CLIMPT, REGISTRY, ("/validators/*",), key),
    Kind("failure pattern's own name", CLIMPT, REGISTRY, ("/failurePatterns/*", "/completionPatterns/*"), key),
    Kind("step in all references", CLIMPT, REGISTRY, ("/steps/*",), alike(*_STEP_NAMED)),
    Kind("validator in all references", CLIMPT, REGISTRY, ("/validators/*",), alike(*_VALIDATOR_NAMED)),
    *(
        Kind(f"{name} in all validators", CLIMPT, REGISTRY, (f"/{patterns}/*",), alike("/validators/*/failurePattern"))
        for name, patterns in (("pattern", "failurePatterns"), ("older pattern", "completionPatterns"))
    ),
    *(
        Kind(f"{name} in all steps", CLIMPT, REGISTRY, (f"/steps/*/{at}",), alike(f"/steps/*/{at}"))
        for name, at in (
            *(("handoff field", "structuredGate/handoffFields/*"), ("intentField", "structuredGate/intentField")),
            *(("c2", "c2"), ("c3", "c3"), ("edition", "edition"), ("variable", "uvVariables/*")),
            *(("schema name", "outputSchemaRef/schema"), ("schema file", "outputSchemaRef/file")),
            *(("allowed intent", "structuredGate/allowedIntents/*"), ("fallbackKey", "fallbackKey")),
        )
    ),
    Kind("schema: its own name", GATE, SCHEMA, ("/*", "/definitions/*", "/$defs/*"), own_name),
    Kind("schema: definitions", GATE, SCHEMA, ("/definitions",), key),
    Kind("schema: definition", GATE, SCHEMA, ("/definitions/*", "/$defs/*"), defined),
    Kind("schema: definition in all references", GATE, SCHEMA, ("/definitions/*", "/$defs/*"), refs_alike),
    Kind("successWhen", CLIMPT, REGISTRY, ("/validators/*/successWhen",), value),
    Kind("enum value", CLIMPT, SCHEMA, _ENUMS, value),
    Kind("schema: property that the gate reads", GATE, SCHEMA, _READ, key),
    Kind("schema: name in required", GATE, SCHEMA, _REQUIRED, value),
    *(
        Kind(f"schema: keyword {word}", GATE, SCHEMA, tuple(f"{at}/{word}" for at in _SCHEMAS), key)
        for word in ("required", "properties", "enum")
    ),
    Kind("schema: $defs", GATE, SCHEMA, ("/$defs",), key),
    Kind("verdict type", CLIMPT, AGENT, ("/runner/verdict/type",), value),
    *_keys("/steps/*", "kind address adaptationChain", ADDRESSED),
    *_keys("/steps/*/address", "c1 c2 c3 edition adaptation", ADDRESSED),
    Kind("kind", ADDRESSED, REGISTRY, ("/steps/*/kind",), value),
    *(Kind(f"{each} of an address", ADDRESSED, REGISTRY, (f"/steps/*/address/{each}",), value) for each in _PARTS),
    *_keys("/entryStepMapping/*", "initial continuation", PAIRED),
    Kind("step of a pair", PAIRED, REGISTRY, _PAIR, value),
    *_keys("/validationSteps/*", "preflightConditions postLLMConditions onFailure", PAIRED),
    *_keys("/validators/*", "phase type"),
    Kind("phase", PAIRED, REGISTRY, ("/validators/*/phase",), value),
    Kind("validator before or after", PAIRED, REGISTRY, _BEFORE_AND_AFTER, value),
    *_keys("", "completionPatterns completionSteps", OLDER),
    *_keys("/completionSteps/*", "completionConditions onFailure c2 c3", OLDER),
    Kind("older validator", OLDER, REGISTRY, ("/completionSteps/*/completionConditions/*/validator",), value),
    *_keys("", "userPromptsBase schemasBase flow"),
    *_keys("/steps/*", "promptPath"),
    Kind("step of a list", CLIMPT, REGISTRY, ("/flow/*/*",), value),
    *_keys("", "name version runner parameters", file=AGENT),
    *_keys("/runner", "flow verdict boundaries", file=AGENT),
    *_keys("/runner/flow", "systemPromptPath prompts", file=AGENT),
    *_keys("/runner/verdict", "type config", file=AGENT),
    *_keys("/runner/verdict/config", "maxIterations", file=AGENT),
    *_keys("/runner/boundaries", "allowedTools permissionMode", file=AGENT),
    *_keys("/parameters/*", "cli required default", file=AGENT),
    Kind("key type of a parameter", CLIMPT, AGENT, ("/parameters/*/type",), key),
    Kind("permissionMode", CLIMPT, AGENT, ("/runner/boundaries/permissionMode",), value),
    Kind("systemPromptPath", CLIMPT, AGENT, ("/runner/flow/systemPromptPath",), value),
    Kind("flag of a parameter", CLIMPT, AGENT, ("/parameters/*/cli",), value),
    Kind("parameter", CLIMPT, AGENT, ("/parameters/*",), key),
    *_keys("/steps/*", "check iterations prompt", CHECKS),
    *_keys("/steps/*/check", "onPass onFail", CHECKS),
    *_keys("/steps/*/check/onPass", "next", CHECKS),
    Kind("checks: step", CHECKS, REGISTRY, ("/steps/*/check/onPass/next", "/entryStep"), value),
    *_keys("", "name movements personas initial_movement initial_step max_iterations max_steps loop_monitors", TAKT),
    *_keys((*_STEP, *_SUB), "name persona policy instruction instruction_template edit rules parallel knowledge", TAKT),
    *_keys((*_STEP, *_SUB), "permission_mode output_contracts allowed_tools session pass_previous_response", TAKT),
    *_keys(tuple(f"{step}/rules/*" for step in (*_STEP, *_SUB)), "condition next", TAKT),
    *_keys("/loop_monitors/*", "cycle threshold judge", TAKT),
    *(Kind(f"takt: inner key {place[1:]}", TAKT, REGISTRY, (place,), key) for place in _INNER),
    Kind("takt: next", TAKT, REGISTRY, tuple(f"{at}/rules/*/next" for at in _STEP), value),
    Kind("takt: initial step", TAKT, REGISTRY, ("/initial_movement", "/initial_step"), value),
    Kind("takt: step's name", TAKT, REGISTRY, tuple(f"{at}/name" for at in _STEP), value),
    Kind("takt: persona", TAKT, REGISTRY, tuple(f"{at}/persona" for at in (*_STEP, *_SUB)), value),
    Kind("takt: policy", TAKT, REGISTRY, tuple(f"{at}/policy" for at in (*_STEP, *_SUB)), value),
    Kind("takt: instruction", TAKT, REGISTRY, tuple(f"{at}/instruction" for at in (*_STEP, *_SUB)), value),
    Kind("takt: section's key", TAKT, REGISTRY, ("/personas/*", "/policies/*", "/instructions/*"), key),
    Kind("takt: permission mode", TAKT, REGISTRY, tuple(f"{at}/permission_mode" for at in _STEP), value),
    Kind("takt: cycle's step", TAKT, REGISTRY, ("/loop_monitors/*/cycle/*",), value),
    Kind("takt: step in all references", TAKT, REGISTRY, tuple(f"{at}/name" for at in _STEP), alike(*_MOVEMENT_NAMED)),
    *(
        Kind(f"takt: {one} in all references", TAKT, REGISTRY, (f"/{section}/*",), alike(*_facet(one)))
        for one, section in _SECTIONS.items()
    ),
    # No mistakes of spelling.
    Kind("transition left out", CLIMPT, REGISTRY, ("/steps/*/transitions/*",), removed, spelling=False),
    Kind("intent left out", CLIMPT, REGISTRY, (f"{_GATE}/allowedIntents/*",), removed, spelling=False),
    Kind("gate left out", GATE, REGISTRY, ("/steps/*/structuredGate",), removed, spelling=False),
    Kind("schema left out", GATE, REGISTRY, ("/steps/*/outputSchemaRef",), removed, spelling=False),
    Kind("intentField left out", GATE, REGISTRY, (f"{_GATE}/intentField",), removed, spelling=False),
    Kind("stepKind left out", CLIMPT, REGISTRY, ("/steps/*/stepKind",), removed, spelling=False),
    Kind("entry left out", CLIMPT, REGISTRY, ("/entryStepMapping/*",), removed, spelling=False),
    Kind("step left out", CLIMPT, REGISTRY, ("/steps/*",), removed, spelling=False),
    Kind("another target", CLIMPT, REGISTRY, ("/steps/*/transitions/*/target",), another(_steps), spelling=False),
    Kind("null target", CLIMPT, REGISTRY, ("/steps/*/transitions/next/target",), written("null"), spelling=False),
    Kind("target is a list", CLIMPT, REGISTRY, ("/steps/*/transitions/*/target",), written("[]"), spelling=False),
    Kind("gate is a text", CLIMPT, REGISTRY, ("/steps/*/structuredGate",), written('"x"'), spelling=False),
    Kind("another kind", ADDRESSED, REGISTRY, ("/steps/*/kind",), another(_kinds), spelling=False),
    Kind("kind left out", ADDRESSED, REGISTRY, ("/steps/*/kind",), removed, spelling=False),
    Kind("address left out", ADDRESSED, REGISTRY, ("/steps/*/address",), removed, spelling=False),
    Kind("side left out", PAIRED, REGISTRY, _PAIR, removed, spelling=False),
    Kind("step copied", CLIMPT, REGISTRY, ("/steps/*",), copied("stepId"), spelling=False),
    Kind("checks: step copied", CHECKS, REGISTRY, ("/steps/*",), copied("id"), spelling=False),
    Kind("takt: step copied", TAKT, REGISTRY, _STEP, copied("name"), spelling=False),
    Kind("takt: rule left out", TAKT, REGISTRY, tuple(f"{at}/rules/*" for at in _STEP), removed, spelling=False),
    Kind("takt: next left out", TAKT, REGISTRY, tuple(f"{at}/rules/*/next" for at in _STEP), removed, spelling=False),
    Kind("takt: another next", TAKT, REGISTRY, tuple(f"{at}/rules/*/next" for at in _STEP), another(_movements), False),
    Kind("takt: step left out", TAKT, REGISTRY, _STEP, removed, spelling=False),
)
