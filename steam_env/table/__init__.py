"""Games on a table: one or many, views of them, rewards, saves and game files."""
