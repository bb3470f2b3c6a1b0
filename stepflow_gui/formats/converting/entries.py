"""The keys of `entryStepMapping` as verdict types are called today (formats.md, renames over time)."""

from stepflow_gui.formats.climpt.vocabulary import OLDER_VERDICT_TYPES
from stepflow_gui.formats.converting.made import JsonObject, Losses
from stepflow_gui.messages import _
from stepflow_gui.text.pointer import join

_MAPPING = "entryStepMapping"


def rename_entries(value: JsonObject, verdict: str | None, losses: Losses, renamed: dict[str, str]) -> None:
    """Give the entries today's names, first that of the agent's own verdict type, by whatever name it is `verdict`.

    One whose name is taken stays under the older one. The others are recorded in `renamed`.
    """
    mapping = value.get(_MAPPING)
    if not isinstance(mapping, dict):
        return
    names: dict[str, str] = {}
    for key in sorted(mapping, key=lambda key: key != verdict):  # the others in the order of the file
        today = OLDER_VERDICT_TYPES.get(key, key)
        names[key] = today
        if today != key and (today in mapping or today in [name for other, name in names.items() if other != key]):
            names[key] = key
            losses.add(
                join("", _MAPPING, key),
                _("the entry “{key}”").format(key=key),
                _("its current name “{today}” is already used: it is kept, but no run begins there").format(
                    today=today
                ),
            )
    renamed |= {join("", _MAPPING, key): today for key, today in names.items() if today != key}
    value[_MAPPING] = {names[key]: step for key, step in mapping.items()}
