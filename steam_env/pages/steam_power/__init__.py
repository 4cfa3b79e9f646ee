"""Pages of the documentation on Steam Power."""

PAGES = {  # page -> the module whose ``make_files`` writes it
    name: f"{__name__}.{name}"
    for name in (
        *("balance", "benchmark", "environments", "maps", "mautoma", "readme", "record"),
        "training",
    )
}
