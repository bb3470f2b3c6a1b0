"""The fields of TAKT pieces and workflows: one table for rules, forms, completion and help (takt.md 2, 3, 8, 10, 13).

`formats` and the id that a table is asked with are the notations of `eras`: piece and workflow.
"""

from collections.abc import Callable

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
from stepflow_gui.formats.takt.newer_fields import (
    CONFIG,
    GATES,
    OF_STEP,
    OF_WORKFLOW,
    OLDER_REPORT,
    PROVIDER_OPTIONS,
    SELECTION,
)
from stepflow_gui.formats.takt.releases.table import VALUES
from stepflow_gui.messages import _
from stepflow_gui.text.json.tree import JsonValue

PIECE = ("piece",)
WORKFLOW = ("workflow",)
OTHER_RELEASES = ("other-releases",)  # neither of the two runtimes: known to the releases whose row has it alone

FILLED = string(pattern=r"[\s\S]+")
_STEP = string(pattern=r"[\s\S]+", names="step")
_COUNT = Shape("integer", least=1)
_PARAM = object_of(Field("$param", STRING, lambda: _("The parameter whose value is used here"), "load"))
_WORD = Shape("either", either=(STRING, _PARAM))
_WORDS = Shape("either", either=(STRING, list_of(STRING)))
_WORDS_OR_PARAMS = Shape("either", either=(STRING, list_of(_WORD), _PARAM))
_TEXTS = map_of(STRING)

WHEN = "when"
PERMISSIONS = ("readonly", "edit", "full")
PROVIDERS = ("claude", "codex", "mock")
SESSIONS = ("continue", "refresh")


def _in_both(
    piece: Shape, workflow: Shape, name: str, meaning: Callable[[], str], need: Need = "no"
) -> tuple[Field, ...]:
    """A field whose shape differs between the eras."""
    return Field(name, piece, meaning, need, formats=PIECE), Field(name, workflow, meaning, need, formats=WORKFLOW)


def _condition_or_expression(rule: Shape, value: JsonValue) -> Shape:
    """A rule with an expression of its own, where its release reads one, has no condition."""
    instead = isinstance(value, dict) and WHEN in value and "condition" not in value
    if not instead or all(field.name != WHEN or field.formats for field in rule.fields):
        return rule
    return rule._replace(fields=tuple(field for field in rule.fields if field.name != "condition"))


RULE = object_of(
    Field("condition", FILLED, lambda: _("When the rule holds: a text, or ai(), all() or any() around texts"), "load"),
    Field(
        WHEN, FILLED, lambda: _("When the rule holds: an expression over the workflow’s state"), formats=OTHER_RELEASES
    ),
    Field("next", _STEP, lambda: _("Where the run goes on: a movement, COMPLETE or ABORT")),
    Field("return", STRING, lambda: _("The result that the calling workflow gets"), formats=WORKFLOW),
    Field("appendix", STRING, lambda: _("What the judge is asked to add when it chooses this rule")),
    Field(
        "requires_user_input",
        BOOLEAN,
        lambda: _("Ask the user, then run the movement again"),
        default=False,
    ),
    Field("interactive_only", BOOLEAN, lambda: _("Use the rule only in interactive runs"), default=False),
    narrow=_condition_or_expression,
)
TRANSITION = object_of(
    Field(
        "condition",
        choice(*VALUES["transition.condition"]),
        lambda: _("For which status the transition is; always: for any"),
        "load",
    ),
    Field("next_step", _STEP, lambda: _("Where the run goes on: a movement, COMPLETE or ABORT"), "load"),
)


def _labels_or_item(item: Shape, value: JsonValue) -> Shape:
    """Without a `name` a report's entry is a map of labels to file names."""
    labels = isinstance(value, dict) and bool(value) and "name" not in value
    return map_of(STRING) if labels else item


REPORT = object_of(
    Field("name", STRING, lambda: _("The report’s file name"), "load", formats=WORKFLOW),
    Field("name", STRING, lambda: _("The report’s file name"), formats=PIECE),
    Field(
        "format",
        STRING,
        lambda: _("What the report looks like: an entry of report_formats, a path or a text"),
        formats=PIECE,
    ),
    Field(
        "format",
        _WORD,
        lambda: _("What the report looks like: an entry of report_formats, a path or a text"),
        "load",
        formats=WORKFLOW,
    ),
    *_in_both(STRING, _WORD, "order", lambda: _("What comes before the instruction for the report")),
    Field("use_judge", BOOLEAN, lambda: _("Let the judge read the report"), default=True),
    others=STRING,
    narrow=_labels_or_item,
)
_OLDER_REPORT = Shape("either", either=(STRING, list_of(_TEXTS), OLDER_REPORT))
CONTRACTS = object_of(
    Field("report", list_of(REPORT), lambda: _("The reports that the movement writes")),
)


