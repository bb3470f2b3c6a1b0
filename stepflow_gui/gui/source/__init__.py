"""The source panel: the texts of the files in an editor."""
