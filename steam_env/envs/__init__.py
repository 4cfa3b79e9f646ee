"""Environments: thin adapters of games to the interfaces that agents are trained on. They know no game's rules."""
