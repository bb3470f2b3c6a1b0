"""Which fields stand together in the form of a step and in that of a registry."""

from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.gui.inspector.forms.form_fields import FormPart
from stepflow_gui.messages import _


def movement_parts() -> tuple[FormPart, ...]:
    """The parts of a movement's form, in the language in use."""
    return (
        FormPart(_("Identity"), ("name", "description", "kind", "mode", "uses", "call")),
        FormPart(
            _("Prompt"),
            (
                *("persona", "persona_name", "agent", "agent_name"),
                *("policy", "knowledge", "instruction", "instruction_template"),
            ),
        ),
        FormPart(_("Rules"), ("rules", "transitions", "on_no_status")),
        FormPart(_("Sub-steps"), ("parallel",)),
        FormPart(
            _("Model and permissions"),
            (
                *("edit", "permission_mode", "required_permission_mode", "allowed_tools"),
                *("session", "provider", "model", "provider_options"),
            ),
        ),
        FormPart(_("Reports"), ("output_contracts", "report")),
        FormPart(_("Quality gates"), ("quality_gates",)),
        FormPart(_("More")),
    )


def piece_parts(whole: str) -> tuple[FormPart, ...]:
    """The parts of a piece's form, in the language in use. `whole`: what the file is called."""
    return (
        FormPart(
            whole,
            (
                *("name", "description", "max_iterations", "max_movements", "max_steps"),
                *("initial_movement", "initial_step", "interactive_mode", "answer_agent"),
            ),
        ),
        FormPart(_("Sections"), SECTIONS),
        FormPart(_("Loop monitors"), ("loop_monitors",)),
        FormPart(_("More")),
    )


def step_parts() -> tuple[FormPart, ...]:
    """The parts of a step's form, in the language in use."""
    return (
        FormPart(_("Identity"), ("stepId", "id", "name", "description", "type", "stepKind", "kind")),
        FormPart(
            _("Prompt"),
            (
                *("address", "c2", "c3", "edition", "adaptation", "promptPath", "fallbackKey"),
                *("prompt", "uvVariables", "usesStdin"),
            ),
        ),
        FormPart(_("Output schema"), ("outputSchemaRef", "schemaRef")),
        FormPart(_("Structured gate"), ("structuredGate",)),
        FormPart(_("Transitions"), ("transitions",)),
        FormPart(_("Check"), ("check",)),
        FormPart(_("Iterations"), ("iterations",)),
        FormPart(_("Inputs"), ("inputs",)),
        FormPart(_("Model and permissions"), ("model", "permissionMode")),
        FormPart(_("Closing"), ("validationSteps", "runner")),
        FormPart(_("More")),
    )


def registry_parts() -> tuple[FormPart, ...]:
    """The parts of a registry's form, in the language in use."""
    return (
        FormPart(_("Registry"), ("agentId", "version")),
        FormPart(_("Entries"), ("entryStep", "entryStepMapping", "flow")),
        FormPart(
            _("Prompts and schemas"),
            (
                *("c1", "userPromptsBase", "schemasBase", "basePath"),
                *("pathTemplate", "pathTemplateNoAdaptation"),
            ),
        ),
        FormPart(
            _("Checks"), ("validationSteps", "completionSteps", "validators", "failurePatterns", "completionPatterns")
        ),
        FormPart(_("More")),
    )
