"""The changes that a format can be asked for, as plain values. `change.plan` turns one into text edits.

A transition is named by its step and intent, one case of a conditional transition by the value of the condition
besides; a target of None is the end. Options that ask for more than the usual are last and off by default.
"""

from pathlib import Path
from typing import Literal, NamedTuple

from stepflow_gui.text.json.tree import JsonValue

StepKind = Literal["work", "verification", "closure", "section"]


class TransitionKey(NamedTuple):
    """A transition, or one case of a conditional one."""

    step: str
    intent: str
    case: str | None = None


class AddStep(NamedTuple):
    """A new step that looks as its neighbours of the same kind do.

    `like` is the step it takes after, else the one nearest by name; `after` the one it stands behind in the file.
    `incoming` is a transition that is changed to go to the new step.
    """

    step: str
    kind: StepKind
    name: str | None = None
    like: str | None = None
    after: str | None = None
    incoming: TransitionKey | None = None


class DuplicateStep(NamedTuple):
    """The same step once more under another id, its transitions to itself going to the copy."""

    step: str
    copy: str
    name: str | None = None


class RenameStep(NamedTuple):
    """Another id for a step, wherever it stands.

    `prompts` gives the step the address of a prompt that fits the new id (the plan's moves list which file goes where),
    `texts` also changes descriptions that mention the step.
    """

    step: str
    new: str
    prompts: bool = False
    texts: bool = False


class RemoveStep(NamedTuple):
    """A step taken out, with its schema where nothing else uses that.

    References to the step target `retarget_to` from then on. Without that, `force` leaves them dangling.
    """

    step: str
    retarget_to: str | None = None
    force: bool = False


class Connect(NamedTuple):
    """A transition for an intent. `allow` adds the intent to the gate and the schema's enum where they lack it.

    `shared` lets that enum be changed though other steps have it too.
    """

    step: str
    intent: str
    target: str | None
    allow: bool = False
    shared: bool = False


class Disconnect(NamedTuple):
    """A transition, or one case of it, taken out. The gate and the schema stay."""

    step: str
    intent: str
    case: str | None = None


class Retarget(NamedTuple):
    """A new target for a transition, or one case of it."""

    step: str
    intent: str
    target: str | None
    case: str | None = None


class MakeConditional(NamedTuple):
    """A transition whose target depends on the value handed off under `condition`.

    `default` is taken for the old target.
    """

    step: str
    intent: str
    condition: str
    cases: tuple[tuple[str, str | None], ...] = ()


class MakeUnconditional(NamedTuple):
    """A conditional transition that always goes to one target: that of its `case`, else of `default`, or its only."""

    step: str
    intent: str
    case: str | None = None


class AddCase(NamedTuple):
    """One more value of a conditional transition."""

    step: str
    intent: str
    case: str
    target: str | None


class RenameCase(NamedTuple):
    """Another value for a case of a conditional transition."""

    step: str
    intent: str
    case: str
    new: str


class AddIntent(NamedTuple):
    """An intent in the gate, the schema's enum and the transitions of a step, wherever it is missing.

    Without a target `repeat` stays, and `closing`, or `complete` of a completion step, ends. `shared` lets the enum be
    changed though other steps have it too.
    """

    step: str
    intent: str
    target: str | None = None
    shared: bool = False


class RemoveIntent(NamedTuple):
    """An intent taken out of the gate, the schema's enum and the transitions of a step."""

    step: str
    intent: str
    shared: bool = False


class SetIntents(NamedTuple):
    """Exactly these intents in the gate, the schema's enum and the transitions of a step: so the three agree.

    `targets` are the targets of those that have no transition yet, as in `AddIntent` for one.
    """

    step: str
    intents: tuple[str, ...]
    targets: tuple[tuple[str, str | None], ...] = ()
    shared: bool = False


class RenameIntent(NamedTuple):
    """Another intent in place of one of a step: in the gate, the schema's enum and the transitions.

    `shared` lets the enum be changed though other steps have it too.
    """

    step: str
    intent: str
    new: str
    shared: bool = False


