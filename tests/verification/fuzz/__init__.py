"""Inputs that try to break the readers: ``python -m tests.verification.fuzz --minutes 30 --target all``."""
