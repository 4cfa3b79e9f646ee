"""The command-line programs: their options, and what they print."""
