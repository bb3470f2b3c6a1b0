"""The words of registries with checks (seed 003): outcomes, and what their ways are called in a flow."""

RESULTS = ("ok", "ng", "pass", "fail", True, False)  # that the answer to a check may give

INTENT_OF_OUTCOME = {
    "onPass": {"next": "pass", "fallback": "pass", "retry": "pass", "complete": "pass"},
    "onFail": {"next": "fail", "fallback": "fallback", "retry": "retry", "complete": "fail"},
}
"""Outcome → what it may say → the intent under which the way is drawn."""

INTENTS = ("pass", "fail", "retry", "fallback")

OUTCOME_OF_INTENT = {"pass": "onPass", "fail": "onFail", "retry": "onFail", "fallback": "onFail"}
"""The intent under which a way is drawn → the outcome that says it."""

READ_IN_ORDER = ("complete", "next", "fallback", "retry")
"""What an outcome may say; of several climpt follows the first (runtime-semantics 14)."""

NAMING = ("next", "fallback")  # those that name a step

MOST_ITERATIONS = 100  # of a whole run
