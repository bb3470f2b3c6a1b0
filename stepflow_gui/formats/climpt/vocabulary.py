"""The words of climpt registries: kinds, intents, aliases, verdict types (seed 000, runtime-semantics 1 and 5)."""

INTENTS = ("next", "repeat", "jump", "closing", "abort", "escalate", "handoff")
INTENTS_ADDRESSED = tuple(intent for intent in INTENTS if intent != "abort")  # of steps with kind and address
INTENTS_COMPLETE = ("next", "repeat", "jump", "complete", "abort")

KIND_OF_C2 = {"initial": "work", "continuation": "work", "verification": "verification", "closure": "closure"}
INTENTS_OF_KIND = {
    "work": ("next", "repeat", "jump", "handoff"),
    "verification": ("next", "repeat", "jump", "escalate"),
    "closure": ("closing", "repeat"),
}

ALIASES = {
    "continue": "next",
    "pass": "next",
    "retry": "repeat",
    "wait": "repeat",
    "fail": "repeat",
    "done": "closing",
    "finished": "closing",
}
ALIASES_COMPLETE = {
    "continue": "next",
    "pass": "next",
    "retry": "repeat",
    "wait": "repeat",
    "fail": "repeat",
    "done": "complete",
    "finished": "complete",
    "escalate": "abort",
}

VERDICT_TYPES = (
    "poll:state",
    "count:iteration",
    "count:check",
    "detect:keyword",
    "detect:structured",
    "detect:graph",
    "meta:composite",
    "meta:custom",
)

OLDER_VERDICT_TYPES = {
    "externalState": "poll:state",
    "issue": "poll:state",
    "project": "poll:state",
    "iterationBudget": "count:iteration",
    "iterate": "count:iteration",
    "checkBudget": "count:check",
    "keywordSignal": "detect:keyword",
    "keyword": "detect:keyword",
    "manual": "detect:keyword",
    "structuredSignal": "detect:structured",
    "stepMachine": "detect:graph",
    "stepFlow": "detect:graph",
    "composite": "meta:composite",
    "custom": "meta:custom",
}
"""Names of verdict types before they had the form category:variant -> today's."""

VALIDATION_STEP_OF_VERDICT = {
    "poll:state": "closure.polling",
    "count:iteration": "closure.iteration",
    "count:check": "closure.check",
    "detect:keyword": "closure.keyword",
    "detect:structured": "closure.structured",
    "detect:graph": "closure.graph",
    "meta:composite": "closure.composite",
    "meta:custom": "closure.custom",
}

MODELS = ("sonnet", "opus", "haiku")
PERMISSION_MODES = ("default", "plan", "acceptEdits", "bypassPermissions")

RUNTIME_VARIABLES = (
    "iteration",
    "completed_iterations",
    "completion_keyword",
    "max_iterations",
    "remaining",
    "previous_summary",
    "check_count",
    "max_checks",
)
LATER_VARIABLES = ("completed_iterations", "previous_summary")
"""Those of the runtime's variables that a run has from its second iteration on only."""
VERDICT_VARIABLES = {"poll:state": ("issue", "repository")}
"""What the runtime gives besides under a verdict type."""
HANDLER_VARIABLES = {
    "poll:state": ("issue", "issue_number"),
    "count:iteration": ("max_iterations",),
    "count:check": ("max_checks",),
}
HANDLER_VARIABLES_LATER = ("iteration", "previous_summary")
"""What the handler of a verdict type gives to the prompts that it makes in 2026-03-14; later ones have two more."""
SECTION_VARIABLES = ("project_number", "project_title", "label_info", "current_index", "total_issues")
"""What a `section.*` step may use besides: facts about the project to which the agent's issue belongs."""

CLOSURE_ACTIONS = ("close", "label-only", "label-and-close")
"""What becomes of an issue at the end. Other actions than the first show a prompt of that adaptation."""

ON_FAILURE_ACTIONS = ("retry", "abort", "skip")
ON_FAILURE_ACTIONS_ADDRESSED = ("retry", "skip")  # of steps with kind and address
PHASES = ("preflight", "postllm")  # of a validator: before and after the model is asked
CONDITIONS_OF_PHASE = {"preflight": "preflightConditions", "postllm": "postLLMConditions"}

DEFAULT_CHAIN = ("default",)  # of a step that declares no adaptationChain: one repeat
CHAIN_ELEMENT = r"[A-Za-z0-9._-]+"
DEFAULT_ATTEMPTS = 3  # of onFailure, where maxAttempts isn't set

SUCCESS_WHEN = ("empty", "exitCode:", "contains:", "matches:")
"""How a validator can detect success; those that end in a colon need a number, a text or a regular expression."""

EXTRACTORS = (
    "parseChangedFiles",
    "parseUntrackedFiles",
    "parseStagedFiles",
    "parseUnstagedFiles",
    "parseTestOutput",
    "failedTests",
    "errorOutput",
    "parseTypeErrors",
    "errors",
    "extractFiles",
    "files",
    "parseLintErrors",
    "lintErrors",
    "lintFiles",
    "parseFormatOutput",
    "formatFiles",
    "generateDiff",
    "diff",
    "stdout",
    "stderr",
    "exitCode",
    "missingPaths",
    "expectedPath",
)
"""What can be taken out of a validator's output (runtime-semantics 8); any other name gives null."""

FILE_PARAMS = ("missingFiles", "expectedPath")  # what a validator of type `file` gives by itself

GATE_FORMATS = ("closing", "c3l", "complete")
ROUTED_FORMATS = (*GATE_FORMATS, "adt-kind-address", "entry-pair", "transitions-only")
"""Those whose steps have `transitions`."""
REGISTRY_FORMATS = (
    "adt-kind-address",
    "prompt-path",
    "entry-pair",
    "flow-array",
    "checks",
    "complete",
    "closing",
    "c3l",
    "transitions-only",
    "c3l-completion",
    "c3l-flat",
    "gateless",
)


def intents_of(format_id: str) -> tuple[str, ...]:
    """The intents that a format knows."""
    return {"complete": INTENTS_COMPLETE, "adt-kind-address": INTENTS_ADDRESSED}.get(format_id, INTENTS)


def aliases_of(format_id: str) -> dict[str, str]:
    """The words that a format's gate takes for an intent."""
    return ALIASES_COMPLETE if format_id == "complete" else ALIASES


def kinds_emitting(intent: str) -> list[str]:
    """The step kinds that may emit an intent; none for `abort`, which is in no kind's list."""
    return [kind for kind, intents in INTENTS_OF_KIND.items() if intent in intents]
