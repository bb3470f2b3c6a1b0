"""The fields of a climpt registry: one table for rules, forms, completion and help (seed 000, runtime-semantics 16).

`need` is the upstream loader's: gate, transitions and outputSchemaRef are needed as soon as one step has a gate, and
never by `section.*` steps.
"""

from stepflow_gui.formats.climpt.vocabulary import (
    CHAIN_ELEMENT,
    CONDITIONS_OF_PHASE,
    DEFAULT_ATTEMPTS,
    DEFAULT_CHAIN,
    GATE_FORMATS,
    INTENTS_OF_KIND,
    MODELS,
    ON_FAILURE_ACTIONS,
    ON_FAILURE_ACTIONS_ADDRESSED,
    PERMISSION_MODES,
    PHASES,
    REGISTRY_FORMATS,
)
from stepflow_gui.formats.fields import (
    ANY,
    BOOLEAN,
    STRING,
    Field,
    Need,
    Shape,
    choice,
    list_of,
    map_of,
    object_of,
    string,
)
from stepflow_gui.formats.own_marks import OWN_FIELD
from stepflow_gui.messages import _

_SEMVER = r"\d+\.\d+\.\d+"
_CLOSING = ("closing", "c3l", "entry-pair", "adt-kind-address")  # since intents are closing, handoff and escalate
_FLAT = (*GATE_FORMATS, "entry-pair", "transitions-only", "c3l-completion", "c3l-flat", "flow-array", "gateless")
_NESTED = ("adt-kind-address",)
_BASES = ("closing", "complete", "c3l-completion", "c3l-flat", "flow-array", "prompt-path")
_OLDER = ("closing", "complete", "c3l-completion")
_PAIRED = ("entry-pair", "adt-kind-address")
_NEWEST = ("c3l", *_PAIRED)
_UNNESTED = tuple(name for name in REGISTRY_FORMATS if name not in _NESTED)

_KIND = choice(*INTENTS_OF_KIND)
_MODEL = choice(*MODELS)
_MODE = choice(*PERMISSION_MODES)
_INTENT = string(names="intent")
_STEP = string(names="step")
_C3 = string(pattern="[a-z]+(-[a-z]+)*")

SCHEMA_REF = object_of(
    Field("file", string(names="schema file"), lambda: _("The schema file, looked for in the schema folders"), "run"),
    Field("schema", string(names="schema"), lambda: _("The schema’s name in that file, or a pointer to it"), "run"),
)

GATE = object_of(
    Field("allowedIntents", list_of(_INTENT), lambda: _("The intents that the step may emit"), "load"),
    Field(
        "intentSchemaRef",
        string(pattern="#/.*"),
        lambda: _("Pointer to the enum of intents inside the output schema; begins with #/"),
        "load",
        formats=_CLOSING,
    ),
    Field("intentField", STRING, lambda: _("Dotted path to the intent in the answer"), "load"),
    Field("targetField", STRING, lambda: _("Dotted path to the step that a jump goes to, in the answer")),
    Field("handoffFields", list_of(STRING), lambda: _("Dotted paths of what is handed to the next steps"), default=[]),
    Field(
        "targetMode",
        choice("explicit", "dynamic", "conditional"),
        lambda: _("How the target of a jump is meant; no runner reads it"),
    ),
    Field(
        "failFast",
        BOOLEAN,
        lambda: _("Stop the run with an error at an answer without a usable intent"),
        default=True,
        formats=_CLOSING,
    ),
    Field("fallbackIntent", _INTENT, lambda: _("The intent taken instead where failFast is false")),
)

_FALLBACK = Field("fallback", _STEP, lambda: _("A spare target; the runner never uses it"))
TARGET = object_of(
    Field("target", string(names="step", nullable=True), lambda: _("The step to go to; null ends the flow"), "run"),
    _FALLBACK,
    OWN_FIELD,
)
CONDITIONAL = object_of(
    Field("condition", STRING, lambda: _("The handed-off key whose value chooses the target"), "run"),
    Field(
        "targets",
        map_of(string(names="step", nullable=True)),
        lambda: _("Value → step; “default” is taken where none fits"),
        "run",
    ),
    _FALLBACK,
    OWN_FIELD,
)
TRANSITION = Shape("either", either=(TARGET, CONDITIONAL))