def _own() -> tuple[Field, ...]:
    """The fields that movements and their sub-steps have alike."""
    return (
        *_in_both(STRING, _WORD, "persona", lambda: _("Who works: an entry of personas, a path or a text")),
        Field("persona_name", STRING, lambda: _("The persona’s display name")),
        Field("agent", STRING, lambda: _("Who works: the agent’s name, a path or a text"), formats=OTHER_RELEASES),
        Field("agent_name", STRING, lambda: _("The agent’s display name"), formats=OTHER_RELEASES),
        Field(
            "policy", _WORDS, lambda: _("The policies to follow: entries of policies, paths or texts"), formats=PIECE
        ),
        Field(
            "policy",
            _WORDS_OR_PARAMS,
            lambda: _("The policies to follow: entries of policies, paths or texts"),
            formats=WORKFLOW,
        ),
        Field(
            "knowledge",
            _WORDS,
            lambda: _("What the persona knows: entries of knowledge, paths or texts"),
            formats=PIECE,
        ),
        Field(
            "knowledge",
            _WORDS_OR_PARAMS,
            lambda: _("What the persona knows: entries of knowledge, paths or texts"),
            formats=WORKFLOW,
        ),
        Field(
            "instruction",
            STRING,
            lambda: _("What is to be done: an entry of instructions, a path or a text"),
            formats=PIECE,
        ),
        Field(
            "instruction",
            _WORD,
            lambda: _("What is to be done: an entry of instructions, a path or a text"),
            formats=WORKFLOW,
        ),
        Field(
            "instruction_template",
            STRING,
            lambda: _("What is to be done, as a text with variables, or the path of one"),
            formats=PIECE,
        ),
        Field("edit", BOOLEAN, lambda: _("Allow or forbid editing files in the prompt; unset adds nothing")),
        Field("permission_mode", choice(*PERMISSIONS), lambda: _("What the agent may do to files"), formats=PIECE),
        Field(
            "required_permission_mode",
            choice(*PERMISSIONS),
            lambda: _("What the agent must at least be allowed to do"),
            formats=WORKFLOW,
        ),
        Field(
            "pass_previous_response",
            BOOLEAN,
            lambda: _("Pass on the previous movement’s output"),
            default=True,
        ),
        Field("allowed_tools", list_of(STRING), lambda: _("The tools that the agent may use"), formats=PIECE),
        Field("provider", choice(*PROVIDERS), lambda: _("The program that runs the agent"), formats=PIECE),
        Field("model", STRING, lambda: _("The model"), formats=PIECE),
        Field(
            "provider_options",
            PROVIDER_OPTIONS,
            lambda: _("Options of the provider, by its name"),
            formats=OTHER_RELEASES,
        ),
        Field("rules", list_of(RULE), lambda: _("Where the run goes on, the first rule that holds first")),
        Field("output_contracts", CONTRACTS, lambda: _("What the movement must write")),
        Field("report", _OLDER_REPORT, lambda: _("The reports that the movement writes"), formats=OTHER_RELEASES),
        Field(
            "quality_gates",
            list_of(STRING),
            lambda: _("What must hold before the movement is done; the agent is only told it"),
            formats=PIECE,
        ),
        Field(
            "quality_gates",
            GATES,
            lambda: _("What must hold before the movement is done; the agent is only told it"),
            formats=WORKFLOW,
        ),
    )


