# Two commands from a bare clone: `make demo`, `make test`. Everything is installed into .venv by the targets themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
READY := $(VENV)/.ready
PEERS := $(VENV)/.peers
PAGES := $(VENV)/.pages
# The tests run in two processes already; BLAS threads on top of them only get in each other's way.
export OPENBLAS_NUM_THREADS := 1

.PHONY: demo test test-all test-lowest test-kernels browser check check-all format lint types mutate fuzz fuzz-serve bench calibrate reproduce docs clean

# A terminal takes a link up to its first space.
SPACE := $(subst ,, )
ADDRESS = $(subst $(SPACE),%20,$(CURDIR))

# The verdict, and the same comparison and a board of three systems as pages.
demo: export PYTHONDONTWRITEBYTECODE :=
demo: $(CORE)
	$(BIN)/tellapart compare examples/retrieval.csv --a baseline --b candidate
	@mkdir -p build
	@$(BIN)/tellapart compare examples/retrieval.csv --a baseline --b candidate --output build/comparison.html
	@$(BIN)/tellapart rank examples/answers.csv --output build/leaderboard.html
	@echo "Open them in a browser: file://$(ADDRESS)/build/comparison.html and file://$(ADDRESS)/build/leaderboard.html"
	@echo
	@echo "Try next:"
	@echo "  $(BIN)/tellapart plan --accuracy 0.70 --effect 0.02   # how many items?"
	@echo "  $(BIN)/tellapart rank examples/answers.csv            # many systems"
	@echo "  $(BIN)/tellapart describe FILE                        # your own scores or logs: what is in them"
	@echo "  make test                                            # the suite"

# Servers, browsers and signals meet a machine that two processes of tests keep busy: what fails there is run once more by itself,
# and fails if it fails again. Nothing is run again where the run itself broke down.
test: $(READY)
	$(BIN)/python -m pytest -n 2 -m "not exhaustive" || $(AGAIN)

# The same with the tests that repeat it in more settings, and with more drawn cases: what continuous integration runs.
test-all: export TELLAPART_EXHAUSTIVE := 1
test-all: $(READY)
	$(BIN)/python -m pytest -n 2 || $(AGAIN)

AGAIN = { test $$? -eq 1 && echo "AGAIN, one by one: what failed above" && \
	  $(BIN)/python -m pytest --last-failed --last-failed-no-failures none; }

# The lowest versions that pyproject.toml allows, all together, in an environment of their own.
LOWEST := .venv-lowest
test-lowest:
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet $$($(PYTHON) tests/lowest.py)
	$(LOWEST)/bin/python -m pip install --quiet --no-deps --editable .
	$(LOWEST)/bin/python -m pytest -n 2 $(NEEDS_NO_NEWER_PEER)

# The rest asks what only newer tools say: stubs, rendered help of today's click, golden digits of today's numpy and scipy.
NEEDS_NO_NEWER_PEER := tests/cli tests/readers tests/render tests/significance tests/intervals tests/effects tests/metrics \
  tests/distributions tests/multiplicity tests/claims tests/evidence tests/summaries tests/planning tests/verbs tests/words \
  tests/fuzz tests/test_arrays.py tests/test_decision.py tests/test_records.py tests/test_scores.py tests/test_spelling.py

# Does a document or a test hang on the last bits? What computes, with other processors' BLAS, and without numpy's SIMD and libm's FMA.
KERNELS ?= Prescott Nehalem SandyBridge Haswell
COMPUTES := $(addprefix tests/,agreement calibration claims components distributions effects evidence golden intervals laws metrics \
  multiplicity planning populations reliability render reproduce significance summaries verbs test_documents.py test_wording.py)
SIMD = $$($(BIN)/python -c 'from numpy._core._multiarray_umath import __cpu_dispatch__ as d, __cpu_features__ as f; print(*(x for x in d if f[x]))')
test-kernels: $(READY)
	@for kernel in $(KERNELS); do echo "with the BLAS of $$kernel"; OPENBLAS_CORETYPE=$$kernel NPY_DISABLE_CPU_FEATURES="$(SIMD)" \
	  GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4 $(BIN)/python -m pytest -n 2 -q $(COMPUTES) || exit 1; done

# What the tests of reports need beside Python packages: Debian's Chromium.
browser:
	command -v chromium >/dev/null || (apt-get update && apt-get install --yes --no-install-recommends chromium fonts-liberation)

check: $(READY) format lint types test

check-all: $(READY) format lint types test-all

format: $(READY)
	$(BIN)/ruff format --check .

lint: $(READY)
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

# Would the tests notice a random single change? `make mutate SOURCE=src/tellapart/methods/effects TESTS="tests/effects tests/laws/test_effects.py"`
COUNT ?= 60
SEED ?= 0
mutate: $(READY)
	$(BIN)/python -m tests.mutate $(SOURCE) $(TESTS) --count $(COUNT) --seed $(SEED)

# Does any input break a promise? `make fuzz CASES=100000 SEED=7`; each run has a seed of its own unless it is given one.
CASES ?= 10000
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --cases $(CASES) $(if $(filter command line,$(origin SEED)),--seed $(SEED))
	MUTATIONS=$(CASES) SEED=$(SEED) $(BIN)/python -m pytest -q tests/readers/formats/test_mutations.py

# The same for the server: requests made of its OpenAPI document. `make fuzz-serve REQUESTS=5000`
REQUESTS ?= 5000
fuzz-serve: $(READY)
	$(BIN)/python -m tests.web.generated --cases $(REQUESTS) $(if $(filter command line,$(origin SEED)),--seed $(SEED))

bench: $(PEERS)
	$(BIN)/python -m benchmarks

calibrate: $(READY)
	$(BIN)/tellapart calibrate --folder docs
	cp docs/calibration.md src/tellapart/web/measured/

reproduce: $(READY)
	$(BIN)/tellapart reproduce --output docs/reproduction.md
	cp docs/reproduction.md src/tellapart/web/measured/

# The documentation as a site, below build/site; what warns, fails.
docs: $(PAGES)
	$(BIN)/python docs/generate.py
	$(BIN)/python docs/publish.py --refresh
	$(BIN)/zensical build --strict --clean --config-file build/mkdocs.yml

clean:
	rm -rf $(VENV) $(LOWEST) build dist src/*.egg-info

# What a user gets, and on top of it what the tests and checks need. The demo compiles what it imports: all of scipy would take longer than
# the rest of it.
$(CORE): pyproject.toml
	@echo "Making $(VENV) and installing tellapart into it, with numpy, scipy and what draws charts: 10 to 40 seconds"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --editable '.[plot]'
	@touch $@

$(READY): $(CORE)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	-@$(BIN)/python -m compileall -qq src $(VENV)/lib  # the tests start hundreds of processes
	touch $@

# What `make docs` builds with.
$(PAGES): $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[dev,docs]'
	touch $@

# What `make bench` measures us beside.
$(PEERS): $(READY)
	$(BIN)/python -m pip install --quiet --editable '.[dev,bench]'
	touch $@
