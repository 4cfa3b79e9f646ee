"""Environments: thin adapters of the games for the interfaces of the field. They know no rules, and no game by name."""
