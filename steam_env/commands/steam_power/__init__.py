"""Command-line programs that only Steam Power has."""
