"""What an era's loader makes of a registry before the first iteration (runtime-semantics 2): takes, refuses, drops."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from stepflow_gui.flow.model import Flow, Step
from stepflow_gui.formats.climpt.agent.check import check_complete, check_raw
from stepflow_gui.formats.climpt.eras import Era
from stepflow_gui.formats.climpt.registry import read_registry
from stepflow_gui.formats.climpt.runner_texts import NO_GRAPH_ENTRY
from stepflow_gui.formats.climpt.vocabulary import GATE_FORMATS, INTENTS_OF_KIND
from stepflow_gui.formats.climpt.whole_check import (
    StartRefusal,
    boot_faults,
    form_faults,
    pair_faults,
    structure_faults,
)
from stepflow_gui.messages import _
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.project.graph_registry import graph_registry, has_graph_entry
from stepflow_gui.project.named_files import missing_handler
from stepflow_gui.project.schemas.repeated_refs import RepeatedRefs
from stepflow_gui.run.machine.run_errors import incomplete
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.text.json.shown import shown
from stepflow_gui.text.json.tree import JsonValue
from stepflow_gui.text.json.values import is_true

_TOP_LEVEL = ("agentId", "version", "steps")
_CONFIG = "/runner/verdict/config"
_NEEDED = ("structuredGate", "transitions", "outputSchemaRef")


class Loaded(NamedTuple):
    """How a registry was taken. `routes`: gates and transitions are followed; else the entry step repeats."""

    error: RunError | None = None
    routes: bool = True


TAKEN = Loaded()


def as_read_in(flow: Flow, era: Era) -> Flow:
    """The flow as the runner of an era reads it: one that knows kinds finds them in older registries as well.

    One from before kinds knows no pairs either: to it an entry of two steps names none.
    """
    readable = flow.format in (*GATE_FORMATS, "entry-pair")
    if era.load_errors == "reported" or not readable or era.kinds is (flow.format != "complete"):
        return flow
    return read_registry(flow.document, "closing" if era.kinds else "complete")


def load(agent: AgentFolder, era: Era, verdict: str | None, name: str | None = None) -> Loaded:
    """Load an agent's registry like the era's loader; the guide's reports nothing before it has to.

    `name` is what the agent is started by; None: what its agent.json calls it.
    """
    if agent.flow.format == "checks" and era.gates:
        message = _("The runner {era} knows gates and transitions alone, not checks: it can't run this registry.")
        return Loaded(_error("not_imitated", None, message.format(era=era.name), None))
    if agent.flow.format != "checks" and not era.gates:
        message = _("The runner {era} knows checks alone, neither gates nor transitions: it can't run this registry.")
        return Loaded(_error("not_imitated", None, message.format(era=era.name), None))
    if era.strict_flow:
        return Loaded(_not_strict(agent.flow))
    if era.load_errors == "reported":
        return TAKEN
    flow = as_read_in(agent.flow, era)
    if name is None and agent.agent and agent.agent.name:
        name = agent.agent.name.value
    if era.whole_check:
        return Loaded(next(_whole(agent, flow, era, verdict, name), None))
    error = next(_errors(agent, flow, era, name), None) if era.kinds else None
    incomplete = _incomplete(flow)
    if error is None and incomplete is not None:
        return Loaded(routes=False) if era.load_errors == "dropped" else Loaded(incomplete)
    if error is None and era.kinds and _lacks_gates(flow, verdict):
        error = _no_gates()
    if error is None:
        return Loaded(_no_graph_registry(agent, era) if era.kinds and verdict == "detect:graph" else None)
    return Loaded(error._replace(code="NO_ENTRY_STEP") if era.load_errors == "dropped" else error)


def start(agent: AgentFolder, era: Era, verdict: str | None) -> Loaded:
    """What becomes of an agent when a run is to begin: loaded, and in eras that do so checked by Boot's rules."""
    loaded = load(agent, era, verdict)
    if loaded.error is not None and loaded.error.kind == "not_imitated":
        return loaded
    if not era.whole_check:
        refused = next(agent_faults(agent, era), None) if era.checks_agent else None
        if refused is not None or loaded.error is not None:
            return loaded._replace(error=refused or loaded.error)
        graph = verdict == "detect:graph" and era.kinds and era.load_errors != "reported"
        error = (_no_graph_entry(agent, era) if graph else None) or _unknown_addresses(agent.flow, era)
        return loaded._replace(error=error or _no_handler(agent, era, verdict))
    own = [error for error in (loaded.error, _no_handler(agent, era, verdict)) if error]
    return Loaded(next(chain(agent_faults(agent, era), own, _as_errors(boot_faults(agent.flow))), None))


