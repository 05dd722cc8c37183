# `make demo` and `make test` need only Python (3.11 or later), make and pip.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST := $(BIN)/python -m pytest
# The same order of sets and dictionaries in every run: `make test PYTHONHASHSEED=random` tries others.
PYTHONHASHSEED ?= 0
export PYTHONHASHSEED

.PHONY: demo test test-all test-cuda coq coq-all test-interop test-browser test-lowest fuzz sweeps coverage viewer docs lint lock release clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# Exactly the files that a lock names, by hash: it is whole, so pip looks for nothing else (older ones would take a
# newer release for `package[extra]`, which has no hash). Then the project itself, by the locked build tool.
locked = $(PIP) install --require-hashes --no-deps
own = $(PIP) install --no-build-isolation --no-deps -e . && $(PIP) check

# One stamp per lock: installed again only when the project's own files change.
$(VENV)/.demo: pyproject.toml locks/demo.txt locks/build.txt | $(BIN)/python
	$(locked) -r locks/build.txt -r locks/demo.txt
	$(own)
	@touch $@
$(VENV)/.test: pyproject.toml locks/test.txt locks/build.txt | $(BIN)/python
	$(locked) -r locks/build.txt -r locks/test.txt
	$(own)
	@touch $@ $(VENV)/.demo
$(VENV)/.dev: pyproject.toml locks/dev.txt | $(BIN)/python
	$(locked) -r locks/dev.txt
	$(own)
	@touch $@ $(VENV)/.test $(VENV)/.demo
# torch has no hashes here: its builds are other files on other machines.
$(VENV)/.interop: pyproject.toml locks/interop.txt locks/build.txt | $(BIN)/python
	$(locked) -r locks/build.txt
	$(locked) -r locks/interop.txt
	$(PIP) install torch==2.13.0
	$(own)
	@touch $@ $(VENV)/.test $(VENV)/.demo

demo: $(VENV)/.demo
	@mkdir -p build
	$(BIN)/hyloop compile dijkstra -o build/dijkstra.safetensors
	$(BIN)/hyloop run build/dijkstra.safetensors examples/harbour.hif.json --source Quay --path Dunes
	$(BIN)/hyloop check build/dijkstra.safetensors examples/harbour.hif.json --random 100
	$(BIN)/hyloop trace dijkstra examples/harbour.hif.json --source Quay -o build/run.html
	@echo
	@echo "Open build/run.html in a browser. Under Edit, add a pier to a boat: the transformer runs again, in the page."
	@echo "With all algorithms: .venv/bin/hyloop view"

# The same tests and examples every time, a few minutes. tests/conftest.py lists what is left to the targets below.
test: $(VENV)/.test
	$(PYTEST) -n auto --dist loadfile

# Everything: more examples and variants, mutants, sweeps, real data (HYLOOP_DATA), other libraries, the browser.
test-all: $(VENV)/.dev $(VENV)/.interop chromium
	HYLOOP_TESTS=all HYLOOP_BROWSER_REQUIRED=1 $(PYTEST) -n auto --dist loadfile
	scripts/sweeps 2000
	scripts/lowest

# Random programs and damaged files until the time is over: docs/fuzzing.md.
MINUTES ?= 5
fuzz: $(VENV)/.test
	PYTHONPATH=tests $(BIN)/python -m fuzz --minutes $(MINUTES) $(FUZZ)

# With every library that hyloop talks to, from the registry: some gigabytes.
LIBRARIES := tests/interop tests/export tests/docs/test_interop.py tests/whole/test_round_trips.py \
  tests/whole/test_examples.py tests/whole/test_examples_with_libraries.py
test-interop: $(VENV)/.interop
	HYLOOP_TESTS=libraries $(PYTEST) $(LIBRARIES) tests/thorough/interop

# Algorithms, transformers and the paper's constructions on random hypergraphs, proofs and mutants of the shipped ones.
sweeps: $(VENV)/.test
	scripts/sweeps $(or $(COUNT),200)

# The lowest versions that pyproject.toml allows, in an environment of their own.
test-lowest: $(VENV)/.dev
	scripts/lowest

# On a GPU: all algorithms against the cpu backend, and compute-sanitizer over a share; says so where there is none.
test-cuda: $(VENV)/.test
	scripts/test-cuda $(COUNT)

# The theorems about levels and dijkstra, and every obligation of their models, by Coq's kernel (Debian's coq).
coq: $(VENV)/.demo
	PYTHON=$(abspath $(BIN)/python) scripts/coq
	PYTHON=$(abspath $(BIN)/python) scripts/coq-certificates levels dijkstra

# The same of every algorithm: three quarters of an hour on two cores; CERTIFICATES is a folder that has them already.
coq-all: coq
	PYTHON=$(abspath $(BIN)/python) scripts/coq-certificates

# Which lines the tests reach: `make coverage` for those of `make test`, `make coverage TESTS=all` for `make test-all`.
coverage: $(VENV)/.dev $(if $(filter all,$(TESTS)),$(VENV)/.interop)
	HYLOOP_TESTS=$(TESTS) $(PYTEST) -n auto --dist loadfile -q --cov=hyloop --cov-report=term --cov-report=html:build/coverage

# The viewer in a real browser, Debian's Chromium.
test-browser: $(VENV)/.dev chromium
	HYLOOP_BROWSER_REQUIRED=1 $(PYTEST) -n 2 --dist loadfile tests/browser

.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; } || \
	  { echo "The browser tests need Chromium: install the package chromium, then try again."; exit 1; }

# The viewer's bundle from its sources, which needs Node.js; users and the other targets do not.
viewer:
	scripts/with-node sh -c 'cd viewer && npm ci --no-audit --no-fund --loglevel=error && npm run check && npm run build'

# The playground, a gallery and the pages as a site in build/site, which opens from disk; a warning is an error.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/python scripts/docs/check_links.py build/site README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md SECURITY.md

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache

# locks/*.txt from pyproject.toml; UPGRADE=1 takes newer versions.
lock: $(BIN)/python
	@$(BIN)/python -m uv --version >/dev/null 2>&1 || $(PIP) install uv
	scripts/lock

# Wheel, source distribution and bill of materials of the last commit, in dist/.
release: $(VENV)/.dev
	scripts/release

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
