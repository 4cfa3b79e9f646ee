"""Playing in the terminal: the session, what it shows, and the terminal itself."""
