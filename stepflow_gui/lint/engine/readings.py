"""What rules take for granted: by place of a file the rules that read it, and those whose findings put it in doubt."""

from typing import NamedTuple

VALUES = (
    *("SF002", "SF004", "SF107", "SF208", "SF211", "SF219"),
    *("SF801", "SF802", "SF803", "SF902", "SF903", "SF905", "SF908"),
)
"""Rules that say of a value that it is missing, of a wrong type, none of those allowed, or there twice."""


class PresumedPlaces(NamedTuple):
    """Places and the rules that read them; `leaders` are the rules that a finding about such a place waits for.

    A place is written as the keys that go there, in agent.json after `agent:`. A `*` is any key, `@` the step of the
    finding that waits, `=` the value that it is at, or the step in it. A place that ends with a slash is the object
    without its content.
    """

    places: tuple[str, ...]
    followers: tuple[str, ...]
    leaders: tuple[str, ...] = VALUES
    within: bool = False  # only findings about the place itself, or in it, wait


def _of(places: str, followers: str, besides: str = "") -> PresumedPlaces:
    return PresumedPlaces(tuple(places.split("|")), tuple(followers.split()), (*VALUES, *besides.split()))


def _only(places: str, followers: str, leaders: str) -> PresumedPlaces:
    return PresumedPlaces(tuple(places.split("|")), tuple(followers.split()), tuple(leaders.split()))


_GATE, _INTENTS = "steps/@/structuredGate", "structuredGate/allowedIntents"
_PARTS = ("c1", "c2", "c3", "edition", "adaptation", "address")
_PROMPT = "|".join(f"steps/@/{part}" for part in _PARTS)
_ANY_PROMPT = "|".join(f"steps/*/{part}" for part in _PARTS)
_VERDICT = ("agent:runner/verdict", "agent:runner/completion")
_TYPE = "|".join((*(f"{verdict}/type" for verdict in _VERDICT), "agent:behavior/completionType"))
_CONFIG = "|".join((*(f"{verdict}/config" for verdict in _VERDICT), "agent:behavior/completionConfig"))
_FINALIZED = ("worktree", "finalize/autoMerge", "finalize/push", "finalize/remote", "finalize/createPr")

READINGS = (
    _of("steps/@/transitions", "SF201 SF203 SF204 SF212 SF310 SF311 SF312 SF313 SF314 SF315 SF317 SF318 SF321"),
    _only("steps/@/transitions|steps/@/structuredGate|steps/@/outputSchemaRef", "SF004", "SF107")._replace(within=True),
    _of(f"steps/@/{_INTENTS}", "SF201 SF202 SF203 SF204 SF212 SF217 SF219 SF230 SF232"),
    _of(
        f"{_GATE}/fallbackIntent|{_GATE}/failFast",
        "SF216 SF217 SF218 SF227",
        "SF205 SF206 SF207 SF223",
    ),
    _of("steps/@/structuredGate/handoffFields", "SF228 SF313 SF314", "SF214 SF228"),
    _of("steps/=/structuredGate/handoffFields", "SF510", "SF214 SF228"),
    _of("steps/@/uvVariables", "SF508 SF509 SF510"),
    _of("steps/@/outputSchemaRef", "SF209 SF213 SF214 SF701 SF702"),
    _of(_PROMPT, "SF503 SF506 SF514"),
    _of("steps/@/c2|steps/@/address/c2|steps/@/kind|steps/@/stepKind", "SF103 SF104 SF105 SF317"),
    _of("steps/=/kind|steps/=/stepKind|steps/=/c2|steps/=/address/c2", "SF308 SF317"),
    _of("steps/*/|steps/*/kind", "SF110 SF228 SF322"),
    # A step whose kind may not emit its intents is most likely of another kind.
    _only(f"steps/@/{_INTENTS}", "SF103", "SF206"),
    _only(f"steps/=/{_INTENTS}", "SF308 SF317", "SF206"),
    _only(f"steps/*/{_INTENTS}", "SF322", "SF206"),
    _only("steps/@/", "SF103", "SF506"),
    _only("steps/=/", "SF308", "SF506"),
    # A step whose prompt isn't found leaves a file that no step goes to.
    _of(f"c1|{_ANY_PROMPT}|steps/*/|steps/*/prompt|steps/*/check/prompt", "SF513", "SF106 SF506"),
    _of("failurePatterns|validators/*/failurePattern", "SF513", "SF602 SF608"),
    _of("pathTemplate|pathTemplateNoAdaptation", "SF506 SF513 SF515 SF608", "SF507"),
    _of("entryStep|entryStepMapping", "SF302 SF401 SF404 SF405", "SF402 SF407"),
    _of("entryStepMapping", "SF611"),  # which reads the verdict types alone, not the steps named
    _of("entryStep|entryStepMapping", "SF402", "SF407")._replace(within=True),  # each names a step by itself
    _only("entryStep", "SF408", "SF402"),
    _of("steps/", "SF005 SF401 SF402 SF407 SF513 SF608 SF801 SF812"),
    _of(_TYPE, "SF404 SF406 SF510 SF812 SF813 SF815"),
    _of(_CONFIG, "SF812 SF813 SF815 SF816"),
    _of("agent:parameters", "SF112 SF510 SF511"),
    _of("|".join(f"agent:runner/execution/{key}" for key in _FINALIZED), "SF810"),
    _only("agent:name", "SF817", "SF004 SF801 SF808"),
    _of("validators|validationSteps|steps/*/validationSteps", "SF605", "SF601 SF602"),
    _of("validators/=/", "SF601"),
    _of("failurePatterns/=/", "SF602"),
    _of("validators/*/failurePattern", "SF602 SF606 SF608"),
    _of("failurePatterns", "SF606 SF608"),
    _of("validators/*/extractParams", "SF606 SF607"),
    _only("validators/*/extractParams", "SF004", "SF615")._replace(within=True),
    _of("validators/*/successWhen", "SF603"),
    _of("validators/*/phase", "SF613"),
    _of("validationSteps/*/stepId", "SF604"),
    _of("validationSteps/*/onFailure", "SF609 SF610 SF612"),
    _of("validationSteps/*/c2|validationSteps/*/c3|validationSteps/*/address", "SF608 SF614"),
    _only("steps/@/check", "SF004", "SF904")._replace(within=True),  # of several keys at once only one is read
    _of("steps/@/check", "SF903 SF904 SF906 SF907 SF910"),
    _of("steps/@/iterations/min|steps/@/iterations/max", "SF911"),
)
