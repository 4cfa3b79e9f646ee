"""Pages of the documentation on Steam Power."""