INPUT = object_of(
    Field("from", STRING, lambda: _("Where the value comes from: step id, a dot, the handed-off key")),
    Field("default", ANY, lambda: _("The value taken where there is none")),
    Field("required", BOOLEAN, lambda: _("End the run where there is no value"), default=False),
)

SUBPROCESS = object_of(
    Field("command", STRING, lambda: _("The program that runs in place of the model"), "run"),
    Field("args", list_of(STRING), lambda: _("Its arguments; ${context.key} is filled in")),
    Field("timeout", Shape("integer", least=1), lambda: _("How long it may take, in milliseconds"), default=30000),
)


def _needed_when_nested(field: Field) -> tuple[Field, Field]:
    """A field that climpt 1.14 doesn't load without, and earlier ones only ask for on request, or give a default."""
    return field._replace(formats=_UNNESTED), field._replace(need="load", default=None, formats=_NESTED)


ADDRESS = object_of(
    Field("c1", STRING, lambda: _("First part of the prompt’s path; the registry’s own is read in its place"), "load"),
    Field("c2", STRING, lambda: _("Second part of the prompt’s path: the phase"), "load"),
    Field("c3", _C3, lambda: _("Third part of the prompt’s path: the topic"), "load"),
    Field("edition", STRING, lambda: _("Edition of the prompt, as in f_{edition}.md"), "load"),
    Field("adaptation", STRING, lambda: _("Adaptation of the prompt, as in f_{edition}_{adaptation}.md")),
)

STEP = object_of(
    *_needed_when_nested(Field("stepId", STRING, lambda: _("The step’s id: the same as its key"), "validate")),
    *_needed_when_nested(Field("name", STRING, lambda: _("Display name"), "validate")),
    Field("description", STRING, lambda: _("What the step is for")),
    Field("type", choice("prompt"), lambda: _("Type of the step; always “prompt”")),
    Field(
        "stepKind",
        _KIND,
        lambda: _("What the step does, and so which intents it may emit; else taken from c2"),
        formats=("closing", "c3l", "entry-pair"),
    ),
    Field("kind", _KIND, lambda: _("What the step does, and so which intents it may emit"), "load", formats=_NESTED),
    Field("address", ADDRESS, lambda: _("The parts of the prompt’s path"), "load", formats=_NESTED),
    *(field._replace(formats=_FLAT, need="validate") for field in ADDRESS.fields[1:4]),
    ADDRESS.fields[4]._replace(formats=_FLAT),
    Field("promptPath", STRING, lambda: _("The prompt’s path below the prompts folder"), formats=("prompt-path",)),
    Field(
        "fallbackKey",
        string(pattern="[a-z][a-z0-9]*(_[a-z0-9]+)*"),
        lambda: _("Key of the built-in prompt used where the prompt file is missing"),
        "validate",
        formats=_BASES,
    ),
    *_needed_when_nested(
        Field(
            "uvVariables", list_of(string(names="variable")), lambda: _("Variables that the prompt needs"), default=[]
        )
    ),
    *_needed_when_nested(Field("usesStdin", BOOLEAN, lambda: _("Pass the input text to the prompt"), default=False)),
    Field(
        "adaptationChain",
        list_of(string(pattern=CHAIN_ELEMENT)),
        lambda: _("The prompt’s adaptations when the step repeats: one for each repeat that is allowed in a row"),
        default=list(DEFAULT_CHAIN),
        formats=_NESTED,
    ),
    Field("model", _MODEL, lambda: _("Model of the step; else the flow’s default")),
    Field("permissionMode", _MODE, lambda: _("Permission mode of the step; else its kind’s, then the agent’s")),
    Field("outputSchemaRef", SCHEMA_REF, lambda: _("The schema that the answer has to follow"), "load"),
    Field("structuredGate", GATE, lambda: _("How the answer becomes an intent"), "load"),
    Field("transitions", map_of(TRANSITION, names="intent"), lambda: _("Intent → where it goes"), "load"),
    Field("inputs", map_of(INPUT), lambda: _("Values handed off by other steps")),
    Field("validationSteps", list_of(STRING), lambda: _("Validation steps that run before the step closes")),
    Field("runner", SUBPROCESS, lambda: _("A program that a closure step runs in place of the model")),
    Field("condition", STRING, lambda: _("When the section is used")),
    Field("priority", Shape("integer"), lambda: _("Order among the sections")),
    Field("schemaRef", STRING, lambda: _("A schema of the answer, by an older name")),
    Field("context", ANY, lambda: _("Settings of the step for its project")),
    Field("retry", ANY, lambda: _("Attempts and conditions of the step; no runner reads them"), formats=_NESTED),
    OWN_FIELD,
)

