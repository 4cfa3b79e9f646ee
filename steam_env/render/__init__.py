"""Drawing: one position as text (pictures are to come)."""
