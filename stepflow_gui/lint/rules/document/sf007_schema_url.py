"""SF007 schema-url.

What it does: reports that `$schema` names a file that doesn't exist. Addresses on the web are left alone, and so are
paths that leave the project.

Why is this bad: an editor can't check or complete the file. No runner looks at it.

Fix: correct the path.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from stepflow_gui.formats.climpt.registry import text_at
from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS
from stepflow_gui.lint.contract import has_placeholder
from stepflow_gui.lint.rules.prelude import DOCUMENT, INFO, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF007", "schema-url", INFO, looks_at=DOCUMENT)

BAD = changed({"agent.json#/$schema": "schemas/agent.schema.json"})
GOOD = changed({"agent.json#/$schema": "https://example.org/agent.schema.json"})

_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The registry and agent.json."""
    is_registry = document is context.registry and context.format in (*GATE_FORMATS, "checks")
    root = document.root
    if root is None or not (is_registry or document is context.folder.agent_document):
        return
    url = text_at(root, "$schema", "")
    if (
        url is None
        or not url.value
        or url.value.startswith("#")
        or _ADDRESS.match(url.value)
        or has_placeholder(url.value)
    ):
        return
    path = document.path.parent / Path(url.value.partition("#")[0])
    if context.folder.inside(path) and not context.folder.exists(path):
        text = _("$schema: there is no file “{path}”, so editors can't validate this file against it")
        yield Finding(text.format(path=url.value), url.span, url.pointer, document=document)
