# Everything a new checkout needs: `make ask` installs and answers a question, `make test` installs and runs the tests.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check -q
Q ?= If I copy a spell that was cast with X, what is X for the copy?

.PHONY: ask test check audit lock locked docs clean

ask: $(VENV)/.installed
	@$(BIN)/rulings ask -k 2 --why "$(Q)"

test: $(VENV)/.tested
	$(BIN)/python -m pytest --nbmake tests notebooks

check: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy

# known vulnerabilities of what constraints.txt pins; says so where their database can't be reached
audit: $(VENV)/.tested
	$(PIP) install -c constraints.txt ".[audit]"
	@$(BIN)/python .ci/audit.py

# requirements.lock anew, after a change to constraints.txt
lock: $(VENV)/.installed
	$(PIP) install -c constraints.txt ".[audit]"
	(grep -v '^torch==' constraints.txt; echo setuptools==84.2.1) | $(BIN)/python -m uv pip compile - -q --no-deps --generate-hashes --no-annotate --no-header -o build/hashes.txt
	(sed -n '/^#/p' requirements.lock; cat build/hashes.txt) > build/requirements.lock && mv build/requirements.lock requirements.lock

# an installation of nothing whose hash isn't known; without PyTorch, which only training and other models need
locked: $(VENV)/bin/python
	rm -rf build
	$(PIP) install --require-hashes --no-deps -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --no-index .

docs: $(VENV)/.tested
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt $(wildcard ingest/*.py graph/*.py search/*.py search/engines/*.py app/*.py app/web/*.py app/web/pages/* app/web/pages/templates/* app/web/pages/static/*) $(wildcard ingest/sample/* graph/data/* graph/*.ttl graph/queries/* search/data/*)
	rm -rf build
	$(PIP) install -c constraints.txt .
	@touch $@

$(VENV)/.tested: $(VENV)/.installed
	$(PIP) install -c constraints.txt ".[dev]"
	@touch $@

clean:
	rm -rf $(VENV) build *.egg-info
