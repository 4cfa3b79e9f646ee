"""Games of Steam (2009), with what lies on their table by name."""
