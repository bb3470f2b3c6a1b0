"""Stepflow from Python: `load_agent` and `StepFlowRunner` for agents, `run_piece` for TAKT pieces.

No window, no Qt; nothing is written to the project. Documented in docs/python-api.md and docs/pieces.md.
"""

from stepflow_gui.api.agents import (
    Agent,
    AgentError,
    CheckResult,
    HistoryEntry,
    Question,
    RunResult,
    StepFlowRunner,
    load_agent,
    load_script,
)
from stepflow_gui.api.pieces import Decide, PieceResult, run_piece

__all__ = [
    "Agent",
    "AgentError",
    "CheckResult",
    "Decide",
    "HistoryEntry",
    "PieceResult",
    "Question",
    "RunResult",
    "StepFlowRunner",
    "load_agent",
    "load_script",
    "run_piece",
]
