"""The eras a run can imitate: the guide's documents and seven upstream commits, with what differs between them as data.

Names are what users see; the differences are those of runtime-semantics 0, 0a, 5, 6, 8 and 17.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from stepflow_gui.flow.model import Step
from stepflow_gui.formats.checks.runners import CLIMPT_CHECKS, GUIDE_CHECKS, CheckRules
from stepflow_gui.formats.climpt.vocabulary import (
    ALIASES,
    ALIASES_COMPLETE,
    INTENTS,
    INTENTS_ADDRESSED,
    INTENTS_COMPLETE,
)
from stepflow_gui.messages import _


class Era(NamedTuple):
    """How answers are read and routed in one era."""

    name: str
    words: Mapping[str, str]  # lower-case word of an answer -> intent
    checks: CheckRules | None = None  # check / onPass / onFail in place of gate and router
    fail_fast: bool = True  # `failFast` is honoured; else the fallback chain always applies
    guessed_fields: tuple[str, ...] = ()  # where the intent is looked for without an `intentField`
    empty_field_is_absent: bool = False  # an empty or missing `intentField` counts as none given
    always_allowed: frozenset[str] = frozenset()  # intents that allowedIntents need not list
    kinds: bool = True  # a step's kind limits the intents that it may emit
    finishing: tuple[str, ...] = ("closing", "abort")  # intents that end without a look at the transitions
    visits_complete: bool = False  # `complete` goes to `complete.<domain>`, which runs before the end
    repeat: Literal["stays", "moves at c2 closure", "moves"] = "stays"
    null_ends: bool = False  # `target: null` ends the run; else it is an error for all but closing
    no_rule_ends: bool = False  # an intent without a rule and without a continuation ends the run
    null_case_ends: bool = False  # a case that is null ends the run; else it falls to `default`
    own_rules: bool = True  # handoff and escalate have routing of their own
    uniform_rules: bool = False  # handoff and escalate rules may be conditional or null as all others
    routing_code: str | None = None  # the one code of all routing errors; None: a code by kind
    fills_every_limit: bool = True  # an absent maxIterations is 10 for every verdict type, not only count:iteration
    checks_parameters: bool = False  # agent.json: a parameter's default fits its type, no flag appears twice
    needs_variables: bool = False
    """`uvVariables` and `usesStdin` are taken as they stand: a step without the first gets no prompt, and a text counts
    letter by letter. Else what is not a list counts as an empty one, and what is not a boolean as false."""
    plain_prompts: bool = True  # a missing prompt of an adaptation is replaced by that without one
    needs_prompts: bool = False  # a step of which nothing is known to be shown isn't asked; else it is, by hand
    spare_prompts: bool = False  # `fallbackKey` names a built-in prompt that replaces a missing file
    needs_system_prompt: bool = True  # a missing file stops the run; else a built-in text replaces it, or none is sent
    step_modes: bool = False  # a step's own `permissionMode` is read
    subprocesses: bool = False  # a closure step's `runner` is started in place of the model
    attempts: Literal["unread", "tries", "retries"] = "unread"  # what `onFailure.maxAttempts` counts
    stops_at_unknown_validator: bool = False  # else it is skipped, as if it had passed
    command_params: bool = False  # `params` of a condition are filled into the command
    validates_by_step: bool = False  # validationSteps are looked up by the closure step, before the verdict type
    refuses_cycles: bool = False  # a `$ref` met again is an error when loading; else an empty schema takes its place
    closure_loop: bool = False  # closure steps have a loop of their own, with neither gate nor router
    applies_inputs: bool = True  # a step's `inputs` become variables, named by step and key
    reports_summaries: bool = True  # every verdict handler sees each iteration; else only detect:graph and poll:state
    reports_iteration: bool = False  # count:iteration receives the iteration each time; else by a prompt that it builds
    keeps_verdict: bool = False  # an answer's `verdict` is reported at the end
    closing: Literal["trigger", "word", "procedure"] = "trigger"
    """When validators run: at a closing intent; at the word `closing` or `complete`; at all that a closure answers."""
    preflight: bool = False  # they run before the closure step is asked as well
    checks_format: bool = False  # a validation step's own `outputSchema` is held against the answer's text
    abort_succeeds: bool = False  # `abort` is an end like any other
    limit_succeeds: bool = False  # so is the limit of iterations
    needs_clean_run: bool = False  # an error during the run, or no text at all, makes a finished run a failure
    load_errors: Literal["reported", "stop", "dropped"] = "stop"  # what becomes of a registry that doesn't fit
    counts_in_prompts: bool = False  # those of iterations and checks are variables of work and verification steps
    missing_prompt_code: str = "PR-C3L-004"
    no_intent_code: str = "FAILED_STEP_ROUTING"
    handler_only: bool = False  # prompts are the verdict handler's alone
    limit_of_others: int | None = None  # of all verdict types but count:iteration, whatever the config sets
    refuses_other_ids: bool = False  # an answer under another stepId ends the run; else it is corrected
    entry_pairs: bool = False  # a run begins with the verdict's own pair of entryStepMapping, and nowhere else
    whole_check: bool = False  # all of a registry's structure is checked at each start, and the agent by Boot's rules
    repeats_along_chain: bool = False  # a repeat takes the next adaptation of the step; none left ends the run
    checks_by_phase: bool = False  # validation steps list what runs before and after the query each by itself
    aborts_on_failure: bool = True  # `abort` is an action of onFailure; else it means nothing
    settings_file: bool = False  # tools and mode are in a file of the project, without which nothing is asked
    strict_flow: bool = False  # each flow step has a gate and transitions, and no intent is made up after the first

    @property
    def has_complete(self) -> bool:
        """Whether `complete` is an intent, as in the flow design of that time."""
        return "complete" in self.words

    @property
    def checks_agent(self) -> bool:
        """Whether each start checks agent.json, and refuses one without `runner`; older versions knew no `runner`."""
        return self.kinds and self.load_errors != "reported"

    @property
    def reads_fallback_dir(self) -> bool:
        """Whether a prompt that is missing is looked for in agent.json's `fallbackDir`: climpt never does."""
        return self.checks.fallback_folder if self.checks is not None else self.closing == "trigger"

    def starts_program(self, step: Step) -> bool:
        """Whether a step runs a program in place of the model: no prompt, no gate, and its end is that of the run."""
        runner = step.raw.get("runner")
        named = runner.get("command") if isinstance(runner, dict) else None
        return self.subprocesses and step.kind == "closure" and isinstance(named, str) and bool(named)

    @property
    def gates(self) -> bool:
        """Whether answers are read by gates and led by transitions."""
        return self.checks is None


