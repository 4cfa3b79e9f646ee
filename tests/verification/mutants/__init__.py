"""Deliberate faults in the rules, and the proof that the test suite notices each."""
