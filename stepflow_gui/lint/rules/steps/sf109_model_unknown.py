"""SF109 model-unknown.

What it does: reports a `model` of a step, or a `defaultModel` in agent.json, that is none of sonnet, opus and haiku.

Why is this bad: the guide knows these three, and `climpt --validate` refuses any other. climpt's runner reads neither
field, so the step runs with whatever model is set elsewhere.

Fix: write one of the three.
"""

from collections.abc import Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS, MODELS
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rule import Proposal
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import ALL, DOCUMENT, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF109", "model-unknown", WARNING, formats=ALL, looks_at=DOCUMENT)

BAD = changed({"/steps/initial.issue/model": "claude-opus-4"})
GOOD = changed({"/steps/initial.issue/model": "opus"})


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The steps of the registry; the default in agent.json, whatever format the registry beside it is in."""
    agent = context.folder.agent
    if document is context.registry and context.format in GATE_FORMATS:
        for step in context.flow.steps.values():
            model = text_at(step.node, "model", step.pointer)
            if model and _is_unknown(model):
                text = _("“{step}” asks for the model “{model}”: the guide knows {models}")
                yield _finding(
                    text.format(step=step.id, model=model.value, models=_models()), model, document, context, step.id
                )
    elif agent and document is context.folder.agent_document:
        default = agent.default_model
        if default and _is_unknown(default):
            text = _("The default model is “{model}”: the guide knows {models}")
            yield _finding(text.format(model=default.value, models=_models()), default, document, context, None)


def _is_unknown(model: Text) -> bool:
    return model.value not in MODELS and not has_placeholder(model.value)


def _models() -> str:
    return _(", ").join(MODELS)


def _finding(message: str, model: Text, document: ParsedFile, context: RuleContext, step: str | None) -> Finding:
    named = next((known for known in MODELS if known in model.value.lower()), None)
    meant = named or context.nearest(RULE.code, model.value, MODELS)
    proposals: list[Proposal] = [write(document, model.span, meant)] if meant else []
    return Finding(message, model.span, model.pointer, step, document, proposals=proposals, misspelt=bool(meant))
