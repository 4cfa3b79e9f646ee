"""Playing Steam Power at the terminal."""
