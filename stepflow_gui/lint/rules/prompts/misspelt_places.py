"""The one word that hides all prompts of a registry: its c1, or a path template, misspelt."""

from collections.abc import Iterable, Iterator

from stepflow_gui.flow.model import Text
from stepflow_gui.formats.climpt.lookup import PATH_TEMPLATE, PATH_TEMPLATE_NO_ADAPTATION, path_of_fields
from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.lint.closest_name import is_slip
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.prelude import RuleContext

_TEMPLATES = {"pathTemplate": PATH_TEMPLATE, "pathTemplateNoAdaptation": PATH_TEMPLATE_NO_ADAPTATION}


def misspelt_place(context: RuleContext) -> tuple[Text, str] | None:
    """Where no prompt is found, the setting that is a slip away from one under which most of them are.

    A c1 doesn't have to be as near where all prompts of the steps are under one other.
    """
    root = context.registry.root
    # By the templates also where the version reads none: the guide does.
    tails = [tail for step in context.flow.steps.values() if (tail := path_of_fields(context.flow, step.raw))]
    if root is None or not tails or any(context.prompts.found(tail) for tail in tails):
        return None
    c1 = text_at(root, "c1", "")
    if c1 is not None and c1.value and not has_placeholder(c1.value):
        parts = sorted(_parts(context))
        for name in parts:
            if is_slip(c1.value, name) and _most_are_there(_moved(tails, c1.value, name), context):
                return c1, name
        full = [name for name in parts if _all_are_there(_moved(tails, c1.value, name), context)]
        if len(full) == 1 and len(tails) > 1:
            return c1, full[0]
    for key, template in _TEMPLATES.items():
        text = text_at(root, key, "")
        if text is not None and is_slip(text.value, template) and _are_under(template, text.value, context):
            return text, template
    return None


def _parts(context: RuleContext) -> set[str]:
    """The folders right below those of the prompts."""
    found = set()
    for path in context.prompts.below(""):
        for folder in context.prompts.folders:
            if path.is_relative_to(folder) and path.parent != folder:
                found.add(path.relative_to(folder).parts[0])
    return found


def _moved(tails: list[str], wrong: str, right: str) -> Iterator[str]:
    return (right + tail.removeprefix(wrong) if tail.startswith(f"{wrong}/") else tail for tail in tails)


def _are_under(template: str, instead_of: str, context: RuleContext) -> bool:
    paths = [path_of_fields(context.flow, step.raw, {instead_of: template}) for step in context.flow.steps.values()]
    return _most_are_there((path for path in paths if path), context)


def _all_are_there(tails: Iterable[str], context: RuleContext) -> bool:
    return all(context.prompts.found(tail) is not None for tail in tails)


def _most_are_there(tails: Iterable[str], context: RuleContext) -> bool:
    there = [context.prompts.found(tail) is not None for tail in tails]
    return sum(there) * 2 > len(there)
