"""The fields of a registry with checks: one table for rules, forms, completion and help (seed 003).

`need` is the upstream runner's: it looks at nothing but the steps before a run gets there.
"""

from stepflow_gui.formats.fields import ANY, BOOLEAN, STRING, Field, Shape, list_of, map_of, object_of, string
from stepflow_gui.formats.own_marks import OWN_FIELD
from stepflow_gui.messages import _

_STEP_ID = string(names="step")
_COUNT = Shape("integer", least=1)
_WORDS = Shape(
    "either", either=(STRING, BOOLEAN, list_of(ANY), object_of(others=ANY))
)  # most write a string; nothing is held against it

PATH = object_of(Field("path", STRING, lambda: _("The prompt’s path below the prompts folder"), "run"))
ADDRESS = object_of(
    Field("c1", STRING, lambda: _("First part of the prompt’s path"), "run"),
    Field("c2", STRING, lambda: _("Second part of the prompt’s path"), "run"),
    Field("c3", STRING, lambda: _("Third part of the prompt’s path: the topic"), "run"),
    Field("edition", STRING, lambda: _("Edition of the prompt, as in f_{edition}.md"), default="default"),
    Field("adaptation", STRING, lambda: _("Adaptation of the prompt, as in f_{edition}_{adaptation}.md")),
)
PROMPT = Shape("either", either=(PATH, ADDRESS))

ITERATIONS = object_of(
    Field("min", _COUNT, lambda: _("How often the step runs at least"), default=1),
    Field("max", _COUNT, lambda: _("How often the step runs at most"), default=1),
)

OUTCOME = object_of(
    Field("next", _STEP_ID, lambda: _("The step to go on with")),
    Field("fallback", _STEP_ID, lambda: _("The step to go back to")),
    Field("retry", BOOLEAN, lambda: _("Run the step again"), default=False),
    Field("maxRetries", Shape("integer", least=0), lambda: _("How often it runs again at most; 0 means without limit")),
    Field("complete", BOOLEAN, lambda: _("Finish the agent"), default=False),
)

RESPONSE_FORMAT = object_of(
    Field("result", _WORDS, lambda: _("The words for success and failure, as ok|ng")),
    Field("message", _WORDS, lambda: _("What the answer explains")),
    others=ANY,
)

CHECK = object_of(
    Field("prompt", PROMPT, lambda: _("The prompt that asks whether the step succeeded"), "run"),
    Field("responseFormat", RESPONSE_FORMAT, lambda: _("What the answer to the check looks like")),
    Field("onPass", OUTCOME, lambda: _("What follows when the check passes"), "run"),
    Field("onFail", OUTCOME, lambda: _("What follows when the check fails"), "run"),
)

STEP = object_of(
    Field("id", string(pattern="s_[0-9a-f]{4,8}"), lambda: _("The step’s id: the same as its key"), "validate"),
    Field("name", STRING, lambda: _("Display name"), "validate"),
    Field("prompt", PROMPT, lambda: _("The prompt that the step runs"), "run"),
    Field("iterations", ITERATIONS, lambda: _("How often the step runs")),
    Field("check", CHECK, lambda: _("How the step is judged, and where that goes"), "run"),
    OWN_FIELD,
)

REGISTRY = object_of(
    Field("$schema", STRING, lambda: _("The JSON Schema of this file, for editors")),
    Field("agentId", STRING, lambda: _("The agent’s name: the same as in agent.json")),
    Field("version", string(pattern=r"\d+\.\d+\.\d+"), lambda: _("Version of the registry, such as 1.0.0"), "validate"),
    Field("basePath", STRING, lambda: _("The prompts folder, from the agent folder"), default="prompts"),
    Field("entryStep", _STEP_ID, lambda: _("The step a run begins with"), "load"),
    Field("steps", map_of(STEP, names="step"), lambda: _("The steps by id"), "load"),
    OWN_FIELD,
)
