"""The program: windows, tabs, menus, start and end."""
