"""Playing against agents at the terminal: a session, what it shows, and the terminal itself; a folder for each game."""
