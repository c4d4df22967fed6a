# Two commands for newcomers: `make demo` and `make test`. Each sets up .venv by itself, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tools call each other by name (cython-lint runs pycodestyle).
export PATH := $(abspath $(BIN)):$(PATH)
# Compiled Python files are kept, out of the way: many tests start a command, which would compile its modules again.
unexport PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX := $(abspath build/pycache)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock

# The package is installed in editable mode: a changed .py needs nothing, a changed .pyx or header some seconds.
# `make test-wheel` tests what users get.
SOURCES := setup.py $(shell find app corpora kernels models parsers -type f \
	-not -name '*.so' -not -path '*/__pycache__/*')
# What the engine's tests import is all that need be compiled for them in another way.
ENGINE := KAKARI_ONLY="kernels models"
CHECKED := build/checked
SANITIZED := build/sanitized
PORTABLE := build/portable
GINZA := build/ginza
WHEEL := build/wheel

# Files that are gone from the tree must not be installed from what was copied for an earlier build (by setup.py into
# one folder a variant, so that variants may be built at the same time).
forget_copies = rm -rf $(1)/lib*

.DEFAULT_GOAL := help
.PHONY: help demo develop quick test test-slow test-wheel test-ginza test-corpora test-checked test-sanitized test-portable \
	headers golden fuzz lint stubtest results docs architecture lock audit format bench models-ja models-ja-words models-en models-en-arguments \
	models-ja-hyponymy clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/installed ## show what kakari does
	@.ci/demo $(BIN)/kakari

develop: $(VENV)/installed ## install in editable mode, compiling what has changed

# Tests of whole applications, which load every embedded model, and of attacks on them.
APPLICATIONS = tests/app/spacy tests/app/web tests/app/experiments tests/docs tests/reliability
quick: $(VENV)/installed ## run most of the tests, with fewer random examples
	@KAKARI_QUICK=1 $(BIN)/pytest -q -n auto --dist worksteal -m "not corpora and not slow and not thorough" tests \
		$(APPLICATIONS:%=--ignore=%)

test: $(VENV)/installed ## run the tests and the examples of the documentation, but for the slow ones
	@$(BIN)/pytest -q -n auto --dist worksteal -m "not corpora and not slow" tests --pyargs kakari --doctest-modules

test-slow: $(VENV)/installed ## run the tests that take seconds each
	@$(BIN)/pytest -q -n auto --dist worksteal -m "slow and not corpora" tests

test-corpora: $(VENV)/installed ## read every corpus on this machine from end to end
	@$(BIN)/pytest -q -n auto --dist worksteal -m corpora

test-checked: $(CHECKED)/kakari ## run the engine's tests with Cython's bounds checks on
	@PYTHONPATH=$(CHECKED) $(BIN)/pytest -q -n auto tests/kernels

# Python is not built for the sanitizers, so they are loaded before it; libstdc++ as well, so that they see exceptions.
# What Python itself never gives back is no leak of ours. Messages must pass pytest, which a finding stops at once.
WATCHED = LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=32 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=$(SANITIZED)
# Not here: processes that the tests start or kill, which inherit nothing of this, and what only counts or times.
UNWATCHED = tests/reliability/test_ending.py tests/reliability/test_costs.py tests/reliability/test_order.py
test-sanitized: $(SANITIZED)/kakari ## run the tests of engine, models and parsers under AddressSanitizer and UBSan
	@$(WATCHED) $(BIN)/pytest -q --capture=sys -m "not corpora and not slow" \
		tests/kernels tests/models tests/parsers tests/reliability $(UNWATCHED:%=--ignore=%)

test-portable: $(PORTABLE)/kakari ## run the engine's tests in the build for other machines, and compare its bits
	@PYTHONPATH=$(PORTABLE) $(BIN)/pytest -q -n auto tests/kernels
	@$(BIN)/python tests/golden/engine_digests.py > build/digests
	@PYTHONPATH=$(PORTABLE) $(BIN)/python tests/golden/engine_digests.py | diff build/digests -
	@echo "$$(wc -l < build/digests) results of the engine and the parsers are the same bits in both builds"

headers: ## compile every header alone with clang++ and for aarch64, where these compilers are installed
	@.ci/headers

