# Every target works in a fresh clone: it first makes .venv with the versions that CI uses.
# PYTHON is the interpreter to make it with (3.11 or newer).
PYTHON ?= python3
BIN := .venv/bin
READY := $(BIN)/.ready

.PHONY: help setup match test lint types pytest clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-8s %s\n", $$1, $$2}' Makefile

setup: $(READY)  ## make .venv and install the package, its tools and its tests

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[tools,test]"
	@touch $@

match: $(READY)  ## play greedy against random on the midwest map
	$(BIN)/python evaluate.py greedy --against random

test: lint types pytest  ## everything CI checks

lint: $(READY)  ## ruff: style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)  ## mypy, strict
	$(BIN)/mypy

pytest: $(READY)  ## the tests, on two cores
	$(BIN)/pytest -n 2

clean:  ## remove .venv, caches and build outputs
	rm -rf .venv build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
