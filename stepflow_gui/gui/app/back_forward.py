"""Where the person has been: steps to go back to and forth from, as in a browser. Knows no Qt."""

LONGEST = 100


class BackForward:
    """The steps that were selected, one after the other, with the one that is shown now."""

    def __init__(self) -> None:
        self._steps: list[str] = []
        self._at = -1

    def visit(self, step: str) -> None:
        """The person looks at a step: what lay ahead is forgotten. Going back and forth visits nothing new."""
        if 0 <= self._at < len(self._steps) and self._steps[self._at] == step:
            return
        del self._steps[self._at + 1 :]
        self._steps.append(step)
        del self._steps[:-LONGEST]
        self._at = len(self._steps) - 1

    def rename(self, old: str, new: str) -> None:
        """A step has another id now."""
        self._steps = [new if step == old else step for step in self._steps]

    def back(self, there: "set[str] | dict[str, object]") -> str | None:
        """The step before, of those that are still there; None where there is none."""
        return self._go(-1, there)

    def forth(self, there: "set[str] | dict[str, object]") -> str | None:
        """The step after, of those that are still there; None where there is none."""
        return self._go(1, there)

    def _go(self, by: int, there: "set[str] | dict[str, object]") -> str | None:
        here = self._steps[self._at] if 0 <= self._at < len(self._steps) else None
        at = self._at + by
        while 0 <= at < len(self._steps):
            if self._steps[at] in there and self._steps[at] != here:
                self._at = at
                return self._steps[at]
            at += by
        return None
