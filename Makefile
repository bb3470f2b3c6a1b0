# Set-up and the commands of the README. A fresh machine needs Python 3.11 or newer with venv, git and make.

PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
INSTALLED := .venv/.installed
CATALOGUE := resources/locale/ja/LC_MESSAGES/stepflow.mo
PYTEST := $(BIN)/pytest -n 3 --dist worksteal

DOCS := .venv-docs

export PYTHONDONTWRITEBYTECODE :=# without byte code each worker would compile all modules and tests for itself

.PHONY: run test test-all fuzz bench check collect coverage format catalogue docs lock

run: $(INSTALLED) $(CATALOGUE)
	$(BIN)/stepflow demo

test test-all: $(INSTALLED) $(CATALOGUE)
	@$(BIN)/python packaging/check_system.py
	@$(MAKE) --no-print-directory --jobs=2 check collect
	$(PYTEST) $(if $(filter test-all,$@),--full)

# Compiles what the workers would otherwise compile at the same time, each for itself. What is wrong, they report.
collect: $(INSTALLED)
	@$(BIN)/pytest --collect-only -qq >/dev/null 2>&1 || true

# Inputs made by chance: `make fuzz SECONDS=3600`, `make fuzz SEED=7 TARGETS="agents pieces"`.
SECONDS ?= 60
fuzz: $(INSTALLED) $(CATALOGUE)
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(TARGETS:%=--target %)

# Names what takes more than 20 % longer than at the commit of benchmarks/figures.md, then writes that file again.
bench: $(INSTALLED) $(CATALOGUE)
	-$(BIN)/python -m benchmarks.paired
	$(BIN)/pytest benchmarks -q --figures benchmarks/figures.md

check: $(INSTALLED) $(CATALOGUE)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

coverage: $(INSTALLED) $(CATALOGUE)
	$(BIN)/pytest -n 2 --cov --cov-report=term --cov-report=html

format: $(INSTALLED)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

catalogue: $(CATALOGUE)

# Builds the docs site into build/site; a dead link and a page without its translation fail. What builds it is installed in an
# environment of its own, so tests need none of it.
docs: $(DOCS)/.installed
	PYTHONPATH=. $(DOCS)/bin/python packaging/docs_site.py

# Renews the locks: `make lock` keeps what still fits, `make lock UPGRADE=--upgrade` takes the newest of everything.
lock: $(INSTALLED)
	$(BIN)/python -m pip install --quiet "uv>=0.9"
	$(BIN)/uv pip compile $(UPGRADE) --quiet --universal --python-version 3.11 --all-extras --group dev \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
		--custom-compile-command "make lock" --output-file requirements.lock pyproject.toml
	$(BIN)/uv pip compile $(UPGRADE) --quiet --universal --python-version 3.11 --group docs \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
		--custom-compile-command "make lock" --output-file requirements-docs.lock

$(CATALOGUE): $(wildcard resources/locale/ja/*.po) packaging/catalogue.py $(INSTALLED)
	@$(BIN)/python packaging/catalogue.py compile

$(DOCS)/.installed: requirements-docs.lock
	@test -x $(DOCS)/bin/python || $(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip install --quiet --require-hashes --requirement requirements-docs.lock
	@touch $@

$(INSTALLED): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with venv is needed (Debian: apt-get install python3-venv)." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
