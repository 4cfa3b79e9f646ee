"""The programs: options and printing."""
