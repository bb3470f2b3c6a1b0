"""Which fields stand together in the form of a step and in that of a registry."""

from stepflow_gui.formats.takt.fields import SECTIONS
from stepflow_gui.gui.inspector.forms.form_fields import Part
from stepflow_gui.messages import _


def movement_parts() -> tuple[Part, ...]:
    """The parts of a movement's form, in the language in use."""
    return (
        Part(_("Identity"), ("name", "description", "kind", "mode", "uses", "call")),
        Part(
            _("Prompt"),
            ("persona", "persona_name", "policy", "knowledge", "instruction", "instruction_template"),
        ),
        Part(_("Rules"), ("rules",)),
        Part(_("Sub-steps"), ("parallel",)),
        Part(
            _("Model and permissions"),
            (
                *("edit", "permission_mode", "required_permission_mode", "allowed_tools"),
                *("session", "provider", "model", "provider_options"),
            ),
        ),
        Part(_("Reports"), ("output_contracts",)),
        Part(_("Quality gates"), ("quality_gates",)),
        Part(_("More")),
    )


def piece_parts() -> tuple[Part, ...]:
    """The parts of a piece's form, in the language in use."""
    return (
        Part(
            _("Piece"),
            (
                *("name", "description", "max_iterations", "max_steps", "initial_movement", "initial_step"),
                *("interactive_mode", "answer_agent"),
            ),
        ),
        Part(_("Sections"), SECTIONS),
        Part(_("Loop monitors"), ("loop_monitors",)),
        Part(_("More")),
    )


def step_parts() -> tuple[Part, ...]:
    """The parts of a step's form, in the language in use."""
    return (
        Part(_("Identity"), ("stepId", "id", "name", "description", "type", "stepKind", "kind")),
        Part(
            _("Prompt"),
            (
                *("address", "c2", "c3", "edition", "adaptation", "promptPath", "fallbackKey"),
                *("prompt", "uvVariables", "usesStdin"),
            ),
        ),
        Part(_("Output schema"), ("outputSchemaRef", "schemaRef")),
        Part(_("Structured gate"), ("structuredGate",)),
        Part(_("Transitions"), ("transitions",)),
        Part(_("Check"), ("check",)),
        Part(_("Iterations"), ("iterations",)),
        Part(_("Inputs"), ("inputs",)),
        Part(_("Model and permissions"), ("model", "permissionMode")),
        Part(_("Closing"), ("validationSteps", "runner")),
        Part(_("More")),
    )


def registry_parts() -> tuple[Part, ...]:
    """The parts of a registry's form, in the language in use."""
    return (
        Part(_("Registry"), ("agentId", "version")),
        Part(_("Entries"), ("entryStep", "entryStepMapping", "flow")),
        Part(
            _("Prompts and schemas"),
            (
                *("c1", "userPromptsBase", "schemasBase", "basePath"),
                *("pathTemplate", "pathTemplateNoAdaptation"),
            ),
        ),
        Part(
            _("Checks"), ("validationSteps", "completionSteps", "validators", "failurePatterns", "completionPatterns")
        ),
        Part(_("More")),
    )
