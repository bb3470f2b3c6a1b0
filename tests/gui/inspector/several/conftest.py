"""A window with the bundled example, as for the inspector's other tests."""

from tests.gui.inspector.conftest import example, window

__all__ = ["example", "window"]
