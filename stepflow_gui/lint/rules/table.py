"""The table of rules: where each one lives. A rule's module is loaded when it is asked for."""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from stepflow_gui.lint.rule import SHAPES, Finding, Rule

MODULES = {
    "SF001": "document.sf001_syntax_error",
    "SF002": "document.sf002_duplicate_key",
    "SF003": "document.sf003_encoding",
    "SF004": "document.sf004_schema_violation",
    "SF005": "document.sf005_unknown_key",
    "SF006": "document.sf006_version_not_semver",
    "SF007": "document.sf007_schema_url",
    "SF008": "document.sf008_format_unknown",
    "SF009": "document.sf009_legacy_key",
    "SF010": "document.sf010_mixed_formats",
    "SF011": "document.sf011_undocumented_shape",
    "SF091": "suppressing.sf091_suppression_unused",
    "SF092": "suppressing.sf092_suppression_expired",
    "SF093": "suppressing.sf093_suppression_without_reason",
    "SF094": "suppressing.sf094_suppression_malformed",
    "SF095": "suppressing.sf095_pattern_without_files",
    "SF101": "steps.sf101_step_id_mismatch",
    "SF102": "steps.sf102_step_id_form",
    "SF103": "steps.sf103_step_id_phase_mismatch",
    "SF104": "steps.sf104_step_kind_implicit",
    "SF105": "steps.sf105_step_kind_unknown",
    "SF106": "steps.sf106_c3_form",
    "SF107": "steps.sf107_step_incomplete",
    "SF108": "steps.sf108_section_in_flow",
    "SF109": "steps.sf109_model_unknown",
    "SF110": "steps.sf110_three_stages",
    "SF111": "steps.sf111_duplicate_step_name",
    "SF112": "steps.sf112_subprocess_runner",
    "SF113": "steps.sf113_permission_mode",
    "SF114": "steps.sf114_retry_unread",
    "SF201": "intents.sf201_enum_transition_mismatch",
    "SF202": "intents.sf202_enum_allowed_mismatch",
    "SF203": "intents.sf203_allowed_without_transition",
    "SF204": "intents.sf204_dead_transition",
    "SF205": "intents.sf205_intent_unknown",
    "SF206": "intents.sf206_intent_kind_mismatch",
    "SF207": "intents.sf207_alias_in_enum",
    "SF208": "intents.sf208_intent_schema_ref_form",
    "SF209": "intents.sf209_intent_schema_ref_dangling",
    "SF210": "intents.sf210_intent_field_mismatch",
    "SF211": "intents.sf211_intent_field_missing",
    "SF212": "intents.sf212_jump_without_target",
    "SF213": "intents.sf213_target_field_dangling",
    "SF214": "intents.sf214_handoff_field_dangling",
    "SF215": "intents.sf215_handoff_key_collision",
    "SF216": "intents.sf216_fallback_intent_dead",
    "SF217": "intents.sf217_fallback_intent_not_allowed",
    "SF218": "intents.sf218_fail_fast_off",
    "SF219": "intents.sf219_gate_empty",
    "SF220": "intents.sf220_step_id_bound_elsewhere",
    "SF221": "intents.sf221_intent_optional",
    "SF222": "intents.sf222_duplicate_intent",
    "SF223": "intents.sf223_abort_not_loadable",
    "SF224": "intents.sf224_intent_literal",
    "SF225": "intents.sf225_closure_field",
    "SF226": "intents.sf226_handoff_field_optional",
    "SF227": "intents.sf227_fallback_into_closure",
    "SF228": "intents.sf228_handoff_undeclared",
    "SF229": "intents.sf229_target_mode_unread",
    "SF230": "intents.sf230_repeat_once",
    "SF231": "intents.sf231_chain_form",
    "SF232": "intents.sf232_chain_unused",
    "SF301": "flow.sf301_target_unknown",
    "SF302": "flow.sf302_unreachable_step",
    "SF303": "flow.sf303_no_way_out",
    "SF304": "flow.sf304_trap",
    "SF305": "flow.sf305_next_to_self",
    "SF306": "flow.sf306_null_target",
    "SF307": "flow.sf307_closing_target_ignored",
    "SF308": "flow.sf308_handoff_not_closure",
    "SF309": "flow.sf309_handoff_from_initial",
    "SF310": "flow.sf310_escalate_target",
    "SF311": "flow.sf311_repeat_target_ignored",
    "SF312": "flow.sf312_condition_without_default",
    "SF313": "flow.sf313_condition_key_missing",
    "SF314": "flow.sf314_condition_values",
    "SF315": "flow.sf315_condition_ignored",
    "SF316": "flow.sf316_transition_fallback_ignored",
    "SF317": "flow.sf317_kind_boundary",
    "SF318": "flow.sf318_complete_target",
    "SF319": "flow.sf319_section_targeted",
    "SF320": "flow.sf320_conditional_null",
    "SF321": "flow.sf321_no_continuation",
    "SF322": "flow.sf322_no_closure_step",
    "SF401": "entry.sf401_entry_missing",
    "SF402": "entry.sf402_entry_unknown",
    "SF403": "entry.sf403_verdict_type_unknown",
    "SF404": "entry.sf404_verdict_unmapped",
    "SF405": "entry.sf405_entry_not_initial",
    "SF406": "entry.sf406_mapping_unused",
    "SF407": "entry.sf407_entry_value_shape",
    "SF408": "entry.sf408_entry_step_dead",
    "SF501": "prompts.sf501_fallback_key_form",
    "SF502": "prompts.sf502_fallback_key_unknown",
    "SF503": "prompts.sf503_fallback_key_missing",
    "SF504": "prompts.sf504_fallback_key_dropped",
    "SF505": "prompts.sf505_fallback_key_phase",
    "SF506": "prompts.sf506_prompt_missing",
    "SF507": "prompts.sf507_path_template",
    "SF508": "prompts.sf508_variable_undeclared",
    "SF509": "prompts.sf509_variable_unused",
    "SF510": "prompts.sf510_variable_unsourced",
    "SF511": "prompts.sf511_variable_may_be_empty",
    "SF512": "prompts.sf512_stdin_mismatch",
    "SF513": "prompts.sf513_orphan_prompt",
    "SF514": "prompts.sf514_breakdown_config",
    "SF515": "prompts.sf515_adaptation_prompt_missing",
    "SF516": "prompts.sf516_address_c1",
    "SF517": "prompts.sf517_closure_only_prompt",
    "SF601": "validators.sf601_validator_unknown",
    "SF602": "validators.sf602_failure_pattern_unknown",
    "SF603": "validators.sf603_success_when_form",
    "SF604": "validators.sf604_validation_step_key",
    "SF605": "validators.sf605_validation_unused",
    "SF606": "validators.sf606_params_mismatch",
    "SF607": "validators.sf607_extractor_unknown",
    "SF608": "validators.sf608_failure_prompt_missing",
    "SF609": "validators.sf609_retry_unbounded",
    "SF610": "validators.sf610_on_failure_action",
    "SF611": "validators.sf611_validation_step_dead",
    "SF612": "validators.sf612_max_attempts_one",
    "SF613": "validators.sf613_validator_phase",
    "SF614": "validators.sf614_retry_address_unread",
    "SF615": "validators.sf615_extract_params_missing",
    "SF701": "schemas.sf701_schema_file_missing",
    "SF702": "schemas.sf702_schema_name_missing",
    "SF703": "schemas.sf703_schema_invalid",
    "SF704": "schemas.sf704_ref_dangling",
    "SF705": "schemas.sf705_ref_cycle",
    "SF706": "schemas.sf706_remote_ref",
    "SF707": "schemas.sf707_path_escape",
    "SF708": "schemas.sf708_not_strict",
    "SF709": "schemas.sf709_ref_twice",
    "SF710": "schemas.sf710_schema_misspelt",
    "SF801": "agent.sf801_agent_required",
    "SF802": "agent.sf802_verdict_type",
    "SF803": "agent.sf803_verdict_config",
    "SF804": "agent.sf804_legacy_layout",
    "SF805": "agent.sf805_boundary",
    "SF806": "agent.sf806_parameter_flag",
    "SF807": "agent.sf807_path_missing",
    "SF808": "agent.sf808_agent_id_mismatch",
    "SF809": "agent.sf809_unsafe_permissions",
    "SF810": "agent.sf810_finalize_conflict",
    "SF811": "agent.sf811_labels_conflict",
    "SF812": "agent.sf812_graph_verdict",
    "SF813": "agent.sf813_limit_meaning",
    "SF814": "agent.sf814_tool_unknown",
    "SF815": "agent.sf815_too_few_iterations",
    "SF816": "agent.sf816_single_iteration_repeat",
    "SF817": "agent.sf817_settings_missing",
    "SF901": "checks.sf901_hash_id_form",
    "SF902": "checks.sf902_check_missing",
    "SF903": "checks.sf903_outcome_empty",
    "SF904": "checks.sf904_outcome_conflict",
    "SF905": "checks.sf905_iterations",
    "SF906": "checks.sf906_retries",
    "SF907": "checks.sf907_response_format",
    "SF908": "checks.sf908_prompt_reference",
    "SF909": "checks.sf909_budget",
    "SF910": "checks.sf910_retries_end_in_success",
    "SF911": "checks.sf911_iterations_unread",
    "T001": "takt.t001_piece_required",
    "T002": "takt.t002_initial_unknown",
    "T003": "takt.t003_movement_duplicate",
    "T004": "takt.t004_next_unknown",
    "T005": "takt.t005_next_missing",
    "T006": "takt.t006_substep_next_ignored",
    "T007": "takt.t007_rules_empty",
    "T008": "takt.t008_condition_syntax",
    "T009": "takt.t009_aggregate_outside_parallel",
    "T010": "takt.t010_aggregate_unknown_text",
    "T011": "takt.t011_aggregate_arity",
    "T012": "takt.t012_aggregate_gap",
    "T013": "takt.t013_key_unknown",
    "T014": "takt.t014_section_file_missing",
    "T015": "takt.t015_section_unused",
    "T016": "takt.t016_instruction_twice",
    "T017": "takt.t017_template_variable",
    "T018": "takt.t018_loop_monitor",
    "T019": "takt.t019_previous_response",
    "T020": "takt.t020_movement_permission_mode",
    "T021": "takt.t021_output_contract",
    "T022": "takt.t022_condition_duplicate",
    "T023": "takt.t023_unmonitored_loop",
    "T024": "takt.t024_edit_missing",
    "T025": "takt.t025_unknown_key_dropped",
    "T026": "takt.t026_movement_name",
    "T027": "takt.t027_interactive_only_all",
    "T028": "takt.t028_step_kind",
    "T029": "takt.t029_return_misplaced",
    "T030": "takt.t030_runtime_refuses",
    "T031": "takt.t031_words_mixed",
    "T032": "takt.t032_call_fails",
    "T033": "takt.t033_rule_never_chosen",
}


