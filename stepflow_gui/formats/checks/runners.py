"""How runners go through steps with checks, as data: the guide's and upstream's (runtime-semantics 0a and 14)."""

from typing import Any, NamedTuple

from stepflow_gui.formats.checks.vocabulary import MOST_ITERATIONS, READ_IN_ORDER

PASSING = frozenset({"ok", "pass"})  # words of `result`, as `true` is; all others fail
CHECK_ANSWER: dict[str, Any] = {  # what a person may fill in; no runner holds an answer against anything
    "type": "object",
    "properties": {"result": {"enum": ["ok", "ng"]}, "message": {"type": "string"}},
    "required": ["result"],
}
ENDLESS = 1_000  # iterations after which a run is stopped that upstream would never stop


class CheckRules(NamedTuple):
    """What differs between runners of registries with checks."""

    order: tuple[str, ...]  # the keys of an outcome; the first that holds is followed
    total: int  # iterations of a whole run
    total_unchecked: int | None = None  # the same where a step without a check runs, if another; None: `total`
    reads_iterations: bool = True  # a step runs `min` times before its check, and `max` bounds its retries
    exhausted_succeeds: bool = False  # a check that fails with nothing left to follow ends the run as a success
    fallback_folder: bool = True  # a prompt that is missing is looked for in agent.json's `fallbackDir`


GUIDE_CHECKS = CheckRules(order=("complete", "next", "retry", "fallback"), total=MOST_ITERATIONS)
CLIMPT_CHECKS = CheckRules(
    order=READ_IN_ORDER,
    total=ENDLESS,
    total_unchecked=MOST_ITERATIONS + 1,  # looked at after the 101st, and on this path alone
    reads_iterations=False,
    exhausted_succeeds=True,
    fallback_folder=False,
)