class RenameSchema(NamedTuple):
    """Another name for a schema of a file, at a JSON Pointer in it; references to it are updated."""

    file: Path
    pointer: str
    new: str


class SetField(NamedTuple):
    """A value at a JSON Pointer of the registry, or of another file of the agent, replaced or put in."""

    pointer: str
    value: JsonValue
    file: Path | None = None


class RemoveField(NamedTuple):
    """A member or element taken out. `force` also takes what the runner needs, or what others refer to."""

    pointer: str
    file: Path | None = None
    force: bool = False


class RenameKey(NamedTuple):
    """Another key for a member of the registry, or of another file of the agent, that stays where it is.

    What names a validator, a failure pattern or a validation step by its key follows; a step's key is its id, and so
    is renamed as `RenameStep` does.
    """

    pointer: str
    new: str
    file: Path | None = None


class MoveItem(NamedTuple):
    """An element of a list of the registry, or of another file of the agent, put at another index."""

    pointer: str
    to: int
    file: Path | None = None


class ReshapeReport(NamedTuple):
    """Reports of a TAKT movement written in another form of the same meaning.

    Of the entry at the pointer: `split` its labels into an entry each, `join` it with the next, `label` its name, or
    `name` its one label, in the other form. `nest` a list used in place of `report`.
    """

    pointer: str
    form: Literal["split", "join", "label", "name", "nest"]


class SetVerdict(NamedTuple):
    """A verdict type with settings of its config in an agent.json, in one go.

    `holder` is the object at which the two stand, `type_key` and `config_key` are their names there. Settings that
    aren't given stay, but those of `without`.
    """

    file: Path
    holder: str
    type: str
    config: tuple[tuple[str, JsonValue], ...] = ()
    without: tuple[str, ...] = ()
    type_key: str = "type"
    config_key: str = "config"


class ConvertAgent(NamedTuple):
    """An agent.json of an older layout, or one that is half moved, brought into today's."""

    file: Path


class BeginAgent(NamedTuple):
    """An agent.json for a registry that has none."""

    file: Path


class AddEntry(NamedTuple):
    """The step a run begins with under a verdict type.

    `continuation` is the one that later iterations go on with, in files whose entries are such pairs.
    """

    verdict: str
    step: str
    continuation: str | None = None


class AddFailurePattern(NamedTuple):
    """What can fail, and the retry prompt for it: its adaptation is the name unless given."""

    name: str
    description: str
    edition: str = "failed"
    adaptation: str | None = None
    params: tuple[str, ...] = ()


class AddValidator(NamedTuple):
    """A check. Of `extract`, the keys are values of the failure pattern, the values extractors."""

    name: str
    command: str
    failure_pattern: str
    success_when: str = "exitCode:0"
    extract: tuple[tuple[str, str], ...] = ()


class AddValidationStep(NamedTuple):
    """The checks that run before a closure step closes: `step` is its id, or the key of a verdict type."""

    step: str
    validators: tuple[str, ...]
    name: str | None = None
    action: Literal["retry", "abort", "skip"] = "retry"
    max_attempts: int | None = 3


class AddCondition(NamedTuple):
    """One more check for a validation step."""

    step: str
    validator: str


Change = (
    AddStep
    | DuplicateStep
    | RenameStep
    | RemoveStep
    | Connect
    | Disconnect
    | Retarget
    | MakeConditional
    | MakeUnconditional
    | AddCase
    | RenameCase
    | AddIntent
    | RemoveIntent
    | SetIntents
    | RenameIntent
    | RenameSchema
    | SetField
    | RemoveField
    | RenameKey
    | MoveItem
    | ReshapeReport
    | AddEntry
    | AddFailurePattern
    | AddValidator
    | AddValidationStep
    | AddCondition
    | SetVerdict
    | ConvertAgent
    | BeginAgent
)
