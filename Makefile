# Everything a contributor runs. `make` alone lists the targets.
# Needs python3 (3.11 or later, with its venv module) and make; all else is installed into .venv.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
.DELETE_ON_ERROR:

VENV   := .venv
PY     := $(VENV)/bin/python
# What was installed last, and when: to run the product, and to work on it.
RUN    := $(VENV)/.installed
DEV    := $(VENV)/.installed-dev
# The interpreter .venv is made with: the first of these that is new enough.
PYTHON ?= python3 python3.13 python3.12 python3.11
# Further arguments for the program behind a target: make test ARGS='-k recall'
ARGS   ?=

EVOLVING := evolving_endoflife evolving_pep_schedule evolving_pep_status evolving_zh_laws

.PHONY: help
help:
	@echo 'Usage: make TARGET [ARGS=...]'
	@echo
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: install
install: $(DEV) ## make .venv and install knowwhy with all that working on it needs

.PHONY: demo
demo: $(RUN) ## see a memory change its mind (installs the runtime alone)
	@$(PY) examples/support_windows/demo.py $(ARGS)

.PHONY: test
test: $(DEV) ## run every test
	@$(PY) -m pytest -n auto $(ARGS)

.PHONY: suite
suite: $(DEV) ## run the store suite over every store, and draw the table of all its tests
	@$(PY) tests/conformance/table.py -n auto $(ARGS)

.PHONY: laws
laws: $(DEV) ## check the laws, and that each of them catches the mutants made for it
	@$(PY) -m pytest -n auto tests/laws
	@$(PY) tests/laws/mutants.py $(ARGS)

.PHONY: check
check: $(DEV) ## lint, format, types, layers
	@echo 'ruff check';  $(PY) -m ruff check --quiet
	@echo 'ruff format'; $(PY) -m ruff format --check --quiet || { echo 'To mend it: $(PY) -m ruff format'; exit 1; }
	@echo 'mypy';        $(PY) -m mypy --no-error-summary
	@echo 'layers';      said=$$($(VENV)/bin/lint-imports 2>&1) || { echo "$$said"; exit 1; }

.PHONY: bench
bench: $(DEV) ## measure speed, as ratios within one run (ARGS=--postgres: beside a server)
	@$(PY) benchmarks/run.py $(ARGS)

.PHONY: eval
eval: $(DEV) ## measure quality on the evolving_* data sets: make eval DATA=DIR
	@test -n '$(DATA)' || { echo 'Say where the data sets are: make eval DATA=DIR'; \
	  echo 'DIR holds one folder for each of: $(EVOLVING)'; exit 2; }
	@for set in $(EVOLVING); do \
	  test -d '$(DATA)'/$$set || { echo "No folder $$set in $(DATA)"; exit 2; }; \
	  echo "== $$set"; \
	  $(PY) evals/evolving.py --data '$(DATA)'/$$set $(ARGS) || exit; \
	done

.PHONY: crash
crash: $(DEV) ## kill writing processes: nothing acknowledged may be lost (ARGS='--small --store postgres')
	@$(PY) tests/campaigns/crash.py $(ARGS)

.PHONY: agents
agents: $(DEV) ## let sixteen agents live in one memory for a minute, and kill one every two seconds (ARGS='--store postgres')
	@$(PY) tests/campaigns/agents.py $(ARGS)

.PHONY: pipeline
pipeline: $(DEV) ## kill who writes words down and who reads them: each counts once (ARGS='--rounds 200 --store postgres')
	@$(PY) tests/campaigns/pipeline.py $(ARGS)

.PHONY: soak
soak: $(DEV) ## let agents do everything at once for an hour, be killed, and be checked (ARGS='--minutes 3 --store postgres')
	@$(PY) tests/campaigns/soak.py $(ARGS)

.PHONY: ray
ray: $(DEV) ## do offline work on a Ray cluster of this machine, and kill a worker (installs Ray, 90 MB)
	@$(PIP) install --editable '.[ray]'
	@$(PY) tests/campaigns/on_ray.py $(ARGS)

.PHONY: docs
docs: $(DEV) ## build the site of the pages in build/site (installs what builds it, 60 MB)
	@$(PIP) install --editable '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --quiet $(ARGS)
	@echo 'To look at it: $(VENV)/bin/mkdocs serve'

.PHONY: web
web: ## build the explorer from web/ into the package (needs Node 20.19 or later)
	@cd web && npm ci --silent && npm run --silent build

.PHONY: browser
browser: ## install Chromium for the tests of the explorer, where there is none (as root, on Debian)
	@command -v chromium || command -v chromium-browser || command -v google-chrome || { \
	  if test "$$(id -u)" = 0 && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; \
	  else echo 'Install Chromium, for example: sudo apt-get install chromium'; exit 1; fi; }

.PHONY: clean
clean: ## remove .venv, caches and build outputs
	@rm -rf $(VENV) dist build .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Installing -------------------------------------------------------------------------------------

define make-venv
@test -x $(PY) || { \
  for python in $(PYTHON); do \
    if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
  done; \
  if test -z "$$found"; then \
    echo 'knowwhy needs Python 3.11 or later; none of these is: $(PYTHON)'; \
    echo 'Install one, or name it: make install PYTHON=/path/to/python3'; exit 1; \
  fi; \
  echo "Making $(VENV) with $$($$found --version)"; \
  $$found -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }; }
endef

PIP := $(PY) -m pip --quiet --disable-pip-version-check

$(RUN): pyproject.toml
	$(make-venv)
	@echo 'Installing knowwhy'
	@$(PIP) install --editable .
	@touch $@

$(DEV): pyproject.toml
	$(make-venv)
	@echo 'Installing knowwhy and the tools to work on it'
	@$(PIP) install --editable '.[dev]'
	@touch $(RUN) $@
