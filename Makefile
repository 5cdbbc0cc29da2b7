# Every target makes its own environment; PYTHON chooses the interpreter.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo check check-long check-cluster wheel-check format clean

demo: .venv/ready
	$(BIN)/eleusis tournament quick

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -q -rs -n 2 -m "not long and not cluster"

check-long: .venv/ready
	$(BIN)/pytest -q -rs -n 2 -m long

check-cluster: .venv/cluster
	$(BIN)/pytest -q -rs -m cluster

wheel-check:
	PYTHON=$(PYTHON) .ci/wheel

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

.venv/cluster: .venv/ready
	$(BIN)/python -m pip install --quiet --editable ".[dask,ray]"
	touch $@

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache
