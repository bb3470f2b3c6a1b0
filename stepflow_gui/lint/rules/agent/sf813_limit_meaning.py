"""SF813 limit-meaning.

What it does: reports that maxIterations isn't set under a verdict type for which it is only the limit that stops a run.

Why is this bad: it may be intended. Only count:iteration is done when the number is reached; under any other type a run
that gets there is stopped as a failure. The guide says that the limit is then 20; climpt fills in 10.

Fix: enter the limit.
"""

from collections.abc import Iterator

from stepflow_gui.formats.climpt.vocabulary import VERDICT_TYPES
from stepflow_gui.lint.rules.agent.verdicts import OWN, verdicts
from stepflow_gui.lint.rules.fixes import put
from stepflow_gui.lint.rules.prelude import DOCUMENT, INFO, REMOVED, Finding, Rule, RuleContext, _, changed
from stepflow_gui.text.document import ParsedFile

RULE = Rule("SF813", "limit-meaning", INFO, looks_at=DOCUMENT)

BAD = changed({"agent.json#/runner/verdict/config/maxIterations": REMOVED})
GOOD = changed()

GUIDE_LIMIT = 20
FILLED_LIMIT = 10


def check(document: ParsedFile, context: RuleContext) -> Iterator[Finding]:
    """The agent's own verdict only: those inside a composite stop nothing."""
    agent = context.agent_file
    own = next(verdicts(agent), None) if agent and document is context.folder.agent_document else None
    if agent is None or own is None or own.pointer != OWN or not context.era.gates:
        return
    if (
        own.type not in VERDICT_TYPES
        or own.type == "count:iteration"
        or (own.config or {}).get("maxIterations") is not None
    ):
        return
    era = context.era
    if era.fills_every_limit and era.limit_of_others is None:
        text = _("Without maxIterations {era} stops a run of {type} after {limit} iterations, the guide says {guide}")
    else:
        text = _("Without maxIterations a run of {type} is stopped after {guide} iterations")
    message = text.format(era=context.era.name, type=own.type, limit=FILLED_LIMIT, guide=GUIDE_LIMIT)
    where = agent.in_file(f"{OWN}/config")
    title = _("Write “{word}”").format(word=f"maxIterations: {GUIDE_LIMIT}")
    proposals = (
        put(document, where, "maxIterations", GUIDE_LIMIT, title)
        if own.config is not None and "maxIterations" not in own.config
        else ()
    )
    pointer = f"{OWN}/config/maxIterations" if own.config is not None else f"{OWN}/type"
    yield agent.finding(message, pointer, proposals=proposals)
