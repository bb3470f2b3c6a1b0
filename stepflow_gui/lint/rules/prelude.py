"""What nearly every rule is written with, to be imported in one line."""

from stepflow_gui.flow.model import Step
from stepflow_gui.lint.diagnostic import ERROR, INFO, WARNING
from stepflow_gui.lint.examples.example import REMOVED, changed
from stepflow_gui.lint.rule import (
    ADDRESSED,
    ALL,
    DOCUMENT,
    FLAT_KINDS,
    FLOW,
    GATE,
    KINDS,
    STEP,
    Finding,
    Rule,
)
from stepflow_gui.lint.rule_context import RuleContext
from stepflow_gui.messages import _, ngettext

__all__ = [
    "ADDRESSED",
    "ALL",
    "DOCUMENT",
    "ERROR",
    "FLAT_KINDS",
    "FLOW",
    "GATE",
    "INFO",
    "KINDS",
    "REMOVED",
    "STEP",
    "WARNING",
    "Finding",
    "Rule",
    "RuleContext",
    "Step",
    "_",
    "changed",
    "ngettext",
]
