# Two commands do everything: `make lab` and `make test`. `make` alone lists the rest.

PYTHON ?=
LOCK ?= requirements.lock
ARGS ?=

ifeq ($(OS),Windows_NT)
PY := .venv/Scripts/python.exe
else
PY := .venv/bin/python
endif

# The lab listens on this machine only, asks nobody for news, and runs for root as well (containers).
# news_url=None alone still asks the reader about news: tools/jupyterlab/ answers no.
# It opens copies in my/, without the answers below the questions: tools/reader_copies.py.
FIRST_CHAPTER := my/00_start_here.ipynb
LAB_OPTIONS := --ip=127.0.0.1 --LabApp.default_url=/lab/tree/$(FIRST_CHAPTER) \
	--LabApp.news_url=None --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate \
	--LabApp.extension_manager=readonly --LabApp.app_settings_dir=tools/jupyterlab \
	$(if $(filter 0,$(shell id -u 2>&1)),--allow-root)

unexport PYTHONHOME PYTHONPATH
export PYTHON

.DEFAULT_GOAL := help
.PHONY: help setup lab page book test lint format refresh train bench lock clean

help:  ## list the commands
	@echo "make COMMAND [ARGS='…'] [PYTHON=/path/to/python]"
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1	\2/p' Makefile | awk -F'\t' '{ printf "  %-8s %s\n", $$1, $$2 }'

setup:  ## make .venv and install what the lock names (lab and test do it by themselves)
	@sh tools/setup.sh "$(LOCK)"

lab: setup  ## open JupyterLab at your copy of the first chapter, in my/ (ARGS=--no-browser on a server)
	@$(PY) tools/reader_copies.py
	@echo "Starting JupyterLab at $(FIRST_CHAPTER). Stop it with Ctrl-C."
	@$(PY) -m jupyterlab $(LAB_OPTIONS) $(ARGS)

page: setup  ## write every view of the pocket model as one HTML file for a class (ARGS: the file; build/bert.html)
	@$(PY) -m bertviz_lite.views.pages $(ARGS)

book: setup  ## write every chapter as one HTML file with live views, to build/book (ARGS: some notebooks)
	@$(PY) -m bertviz_lite.views.pages.book $(ARGS)

test: lint  ## lint, types, every test, every notebook
	@echo "Running the tests"
	@$(PY) -m pytest -n logical --maxprocesses=4 --dist=loadfile --no-loadscope-reorder $(ARGS)
	@echo "Running the notebooks"
	@$(PY) tools/check_notebooks.py

lint: setup  ## style and types, of Python and of JavaScript
	@echo "Checking style and types"
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(if $(filter requirements.lock,$(LOCK)),$(PY) -m mypy,echo "Types are checked with requirements.lock only")
	@$(PY) tools/javascript.py lint

format: setup  ## put the style right where a program can
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .
	@$(PY) tools/javascript.py format

refresh: setup  ## run every notebook again and store its outputs (ARGS: one notebook)
	@$(PY) tools/refresh_notebooks.py $(ARGS)

train: setup  ## train the pocket model from nothing (ARGS=--help)
	@$(PY) -m bertviz_lite.training.pretraining $(ARGS)

bench: setup  ## measure: tests/benchmarks/bench_*.py
	@set -e; for script in tests/benchmarks/bench_*.py; do echo "Running $$script"; $(PY) "$$script" $(ARGS); done

lock: setup  ## write the locks again after a change in pyproject.toml (needs uv)
	@$(PY) tools/lock.py $(ARGS)

clean:  ## remove .venv and what tools left behind
	rm -rf .venv node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