# Rules and families of one or two formats, by the beginning of their codes: they aren't loaded for the others.
_OF_FORMATS = {
    ("complete",): ("SF110", "SF228", "SF318"),
    ("c3l", "adt-kind-address"): ("SF112", "SF225", "SF504"),
    ("adt-kind-address",): (
        *("SF114", "SF230", "SF231", "SF232", "SF322", "SF408"),
        *("SF516", "SF517", "SF613", "SF614", "SF817"),
    ),
    ("checks",): ("SF9",),
    ("takt",): ("T",),
}

OF_AGENTS = "SF8"  # how the codes begin that look at agent.json
_OF_REGISTRIES = ("steps.", "intents.", "flow.", "entry.", "prompts.", "validators.", "schemas.")
_OF_PIECES_TOO = frozenset(("SF109", "SF111", "SF301", "SF302", "SF303", "SF304", "SF402", "SF707"))
"""Of the families of registries, the rules that look at pieces as well: the others aren't loaded for them."""

# These speak about what is written for the linter itself, after all others. The catalogue's families leave SF09 free.
AFTERWARDS = frozenset({"SF091", "SF092", "SF093", "SF094", "SF095"})


class CheckedRule(NamedTuple):
    """A rule with its check. What `check` takes depends on what the rule looks at (`lint.rule.LooksAt`)."""

    rule: Rule
    check: Callable[..., Iterator[Finding]]