def _no_handler(agent: AgentFolder, era: Era, verdict: str | None) -> RunError | None:
    """meta:custom without its module."""
    named = missing_handler(agent) if verdict == "meta:custom" and era.gates and era.load_errors != "reported" else None
    if named is None:
        return None
    message = _("handlerPath “{path}” doesn't exist in the agent's folder: the verdict can't be asked.")
    return _error("no_handler", "Error", message.format(path=named), None)


def _unknown_addresses(flow: Flow, era: Era) -> RunError | None:
    """Runners before kind and address look for c2 and c3 in the step itself: they find no prompt for any."""
    if flow.format != "adt-kind-address" or era.load_errors == "reported":
        return None
    message = _("{era} can't run steps with kind and address: it finds no prompts for them.")
    return _error("not_imitated", None, message.format(era=era.name), None)


def agent_faults(agent: AgentFolder, era: Era) -> Iterator[RunError]:
    """AC-VALID-001: what the era's own check of agent.json refuses; nothing where there is no such file."""
    document = agent.agent_document
    if document is None:
        return
    code = "Error" if era.load_errors == "dropped" else "AC-VALID-001"
    if not document.tree.valid or document.root is None:
        yield _error("agent", code, _("agent.json has a syntax error: this runner can't read it."), None)
        return
    value = document.root.value
    for found in [*check_raw(value, era), *check_complete(value, era)]:
        if not found.is_warning:
            message = _("agent.json is not valid for this runner: {kind} at {pointer}.")
            message = message.format(kind=found.kind, pointer=found.pointer or "/")
            yield _error("agent", code, message, None)


def _whole(agent: AgentFolder, flow: Flow, era: Era, verdict: str | None, name: str | None) -> Iterator[RunError]:
    yield from _as_errors(form_faults(flow))
    root = flow.document.root.value if flow.document.root else None
    top: dict[str, Any] = root if isinstance(root, dict) else {}
    repeated = RepeatedRefs(agent)
    yield from _of_agent_id(top, name)
    for step in flow.steps.values():
        yield from _of_kind(step)
    yield from _of_single_entry(flow, top)
    yield from _as_errors(pair_faults(flow))
    for step in flow.steps.values():
        yield from _of_gate(step)
    for step in flow.steps.values():
        yield from _of_enum(agent, step, era, repeated)
    yield from _as_errors(structure_faults(flow))
    if _lacks_gates(flow, verdict):
        yield _no_gates()
    elsewhere = _no_graph_registry(agent, era) if verdict == "detect:graph" else None
    yield from (each for each in (_incomplete(flow), elsewhere) if each is not None)


def _as_errors(faults: Iterable[StartRefusal]) -> Iterator[RunError]:
    for code, message, pointer, step in faults:
        yield RunError(kind="refused", message=message, code=code, step=step, pointer=pointer)


def _lacks_gates(flow: Flow, verdict: str | None) -> bool:
    return verdict == "detect:graph" and not any(step.gate for step in flow.steps.values())


def _no_gates() -> RunError:
    return _error("no_gates", "SR-GATE-004", _("The verdict detect:graph needs steps with a gate."), None)


