"""The answers that a person is making in the runs of an agent, each kept for its moment of its run."""

from collections import OrderedDict
from typing import NamedTuple

from stepflow_gui.formats.checks.runners import CHECK_ANSWER
from stepflow_gui.project.agent_folder import AgentFolder
from stepflow_gui.run.answer_form.draft import AnswerDraft
from stepflow_gui.run.host.host import schema_for
from stepflow_gui.run.machine.run_problem import RunError
from stepflow_gui.run.session import Run, waits_for_answer

_MOST = 50  # drafts that are kept


class _Moment(NamedTuple):
    """Where in a run an answer is given."""

    run: int
    position: int
    step: str


class Drafts:
    """Gives the draft of the answer that a run waits for; stepping back finds what was written there."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: OrderedDict[_Moment, tuple[Run, AnswerDraft]] = OrderedDict()

    def of(self, run: Run, agent: AgentFolder) -> AnswerDraft | None:
        """The draft for a run as it stands; None where it waits for no answer, or its step is gone.

        `agent` gives the output schema. Where that has changed since, what was written is kept as text.
        """
        if not waits_for_answer(run):
            return None
        state, flow, era = run.state, run.machine.flow, run.machine.era
        step = flow.steps[state.step or ""]
        moment = _Moment(id(run), run.position, step.id)
        before = self._kept[moment][1] if moment in self._kept else None
        schema = schema_for(agent, step.id, era) if era.gates else CHECK_ANSWER
        schema = None if isinstance(schema, RunError) else schema
        draft = before
        if before is None or before.flow is not flow or (schema is not None and before.schema != schema):
            draft = AnswerDraft(flow, step, schema, era, _dialect(agent, step.id) if era.gates else None)
            if before is not None:
                draft.write(before.text)
                draft.beside = before.beside
        assert draft is not None
        self._kept[moment] = run, draft  # the run is held, so no other one gets its id
        self._kept.move_to_end(moment)
        while len(self._kept) > _MOST:
            self._kept.popitem(last=False)
        return draft

    def forget(self) -> None:
        """Forget them all."""
        self._kept.clear()


def _dialect(agent: AgentFolder, step_id: str) -> str | None:
    """The `$schema` of the file that a step's output schema is from."""
    step = agent.flow.steps.get(step_id)
    place = agent.schema(step).place if step is not None and step.schema_ref is not None else None
    root = place.document.root if place is not None else None
    declared = root.get("$schema") if root is not None else None
    return declared.value if declared is not None and isinstance(declared.value, str) else None
