# `make demo` and `make test` need only Python (3.11 or later), make and pip.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test test-interop lint clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp per set of extras: installed again only when the project's own files change.
$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[oracles]'
	@touch $@
$(VENV)/.test: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[test]'
	@touch $@ $(VENV)/.demo
$(VENV)/.lint: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[test,lint]'
	@touch $@ $(VENV)/.test $(VENV)/.demo

$(VENV)/.interop: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt torch==2.13.0
	$(PIP) install -c constraints.txt -e '.[test-interop]'
	@touch $@ $(VENV)/.test $(VENV)/.demo

demo: $(VENV)/.demo
	@mkdir -p build
	$(BIN)/hyloop compile dijkstra -o build/dijkstra.safetensors
	$(BIN)/hyloop run build/dijkstra.safetensors examples/harbour.hif.json --source Quay --path Dunes
	$(BIN)/hyloop check build/dijkstra.safetensors examples/harbour.hif.json --random 100

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist loadfile

# With every library that hyloop talks to, from the registry: some gigabytes.
test-interop: $(VENV)/.interop
	$(BIN)/python -m pytest tests/interop tests/export tests/docs/test_interop.py tests/test_examples_scripts.py

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
