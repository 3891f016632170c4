# The verbs of this project. Each does all set-up it needs and nothing that is already done.
#
#   PYTHON=python3.12   which Python to make .venv with, if not the first one found
#   ARGS="-k scan -x"   further arguments for pytest (make test-python)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Tests start mindviz hundreds of times; without byte code, each start compiles it again.
unexport PYTHONDONTWRITEBYTECODE MAKEFLAGS

VENV := .venv
PY := $(VENV)/bin/python
NPM := $(PY) build/build_ui.py npm

# Installing again is due when one of these changes. The stamps lie in .venv and go with it.
UI := $(shell find ui \( -name node_modules -o -name dist -o -name test-results \) -prune \
	-o -type f -print 2>/dev/null)
NATIVE := $(shell find mindviz -name '*.pyx' -o -name '*.pxd' -o -name '*.h')
# Python modules with a .pxd are compiled, too.
NATIVE += $(wildcard $(patsubst %.pxd,%.py,$(filter %.pxd,$(NATIVE))))
BUILD := pyproject.toml setup.py setup.cfg $(wildcard build/*.py) $(NATIVE)
RUNTIME := $(VENV)/.installed
DEVELOPMENT := $(VENV)/.installed-dev

.PHONY: help
help:
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS='	' read -r verb what; do \
		printf '  make %-13s %s\n' "$$verb" "$$what"; done

# ------------------------------------------------------------------------------------- set-up

$(PY):
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
		python=; \
	done; \
	if [ -z "$$python" ]; then \
		echo "mindviz needs Python 3.11 or later. Say where it is: make PYTHON=/path/to/python3" >&2; \
		exit 1; \
	fi; \
	echo "Creating $(VENV) with $$("$$python" --version) ..."; \
	"$$python" -m venv $(VENV) || { \
		echo "Its module venv does not work: on Debian and Ubuntu, apt-get install python3-venv" >&2; \
		rm -rf $(VENV); exit 1; }

$(RUNTIME): $(BUILD) $(UI) | $(PY)
	@echo "Installing mindviz into $(VENV) ..."
	@$(PY) -m pip install --quiet --editable .
	@touch $@

$(DEVELOPMENT): $(BUILD) | $(PY)
	@echo "Installing mindviz and its development tools into $(VENV) ..."
	@$(PY) -m pip install --quiet --editable '.[dev]'
	@touch $(RUNTIME) $@

# The headless shell takes half the CPU time of Chromium: root gets it beside one, if apt has it.
.PHONY: chromium
chromium:
	@found() { for name; do command -v $$name >/dev/null && return; done; false; }; \
	found chromium-headless-shell && exit 0; \
	log=$$(mktemp); trap 'rm -f "$$log"' EXIT; \
	install() { \
		echo "Installing $$1 with apt-get ..."; \
		DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $$1 >"$$log" 2>&1; \
	}; \
	browsers="chromium chromium-browser google-chrome google-chrome-stable"; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		found $$browsers || apt-get update >"$$log" 2>&1; \
		if apt-cache show chromium-headless-shell >/dev/null 2>&1; then \
			install chromium-headless-shell && exit 0; \
		fi; \
		found $$browsers || install chromium || { tail -n 20 "$$log" >&2; exit 1; }; \
	elif ! found $$browsers; then \
		echo "The browser tests need Chromium on the PATH, and only root can install it from here:" >&2; \
		echo "    sudo apt-get install chromium     (or your system's way), then make test again" >&2; \
		exit 1; \
	fi

# -------------------------------------------------------------------------------------- verbs

DIR ?= $(MINDVIZ_SUMMARY_BASE_DIR)
DEMO := .cache/demo

.PHONY: run
run: $(RUNTIME) $(if $(DIR),,$(DEMO)) ## start mindviz on DIR=path, or on demo logs; PORT=8080
	@MINDVIZ_PORT_COMMAND="make run $(if $(DIR),DIR='$(DIR)' )PORT=" exec $(VENV)/bin/mindviz start \
		--summary-base-dir "$(or $(DIR),$(DEMO))" $(if $(PORT),--port $(PORT))

$(DEMO): | $(RUNTIME)
	@mkdir -p .cache
	@rm -rf $@.part && $(VENV)/bin/mindviz demo $@.part >/dev/null && mv $@.part $@

.PHONY: test test-python test-ui test-browser
# Two parts at once, because each waits at times. The output of a part comes at its end.
test: $(DEVELOPMENT) chromium ui ## run every test: Python, UI units, a real browser
	@echo "Running Python and browser tests side by side; each prints its results at the end ..."
	@$(MAKE) --jobs=2 --keep-going --output-sync=target test-python test-browser test-ui

# One worker per core. Workers steal tests from each other, so none is idle before the end.
PYTEST := -m pytest --quiet --numprocesses=auto --maxprocesses=8 --dist=worksteal

test-python: $(DEVELOPMENT) ui ## run the Python tests alone; ARGS="-k scan -x" selects some
ifdef ARGS
	@$(PY) -m pytest $(ARGS)
else
	@$(PY) $(PYTEST)
endif

test-ui: $(DEVELOPMENT) ## run the UI's unit tests alone
	@$(NPM) run --silent test

test-browser: $(DEVELOPMENT) chromium ui ## run the browser tests alone
	@$(NPM) run --silent e2e

# For each Python of the metadata that is installed here.
.PHONY: test-wheel
test-wheel: $(DEVELOPMENT) ui ## run the Python tests with the installed wheel, in clean environments
	@$(PY) build/test_wheel.py $(ARGS)

# Servers and commands that the tests start are measured too.
.PHONY: coverage
coverage: $(DEVELOPMENT) ui ## measure what the Python tests cover
	@rm -f .coverage*
	@$(PY) -m coverage run $(PYTEST)
	@$(PY) -m coverage combine --quiet
	@$(PY) -m coverage report --skip-covered --skip-empty

.PHONY: lint
lint: $(DEVELOPMENT) ui ## check style, types, layers and the UI's size
	@$(PY) -m ruff check --quiet .
	@$(PY) -m ruff format --check --quiet .
	@$(PY) -m mypy --no-error-summary
	@$(VENV)/bin/lint-imports --no-logo
	@$(PY) build/export_openapi.py --check
	@$(NPM) run --silent typecheck
	@$(NPM) run --silent format:check
	@$(NPM) run --silent lint
	@$(NPM) run --silent check-size

.PHONY: openapi
openapi: $(DEVELOPMENT) ## update docs/openapi.json and docs/rest-reference.md
	@$(PY) build/export_openapi.py

.PHONY: screenshots
screenshots: $(DEVELOPMENT) chromium ui ## retake the screenshots in docs/images
	@$(NPM) run --silent screenshots

.PHONY: ui
ui: $(DEVELOPMENT) ## build the web UI into mindviz/webui
	@$(PY) build/build_ui.py

.PHONY: wheel
wheel: $(DEVELOPMENT) ui ## build the sdist and, from it, the wheel into dist/
	@rm -rf dist
	@$(PY) -m build --outdir dist >.build/wheel.log 2>&1 || { cat .build/wheel.log >&2; exit 1; }
	@ls -l dist

# atheris has wheels for Linux on x86-64 alone, so it is no part of the development tools.
.PHONY: fuzz
fuzz: $(DEVELOPMENT) ## fuzz scanners, decoders and plugins, guided by coverage, for FOR=600 seconds
	@$(PY) -c 'import atheris' 2>/dev/null || $(PY) -m pip install --quiet 'atheris>=3' || true
	@$(PY) -m tests.fuzz.coverage_guided $(or $(FOR),600)

.PHONY: sanitize
sanitize: $(DEVELOPMENT) ## test the native modules under AddressSanitizer and UBSan
	@$(PY) build/sanitize.py

.PHONY: properties
properties: $(DEVELOPMENT) ## run the property tests with thousands of fresh examples
	@$(PY) -m pytest --hypothesis-profile=long -m hypothesis $(ARGS)

.PHONY: test-peers
test-peers: $(DEVELOPMENT) ## run the tests beside MindSpore, MindInsight, TensorBoard, VisualDL, torch
	@$(PY) tests/peers/environments.py

.PHONY: bench
bench: $(DEVELOPMENT) chromium ui ## measure against the peers and print ratios
	@$(PY) benchmarks/run.py

# The generator wants an older protobuf than mindviz runs with: it has an environment of its own.
PROTOC := .cache/protoc/bin/python

.PHONY: proto
proto: | $(PY) ## generate the modules of the .proto files
	@test -x $(PROTOC) || $(PY) -m venv .cache/protoc
	@$(PROTOC) -m pip install --quiet \
		"$$(cd build && ../$(PY) -c 'import build_proto; print(build_proto.PROTOC_PACKAGE)')" setuptools
	@$(PROTOC) build/build_proto.py

.PHONY: clean
clean: ## remove what was built; keeps .venv and .cache
	@rm -rf .build dist mindviz/webui .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
	@find mindviz -name '*.so' -delete
	@rm -f $(RUNTIME) $(DEVELOPMENT)
