"""`stepflow rules`: the table of rules."""

from collections.abc import Sequence
from typing import Any

from stepflow_gui.cli.parser import Parser, add_format, add_language
from stepflow_gui.cli.streams import write_bytes
from stepflow_gui.lint.diagnostic import ERROR, INFO, WARNING
from stepflow_gui.lint.examples.rule_docs import docs_of
from stepflow_gui.lint.report.json_text import json_text
from stepflow_gui.lint.report.printable import width
from stepflow_gui.lint.report.summary import severity_name
from stepflow_gui.lint.rules.table import MODULES, name_of, rule_module
from stepflow_gui.lint.upstream_codes import UPSTREAM_CODES
from stepflow_gui.messages import _


def main(arguments: Sequence[str]) -> int:
    """Run it: always 0."""
    options = make_parser().read(arguments)
    if options.format == "json":
        write_bytes(json_text({"version": 1, "rules": [_as_json(code) for code in MODULES]}, indent=2) + "\n")
        return 0
    widest_code = max(map(len, MODULES))
    widest_name = max(map(len, map(name_of, MODULES)))
    widest_severity = max(width(severity_name(each)) for each in (ERROR, WARNING, INFO))
    for code in MODULES:
        rule = rule_module(code).RULE
        formats = ", ".join(rule.all_formats) or _("all formats")
        severity = severity_name(rule.severity)
        blanks = " " * (widest_severity - width(severity))
        print(f"{code:<{widest_code}}  {severity}{blanks}  {rule.name:<{widest_name}}  {formats}")
    return 0


def make_parser() -> Parser:
    """The options of `stepflow rules`."""
    parser = Parser("stepflow rules", _("List the rules: code, severity, name, and the formats that they apply to."))
    add_format(parser.options, _("print a table (text, default), or JSON with the documentation of each rule"))
    add_language(parser)
    return parser


def _as_json(code: str) -> dict[str, Any]:
    docs = docs_of(code)
    return {
        "code": code,
        "name": docs.name,
        "severity": docs.rule.severity,
        "formats": list(docs.rule.all_formats),
        "what": docs.what,
        "why": docs.why,
        "fix": docs.fix,
        "upstream": [upstream for upstream, rules in UPSTREAM_CODES.items() if code in rules],
    }
