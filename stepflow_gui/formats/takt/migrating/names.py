"""The names that one thing has had in the releases of TAKT."""

from collections.abc import Mapping

from stepflow_gui.formats.takt.releases.sets import ALL, NONE, Releases, between, row, since
from stepflow_gui.formats.takt.releases.table import KEYS

Family = tuple[str, ...]

_STEP: tuple[Family, ...] = (
    ("agent", "persona"),
    ("agent_name", "persona_name"),
    ("stance", "policy"),
    ("instruction_template", "instruction"),
    ("permission_mode", "required_permission_mode"),
)
FAMILIES: Mapping[str, tuple[Family, ...]] = {
    "top": (
        ("steps", "movements"),
        ("initial_step", "initial_movement"),
        ("max_iterations", "max_movements", "max_steps"),
        ("piece_config", "workflow_config"),
        ("agents", "personas"),
        ("stances", "policies"),
    ),
    "step": _STEP,
    "sub": (*_STEP, ("step", "name")),
    "judge": (("agent", "persona"), ("instruction_template", "instruction")),
    "team_leader": (("max_parts", "max_concurrency"),),
}
"""By level: names of one thing, of which a release reads the one or the other."""

FORWARD_ONLY: Family = ("permission_mode", "required_permission_mode")
"""The newer name means another thing: an exact mode there, the least mode here. Never changed back."""

_IN_04 = between("0.4.0", "0.35.4")
VARIABLES: tuple[Mapping[str, Releases], ...] = (
    {
        "{max_iterations}": between("0.1.1", "0.11.1"),
        "{max_movements}": between("0.12.0", "0.35.4"),
        "{max_steps}": since("0.36.0"),
    },
    {"{step_iteration}": between("0.1.5", "0.3.9") | since("0.36.0"), "{movement_iteration}": _IN_04},
)
"""Variables of prompts: for each thing, its names and the releases that replace them; others leave them as text."""


def reading(level: str, key: str) -> Releases:
    """The releases that read a key at a level, with whichever value; all for one that no row is about."""
    rows = [name for name in KEYS[level] if name == key or name.startswith(f"{key}: ")]
    rows = rows or [name for name in KEYS[level] if name.startswith(f"{key}.")]  # recognized by its contents alone
    if not rows:
        return reading("step", key) if level == "sub" else ALL
    found = NONE
    for name in rows:
        entry = row(level, name)
        found |= entry.read if entry is not None else NONE
    return found


def name_for(level: str, key: str, target: Releases) -> str:
    """The name that the target release has for what a key of other releases means; the key where it has none."""
    if reading(level, key) & target:
        return key
    family = next((names for names in FAMILIES.get(level, ()) if key in names), (key,))
    at = family.index(key)
    older = () if family == FORWARD_ONLY else family[:at][::-1]
    return next((name for name in (*family[at:], *older) if reading(level, name) & target), key)


def variable_for(variable: str, target: Releases) -> str:
    """The name that the target release has for a variable; the variable where it has none."""
    family = next(names for names in VARIABLES if variable in names)
    return next((name for name, releases in family.items() if releases & target), variable)
