# A machine needs make and Python 3.11 or newer; the rest is installed into .venv on first use.

# The first of these that works is taken. To choose another: make play PYTHON=/path/to/python
PYTHON := python3.11 python3.12 python3.13 python3.14 python3

# What .venv is made from: this folder (its scripts contain the path) and the locked versions. Stamps
# carry this number in their names, so when either changes .venv is made anew.
MADE_FROM := $(shell { pwd -P; cat requirements/*.txt; } | cksum | cut -d ' ' -f 1)

PIP := .venv/bin/python -m pip --quiet --disable-pip-version-check
SOAK_PIP := .venv-soak/bin/python -m pip --quiet --disable-pip-version-check
LOCK := .venv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links pyproject.toml --group build
comma := ,
EXTRAS := dev,cluster,ray,report,rl

.DEFAULT_GOAL := help
.PHONY: help play test soak flake browser chromium screenshots lint format golden lock clean
# There is only one .venv to set up.
.NOTPARALLEL:

help: ## Say what there is to make.
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

play: .venv/play.ready ## Play in the browser, with everybody in your network.
	@.venv/bin/upcard

# Tests deal from seeds that follow from their names; `make test SEED=2` deals other cards.
test soak browser flake: export TEST_SEED = $(SEED)
test: chromium ## Check everything.
	@.venv/bin/python -m tests.run

# The long versions play every combination of options, and some of them need torch.
soak: export TEST_CASES = all
soak: chromium .venv-soak/ready ## Run the long versions of the tests.
	.venv-soak/bin/pytest -m soak

N := 20
LOAD := 0
flake: chromium ## Run every check N times from nothing, beside LOAD busy processes, and print what ever failed.
	@.venv/bin/python -m tests.flake $(N) $(LOAD)

browser: chromium ## Run only the tests in a browser.
	.venv/bin/pytest -m "browser and not soak"

# What was not tried in a browser was not tested. Where none can be had: make test UPCARD_NEEDS_BROWSER=0
test soak browser flake chromium: export UPCARD_NEEDS_BROWSER ?= 1
chromium: .venv/test.ready ## Install Chromium for the tests, where there is none.
	@.venv/bin/python -m tests.server.web.chromium

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
	$(LOCK) $(addprefix --extra ,$(subst $(comma), ,$(EXTRAS))) --output-file requirements/test.txt
	$(LOCK) --extra report --constraint requirements/test.txt --output-file requirements/play.txt

clean: ## Remove .venv and all caches.
	rm -rf .venv .venv-soak .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -prune -exec rm -rf {} +

# Setting up, in two steps. A stamp is written last and .venv starts empty, so nothing is left over
# from a set-up that was interrupted.

.venv/play.ready .venv/test.ready: .venv/%.ready: .venv/%-$(MADE_FROM) pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# A Python may be there and yet not run, or have no venv, so each is tried. Most modules of what tests need are
# never imported, so they are not compiled ahead.
.venv/play-$(MADE_FROM) .venv/test-$(MADE_FROM): .venv/%-$(MADE_FROM):
	@for python in $(PYTHON) none; do \
		"$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	done; \
	if [ "$$python" = none ]; then \
		echo "Upcard needs Python 3.11 or newer with venv (Debian, Ubuntu: install python3-venv)." >&2; exit 1; \
	fi; \
	echo "Setting up .venv (once, it may take some minutes) ..."; \
	"$$python" -m venv --clear .venv
	@$(PIP) install $(if $(filter test,$*),--no-compile) --require-hashes -r requirements/$*.txt
	@touch $@ .venv/play-$(MADE_FROM) # what is in play.txt is in test.txt too

# Only training and the long tests need torch, which is as large as all the rest: it stays out of .venv. All
# versions that both environments have are those of test.txt.
.venv-soak/ready: requirements/soak.txt requirements/test.txt pyproject.toml | .venv/test.ready
	@echo "Setting up .venv-soak (once, it may take some minutes) ..."
	@.venv/bin/python -m venv --clear .venv-soak
	@sed -n 's/ *\\$$//; s/^[a-z].*==.*/&/p' requirements/test.txt > .venv-soak/versions.txt
	@$(SOAK_PIP) install --constraint .venv-soak/versions.txt --requirement requirements/soak.txt
	@$(SOAK_PIP) install --constraint .venv-soak/versions.txt --no-build-isolation --editable .[$(EXTRAS)]
	@touch $@
