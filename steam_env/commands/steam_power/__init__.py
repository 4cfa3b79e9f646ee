"""Programs that only Steam Power has."""
