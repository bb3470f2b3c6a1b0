"""The form in which an answer is made."""
