"""What keeps a text from being YAML, in words."""

from stepflow_gui.messages import _


def yaml_message(kind: str) -> str:
    """The message of a kind of mistake, with a placeholder for its detail where there is one."""
    return {
        "yaml-alias": _("“*{detail}” refers to an anchor that doesn't exist"),
        "yaml-character": _("The character {detail} isn't allowed in YAML as it is"),
        "yaml-colon": _("A text without quotes can't hold a colon with a blank behind it: put the text in quotes"),
        "yaml-cycle": _("“*{detail}” refers to something that contains it"),
        "yaml-deep": _("More than {detail} lists and mappings are nested: nothing deeper is read"),
        "yaml-documents": _("A second document begins here: the file may hold only one"),
        "yaml-escape": _(
            "“{detail}” is not an escape in YAML: a backslash itself is written as two, or in single quotes"
        ),
        "yaml-indent": _("The indentation doesn't match the lines before"),
        "yaml-long": _("The file has {detail} characters, which is too many to read"),
        "yaml-many": _("The file holds more than {detail} values with its aliases expanded, so it isn't read"),
        "yaml-missing-colon": _("“{detail}” is neither a key with a colon nor an item of a list"),
        "yaml-open-bracket": _("“{detail}” isn't closed"),
        "yaml-open-quote": _("This text has no closing quotation mark: {detail}"),
        "yaml-start": _("A text can't begin with “{detail}” unless it is in quotes"),
        "yaml-tab": _("YAML is indented by spaces, never by tabs"),
        "yaml-tab-unread": _("A tab can't be read here, though YAML allows it: use a space instead"),
    }.get(kind, _("This isn't YAML: {detail}"))
