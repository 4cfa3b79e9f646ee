"""Programs of Steam alone."""