def _words(intents: tuple[str, ...], aliases: Mapping[str, str]) -> dict[str, str]:
    return {intent: intent for intent in intents} | dict(aliases)


_WORDS = _words(INTENTS, ALIASES)
_WORDS_COMPLETE = _words(INTENTS_COMPLETE, ALIASES_COMPLETE)

GUIDE = Era(
    "guide",
    _WORDS,
    needs_system_prompt=False,
    always_allowed=frozenset({"abort"}),
    repeat="moves",
    null_ends=True,
    null_case_ends=True,
    uniform_rules=True,
    fills_every_limit=False,
    checks_parameters=True,
    plain_prompts=False,
    spare_prompts=True,
    step_modes=True,
    subprocesses=True,
    attempts="retries",
    stops_at_unknown_validator=True,
    command_params=True,
    validates_by_step=True,
    refuses_cycles=True,
    reports_iteration=True,
    keeps_verdict=True,
    checks_format=True,
    load_errors="reported",
    counts_in_prompts=True,
)
CLIMPT_2026_04_20 = Era(
    "climpt-2026-04-20",
    _WORDS,
    checks_parameters=True,
    needs_prompts=True,
    step_modes=True,
    subprocesses=True,
    reports_iteration=True,
    keeps_verdict=True,
    attempts="tries",
    stops_at_unknown_validator=True,
    command_params=True,
    refuses_cycles=True,
    closure_loop=True,
    closing="procedure",
    preflight=True,
    checks_format=True,
    abort_succeeds=True,
    needs_clean_run=True,
    counts_in_prompts=True,
)
CLIMPT_1_14 = CLIMPT_2026_04_20._replace(
    name="climpt-1.14",
    words=_words(INTENTS_ADDRESSED, ALIASES),
    finishing=("closing",),
    entry_pairs=True,
    whole_check=True,
    repeats_along_chain=True,
    checks_by_phase=True,
    aborts_on_failure=False,
    settings_file=True,
    missing_prompt_code="PR-C3L-002",
)
CLIMPT_2026_04_08 = CLIMPT_2026_04_20._replace(
    name="climpt-2026-04-08",
    checks_parameters=False,
    needs_variables=True,
    step_modes=False,
    subprocesses=False,
    stops_at_unknown_validator=False,
    command_params=False,
    reports_iteration=False,
    keeps_verdict=False,
    preflight=False,
    checks_format=False,
    needs_clean_run=False,
)
CLIMPT_2026_04_01 = CLIMPT_2026_04_08._replace(
    name="climpt-2026-04-01", attempts="unread", missing_prompt_code="PR-C3L-002"
)
CLIMPT_2026_03_14 = Era(
    "climpt-2026-03-14",
    _WORDS,
    needs_system_prompt=False,
    empty_field_is_absent=True,
    repeat="moves at c2 closure",
    null_ends=True,
    no_rule_ends=True,
    routing_code="ROUTING_ERROR",
    needs_variables=True,
    needs_prompts=True,
    spare_prompts=True,
    applies_inputs=False,
    reports_summaries=False,
    closing="word",
    abort_succeeds=True,
    limit_succeeds=True,
    load_errors="dropped",
)
CLIMPT_2026_01_18 = Era(
    "climpt-2026-01-18",
    _WORDS_COMPLETE,
    needs_system_prompt=False,
    fail_fast=False,
    guessed_fields=("next_action.action", "intent", "action", "status", "next_action.type"),
    empty_field_is_absent=True,
    kinds=False,
    finishing=("complete", "abort"),
    null_ends=True,
    no_rule_ends=True,
    own_rules=False,
    routing_code="AGENT_QUERY_ERROR",
    no_intent_code="AGENT_QUERY_ERROR",
    handler_only=True,
    limit_of_others=20,
    refuses_other_ids=True,
    spare_prompts=True,
    applies_inputs=False,
    reports_summaries=False,
    closing="word",
    abort_succeeds=True,
    limit_succeeds=True,
    load_errors="dropped",
)
CLIMPT_2026_01_09 = Era(
    "climpt-2026-01-09",
    {},
    CLIMPT_CHECKS,
    plain_prompts=False,
    needs_prompts=True,
    needs_system_prompt=False,
    load_errors="reported",
    applies_inputs=False,
)

