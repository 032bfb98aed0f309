# Two commands from a bare clone: `make demo`, `make test`. Everything is installed into .venv by the targets themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test check format lint types bench calibrate clean

demo: $(READY)
	$(BIN)/tellapart compare examples/retrieval.csv --a baseline --b candidate

test: $(READY)
	$(BIN)/python -m pytest -n 2

check: $(READY) format lint types test

format: $(READY)
	$(BIN)/ruff format --check .

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist src/*.egg-info

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@