_PROMOTION = object_of(
    Field("at", _COUNT, lambda: _("A field of newer workflows")),
    closed=True,
)
TEAM_LEADER = object_of(
    *(
        Field(name, shape, lambda: _("A field of newer workflows"))
        for name, shape in (
            ("persona", _WORD),
            ("part_persona", _WORD),
            ("part_edit", BOOLEAN),
            ("part_permission_mode", choice(*PERMISSIONS)),
            ("part_allowed_tools", list_of(STRING)),
            ("part_tags", list_of(STRING)),
            ("max_parts", _COUNT),
            ("initial_max_parts", _COUNT),
            ("max_concurrency", _COUNT),
            ("timeout_ms", Shape("number")),
            ("refill_threshold", Shape("number")),
            ("fail_on_part_error", BOOLEAN),
        )
    ),
    others=ANY,
)
_SHAPES_OF_NEWER: dict[str, Shape] = {
    "session_key": Shape("either", either=(string(pattern=r"\s*\S[\s\S]*"), _PARAM)),
    "kind": choice("agent", "system", "workflow_call"),
    "mode": choice("system"),
    "tags": list_of(STRING),
    "allow_git_commit": BOOLEAN,
    "requires_user_input": BOOLEAN,
    "delay_before_ms": Shape("number"),
    "team_leader": TEAM_LEADER,
    **OF_STEP,
}
_NEWER_STEP = (
    Field("concurrency", _COUNT, lambda: _("How many sub-steps run at the same time at most"), formats=WORKFLOW),
    Field("promotion", list_of(_PROMOTION), lambda: _("A field of newer workflows"), formats=WORKFLOW),
    *(
        Field(name, _SHAPES_OF_NEWER.get(name, ANY), lambda: _("A field of newer workflows"), formats=WORKFLOW)
        for name in (
            *("session_key", "kind", "mode", "call", "args", "vars", "uses", "with", "tags", "allow_git_commit"),
            *("capabilities", "mcp", "mcp_servers", "companion", "completion_retry", "requires_user_input"),
            *("delay_before_ms", "structured_output", "system_inputs", "effects", "arpeggio"),
            *("team_leader", "dynamic_facets"),
        )
    ),
)

SUB = object_of(
    Field("name", FILLED, lambda: _("The sub-step’s name"), "load", formats=PIECE),
    Field("name", FILLED, lambda: _("The sub-step’s name"), formats=WORKFLOW),
    Field("description", STRING, lambda: _("What the movement is for"), formats=WORKFLOW),
    *_own(),
    Field(
        "session",
        choice(*SESSIONS),
        lambda: _("Continue the agent's session or start a new one"),
        formats=WORKFLOW,
    ),
    *_NEWER_STEP,
)

_CHOSEN = object_of(
    Field("fixed", list_of(SUB), lambda: _("Sub-steps that always run")),
    Field("pool", list_of(SUB), lambda: _("Sub-steps of which some are chosen for a run")),
    Field("selection", SELECTION, lambda: _("How they are chosen")),
)


def _listed_or_chosen(listed: Shape, value: JsonValue) -> Shape:
    """The sub-steps are a list, or chosen for a run."""
    return _CHOSEN if isinstance(value, dict) else listed


MOVEMENT = object_of(
    Field("name", FILLED, lambda: _("The movement’s name, which rules go to"), "load", formats=PIECE),
    Field("name", FILLED, lambda: _("The movement’s name, which rules go to"), formats=WORKFLOW),
    Field("description", STRING, lambda: _("What the movement is for")),
    Field(
        "transitions",
        list_of(TRANSITION),
        lambda: _("Where the run goes on, the first transition for the status first"),
        formats=OTHER_RELEASES,
    ),
    Field(
        "on_no_status",
        choice(*VALUES["step.on_no_status"]),
        lambda: _("What follows where the agent names no status"),
        formats=OTHER_RELEASES,
    ),
    Field(
        "status_rules_prompt",
        STRING,
        lambda: _("How the agent is told which statuses there are"),
        formats=OTHER_RELEASES,
    ),
    *_own(),
    Field(
        "session",
        choice(*SESSIONS),
        lambda: _("Continue the agent's session or start a new one"),
        default="continue",
        formats=PIECE,
    ),
    Field(
        "session",
        choice(*SESSIONS, "compact"),
        lambda: _("Continue the agent's session or start a new one"),
        formats=WORKFLOW,
    ),
    *_in_both(
        list_of(SUB),
        Shape("list", of=SUB, narrow=_listed_or_chosen),
        "parallel",
        lambda: _("Sub-steps that run at the same time"),
    ),
    *_NEWER_STEP,
)

