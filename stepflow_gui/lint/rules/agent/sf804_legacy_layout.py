"""SF804 legacy-layout.

What it does: reports an agent.json that has `behavior`, `prompts`, `github`, … at its top, as it was before there was
`runner`, and one that has both. Beside a registry with checks or with complete intents, which are as old, it is only
information; it is an error where the runtime is set to one that refuses the file.

Why is this bad: climpt 2026-03-14 and later refuse to start an agent without `runner`. Where both are there, they read
`runner` alone.

Fix: move each part to its place under `runner`.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.agent.flat_fields import AGENT_FLAT
from stepflow_gui.lint.diagnostic import Severity
from stepflow_gui.lint.examples.example import whole
from stepflow_gui.lint.rule import DocumentEdits, Later, Proposal, Side
from stepflow_gui.lint.rules.fixes import guesses
from stepflow_gui.lint.rules.once import merge_places
from stepflow_gui.lint.rules.prelude import DOCUMENT, ERROR, INFO, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile
from stepflow_gui.text.json.tree import Node

RULE = Rule("SF804", "legacy-layout", WARNING, looks_at=DOCUMENT)

BAD = whole(
    """{
  "version": "1.0.0",
  "name": "issue-flow",
  "displayName": "Issue flow",
  "description": "Works on an issue until it can be closed",
  "parameters": {
    "issue": { "type": "number", "description": "The issue", "required": true, "cli": "--issue" }
  },
  "behavior": {
    "systemPromptPath": "prompts/system.md",
    "completionType": "externalState",
    "completionConfig": { "maxIterations": 10 },
    "allowedTools": ["Read"],
    "permissionMode": "plan"
  },
  "prompts": { "registry": "steps_registry.json", "fallbackDir": "prompts" }
}
""",
    "agent.json",
)
GOOD = changed()

_MOVED = tuple(field.name for field in AGENT_FLAT.fields if field.newer or field.name == "behavior")


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """One finding for the file."""
    agent = context.agent_file
    root = document.root
    if document is not context.folder.agent_document or agent is None or root is None:
        return
    places = [
        Side(document, member.key_span, f"/{member.key}", _moved_to(member.key))
        for member in root.members()
        if member.key in _MOVED and member.value.kind == "object"
    ]
    if not places:
        return
    keys = _(", ").join(_("“{word}”").format(word=side.pointer[1:]) for side in places if side.pointer)
    message, severity = _mixed(context) if agent.layout == "runner" else _older(context)
    text = message.format(keys=keys, era=context.climpt.name)
    proposals = _move(document, root)
    if severity == INFO:  # the runners of its time read it as it is, and not in today's layout
        proposals = guesses(proposals)
    yield merge_places(text, places, severity=severity, proposals=proposals)


def _mixed(context: RuleContext) -> tuple[str, Severity]:
    if context.climpt.checks_agent:
        return (
            _("agent.json has “runner” and beside it {keys} of the older layout: {era} reads “runner” alone"),
            WARNING,
        )
    text = _(
        "agent.json has “runner” and beside it {keys} of the older layout: climpt 2026-03-14 and later read “runner”"
        " alone"
    )
    return text, WARNING


def _older(context: RuleContext) -> tuple[str, Severity]:
    """An error for a runtime that was chosen; else a file of its time, which ran then, is judged by a later one."""
    if not context.climpt.checks_agent:
        return _("agent.json has the older layout, with {keys} at its top"), INFO
    text = _("agent.json has the older layout, with {keys} at its top: {era} asks for “runner” and refuses it")
    return text, ERROR if context.settings.runtime == context.climpt.name else WARNING


def _moved_to(key: str) -> str:
    field = next(field for field in AGENT_FLAT.fields if field.name == key)
    place = field.newer.removeprefix("/").replace("/", ".") or "runner"
    return _("“{key}” belongs under “{place}” now").format(key=key, place=place)


def _move(document: ParsedFile, root: Node) -> Iterator[Proposal]:
    """As the window converts the file; nothing where something has no place today, or its place is taken."""
    if document.tree.duplicates() or not isinstance(root.value.get("runner", {}), dict):
        return
    from stepflow_gui.formats.climpt.agent.converting import converted

    made = converted(root.value)
    if made.value == root.value or made.kept or made.taken:
        return

    def edits() -> DocumentEdits:
        from stepflow_gui.formats.climpt.changes.agent.layout import converted_text
        from stepflow_gui.text.edit import difference

        text = document.source.text
        return [(document, edit) for edit in difference(text, converted_text(document.tree, made))]

    yield Proposal(_("Move the parts under “runner”"), Later(edits))
