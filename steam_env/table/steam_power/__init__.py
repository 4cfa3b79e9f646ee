"""One game of Steam Power, with what lies on its table by name."""
