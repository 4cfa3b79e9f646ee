"""Maps, contract decks and Automa tables of Steam Power, and what its games are configured with."""
