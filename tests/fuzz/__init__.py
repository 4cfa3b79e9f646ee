"""Inputs that try to break the readers: ``python -m tests.fuzz --minutes 30 --target all``."""
