"""The variables of instructions that releases replace, as data; elsewhere their braces stay as they are."""

from collections.abc import Mapping

from stepflow_gui.formats.takt.releases.sets import ALL, Releases, between, since

VARIABLES: Mapping[str, Releases] = {
    **dict.fromkeys(("task", "iteration", "previous_response", "user_inputs", "report_dir"), ALL),
    "cycle_count": since("0.7.0-alpha.1"),
    "max_iterations": between("0.1.1", "0.11.1"),
    "max_movements": between("0.12.0", "0.35.4"),
    "max_steps": since("0.36.0"),
    "movement_iteration": between("0.4.0", "0.35.4"),
    "step_iteration": between("0.1.5", "0.3.9") | since("0.36.0"),
    **dict.fromkeys(
        ("current_report", "previous_report", "report_history", "peer_reports"), between("0.38.0", "0.52.0")
    ),
    "review_scope": since("0.57.0"),
}
"""By name. `{report:…}` is replaced in all."""
WITH_NAMES: Mapping[str, Releases] = {
    **dict.fromkeys(("context:", "structured:", "effect:"), since("0.36.0")),
    "var:": since("0.55.0"),
}
"""By what stands before the name in the braces."""
SAME = (("max_iterations", "max_movements", "max_steps"), ("movement_iteration", "step_iteration"))
"""Variables of the same meaning, as releases call them."""


def replaced_by_some(releases: Releases) -> tuple[str, ...]:
    """The variables that any of those releases replaces, those left out that every release knows or only judges."""
    known = {**VARIABLES, **WITH_NAMES}
    return tuple(name for name, of in known.items() if of & releases and of != ALL and name != "cycle_count")


def replaced_by(releases: Releases) -> tuple[str, ...]:
    """The variables that any of those releases replaces."""
    return tuple(name for name, known in VARIABLES.items() if known & releases)