def _no_graph_registry(agent: AgentFolder, era: Era) -> RunError | None:
    """A `registryPath` without a file: in the oldest era another handler takes over, which has no such step."""
    document = agent.agent_document
    node = document.tree.at(f"{_CONFIG}/registryPath") if document is not None else None
    named = node.value if node is not None else None
    if not isinstance(named, str) or not named or graph_registry(agent, named) is not None:
        return None
    if era.load_errors == "dropped":
        message = _(
            "registryPath “{path}” doesn't exist in the working directory: the run stops with “Unknown step ID”."
        )
        code = "AGENT_QUERY_ERROR"
    else:
        message = _("registryPath “{path}” doesn't exist in the working directory: the agent can't start.")
        code = "AC-VERDICT-011"
    return _error("no_graph_registry", code, message.format(path=named), None)


def _no_graph_entry(agent: AgentFolder, era: Era) -> RunError | None:
    """The handler of detect:graph looks its entry up by itself, and never in entryStepMapping."""
    if has_graph_entry(agent):
        return None
    dropped = era.load_errors == "dropped"
    message = _("detect:graph reads “entryStep” of the registry or of its own config, and never entryStepMapping.")
    if dropped:
        message = _("{message} climpt reports: {error}").format(message=message, error=NO_GRAPH_ENTRY)
    return _error("no_entry", "NO_ENTRY_STEP" if dropped else "SR-ENTRY-004", message, "/entryStepMapping")


def _errors(agent: AgentFolder, flow: Flow, era: Era, name: str | None) -> Iterator[RunError]:
    root = flow.document.root.value if flow.document.root else None
    top: dict[str, Any] = root if isinstance(root, dict) else {}
    for key in _TOP_LEVEL:
        if not is_true(top.get(key)):
            yield _error("missing_field", "SR-LOAD-001", _("The registry has no “{key}”.").format(key=key), f"/{key}")
    yield from _of_agent_id(top, name)
    for step in flow.steps.values():
        yield from _of_kind(step)
    yield from _of_single_entry(flow, top)
    yield from _of_mapping(flow, top)
    for step in flow.steps.values():
        yield from _of_gate(step)
    repeated = RepeatedRefs(agent)
    for step in flow.steps.values():
        yield from _of_enum(agent, step, era, repeated)


def _of_agent_id(top: dict[str, Any], name: str | None) -> Iterator[RunError]:
    given = top.get("agentId")
    if name is not None and given != name:  # without an agent.json the name is unknown
        message = _("agentId is “{given}”, but the agent is called “{name}”.").format(given=shown(given), name=name)
        yield _error("agent_id_mismatch", "SR-LOAD-002", message, "/agentId")


def _of_kind(step: Step) -> Iterator[RunError]:
    gate = step.raw.get("structuredGate")
    if not isinstance(gate, dict):
        return
    named = step.raw.get("stepKind")
    if is_true(named) and (not isinstance(named, str) or named not in INTENTS_OF_KIND):
        message = _("“{kind}” of {step} is not a kind of step.").format(kind=shown(named), step=step.id)
        yield _error("kind_unknown", "Error", message, f"{step.pointer}/stepKind", step.id)
    if not step.kind:
        return
    allowed = gate.get("allowedIntents")
    given = [*(allowed if isinstance(allowed, list | str) else []), gate.get("fallbackIntent")]
    for intent in given:
        if is_true(intent) and intent not in INTENTS_OF_KIND[step.kind]:
            message = _("A {kind} step may not list “{intent}”, but {step} does.")
            message = message.format(kind=step.kind, intent=shown(intent), step=step.id)
            yield _error("kind_intents", "SR-VALID-001", message, step.pointer, step.id)


def _of_single_entry(flow: Flow, top: dict[str, Any]) -> Iterator[RunError]:
    entry, mapping = top.get("entryStep"), top.get("entryStepMapping")
    if not is_true(entry) and not isinstance(mapping, dict | list):
        message = _("The registry names no step to start at. Add “entryStep”.")
        yield _error("entry_missing", "SR-ENTRY-001", message, None)
    if is_true(entry) and not _is_step(flow, entry):
        yield _dangling("SR-ENTRY-002", entry, "/entryStep")


