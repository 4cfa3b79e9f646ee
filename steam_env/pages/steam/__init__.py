"""Pages of the documentation on Steam (2009)."""

PAGES: dict[str, str] = {}  # page -> the module whose ``make_files`` writes it
