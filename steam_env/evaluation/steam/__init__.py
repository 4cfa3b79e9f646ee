"""The protocols of Steam (2009)."""