PATTERN = object_of(
    Field("description", STRING, lambda: _("What failed, in words"), "validate"),
    Field("edition", STRING, lambda: _("Edition of the retry prompt"), "validate"),
    Field("adaptation", STRING, lambda: _("Adaptation of the retry prompt")),
    Field("params", list_of(STRING), lambda: _("Values that the retry prompt uses"), default=[]),
    Field("semanticMatch", list_of(STRING), lambda: _("Words of an error text by which the pattern is found")),
    Field("recoverableByDefault", BOOLEAN, lambda: _("Set if a retry makes sense")),
)

VALIDATOR = object_of(
    Field("type", choice("command", "file", "custom", "semantic"), lambda: _("Kind of check"), "validate"),
    Field("command", STRING, lambda: _("The shell command that checks"), "run"),
    Field("path", STRING, lambda: _("The file that must exist")),
    Field(
        "successWhen",
        string(pattern="empty|non-empty|exitCode:.*|contains:.*|matches:.*"),
        lambda: _("When the check passes: empty, exitCode:N, contains:text or matches:regex"),
        "run",
    ),
    Field(
        "failurePattern",
        string(names="failure pattern"),
        lambda: _("The failure pattern that chooses the retry prompt"),
        "validate",
    ),
    Field("extractParams", map_of(STRING), lambda: _("Value → the extractor that takes it from the output")),
    Field("phase", choice(*PHASES), lambda: _("When the check runs"), formats=("c3l", "entry-pair")),
    Field("phase", choice(*PHASES), lambda: _("When the check runs"), "validate", formats=_NESTED),
)

CONDITION = object_of(
    Field("validator", string(names="validator"), lambda: _("The validator to run"), "load"),
    Field("params", map_of(ANY), lambda: _("Values for the validator’s command")),
)

ON_FAILURE = object_of(
    Field(
        "action",
        choice(*ON_FAILURE_ACTIONS),
        lambda: _("What to do when a check fails"),
        "validate",
        "retry",
        formats=_UNNESTED,
    ),
    Field(
        "action",
        choice(*ON_FAILURE_ACTIONS_ADDRESSED),
        lambda: _("What to do when a check fails"),
        "validate",
        "retry",
        formats=_NESTED,
    ),
    Field("maxAttempts", Shape("integer", least=1), lambda: _("How often at most"), default=DEFAULT_ATTEMPTS),
)

_CONDITIONS = list_of(CONDITION)
_BY_PHASE: tuple[tuple[Need, tuple[str, ...]], ...] = (("no", ("c3l", "entry-pair")), ("validate", _NESTED))


def _before() -> str:
    return _("Checks that run before the model is asked")


def _after() -> str:
    return _("Checks that run after the model answered")


