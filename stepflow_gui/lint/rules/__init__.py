"""The rules, one file each, a folder a family."""