def name_of(code: str) -> str:
    """A rule's name, without loading it. Raises KeyError for a code that is none."""
    return MODULES[code].rpartition(".")[2].partition("_")[2].replace("_", "-")


def rule_module(code: str) -> ModuleType:
    """The module of a rule: its RULE, check, BAD, GOOD and docs. Raises KeyError for a code that is none."""
    return import_module(f"stepflow_gui.lint.rules.{MODULES[code]}")


@cache
def checked_rule(code: str) -> CheckedRule:
    """A rule by its code."""
    module = rule_module(code)
    return CheckedRule(module.RULE, module.check)


def rules_for(format_id: str | None, wanted: Callable[[str], bool] | None = None) -> list[CheckedRule]:
    """The rules that look at files of a format, in order of code; of them only those whose code is wanted."""
    codes = [code for code in codes_for(format_id) if wanted is None or wanted(code)]
    return [checked for code in codes if (checked := checked_rule(code)).rule.applies_to(format_id)]


def codes_for(format_id: str | None) -> list[str]:
    """The codes of the rules that may look at files of a format, without loading them."""
    like = SHAPES[format_id].like if format_id in SHAPES else format_id
    others = tuple(code for only, codes in _OF_FORMATS.items() if not {format_id, like} & {*only} for code in codes)
    codes = [code for code in MODULES if not code.startswith(others) and code not in AFTERWARDS]
    if format_id != "takt":
        return codes
    return [code for code in codes if not MODULES[code].startswith(_OF_REGISTRIES) or code in _OF_PIECES_TOO]
