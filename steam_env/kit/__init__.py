"""What every room may use: checks of values, words for messages, errors, array types, files."""