def _of_mapping(flow: Flow, top: dict[str, Any]) -> Iterator[RunError]:
    mapping = top.get("entryStepMapping")
    for key, value in mapping.items() if isinstance(mapping, dict) else ():
        if not _is_step(flow, value):
            yield _dangling("SR-ENTRY-003", value, f"/entryStepMapping/{key}")


def _of_gate(step: Step) -> Iterator[RunError]:
    gate = step.raw.get("structuredGate")
    if not is_true(gate):
        return
    found = gate if isinstance(gate, dict) else {}  # JavaScript finds no member in a gate of another type
    ref, field = found.get("intentSchemaRef"), found.get("intentField")
    if not isinstance(ref, str) or not ref.startswith("#/") or not is_true(field):
        message = _("The gate of {step} needs intentSchemaRef, which begins with #/, and intentField.")
        yield _error("intent_reference", "SR-VALID-002", message.format(step=step.id), step.pointer, step.id)


def _of_enum(agent: AgentFolder, step: Step, era: Era, repeated: RepeatedRefs) -> Iterator[RunError]:
    """Only steps whose references hold so far are checked. A reference that is met again counts as a cycle."""
    ref = step.gate.intent_schema_ref if step.gate else None
    if step.gate is None or step.schema_ref is None or ref is None or not ref.value.startswith("#/"):
        return
    schema = agent.schema(step)
    listed = {value.value for value in schema.intents}
    faults = [fault for fault in schema.faults if fault.kind != "ref-cycle" or era.refuses_cycles]
    circle = era.refuses_cycles and repeated.of(schema) is not None
    allowed = step.gate.intents_node
    odd = allowed is not None and not isinstance(allowed.value, list | str | None)
    if schema.problem or faults or circle or odd or listed != {intent.value for intent in step.gate.intents}:
        message = _("The output schema of {step} doesn't list the intents that its gate allows.").format(step=step.id)
        yield _error("enum", "SR-VALID-003", message, step.pointer, step.id)


def _incomplete(flow: Flow) -> RunError | None:
    if not any(step.gate for step in flow.steps.values()):
        return None
    for step in flow.steps.values():
        missing = [key for key in _NEEDED if not is_true(step.raw.get(key))]
        if missing and not step.is_section:
            message = _("{step} has no {fields}, which all steps need as soon as one has a gate.")
            message = message.format(step=step.id, fields=", ".join(missing))
            return _error("incomplete", "SR-GATE-003", message, step.pointer, step.id)
    return None


def _not_strict(flow: Flow) -> RunError | None:
    """What the flow design of `complete` intents asks of each step when a registry is loaded."""
    steps = [step for step in flow.steps.values() if not step.is_section]
    missing = [[step for step in steps if not isinstance(step.raw.get(key), dict)] for key in _NEEDED[:2]]
    first = next((step for each in missing for step in each), None)
    if first is None:
        return None
    without_gate, without_transitions = ([step.id for step in each] for each in missing)
    return incomplete(without_gate, without_transitions, first.pointer)


def _is_step(flow: Flow, name: JsonValue) -> bool:
    return isinstance(name, str) and name in flow.steps


def _dangling(code: str, name: JsonValue, pointer: str) -> RunError:
    message = _("The run can't start at “{step}”, which is not a step.").format(step=shown(name))
    if not isinstance(name, str):
        message = _("The run can't start: {pointer} is not the id of a step.").format(pointer=pointer)
    return _error("entry_unknown", code, message, pointer)


def _error(kind: str, code: str | None, message: str, pointer: str | None, step: str | None = None) -> RunError:
    return RunError(kind=kind, message=message, code=code, step=step, pointer=pointer)
