"""Pages of the documentation on Steam (2009)."""

PAGES = {"steam_environments": f"{__name__}.environments"}  # page -> the module whose ``make_files`` writes it
