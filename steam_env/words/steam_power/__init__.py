"""Steam Power in words: texts of actions, reasons, events and scenario files."""
