"""What the window tells of the program itself."""

from PySide6.QtCore import qVersion

from stepflow_gui import __version__
from stepflow_gui.messages import _


def about_text() -> str:
    """The version, the licence, and what it is built with."""
    return _(
        "Version {version}. Licence: MIT.\n\nBuilt with Qt {qt} and PySide6, used under the GNU LGPL version 3."
        " The graph's drawing uses networkx (BSD)."
    ).format(version=__version__, qt=qVersion())
