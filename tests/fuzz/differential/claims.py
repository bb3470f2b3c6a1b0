"""What findings claim about a runner, in a table: the words of a message, and what the runner has to do then.

A row's words are a part of a message of the linter. `{era}` in them is the runtime that the claim is about, unless the
row names others; without either it is the runtime that was chosen for the linter.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from stepflow_gui.lint.diagnostic import Diagnostic
from tests.fuzz.differential import judging as by
from tests.fuzz.differential.judging import Judge, Said

NEWER = ("climpt-2026-04-01", "climpt-2026-04-08", "climpt-2026-04-20")
EARLY = ("climpt-2026-03-14",)
ADDRESSED = ("climpt-1.14",)
GUIDE = ("guide",)
_LISTS = frozenset({"parts", "keys", "values", "steps", "fields"})  # values that hold several names
_PLACEHOLDER = re.compile(r"\\\{(\w+)\\\}")


class Claim(NamedTuple):
    """A row."""

    name: str
    words: str
    judge: Judge
    eras: tuple[str, ...] = ()
    code: str | None = None  # of the rule, where others use the words as well

    @property
    def pattern(self) -> re.Pattern[str]:
        """The words as a pattern with a group for each value."""
        seen: set[str] = set()

        def group(match: re.Match[str]) -> str:
            name = match[1]
            if name in seen:
                return ".*?"
            seen.add(name)
            if name == "era":
                return r"(?:the )?(?P<era>climpt-[-.\d]*\d|guide)(?:, the first version that checks agent\.json,)?"
            return f"(?P<{name}>.*?)" if name in _LISTS else f"(?P<{name}>[^”]*?)"

        start = "^" if self.words.startswith("“{step}”") else ""
        return re.compile(start + _PLACEHOLDER.sub(group, re.escape(self.words)))


LOADING = (
    Claim("loading refused", "{era} refuses to load", by.refused),
    Claim("start refused", "{era} refuses to start", by.refused),
    Claim("agent refused", "{era} asks for “runner” and refuses it", by.refused),
    Claim("registry dropped", "{era} drops the registry and finds no entry step", by.refused),
    Claim("no entry step", "{era} finds no entry step", by.refused),
    Claim("run refused", "{era} can't start a run", by.refused),
    Claim("no run", "the run can't begin", by.refused),
    Claim("no run at all", "there is no entryStep: no run can begin", by.refused),
    Claim("no run of a type", "a run under this verdict type can't begin", by.refused_under_type),
    Claim("loading refused by newer", "climpt 2026-04-01 and later refuse to load", by.refused, NEWER),
    Claim("start refused by newer", "climpt 2026-04-01 and later refuse to start", by.refused, NEWER),
    Claim("refused since", "climpt since 2026-04-01 refuses it", by.refused, NEWER),
    Claim("unknown step id", "climpt 2026-03-14 stops with “Unknown step ID”", by.refused, EARLY),
    Claim("unknown step id later", "“Unknown step ID”, and later versions refuse to start", by.refused, NEWER),
    Claim("letter refused", "reads letter by letter: it refuses to start the agent", by.refused, ADDRESSED),
    Claim("refused by the pre-release", "climpt-1.14 refuses", by.refused, ADDRESSED),
    Claim("pre-release refuses the key", "and refuses the registry", by.refused, ADDRESSED),
    Claim("no run in the pre-release", "climpt-1.14 can't start a run", by.refused, ADDRESSED),
    Claim("refused by the newest", "climpt-2026-04-20, the newest release, refuses to load it", by.refused,
          NEWER[-1:]),
    Claim("no gates followed", "{era} runs the registry without any gate", by.unrouted),
    Claim("incomplete refused", "in a registry with gates {era} refuses to run without", by.refused),
    Claim("limit", "Without maxIterations {era} stops a run of {type} after {limit} iteration", by.limited_to("limit")),
)  # fmt: skip

ROUTING = (
    Claim("target unknown", "“{intent}” of “{step}” goes to “{target}”, which is not a step: the run stops there",
          by.stops_at()),
    Claim("target not followed", "“{intent}” of “{step}” names “{target}”, which is not a step; {era} never follows it",
          by.target_not_asked),
    Claim("run stopped there", "{era} stops the run there with an error", by.stops_at()),
    Claim("run ends there", "{era} ends the run there silently", by.ends_at()),
    Claim("default continuation", "{era} goes on to “{target}” by default", by.goes_to("target")),
    Claim("default of an empty target", "{era} goes to “{following}” by default", by.goes_to("following")),
    Claim("repeats anyway", "{era} repeats the step anyway", by.stays),
    Claim("ends anyway", "{era} ends the run anyway", by.ends_anyway),
    Claim("newer stop it", "climpt 2026-04-01 and later stop it with an error", by.stops_at(), NEWER),
    Claim("stopped since", "climpt since 2026-04-01 stops it with an error", by.stops_at(), NEWER),
    Claim("ended until", "versions up to 2026-03-14 end it silently", by.ends_at(), EARLY),
    Claim("guide ends there", "has a target of null: the guide ends the run there", by.ends_at(), GUIDE),
    Claim("guide ends repeat", "goes to null: the guide ends the run there, {era} repeats the step",
          by.ends_at("repeat"), GUIDE),
    Claim("guide ends at case", "The case “{case}” of “{intent}” of “{step}” is null: the guide ends the run there",
          by.ends_at(), GUIDE),
    Claim("null case stops", "The case “{case}” of “{intent}” of “{step}” is null: {era} stops the run", by.stops_at()),
    Claim("null case ends", "The case “{case}” of “{intent}” of “{step}” is null: {era} ends the run", by.ends_at()),
    Claim("empty case stops", "The case “{case}” of “{intent}” of “{step}” is empty: {era} stops the run",
          by.stops_at()),
    Claim("empty case ends", "The case “{case}” of “{intent}” of “{step}” is empty: {era} ends the run", by.ends_at()),
    Claim("escalate stops", "{era} reads only a target there and stops the run", by.stops_at("escalate")),
    Claim("escalate stops later", "the guide reads it as any other transition; {era} stops the run",
          by.stops_at("escalate")),
    Claim("condition stops", "but {era} reads only a target there: the run stops", by.stops_at()),
    Claim("condition ends", "but {era} reads only a target there: it ends the run silently", by.ends_at()),
    Claim("no default stops", "has no “default”: where “{key}” has another value, {era} stops", by.stops_at()),
    Claim("no default ends", "has no “default”: where “{key}” has another value, {era} ends the run", by.ends_at()),
    Claim("no case stops", "and no “default”: {era} stops there with an error", by.stops_at()),
    Claim("no case ends", "and no “default”: {era} ends the run there silently", by.ends_at()),
    Claim("no continuation stops", "and no continuation step follows by default: {era} stops", by.stops_at("next")),
    Claim("no continuation ends", "and no continuation step follows by default: {era} ends", by.ends_at("next")),
    Claim("complete ends", "expects a step “complete.…” there; {era} ends the run", by.finishes_at("complete")),
    Claim("complete ends here", "runs the same step again; {era} ends the run there", by.finishes_at("complete")),
    Claim("section stops", "goes to “{target}”, a prompt section: the run gets there and stops", by.stops_in_target),
    Claim("entry section stops", "“{target}”, a prompt section: the run begins there and stops", by.stops_in_target),
    Claim("no way out", "From the entry “{step}” no step is reached that says “{end}”: a run ends only", by.no_end),
    Claim("no way out of several", "From “{step}”, the entry for “{type}”, no step is reached that says “{end}”: a run"
          " ends only", by.no_end),
    Claim("no end", "From the entry “{step}” no step is reached that says “{end}”: the run goes on", by.no_end),
    Claim("no end of several", "From “{step}”, the entry for “{type}”, no step is reached that says “{end}”: the run"
          " goes on", by.no_end),
)  # fmt: skip

GATES = (
    Claim("unknown word stops", "The output schema of “{step}” offers “{intent}”, which isn't an intent: that answer"
          " stops the run",
          by.stops_at_word, code="SF205"),
    Claim("no intent passes", "“{step}” allows no intent: no answer can pass its gate", by.never_passes),
    Claim("field missing stops", "which its schema doesn't have: every run stops at this gate",
          by.unread("no_intent", stops=True)),
    Claim("other step stops", "accepts only “{other}” as stepId: an answer in that name stops", by.stops_at_other_id),
    Claim("intent optional", "The output schema of “{step}” doesn't require “{field}”: without it the run stops",
          by.unread("no_intent", stops=True)),
    Claim("intent not needed", "The output schema of “{step}” doesn't require “{field}”: answers may come without it",
          by.unread("no_intent", stops=False)),
    Claim("fallback unused", "The fallbackIntent of “{step}” is never used: an unreadable answer ends the run",
          by.unread("unknown_word", stops=True)),
    Claim("fail fast off", "“{step}” has failFast: false, meant for debugging: after an unreadable answer the run goes",
          by.unread("unknown_word", stops=False)),
    Claim("chain empty", "The adaptationChain of “{step}” is empty: the first repeat ends the run", by.repeats(0),
          ADDRESSED),
    Claim("repeats once", "climpt-1.14 lets {steps} repeat once", by.repeats(1), ADDRESSED),
    Claim("falls back once", "counts as a repeat, and climpt-1.14 lets it repeat once", by.repeats(1), ADDRESSED),
)  # fmt: skip

FILES = (
    Claim("schema stops", ": the run stops there", by.schema_lost, code="SF702"),
    Claim("schema not resolved", "can't be resolved, and the run stops there", by.schema_lost),
    Claim("no schema", "doesn't exist: the model is asked without a schema", by.schema_not_needed),
    Claim("twice is a cycle", "{era} treats it as a cycle and refuses", by.refused),
    Claim("no prompt", "“{step}” has no prompt: {path} doesn't exist, and {era} stops there", by.not_prompted),
    Claim("empty prompt", "“{step}” is empty: {path} has no text, and {era} stops there", by.not_prompted),
    Claim("no built-in prompt", "and no built-in prompt is known as “{key}”: {era} stops there", by.not_prompted),
    Claim("step's prompt is used instead", ", and the prompt of “{other}” is used instead", by.stood_in),
    Claim("built-in prompt is used instead", ", and the built-in “{key}” is used instead", by.stood_in),
    Claim("built-in text is used instead", ", and a built-in text is used instead", by.stood_in),
    Claim("handler's prompt", "{era} shows “{step}” the prompt of “{other}”, as its verdict handler does, and can't",
          by.not_prompted),
    Claim("handler's text", "; {era} shows a text of its own at every step", by.stood_in),
    Claim("no prompt of a check", "The check of “{step}” has no prompt: {path} doesn't exist, and {era} stops there",
          by.not_checked),
    Claim("named file missing", "{field}: the file “{path}” doesn't exist, and {era} stops there", by.without_file),
    Claim("system prompt needed", "uses a built-in text, climpt 2026-04-01 and later stop", by.none_prompted, NEWER),
    Claim("variable", "which its uvVariables don't list and nothing gives: the run stops there", by.not_prompted),
    Claim("input of no step", "which names no step: the run stops there", by.not_prompted),
    Claim("input of an unknown step", "comes from “{source}”, which is not a step: the run stops", by.not_prompted),
    Claim("input of nothing", "and has neither “from” nor a default: the run stops there", by.not_prompted),
    Claim("no variables", "{era} makes no prompt for it, and the run stops there", by.not_prompted),
    Claim("c3", "{era} refuses to look for the prompt, and the run ends there with an error", by.not_prompted),
)  # fmt: skip

TYPES = (
    Claim("type stops", "{era} stops the run there with an error", by.stops_by_value, code="SF004"),
    Claim("type of a step", "a run that gets there stops with an error", by.leads_nowhere, code="SF004"),
    Claim("type of a prompt", "its prompt has no path, and {era} stops there", by.not_prompted_or_checked,
          code="SF004"),
    Claim("type of a check", "{era} ends the run there, as a failure", by.ends_as(success=False, of_check=False),
          code="SF004"),
    Claim("type of an outcome", "{era} ends the run there, as a success", by.ends_as(success=True, of_check=True),
          code="SF004"),
    Claim("type of a retry path", "climpt-1.14 ends the run at the first failure of a check", by.closing_fails,
          ADDRESSED),
)  # fmt: skip

VALIDATORS = (
    Claim("validator unknown", "runs the validator “{validator}”, which doesn't exist: {era} ends", by.closing_fails),
    Claim("expression unreadable", "can't be read by JavaScript: the run ends there with an error", by.closing_fails),
    Claim("no extractors", "“{validator}” has no extractParams: when it fails, {era} ends the run", by.closing_fails),
    Claim("no retry address", "climpt-1.14 reads no others: the first failure ends the run", by.closing_fails,
          ADDRESSED),
)  # fmt: skip

CHECKS = (
    Claim("no check", "“{step}” has no check: {era} ends the run there, as a failure",
          by.ends_as(success=False, of_check=False)),
    Claim("check without prompt", "The check of “{step}” has no {parts}: {era} ends the run there, as a failure",
          by.not_checked),
    Claim("check without outcome", "The check of “{step}” has no {parts}: {era} ends the run there, as a success",
          by.ends_as(success=True, of_check=True)),
    Claim("outcome empty", "“{outcome}” of “{step}” has no target: {era} ends the run there, as a success",
          by.ends_as(success=True, of_check=True)),
    Claim("nothing to ask", "“{step}” has no prompt: {era} has no prompt to send and stops", by.not_prompted),
    Claim("prompt without path", "The prompt of “{step}” has no path, and no {keys} either: {era} finds no file",
          by.not_prompted),
    Claim("check's prompt without path", "The prompt of the check of “{step}” has no path, and no {keys} either: {era}"
          " finds no file", by.not_checked),
    Claim("retries end well", "of “{step}” {era} ends the run as a success", by.retries_end(success=True)),
    Claim("retries fail", "of “{step}” the run ends as a failure", by.retries_end(success=False), GUIDE),
    Claim("retries succeed elsewhere", "the run ends as a failure; {era} ends it as a success",
          by.retries_end(success=True)),
)  # fmt: skip

CLAIMS = (*LOADING, *ROUTING, *GATES, *FILES, *TYPES, *VALIDATORS, *CHECKS)

NO_CLAIMS = (
    "“climpt --validate”",
    "refuses it when asked to check the file",
    "the model's side refuses the schema",
    "has no prompt: {path} can't be read ({why}), and {era} stops there",  # as one that doesn't exist, which has a row
    "can't start an agent without one",  # a registry by itself is run without a verdict
    "which JSON readers refuse",
    "only a fallbackKey that exists lets the run continue",
    "only a fallbackKey lets the run continue",
    "the run ends before it could be repeated",  # of limits, which SF815's own tests count
    "a run stops after {most}",
    "when it fails, {era} has only a general retry prompt",
    "when a check fails, {era} has only a general retry prompt",
    "names “{target}”: the run ends there, and the target is never read",
    "don't require the intent, first “{step}”: without one the run stops",  # of several steps, each judged by itself
    "fallbackIntents are never used",
    "Add a transition “{intent}” that ends the run",
    "A text can't begin with “{detail}”",
)
"""Words of messages that speak of another command, of a fix, or of what is looked at elsewhere."""

_PATTERNS = [(claim, claim.pattern) for claim in CLAIMS]


def claims_of(found: Diagnostic) -> Iterator[tuple[Claim, Said]]:
    """The rows that a finding's message holds."""
    for claim, pattern in _PATTERNS:
        match = pattern.search(found.message) if claim.code in {None, found.code} else None
        if match is not None:
            yield claim, Said(found, match.groupdict())
