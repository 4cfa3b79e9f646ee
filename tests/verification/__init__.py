"""Checks beside the tests: reference engine, lockstep, invariants, fuzzer, deliberate faults, processes, frameworks."""
