"""Training frameworks on the environments. Each test module is skipped where its framework is not installed."""
