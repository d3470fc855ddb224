# This needs make and Python 3.11 or newer; everything else is installed into .venv on first use.

# The first of these that works is used. To choose another: make play PYTHON=/path/to/python
PYTHON := python3.11 python3.12 python3.13 python3.14 python3

# A hash of everything that .venv depends on: this folder (its scripts contain the path) and the locked versions. The
# names of stamps contain it, so when one of these changes, .venv is created again.
MADE_FROM := $(shell { pwd -P; cat requirements/*.txt; } | cksum | cut -d ' ' -f 1)

PIP := .venv/bin/python -m pip --quiet --disable-pip-version-check
SOAK_PIP := .venv-soak/bin/python -m pip --quiet --disable-pip-version-check
LOCK := .venv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links pyproject.toml --group build
comma := ,
EXTRAS := dev,cluster,push,ray,report,rl

.DEFAULT_GOAL := help
.PHONY: help play test soak flake bench browser chromium screenshots art lint format words pages golden lock clean
# Parallel targets would set up the same .venv.
.NOTPARALLEL:

help: ## List the targets.
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

play: .venv/play.ready ## Play in the browser, with everyone on your network.
	@.venv/bin/upcard

# The seed of a test follows from its name; `make test SEED=2` deals other cards.
test soak browser flake: export TEST_SEED = $(SEED)
test: chromium ## Check everything.
	@.venv/bin/python -m tests.run

# The long versions play every combination of options. Some of them need torch.
soak: export TEST_CASES = all
soak: chromium .venv-soak/ready ## Run the long versions of the tests.
	.venv-soak/bin/pytest -m soak

N := 20
LOAD := 0
flake: chromium ## Run every check N times from a clean state, next to LOAD busy processes, and list all failures.
	@.venv/bin/python -m tests.flake $(N) $(LOAD)

# PART names one or several parts; all of them take hours. QUICK=1 makes the server's part shorter, and TABLE names the
# page for the results of strength.
bench: .venv/test.ready ## Measure speed and strength: make bench PART=rules (or code, bots, rl, javascript, web, device, server, attacks, strength).
	@.venv/bin/python -m benchmarks $(PART) $(if $(QUICK),--quick) $(if $(TABLE),--table $(TABLE))

browser: chromium ## Run only the tests in a browser.
	.venv/bin/pytest -m "browser and not soak"

# Without a browser, tests fail. On a machine that cannot have one: make test UPCARD_NEEDS_BROWSER=0
test soak browser flake chromium: export UPCARD_NEEDS_BROWSER ?= 1
chromium: .venv/test.ready ## Install Chromium for the tests, if there is none.
	@.venv/bin/python -m tests.server.web.chromium

screenshots: chromium ## Take new pictures for the README, and a gallery of all screens.
	.venv/bin/python -m tests.server.web.screenshots

art: .venv/test.ready ## Draw the cards, faces and signs of the browser table.
	.venv/bin/python -m tests.server.web.art

lint: .venv/test.ready ## Check style, types, imports and English.
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo
	.venv/bin/python -m tests.server.web.tsc
	.venv/bin/pytest -q -n0 tests/test_english.py

format: .venv/test.ready ## Format the sources.
	.venv/bin/ruff check --fix-only
	.venv/bin/ruff format

words: .venv/test.ready ## Update all translations to the English sentences.
	.venv/bin/python -m tests.catalogues

pages: .venv/test.ready ## Write the pages of docs that are made from the code: api.md and observations.md.
	.venv/bin/python -m tests.docs

golden: .venv/test.ready ## Write the golden records again; read tests/test_golden.py first.
	for game in stockpile lines stacks; do .venv/bin/upcard simulate $$game --games 4 --seed golden \
		--players 3 --bots greedy,random --legal --records tests/golden/$$game.jsonl || exit; done

# Players get the versions that were tested: the smaller file is constrained to the versions in the larger.
lock: .venv/test.ready ## Lock the newest versions of all dependencies.
	$(LOCK) $(addprefix --extra ,$(subst $(comma), ,$(EXTRAS))) --output-file requirements/test.txt
	$(LOCK) --extra report --constraint requirements/test.txt --output-file requirements/play.txt

clean: ## Remove .venv and all caches.
	rm -rf .venv .venv-soak .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -prune -exec rm -rf {} +

# Setting up, in two steps. The stamp is written last, and .venv starts empty, so nothing is left of an interrupted
# set-up.

.venv/play.ready .venv/test.ready: .venv/%.ready: .venv/%-$(MADE_FROM) pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# An installed Python may not run, or may lack venv, so each is tried. Most modules that tests install are never
# imported, so they are not compiled in advance.
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
	@touch $@ .venv/play-$(MADE_FROM) # test.txt contains all of play.txt

# Only training and the long tests need torch, which is as large as everything else together, so it is not in .venv.
# Packages that are in both environments have the versions of test.txt.
.venv-soak/ready: requirements/soak.txt requirements/test.txt pyproject.toml | .venv/test.ready
	@echo "Setting up .venv-soak (once, it may take some minutes) ..."
	@.venv/bin/python -m venv --clear .venv-soak
	@sed -n 's/ *\\$$//; s/^[a-z].*==.*/&/p' requirements/test.txt > .venv-soak/versions.txt
	@$(SOAK_PIP) install --constraint .venv-soak/versions.txt --requirement requirements/soak.txt
	@$(SOAK_PIP) install --constraint .venv-soak/versions.txt --no-build-isolation --editable .[$(EXTRAS)]
	@touch $@
