"""Playing Steam at the terminal."""