# The guide on a registry with checks (runtime-semantics 0a, 003).
_GUIDE_CHECKS = GUIDE._replace(
    words={}, checks=GUIDE_CHECKS, always_allowed=frozenset(), applies_inputs=False, subprocesses=False
)

# The guide on steps with kind and address, of which the documents don't speak: what is new there is as upstream has it.
_GUIDE_ADDRESSED = GUIDE._replace(
    words=CLIMPT_1_14.words,
    always_allowed=frozenset(),
    finishing=CLIMPT_1_14.finishing,
    repeat="stays",
    plain_prompts=True,
    preflight=True,
    repeats_along_chain=True,
    checks_by_phase=True,
    aborts_on_failure=False,
)

# The guide on a registry of the `complete` format (runtime-semantics 0a, 002).
_GUIDE_COMPLETE = CLIMPT_2026_01_18._replace(
    name="guide",
    always_allowed=frozenset({"abort"}),
    finishing=("abort",),
    visits_complete=True,
    strict_flow=True,
    repeat="moves",
    no_rule_ends=False,
    null_case_ends=True,
    routing_code=None,
    no_intent_code="FAILED_STEP_ROUTING",
    handler_only=False,
    limit_of_others=None,
    fills_every_limit=False,
    plain_prompts=False,
    checks_parameters=True,
    applies_inputs=True,
    reports_summaries=True,
    closing="trigger",
    abort_succeeds=False,
    limit_succeeds=False,
    load_errors="reported",
    step_modes=True,
    subprocesses=True,
    attempts="retries",
    stops_at_unknown_validator=True,
    command_params=True,
    validates_by_step=True,
    refuses_cycles=True,
    reports_iteration=True,
    keeps_verdict=True,
    checks_format=True,
    counts_in_prompts=True,
)

ERAS = {
    era.name: era
    for era in (
        GUIDE,
        CLIMPT_1_14,
        CLIMPT_2026_04_20,
        CLIMPT_2026_04_08,
        CLIMPT_2026_04_01,
        CLIMPT_2026_03_14,
        CLIMPT_2026_01_18,
        CLIMPT_2026_01_09,
    )
}  # the default first, then from new to old


PRE_RELEASES = frozenset({CLIMPT_1_14.name})  # which aren't released yet


def era_title(name: str) -> str:
    """An era's name as lists of eras show it."""
    return _("{era} (pre-release)").format(era=name) if name in PRE_RELEASES else name


OTHER_RUNNERS = "takt-"  # how the names of runners begin that know nothing of registries


def guide_for(format_id: str) -> Era:
    """The era `guide` as a registry of that format needs it."""
    return _GUIDES.get(format_id, GUIDE)


_GUIDES = {"complete": _GUIDE_COMPLETE, "checks": _GUIDE_CHECKS, "adt-kind-address": _GUIDE_ADDRESSED}
_OF_FORMAT = {
    "adt-kind-address": CLIMPT_1_14,
    "closing": CLIMPT_2026_03_14,
    **dict.fromkeys(("prompt-path", "flow-array", "c3l-flat", "c3l-completion"), CLIMPT_2026_03_14),
    "complete": CLIMPT_2026_01_18,
    "checks": CLIMPT_2026_01_09,
}


def era_for(format_id: str, runtime: str | None = None) -> Era:
    """The era that a registry of that format is judged by.

    `runtime` is an era's name, `guide` included; None takes the format's own: the last one that read it as it is
    written, for all others the newest released one; so does a runner of other files. Raises KeyError for a name that
    is none.
    """
    if runtime == GUIDE.name:
        return guide_for(format_id)
    if runtime is not None and not runtime.startswith(OTHER_RUNNERS):
        return ERAS[runtime]
    return _OF_FORMAT.get(format_id, CLIMPT_2026_04_20)
