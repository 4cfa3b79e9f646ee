"""Maps and contract decks: files that a person can edit, validated when they are loaded."""