VALIDATION_STEP = object_of(
    Field("stepId", STRING, lambda: _("The step’s id: the same as its key"), "validate"),
    Field("name", STRING, lambda: _("Display name"), "validate"),
    Field("description", STRING, lambda: _("What the step is for")),
    Field("c2", STRING, lambda: _("Second part of the retry prompt’s path"), "validate", formats=_UNNESTED),
    Field("c3", _C3, lambda: _("Third part of the retry prompt’s path"), "validate", formats=_UNNESTED),
    Field("c2", STRING, lambda: _("Second part of the retry prompt’s path"), formats=_NESTED),
    Field("c3", _C3, lambda: _("Third part of the retry prompt’s path"), formats=_NESTED),
    Field("address", ADDRESS, lambda: _("The parts of the prompt’s path"), formats=_NESTED),
    Field(
        "validationConditions",
        _CONDITIONS,
        lambda: _("Checks that run before the flow closes, in order"),
        formats=_UNNESTED,
    ),
    Field(
        "completionConditions",
        _CONDITIONS,
        lambda: _("Checks that run before the flow completes, in order"),
        formats=_OLDER,
        newer="validationConditions",
    ),
    *(
        Field(CONDITIONS_OF_PHASE["preflight"], _CONDITIONS, _before, need, formats=formats)
        for need, formats in _BY_PHASE
    ),
    *(Field(CONDITIONS_OF_PHASE["postllm"], _CONDITIONS, _after, need, formats=formats) for need, formats in _BY_PHASE),
    Field("onFailure", ON_FAILURE, lambda: _("What happens when a check fails")),
    Field("outputSchemaRef", SCHEMA_REF, lambda: _("The schema that the answer has to follow")),
    Field("outputSchema", ANY, lambda: _("A schema, written out here, that the answer has to follow")),
    Field("check", ANY, lambda: _("A check prompt with its outcomes, of an older form"), formats=("c3l-completion",)),
)

_ENTRY_PAIR = object_of(
    Field("initial", _STEP, lambda: _("The step a run begins with"), "load"),
    Field("continuation", _STEP, lambda: _("The step that later iterations go on with"), "load"),
)

REGISTRY = object_of(
    Field("$schema", STRING, lambda: _("The JSON Schema of this file, for editors")),
    Field("agentId", STRING, lambda: _("The agent’s name: the same as in agent.json"), "load"),
    Field("version", string(pattern=_SEMVER), lambda: _("Version of the registry, such as 1.0.0"), "load"),
    *_needed_when_nested(Field("c1", STRING, lambda: _("First part of the prompts’ paths"), "validate")),
    Field("userPromptsBase", STRING, lambda: _("Folder of the prompts, from the project root"), formats=_BASES),
    Field("schemasBase", STRING, lambda: _("Folder of the schemas, from the project root"), formats=_BASES),
    Field("pathTemplate", STRING, lambda: _("Path of a prompt that has an adaptation")),
    Field("pathTemplateNoAdaptation", STRING, lambda: _("Path of a prompt without an adaptation")),
    Field("entryStep", _STEP, lambda: _("The step a run begins with where the mapping has none")),
    Field(
        "entryStepMapping",
        map_of(_STEP, names="verdict"),
        lambda: _("Verdict type → the step a run begins with"),
        formats=tuple(known for known in _FLAT if known != "entry-pair"),
    ),
    Field(
        "entryStepMapping",
        map_of(Shape("either", either=(_ENTRY_PAIR, _STEP)), names="verdict"),
        lambda: _("Verdict type → the step a run begins with"),
        formats=("entry-pair",),
    ),
    Field(
        "entryStepMapping",
        map_of(_ENTRY_PAIR, names="verdict"),
        lambda: _("Verdict type → the step a run begins with"),
        formats=_NESTED,
    ),
    Field("failurePatterns", map_of(PATTERN), lambda: _("What can fail, and the retry prompt for it")),
    Field(
        "completionPatterns",
        map_of(PATTERN),
        lambda: _("What can fail, and the retry prompt for it"),
        formats=_OLDER,
        newer="failurePatterns",
    ),
    Field("validators", map_of(VALIDATOR), lambda: _("Checks by name")),
    Field("validationSteps", map_of(VALIDATION_STEP), lambda: _("Closure step → the checks that run before it closes")),
    Field(
        "completionSteps",
        map_of(VALIDATION_STEP),
        lambda: _("Closure step → the checks that run before it closes"),
        formats=_OLDER,
        newer="validationSteps",
    ),
    Field("flow", map_of(list_of(_STEP)), lambda: _("Task → its steps in order"), formats=("flow-array",)),
    Field("stepsV3", ANY, lambda: _("Steps in a trial form that no runner reads"), formats=("c3l-completion",)),
    Field("steps", map_of(STEP, names="step"), lambda: _("The steps by id"), "load"),
    OWN_FIELD,
)
