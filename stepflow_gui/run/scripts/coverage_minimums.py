"""How much the scripts of an agent are to cover at least, and what they cover less of."""

from collections.abc import Mapping
from typing import NamedTuple

from stepflow_gui.messages import _
from stepflow_gui.run.scripts.coverage import Coverage, Kind, kind_name


class CoverageShortfall(NamedTuple):
    """A kind of which less is covered than is to be, in per cent."""

    kind: Kind
    percent: float
    minimum: float

    @property
    def message(self) -> str:
        """The shortfall in one line."""
        text = _("{kind}: {percent} % covered, {wanted} % required")
        return text.format(kind=kind_name(self.kind), percent=f"{self.percent:.4g}", wanted=f"{self.minimum:g}")


def shortfalls(coverage: Coverage, minimums: Mapping[Kind, float]) -> list[CoverageShortfall]:
    """The kinds that are covered less than their minimum, in the order of the minimums."""
    return [
        CoverageShortfall(kind, percent, minimum)
        for kind, minimum in minimums.items()
        if (percent := coverage.share(kind).percent) < minimum
    ]