JUDGE_RULE = object_of(
    Field("condition", FILLED, lambda: _("The verdict on the cycle"), "load"),
    Field("next", _STEP, lambda: _("Where the run goes on: a movement, COMPLETE or ABORT"), "load"),
)
JUDGE = object_of(
    Field("agent", STRING, lambda: _("Who judges: the agent’s name, a path or a text"), formats=OTHER_RELEASES),
    *(
        Field(each.name, each.shape, each.meaning, formats=OTHER_RELEASES)
        for each in MOVEMENT.fields
        if each.name in {"provider", "model", "provider_options", "session_key"}
    ),
    *_in_both(STRING, _WORD, "persona", lambda: _("Who judges: an entry of personas, a path or a text")),
    Field(
        "instruction_template",
        STRING,
        lambda: _("What the judge is asked, {cycle_count} being the count"),
        formats=PIECE,
    ),
    Field("instruction", _WORD, lambda: _("What the judge is asked, {cycle_count} being the count"), formats=WORKFLOW),
    Field(
        "rules",
        Shape("list", of=JUDGE_RULE, least=1),
        lambda: _("Where the run goes on instead, by the judge’s verdict"),
        "load",
    ),
)
MONITOR = object_of(
    Field(
        "cycle",
        Shape("list", of=_STEP, least=2),
        lambda: _("The movements that run one after the other, again and again"),
        "load",
    ),
    Field("threshold", _COUNT, lambda: _("After how many rounds the judge is asked"), default=3),
    Field("ignore_steps", list_of(STRING), lambda: _("Movements that don’t count between those"), formats=WORKFLOW),
    Field("judge", JUDGE, lambda: _("Who decides how the run leaves the cycle"), "load"),
)


_MAPS = {
    "personas": lambda: _("Personas by name: paths, from this file’s folder, or texts"),
    "policies": lambda: _("Policies by name: paths, from this file’s folder, or texts"),
    "knowledge": lambda: _("Knowledge by name: paths, from this file’s folder, or texts"),
    "instructions": lambda: _("Instructions by name: paths, from this file’s folder, or texts"),
    "report_formats": lambda: _("Report formats by name: paths, from this file’s folder, or texts"),
}
SECTIONS = tuple(_MAPS)
REFERENCES = {
    "persona": "personas",
    "policy": "policies",
    "knowledge": "knowledge",
    "instruction": "instructions",
    "format": "report_formats",
    "order": "report_formats",
}
"""The fields that name an entry, and the section map that has it."""

_LIMIT = Shape("either", either=(_COUNT, choice("infinite")))

PIECE_FILE = object_of(
    Field("name", FILLED, lambda: _("The piece’s name"), "load"),
    Field("description", STRING, lambda: _("What the piece is for")),
    Field("max_iterations", _COUNT, lambda: _("How many movements run at most"), default=10, formats=PIECE),
    Field("max_movements", _COUNT, lambda: _("How many movements run at most"), default=10, formats=OTHER_RELEASES),
    Field("max_steps", _LIMIT, lambda: _("How many steps run at most"), default=10, formats=WORKFLOW),
    Field("initial_movement", STRING, lambda: _("Where a run begins; else with the first movement"), formats=PIECE),
    Field("initial_step", STRING, lambda: _("Where a run begins; else with the first step"), formats=WORKFLOW),
    *(Field(name, _TEXTS, meaning) for name, meaning in _MAPS.items()),
    Field(
        "movements",
        Shape("list", of=MOVEMENT, least=1),
        lambda: _("The movements; the first is where a run begins"),
        "load",
        formats=PIECE,
    ),
    Field(
        "steps",
        Shape("list", of=MOVEMENT, least=1),
        lambda: _("The steps; the first is where a run begins"),
        "load",
        formats=WORKFLOW,
    ),
    Field("loop_monitors", list_of(MONITOR), lambda: _("Cycles that are watched, and what ends them")),
    Field(
        "interactive_mode",
        choice("assistant", "grill-me", "persona", "quiet", "passthrough"),
        lambda: _("How the user takes part before the run"),
        formats=WORKFLOW,
    ),
    Field("answer_agent", STRING, lambda: _("The agent that answers tool questions"), formats=PIECE),
    Field("piece_config", CONFIG, lambda: _("Settings that all movements share"), formats=OTHER_RELEASES),
    *(
        Field(name, OF_WORKFLOW.get(name, ANY), lambda: _("A field of newer workflows"), formats=WORKFLOW)
        for name in (
            *("subworkflow", "workflow_config", "capabilities", "mcp_servers", "schemas", "all_steps", "facet_pools"),
        )
    ),
)
