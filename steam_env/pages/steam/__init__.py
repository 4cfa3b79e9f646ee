"""Pages of the documentation on Steam (2009)."""

PAGES = {  # page -> the module whose ``make_files`` writes it
    "steam_environments": f"{__name__}.environments",
    "steam_maps": f"{__name__}.maps",
    "steam_results": f"{__name__}.results",
}
