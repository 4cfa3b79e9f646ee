"""The rules of Steam, each with a test named after it, and the worked examples; for any engine of ``engines``."""
