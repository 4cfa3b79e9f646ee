"""Observations of Steam Power: `flat`, `grid` and `graph`."""
