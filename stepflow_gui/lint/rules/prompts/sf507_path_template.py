"""SF507 path-template.

What it does: reports a path template with a placeholder that nothing fills in, and one without a placeholder that the
steps use.

Why is this bad: by the guide the prompts of different steps then lie under one path, or under one that can't exist.
climpt itself has never read the templates: it looks under {c1}/{c2}/{c3}/f_{edition}_{adaptation}.md whatever they say.

Fix: use {c1}, {c2}, {c3}, {edition} and, where there is one, {adaptation}.
"""

import re
from collections.abc import Iterator

from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.rules.fixes import write
from stepflow_gui.lint.rules.prelude import FLOW, GATE, WARNING, Finding, Rule, RuleContext, _, changed

RULE = Rule("SF507", "path-template", WARNING, formats=GATE, looks_at=FLOW)

BAD = changed({"/pathTemplateNoAdaptation": "{c1}/{c2}/{c3}/f_{version}.md"})
GOOD = changed({"/pathTemplateNoAdaptation": "{c1}/{c2}/{c3}/f_{edition}.md"})

_KNOWN = ("c1", "c2", "c3", "edition", "adaptation")
_NEEDED = ("c2", "c3", "edition")
_ONE_USE = re.compile(r"\{([^{}]*)\}")


def check(context: RuleContext) -> Iterator[Finding]:
    """Both templates, each by what the registry's steps and patterns have."""
    root = context.registry.root
    if root is None:
        return
    adapted = any(step.adaptation and step.adaptation.value for step in context.flow.steps.values()) or any(
        pattern.adaptation and pattern.adaptation.value for pattern in context.validation.patterns.values()
    )
    for name, needed in (
        ("pathTemplate", (*_NEEDED, "adaptation") if adapted else ()),
        ("pathTemplateNoAdaptation", _NEEDED),
    ):
        template = text_at(root, name, "")
        if template is None or not template.value or "{{" in template.value:
            continue
        used = _ONE_USE.findall(template.value)
        for unknown in dict.fromkeys(each for each in used if each not in _KNOWN):
            text = _("“{template}” has the placeholder {unknown}, which nothing fills in")
            message = text.format(template=name, unknown=f"{{{unknown}}}") + _unread(context)
            like = context.nearest(RULE.code, unknown, _KNOWN)
            meant = like if like and is_slip(unknown, like) and like not in used else None
            if meant:
                message += _(". Did you mean “{meant}”?").format(meant=f"{{{meant}}}")
            right = template.value.replace(f"{{{unknown}}}", f"{{{meant}}}")
            proposals = [write(context.registry, template.span, right)] if meant else []
            yield Finding(message, template.span, template.pointer, proposals=proposals, misspelt=bool(meant))
        missing = [f"{{{each}}}" for each in needed if each not in used]
        if missing and not any(each not in _KNOWN for each in used):
            text = _("“{template}” lacks {missing}, so prompts of different steps have one path")
            yield Finding(
                text.format(template=name, missing=_(", ").join(missing)) + _unread(context),
                template.span,
                template.pointer,
            )


def _unread(context: RuleContext) -> str:
    return _(". {era} doesn't read the template, and keeps to its own").format(era=context.climpt.name)
