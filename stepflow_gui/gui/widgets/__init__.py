"""Small widgets, fonts, colours and dialogs that know nothing of agents."""
