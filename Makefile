# Every target sets up what it needs on a bare machine: Linux, Python >= 3.11, git, make.
PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin
STAMP  := $(VENV)/.ready

.PHONY: setup demo check test test-sandbox test-runs test-hostile test-docker test-full selftest accept-1 accept-2 accept-3 accept-4 accept-5 lock

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > $(VENV)/uv.txt
	$(RUN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $(VENV)/uv.txt
	$(RUN)/uv pip sync --quiet --python $(RUN)/python --require-hashes requirements.lock
	$(RUN)/uv pip install --quiet --python $(RUN)/python --no-deps --no-build-isolation --editable .
	touch $(STAMP)

demo: setup
	$(RUN)/repowright author case001 --provider replay

check: setup
	$(RUN)/ruff format --check .
	$(RUN)/ruff check .
	$(RUN)/mypy
	$(RUN)/lint-imports

SANDBOX := $(addprefix tests/integration/,sandbox wire languages)
RUNS    := $(addprefix tests/integration/,authoring faults flows kills providers)

test: check
	$(RUN)/python -m pytest -q -m "not full and not docker" $(addprefix --ignore=,$(SANDBOX) $(RUNS))

# The contract of the local back end, what speaks the wire, and products in other languages.
test-sandbox: setup
	$(RUN)/python -m pytest -q -m "not full and not docker" $(SANDBOX)

# Whole runs: sources, vendors, kills, faults, Prefect.
test-runs: setup
	$(RUN)/python -m pytest -q -m "not full and not docker" $(RUNS)

# Every hostile candidate and its twin on the local back end.
test-hostile: setup
	$(RUN)/python -m pytest -q tests/integration/validation/test_hostile_candidates.py -k "not plain_user"

# With a container engine of its own where one can be started; its tests skip elsewhere, with the reason.
test-docker: setup
	$(PYTHON) -m tests.engine $(RUN)/python -m pytest -q -m "docker and not full"

test-full: check
	$(PYTHON) -m tests.engine $(RUN)/python -m pytest -q

selftest: setup
	$(RUN)/repowright selftest

accept-1: setup
	$(RUN)/python -m tests.accept.part1

accept-2: setup
	$(RUN)/python -m tests.accept.part2

accept-4: setup
	$(RUN)/python -m tests.accept.part4 $(PIECES)

accept-5: setup
	$(RUN)/python -m tests.accept.part5 $(PIECES)

accept-3: setup
	$(RUN)/python -m tests.accept.part3 $(PIECES)

lock:
	$(RUN)/uv pip compile pyproject.toml --extra dev --generate-hashes --universal --python-version 3.11 --no-header --no-annotate -q -o requirements.lock
