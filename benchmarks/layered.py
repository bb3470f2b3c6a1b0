"""Agents whose graph is made of layers: what the canvas is measured with."""

from math import isqrt
from pathlib import Path
from typing import Any

from benchmarks.agents import sound_step, step_name, write_made
from benchmarks.chance import Chance
from benchmarks.generate import registry

_ASIDE = 2  # columns that a way goes to the side at most


def write_layered(folder: Path, steps: int, seed: int = 0) -> Path:
    """Write an agent of that many steps into `folder`/.agent/generated; gives its registry."""
    return write_made(folder, layered_registry(steps, seed))


def layered_registry(steps: int, seed: int = 0) -> dict[str, Any]:
    """Four times as many layers as steps in one: two ways down from each step, one back to itself or up.

    The last layer closes. 10,000 steps have about 20,000 edges between different steps.
    """
    made = registry(steps, seed)
    chance = Chance(seed)
    width = max(1, isqrt(steps) // 2)
    closing = (steps - 1) // width * width  # where the last layer begins
    names = [
        step_name("closure" if at >= closing else "initial" if at == 0 else "continuation", old, at)
        for at, old in enumerate(made["steps"])
    ]
    written = {}
    for at, (name, step) in enumerate(zip(names, made["steps"].values(), strict=True)):
        layer, column = divmod(at, width)
        ways: dict[str, Any] = {}
        if at >= closing:
            ways["closing"] = {"target": None}
        else:
            below = names[(layer + 1) * width :][:width]
            aside = column - _ASIDE + chance.below(2 * _ASIDE + 1)
            ways["handoff" if at + width >= closing else "next"] = {"target": below[min(column, len(below) - 1)]}
            ways["jump"] = {"target": below[max(0, min(aside, len(below) - 1))]}
        upward = layer > 2 and chance.below(8) == 0
        ways["repeat"] = {"target": names[at - 2 * width] if upward else name}
        written[name] = sound_step(name, step, ways)
    return {**made, "entryStepMapping": {"count:iteration": names[0]}, "failurePatterns": {}, "steps": written}
