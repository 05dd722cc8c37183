# `make demo` and `make test` need only Python (3.11 or later), make and pip.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test fuzz test-interop test-browser viewer docs lint clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp per set of extras: installed again only when the project's own files change.
$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[oracles,prove,draw]'
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

$(VENV)/.browser: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[test-browser]'
	@touch $@ $(VENV)/.test $(VENV)/.demo
$(VENV)/.docs: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt -e '.[docs,prove,draw]'
	@touch $@ $(VENV)/.demo

demo: $(VENV)/.demo
	@mkdir -p build
	$(BIN)/hyloop compile dijkstra -o build/dijkstra.safetensors
	$(BIN)/hyloop run build/dijkstra.safetensors examples/harbour.hif.json --source Quay --path Dunes
	$(BIN)/hyloop check build/dijkstra.safetensors examples/harbour.hif.json --random 100
	$(BIN)/hyloop trace dijkstra examples/harbour.hif.json --source Quay -o build/run.html
	@echo
	@echo "Watch it: open build/run.html in a browser. To edit the hypergraph and run again: .venv/bin/hyloop view"

test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --dist loadfile

# Random programs and damaged files until the time is over: docs/fuzzing.md.
MINUTES ?= 5
fuzz: $(VENV)/.test
	PYTHONPATH=tests $(BIN)/python -m fuzz --minutes $(MINUTES) $(FUZZ)

# With every library that hyloop talks to, from the registry: some gigabytes.
test-interop: $(VENV)/.interop
	$(BIN)/python -m pytest tests/interop tests/export tests/docs/test_interop.py tests/test_examples_scripts.py

# The viewer in a real browser, Debian's Chromium.
test-browser: $(VENV)/.browser
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } || \
	  { echo "The browser tests need Chromium: install the package chromium, then try again."; exit 1; }
	HYLOOP_BROWSER_REQUIRED=1 $(BIN)/python -m pytest -n 2 --dist loadfile tests/browser

# The viewer's bundle from its sources, which needs Node.js; users and the other targets do not.
viewer:
	scripts/with-node sh -c 'cd viewer && npm ci --no-audit --no-fund --loglevel=error && npm run check && npm run build'

# The pages as a site in build/site, which opens from disk; a warning or a broken link is an error.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/python scripts/docs/check_links.py build/site README.md CHANGELOG.md

lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
