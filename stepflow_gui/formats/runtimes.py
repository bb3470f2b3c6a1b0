"""The runners that findings can be about, of all formats together."""

from stepflow_gui.formats.climpt.eras import ERAS
from stepflow_gui.formats.takt.eras import TAKT_ERAS

RUNTIMES = (*ERAS, *TAKT_ERAS)
"""Their public names, `guide` first; one of another format than a file's leaves that one's default."""
