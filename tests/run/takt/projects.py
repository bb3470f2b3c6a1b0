"""Pieces in a project, opened as a release of TAKT does."""

from collections.abc import Mapping
from pathlib import Path

from stepflow_gui.formats.takt.runners import runner_named
from stepflow_gui.project.agent_folder import AgentFolder, open_agent
from stepflow_gui.run.takt.loading import PieceRefusal
from stepflow_gui.run.takt.machine.machine import PieceMachine
from stepflow_gui.run.takt.machine.piece import Piece
from stepflow_gui.run.takt.machine.state import Begin, Event, PieceState
from stepflow_gui.run.takt.opening import piece_in

STEPS, PIECE = "name: p\nsteps:\n", "name: p\nmovements:\n"
ENDS = "    rules:\n      - {condition: good, next: COMPLETE}\n      - {condition: bad, next: ABORT}\n"


class Project:
    """A folder in which pieces are opened as a release does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def agent(self, text: str, files: Mapping[str, str] | None = None) -> AgentFolder:
        home = ".takt/pieces" if "movements:" in text else ".takt/workflows"
        for name, content in {f"{home}/p.yaml": text, **(files or {})}.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        agent = open_agent(self.folder / home / "p.yaml")
        assert isinstance(agent, AgentFolder)
        return agent

    def read(self, text: str, release: str, files: Mapping[str, str] | None = None) -> Piece | PieceRefusal:
        runner = runner_named(f"takt-{release}")
        assert runner is not None
        return piece_in(self.agent(text, files), runner)

    def machine(self, text: str, release: str, files: Mapping[str, str] | None = None) -> PieceMachine:
        runner, piece = runner_named(f"takt-{release}"), self.read(text, release, files)
        assert runner is not None
        assert isinstance(piece, Piece), piece
        return PieceMachine(piece, runner)


def ran(machine: PieceMachine, *events: Event, facts: Mapping[str, object] | None = None) -> PieceState:
    state, _happened = machine.step(PieceState(), Begin("T", facts=facts or {}))
    for event in events:
        state, _happened = machine.step(state, event)
    return state


def end_of(state: PieceState) -> str:
    return state.end.kind if state.end else state.movement or ""
