# A machine needs make and Python 3.11 or newer; the rest is installed into .venv on first use.

# The first of these that works is taken. To choose another: make play PYTHON=/path/to/python
PYTHON := python3.11 python3.12 python3.13 python3.14 python3

# What .venv is made from: this folder (its scripts contain the path) and the locked versions. Stamps
# carry this number in their names, so when either changes .venv is made anew.
MADE_FROM := $(shell { pwd -P; cat requirements/*.txt; } | cksum | cut -d ' ' -f 1)

PIP := .venv/bin/python -m pip --quiet --disable-pip-version-check
LEARN_PIP := .venv-learn/bin/python -m pip --quiet --disable-pip-version-check
LOCK := .venv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links pyproject.toml --group build

.DEFAULT_GOAL := help
.PHONY: help play test soak browser chromium learn screenshots lint format golden lock clean
# There is only one .venv to set up.
.NOTPARALLEL:

help: ## Say what there is to make.
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

play: .venv/play.ready ## Play in the browser, with everybody in your network.
	@.venv/bin/upcard

# The second run is for what the first cannot see: compiled code that reads past the end of a list.
test: lint chromium ## Check everything.
	.venv/bin/pytest
	NUMBA_BOUNDSCHECK=1 .venv/bin/pytest -m bounds
	@$(MAKE) --no-print-directory learn

soak: chromium ## Run the long versions of the tests.
	.venv/bin/pytest -m soak

browser: chromium ## Run only the tests in a browser.
	.venv/bin/pytest -m "browser and not soak"

# What was not tried in a browser was not tested. Where none can be had: make test UPCARD_NEEDS_BROWSER=0
test soak browser chromium: export UPCARD_NEEDS_BROWSER ?= 1
chromium: .venv/test.ready ## Install Chromium for the tests, where there is none.
	@.venv/bin/python -m tests.server.web.chromium

learn: .venv-learn/ready ## Run the tests that need OpenSpiel, torch and stable-baselines3.
	.venv-learn/bin/pytest -m "learn and not soak" tests/rl

screenshots: chromium ## Make the pictures of the README anew.
	.venv/bin/python -m tests.server.web.screenshots

lint: .venv/test.ready ## Check style, types and imports.
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo
	.venv/bin/python -m tests.server.web.tsc

format: .venv/test.ready ## Format the sources.
	.venv/bin/ruff check --fix-only
	.venv/bin/ruff format

golden: .venv/test.ready ## Make the golden records anew; see tests/test_golden.py first.
	for game in stockpile lines stacks; do .venv/bin/upcard simulate $$game --games 4 --seed golden \
		--players 3 --bots greedy,random --legal --records tests/golden/$$game.jsonl || exit; done

# What is played with is what was tested: the smaller file is held to the versions in the larger.
lock: .venv/test.ready ## Lock the newest versions of all dependencies.
	$(LOCK) --extra dev --extra cluster --extra ray --extra report --extra rl --output-file requirements/test.txt
	$(LOCK) --extra report --constraint requirements/test.txt --output-file requirements/play.txt

clean: ## Remove .venv and all caches.
	rm -rf .venv .venv-learn .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -prune -exec rm -rf {} +

# Setting up, in two steps. A stamp is written last and .venv starts empty, so nothing is left over
# from a set-up that was interrupted.

.venv/play.ready .venv/test.ready: .venv/%.ready: .venv/%-$(MADE_FROM) pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# A Python may be there and yet not run, or have no venv, so each is tried.
.venv/play-$(MADE_FROM) .venv/test-$(MADE_FROM): .venv/%-$(MADE_FROM):
	@for python in $(PYTHON) none; do \
		"$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	done; \
	if [ "$$python" = none ]; then \
		echo "Upcard needs Python 3.11 or newer with venv (Debian, Ubuntu: install python3-venv)." >&2; exit 1; \
	fi; \
	echo "Setting up .venv (once, it may take some minutes) ..."; \
	"$$python" -m venv --clear .venv
	@$(PIP) install --require-hashes -r requirements/$*.txt
	@touch $@ .venv/play-$(MADE_FROM) # what is in play.txt is in test.txt too

# SciPy and torch are heavy, and Upcard has to do without: they stay out of .venv. All versions that both
# environments have are those of test.txt.
.venv-learn/ready: requirements/learn.txt requirements/test.txt pyproject.toml | .venv/test.ready
	@echo "Setting up .venv-learn (once, it may take some minutes) ..."
	@.venv/bin/python -m venv --clear .venv-learn
	@sed -n 's/ *\\$$//; s/^[a-z].*==.*/&/p' requirements/test.txt > .venv-learn/versions.txt
	@$(LEARN_PIP) install --constraint .venv-learn/versions.txt --requirement requirements/learn.txt
	@$(LEARN_PIP) install --constraint .venv-learn/versions.txt --no-build-isolation --editable .
	@touch $@