test-ginza: $(VENV)/installed ## build a wheel and try it beside GiNZA in one environment
	@rm -rf $(GINZA) && mkdir -p $(GINZA)
	@$(call forget_copies,build/kakari)
	@$(BIN)/python -m build --no-isolation --wheel --outdir $(GINZA) . >&2
	@$(BIN)/python -m venv $(GINZA)/venv
	@$(GINZA)/venv/bin/python -m pip install --quiet --disable-pip-version-check $(GINZA)/*.whl ginza ja_ginza
	@$(GINZA)/venv/bin/python .ci/beside_ginza.py

test-wheel: $(VENV)/installed ## build a wheel and try it in an environment of its own
	@rm -rf $(WHEEL)
	@$(call forget_copies,build/kakari)
	@$(BIN)/python -m build --no-isolation --outdir $(WHEEL) . >&2
	@$(BIN)/python -m venv $(WHEEL)/venv
	@$(WHEEL)/venv/bin/python -m pip install --quiet --disable-pip-version-check $(WHEEL)/*.whl
	@.ci/demo $(abspath $(WHEEL))/venv/bin/kakari > /dev/null
	@KAKARI_WHEEL=$$(echo $(WHEEL)/*.whl) $(BIN)/pytest -q tests/house/test_installation.py

golden: $(VENV)/installed ## compare every command's output with what version 0.1 printed
	@$(PYTHON) tests/golden/record.py --python $(abspath $(BIN))/python --compare tests/golden/recorded

fuzz: $(SANITIZED)/kakari ## attack model files (KAKARI_FUZZ_MODELS), readers and options (KAKARI_FUZZ_EXAMPLES), sanitized
	@$(WATCHED) $(BIN)/python tests/attacks/model_files.py --mutants $${KAKARI_FUZZ_MODELS:-20000}
	@$(WATCHED) $(BIN)/python tests/attacks/component_bytes.py --inputs $$(($${KAKARI_FUZZ_MODELS:-20000} / 4))
	@KAKARI_FUZZ_EXAMPLES=$${KAKARI_FUZZ_EXAMPLES:-20000} $(WATCHED) $(BIN)/pytest -q --capture=sys \
		tests/corpora/formats/test_fuzz.py tests/reliability/test_options.py --durations=0

lint: $(VENV)/installed ## check format, style, types and the direction of imports
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.hpp')
	@$(BIN)/cython-lint kernels models parsers
	@$(BIN)/mypy -p kakari

STUBS = $(shell find app corpora kernels models parsers -name '*.pyi')
# What Cython adds to a module is not in its stub, and not meant for users.
stubtest: $(VENV)/installed ## compare the stubs of the compiled modules with the modules themselves
	@$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml --concise --allowlist .ci/stubtest-allowed.txt \
		--ignore-missing-stub --ignore-disjoint-bases $(subst /,.,$(patsubst %.pyi,kakari/%,$(STUBS:app/%=%)))

results: $(VENV)/installed ## make docs/results.md from the prose and the stored results in docs/results
	@$(BIN)/python -m kakari.results.page docs

docs: $(VENV)/installed ## build the documentation site into build/docs/html, warnings as errors
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs/html
	@echo build/docs/html/index.html

architecture: ## write the tables of rooms in docs/architecture.md anew
	@PYTHONPATH=tests $(PYTHON) tests/architecture_page.py

lock: $(VENV)/tools ## renew requirements.lock: the newest versions for every Python and system that we support
	@$(PIP) uv
	@$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.10 --all-extras --no-annotate \
		--custom-compile-command 'make lock' --output-file requirements.lock pyproject.toml

audit: $(VENV)/tools ## ask pip-audit whether a locked version has a known weakness
	@$(PIP) pip-audit
	@$(BIN)/pip-audit --disable-pip --no-deps --requirement requirements.lock

format: $(VENV)/installed ## put the Python files into shape
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(BIN)/clang-format -i $$(git ls-files '*.hpp')

bench: $(VENV)/installed ## measure what the benchmarks measure, one table each
	@for benchmark in benchmarks/*.py; do $(BIN)/python $$benchmark || exit 1; done

RECIPES = $(BIN)/python -m kakari.parsers.recipes models/pretrained

models-ja: $(VENV)/installed ## train the embedded Japanese models again (needs the corpora)
	@$(RECIPES) ja-juman ja ja-universal

models-ja-words: $(VENV)/installed ## train the embedded Japanese words model again (needs the corpora and mecab-jumandic-utf8)
	@$(RECIPES) ja-words

models-en: $(VENV)/installed ## train the embedded English models again (needs the corpora)
	@$(RECIPES) en en-questions en-chunks en-ud en-arguments

models-ja-hyponymy: $(VENV)/installed ## train the embedded hyponymy model again
	@$(RECIPES) ja-hyponymy

models-en-arguments: $(VENV)/installed ## train the embedded model of predicates and arguments again
	@$(RECIPES) en-arguments

clean: ## remove everything that make made
	@rm -rf $(VENV) build dist kakari.egg-info

$(VENV)/tools: pyproject.toml requirements.lock
	@echo "Setting up $(VENV) ..." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 10) and "kakari needs Python 3.10 or newer: try make PYTHON=python3.12")'
	@$(PIP) setuptools Cython
	@touch $@

# Without the engine this takes seconds; what is compiled then is only what has changed.
$(VENV)/editable: $(VENV)/tools setup.py
	@echo "Installing kakari into $(VENV) ..." >&2
	@rm -rf build/__editable__.*
	@KAKARI_ONLY= $(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@

$(VENV)/installed: $(VENV)/editable $(SOURCES)
	@echo "Compiling what has changed ..." >&2
	@mkdir -p build
	@$(BIN)/python setup.py -q build_ext --inplace > build/compile.log 2>&1 || { cat build/compile.log >&2; exit 1; }
	@$(BIN)/python .ci/relink
	@touch $@

$(CHECKED)/kakari: $(VENV)/installed
	@echo "Building kakari with bounds checks ..." >&2
	@rm -rf $(CHECKED)
	@$(call forget_copies,build/kakari-checked)
	@$(ENGINE) KAKARI_BOUNDSCHECK=1 $(PIP) --no-build-isolation --no-deps --target $(CHECKED) .

$(SANITIZED)/kakari: $(VENV)/installed
	@echo "Building kakari with the sanitizers ..." >&2
	@rm -rf $(SANITIZED)
	@$(call forget_copies,build/kakari-sanitized)
	@KAKARI_SANITIZE=1 $(PIP) --no-build-isolation --no-deps --target $(SANITIZED) .

# All of it, not the engine alone: what the parsers find is compared as well.
$(PORTABLE)/kakari: $(VENV)/installed
	@echo "Building kakari for other machines ..." >&2
	@rm -rf $(PORTABLE)
	@$(call forget_copies,build/kakari-portable)
	@KAKARI_PORTABLE=1 $(PIP) --no-build-isolation --no-deps --target $(PORTABLE) .
