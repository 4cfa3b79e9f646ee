"""Steam (2009) in words: texts of actions, reasons, events told, scenario files."""
