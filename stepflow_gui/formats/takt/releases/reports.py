"""How each release reads the reports of a step."""

from stepflow_gui.formats.takt.releases.notes import FORM, T_037, T_053, Notes, Path
from stepflow_gui.formats.takt.releases.sets import Releases, before, since
from stepflow_gui.formats.takt.report_paths import same_file
from stepflow_gui.text.json.tree import JsonValue

_NEW_ITEMS = since("0.17.0")


def hold_reports(notes: Notes, contracts: JsonValue, path: Path, reading: Releases) -> None:
    """Note how releases read the value of `output_contracts`."""
    if not isinstance(contracts, dict):
        notes.mistake("type", path, reading)
        return
    reports = contracts.get("report")
    if not isinstance(reports, list):
        return
    seen: list[str] = []
    for index, report in enumerate(reports):
        where = (*path, "report", index)
        if not isinstance(report, dict):
            notes.mistake(FORM, where, reading)
            continue
        for key in ("name", "format"):
            if report.get(key) is None:  # older ones take labels, and a name alone
                notes.refuse(FORM, (*where, key), reading & _NEW_ITEMS)
            else:
                hold_text(notes, report[key], (*where, key), reading & _NEW_ITEMS)
        if "use_judge" in report:
            notes.drop((*where, "use_judge"), reading & before("0.17.0"))
        name = report.get("name")
        if isinstance(name, str):
            one_file = same_file(name)
            if one_file in seen:
                notes.refuse("report_twice", (*where, "name"), reading & T_053)
            seen.append(one_file)
            if name.startswith("/") or ".." in name.split("/"):
                notes.refuse("report_path", (*where, "name"), reading & T_053)


def hold_text(notes: Notes, value: JsonValue, path: Path, reading: Releases, *, nothing: bool = False) -> None:
    """Note a value that isn't a text. Called workflows may have a parameter in its place; `nothing`: or null."""
    if isinstance(value, str) or (nothing and value is None):
        return
    parameter = isinstance(value, dict) and set(value) == {"$param"}
    if parameter:
        notes.refuse("parameter", path, reading & ~T_037)
    else:
        notes.mistake("type", path, reading)
