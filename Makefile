# Every target makes its own environment; PYTHON chooses the interpreter.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo check check-long wheel-check format clean

demo: .venv/ready
	$(BIN)/eleusis tournament quick

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -q -rs -n 2 -m "not long"

check-long: .venv/ready
	$(BIN)/pytest -q -rs -n 2 -m long

wheel-check:
	PYTHON=$(PYTHON) .ci/wheel

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache
