"""Which of our rules finds what upstream calls by another name: error kinds of the data → codes.

Where we differ in severity the line gives the reason.
"""

# Upstream's structure check runs only under `--validate`: what it refuses is a warning, unless the guide forbids it.
STRUCTURE = {
    "missing_registry_string": {"SF004"},
    "steps_not_object": {"SF004"},
    "step_key_mismatch": {"SF101"},  # an error: the guide expects key and stepId to be the same
    "missing_string_field": {"SF004"},
    "c3_not_kebab": {"SF106"},  # an error where no fallbackKey can save the run
    "uv_variables_not_array": {"SF004"},
    "uses_stdin_not_boolean": {"SF004"},
    "gate_without_transitions": {"SF107"},  # an error: a run refuses it as well
    "bad_permission_mode": {"SF113"},
}

# The loader refuses these, so all are errors.
KIND_INTENTS = {
    "intent_not_allowed_for_kind": {"SF205", "SF206", "SF207", "SF223", "SF224"},
    "fallback_intent_not_allowed_for_kind": {"SF205", "SF206", "SF207"},
}
FLOW_REQUIRED = {"flow_steps_missing": {"SF107"}}
INTENT_REF = {
    "intent_schema_ref_not_internal": {"SF208"},
    "missing_intent_schema_ref": {"SF208"},
}
ENUMS = {
    "schema_load_failed": {"SF701", "SF702", "SF704", "SF705", "SF706", "SF707", "SF709"},
    "intent_schema_ref_no_enum": {"SF209"},
    "intent_enum_mismatch": {"SF201", "SF202", "SF205", "SF206", "SF207", "SF223", "SF224"},
}

# What a run-time loader refuses a registry for, by upstream's code of the first thing it finds.
LOADS = {
    "SR-ENTRY-001": {"SF401"},
    "SR-ENTRY-003": {"SF402", "SF407"},
    "SR-VALID-001": set().union(*KIND_INTENTS.values()),
    "SR-VALID-002": {"SF208", "SF211"},
    "SR-VALID-003": set().union(*ENUMS.values()),
    "SR-GATE-003": {"SF107"},
}

# The JSON Schema of upstream, which no run looks at: warnings, unless a type keeps the runner from going on.
JSON_SCHEMA = {
    "type": {"SF004", "SF401"},  # no mapping and no entryStep: no run can begin
    "required": {"SF004", "SF503"},
    "enum": {"SF004", "SF109", "SF205", "SF207", "SF229"},
    "pattern": {"SF006"},
    "minimum": {"SF004"},
    "oneOf": {"SF004", "SF320"},
}

# What the loader reports about entries, by its own codes.
LOADING = {
    "SR-ENTRY-001": {"SF401"},
    "SR-ENTRY-002": {"SF402", "SF004"},
    "SR-ENTRY-003": {"SF402", "SF407"},
}

# Upstream's flow linter, which no run looks at.
FLOW = {
    "dangling_target": {"SF301"},  # a warning where the runner never follows it: closing, repeat, abort
    "transition_not_allowed_for_kind": {"SF205", "SF206", "SF223"},  # a warning: it is never followed
    "intent_without_transition": {"SF201", "SF203", "SF310"},
    "escalate_transition_wrong_kind": {"SF206"},  # a warning: it is never followed
    "escalate_allowed_wrong_kind": {"SF206"},
    "boundary_crossing": {"SF308", "SF317"},  # a warning: the run goes there anyway
    "orphan_flow_step": {"SF302"},  # a warning: what never runs breaks nothing
    "entry_no_closure": {"SF303"},
    "no_closure_reachable": {"SF303", "SF401", "SF402", "SF404", "SF407"},
    "cycle_no_closure": {"SF303", "SF304"},
    "orphan_steps": {"SF302"},
    "unknown_intent_key": {"SF205", "SF207"},
    "dead_transition": {"SF204", "SF205", "SF206"},
    "initial_handoff": {"SF309"},  # information: the guide's project pattern does it
    "next_self_loop": {"SF305"},  # silent on continuation steps: the guide's simple pattern does it
}

# Where one of these reports the cause, we don't report what follows from it.
CAUSES_IN_FLOW = {
    "orphan_flow_step": {"SF107", "SF203", "SF301", "SF402", "SF407"},
    "orphan_steps": {"SF107", "SF203", "SF301", "SF402", "SF407"},
    "entry_no_closure": {"SF203", "SF301", "SF306"},
    "no_closure_reachable": {"SF203", "SF301", "SF306"},
    "cycle_no_closure": {"SF203", "SF301", "SF302", "SF306", "SF402"},
    "boundary_crossing": {"SF204", "SF315", "SF316"},
    "initial_handoff": {"SF203", "SF204", "SF301", "SF306", "SF315"},
}

# The cross-reference check of upstream's flow linter.
CROSS_REFERENCES = {
    "entry_unknown_step": {"SF402", "SF407"},
    "target_unknown_step": {"SF301"},
    "conditional_target_unknown_step": {"SF301"},
    "fallback_unknown_step": {"SF301"},  # a warning: no run looks at it
    "unknown_validator": {"SF601"},
    "unknown_failure_pattern": {"SF602"},  # a warning: a run goes on with a general retry prompt
}

# Upstream's linter of variables and inputs, which no run looks at: warnings, though a run that gets there stops.
VARIABLES = {
    "uv_no_source": {"SF510"},
    "uv_continuation_only_in_initial": {"SF510"},
    "uv_optional_parameter_without_default": {"SF510"},  # information: a run that is given the parameter has it
    "continuation_missing": set(),  # nothing asks for a pair
    "uv_prefix_mismatch": set(),  # steps of a pair may well need other variables
}
INPUTS = {
    "input_source_unknown": {"SF510"},
    "input_source_no_gate": {"SF510"},
    "input_source_no_handoff_fields": {"SF510"},
    "input_source_empty_handoff_fields": {"SF510"},
    "input_key_not_handed_off": {"SF510"},
}

# The runner's own check of agent.json. Its errors are ours, its warnings ours or less.
AGENT = {
    "not_an_object": {"SF004"},
    "missing_field": {"SF801"},
    "required": {"SF801", "SF004"},
    "legacy_format": {"SF804"},  # a warning: the flat layout is read as what it is, and can be moved
    "name_type": {"SF004"},
    "name_format": {"SF004"},
    "version_type": {"SF004"},
    "version_format": {"SF006"},
    "verdict_type_invalid": {"SF004", "SF802"},
    "verdict_config_required": {"SF803"},
    "verdict_config_not_positive": {"SF803"},
    "type": {"SF004"},
    "enum": {"SF805"},  # of resourceType and operator too, which only the guide and the JSON Schema limit
    "param_missing_cli": {"SF806"},
    "param_cli_prefix": {"SF806"},
    "param_missing_type": {"SF801"},
    "param_default_type": {"SF806"},
    "param_duplicate_cli": {"SF806"},
    "unknown_top_level": {"SF005", "SF804"},
    "param_missing_description": {"SF801"},
    "param_required_with_default": {"SF806"},
}
