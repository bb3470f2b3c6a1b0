"""The words of registries with checks (seed 003): outcomes, and what their ways are called in a flow."""

RESULTS = ("ok", "ng", "pass", "fail", True, False)  # that the answer to a check may give

INTENT_OF_OUTCOME = {
    "onPass": {"next": "pass", "fallback": "pass", "retry": "pass", "complete": "pass"},
    "onFail": {"next": "fail", "fallback": "fallback", "retry": "retry", "complete": "fail"},
}
"""Outcome → what it may say → the intent under which the way is drawn."""

INTENTS = ("pass", "fail", "retry", "fallback")
