"""Games in words: actions as text, reasons as sentences, events told, scenario files."""
