"""SF810 finalize-conflict.

What it does: reports settings of `finalize` that don't go together: autoMerge with createPr, a push without a remote, a
prTarget without createPr, and any of them without a worktree.

Why is this bad: one of the two is ignored. A pull request takes the place of the merge, and without a worktree there
is nothing to finish.

Fix: leave out the one that isn't meant.
"""

from collections.abc import Iterator

from stepflow_gui.lint.agent_file import AgentFile
from stepflow_gui.lint.rules.prelude import DOCUMENT, INFO, WARNING, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF810", "finalize-conflict", WARNING, looks_at=DOCUMENT)

_EXECUTION = "/runner/execution"
BAD = changed(
    {
        f"agent.json#{_EXECUTION}": {
            "worktree": {"enabled": True},
            "finalize": {"autoMerge": True, "createPr": True, "prTarget": "main"},
        }
    }
)
GOOD = changed(
    {
        f"agent.json#{_EXECUTION}": {
            "worktree": {"enabled": True},
            "finalize": {"autoMerge": False, "createPr": True, "prTarget": "main"},
        }
    }
)
_FINALIZE = f"{_EXECUTION}/finalize"


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """Pair by pair; a remote that isn't named is origin."""
    agent = context.agent_file
    if document is not context.folder.agent_document or agent is None:
        return
    finalize = agent.value(_FINALIZE)
    if not isinstance(finalize, dict) or not finalize:
        return
    if agent.value(f"{_EXECUTION}/worktree/enabled") is not True:
        text = _("“finalize” has no effect without a worktree: there is nothing to merge, push or ask a review for")
        yield agent.finding(text, _FINALIZE)
        return
    if finalize.get("autoMerge") is True and finalize.get("createPr") is True:
        text = _("autoMerge and createPr together: a pull request takes the place of the merge")
        side = agent.side(f"{_FINALIZE}/createPr", _("createPr is here"))
        yield agent.finding(text, f"{_FINALIZE}/autoMerge", sides=[side])
    if finalize.get("prTarget") is not None and finalize.get("createPr") is not True:
        text = _("prTarget without createPr: no pull request is made, so its target is never used")
        yield agent.finding(text, f"{_FINALIZE}/prTarget")
    if finalize.get("push") is True:
        yield from _remote(finalize.get("remote"), "remote" in finalize, agent, context)


def _remote(remote: object, named: bool, agent: AgentFile, context: RuleContext) -> Iterator[Finding]:
    if not named:
        text = _("“push” names no remote: {era} pushes to origin").format(era=context.climpt.name)
        yield agent.finding(text, f"{_FINALIZE}/push", INFO)
    elif not (isinstance(remote, str) and remote.strip()):
        text = _("“push” has no remote to push to")
        yield agent.finding(text, f"{_FINALIZE}/remote")
