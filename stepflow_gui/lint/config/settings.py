"""What a person can set for a lint run over one registry."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stepflow_gui.lint.config.selecting import RuleSelection

if TYPE_CHECKING:
    from stepflow_gui.lint.suppressions.suppressing import Suppression

GUIDE = "guide"


class LintSettings:
    """`runtime` is the era that findings are about, by its public name or `guide`; None takes the format's default.

    The list of eras, and the defaults, are in `formats.climpt.eras`: a name is one of `ERAS`.
    `fallback_keys` are known besides the built-in ones. `suppressions` are those of the configuration; the registry
    itself may hold more. They expire by `today` (YYYY-MM-DD; None: the clock's).
    """

    __slots__ = ("choice", "fallback_keys", "runtime", "suppressions", "today")

    def __init__(
        self,
        runtime: str | None = None,
        *,
        fallback_keys: frozenset[str] = frozenset(),
        choice: RuleSelection | None = None,
        suppressions: "Sequence[Suppression]" = (),
        today: str | None = None,
    ) -> None:
        self.runtime = runtime
        self.fallback_keys = fallback_keys
        self.choice = choice or RuleSelection()
        self.suppressions = suppressions
        self.today = today

    @property
    def guide(self) -> bool:
        """Whether files are judged by the guide alone, not by what an upstream version makes of them."""
        return self.runtime == GUIDE
