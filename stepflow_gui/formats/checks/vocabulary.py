"""The words of registries with checks (seed 003): outcomes, and the names of their transitions in a flow."""

RESULTS = ("ok", "ng", "pass", "fail", True, False)  # that the answer to a check may give

INTENT_OF_OUTCOME = {
    "onPass": {"next": "pass", "fallback": "pass", "retry": "pass", "complete": "pass"},
    "onFail": {"next": "fail", "fallback": "fallback", "retry": "retry", "complete": "fail"},
}
"""Outcome → its keys → the intent under which the transition is drawn."""

INTENTS = ("pass", "fail", "retry", "fallback")

OUTCOME_OF_INTENT = {"pass": "onPass", "fail": "onFail", "retry": "onFail", "fallback": "onFail"}
"""The intent under which a transition is drawn → its outcome."""

READ_IN_ORDER = ("complete", "next", "fallback", "retry")
"""The keys of an outcome; of several climpt follows the first (runtime-semantics 14)."""

NAMING = ("next", "fallback")  # those that name a step

MOST_ITERATIONS = 100  # of a whole run
