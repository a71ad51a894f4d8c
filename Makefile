# Plain `make` lists the targets. Every target installs what it needs, once, and says so.
# On a machine that has python3 and make, nothing else has to be there beforehand.

SHELL := /bin/bash
.DEFAULT_GOAL := help

UV_VERSION := 0.13.7
CACHE := $(or $(HYPERSHIFT_CACHE),$(HOME)/.cache/hypershift)
UV := $(CACHE)/uv-$(UV_VERSION)/bin/uv
BIN := .venv/bin
READY := .venv/.ready
PYTEST := $(BIN)/pytest -q
SOURCES := src tests tools
FAST_TESTS := tests/unit tests/property tests/simulation tests/golden tests/reference tests/contract tests/adversary
JOBS := $(shell nproc)
# A file of integration tests waits for its servers most of the time.
WAITING := $(shell echo $$((2 * $$(nproc))))
# Where each step leaves its results for `make history`.
JUNIT = --junitxml=build/junit/$@.xml

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(UV):
	@echo "installing uv $(UV_VERSION)"
	@python3 -m venv $(CACHE)/uv-$(UV_VERSION)
	@$(CACHE)/uv-$(UV_VERSION)/bin/pip install --quiet uv==$(UV_VERSION)

$(READY): pyproject.toml uv.lock | $(UV)
	@echo "installing the locked environment into .venv"
	@$(UV) sync --frozen --quiet
	@touch $@

setup: $(READY) ## Install the environment and the program into .venv

demo: $(READY) ## From an empty machine to a hosted cluster with two Ready nodes
	@$(BIN)/hypershift demo

demo-down: $(READY) ## Remove every trace of the demo
	@$(BIN)/hypershift local reset --yes

check: format lint types layers unit ## The fast checks: what a change must pass before it is proposed

format: $(READY) ## Fail where the formatter would change something
	@$(BIN)/ruff format --check --quiet $(SOURCES)

lint: $(READY) ## Lint
	@$(BIN)/ruff check --quiet $(SOURCES)

types: $(READY) ## Type-check
	@$(BIN)/mypy

layers: $(READY) ## Check that imports point downwards
	@$(PYTEST) tests/architecture $(JUNIT)

unit: $(READY) ## Unit, golden, property and simulation tests
	@$(PYTEST) $(FAST_TESTS) -m "not integration" -n $(JOBS) --dist worksteal $(JUNIT)

integration: $(READY) parts ## Tests against a real kube-apiserver and etcd
	@$(PYTEST) tests/integration tests/contract tests/adversary -m integration -n $(WAITING) --dist loadfile $(JUNIT)

e2e: $(READY) parts ## Tests on an embedded management cluster (needs root)
	@$(PYTEST) tests/e2e $(JUNIT)

render-components: $(READY) ## Render every component of INPUTS=DIR into OUT=DIR, for the meter
	@$(BIN)/hypershift render components --inputs $(INPUTS) --out $(OUT)

parts: $(READY) ## Fetch or build the real binaries that the tests need
	@$(BIN)/hypershift parts fetch
	@$(BIN)/hypershift parts fetch helm promtool aws-encryption-provider openshift-api-manifests.tar

openshift-parts: $(READY) ## Build OpenShift's programs for tests: 40 minutes of two cores, once
	@$(BIN)/hypershift payload build --product openshift

test: check integration e2e ## Everything that fits CI

soak: $(READY) ## The long runs: faults, rotations, idle fleets
	@$(PYTEST) tests/soak -m soak

story: $(READY) parts ## The next of soak's short stories (NAME=; needs root)
	@$(BIN)/python -m tests.story $(if $(NAME),--name '$(NAME)')

history: $(READY) ## What runs of CI met on this machine: failures by name, and which story ran when
	@$(BIN)/python -m tests.history

kept: $(READY) ## Add the run of CI that has just ended to the history (ENDED_IN= where it failed)
	@$(BIN)/python -m tests.history keep --ended-in '$(ENDED_IN)'

bench: $(READY) ## Measure the budgets as ratios in one run; writes build/bench.json
	@$(BIN)/python -m tests.bench

chaos: $(READY) parts ## Break a living fleet by seed and see what holds (SEED=, MINUTES=60; needs root)
	@$(BIN)/python -m tests.chaos $(if $(SEED),--seed $(SEED)) --minutes $(or $(MINUTES),60)

conformance: $(READY) parts ## Kubernetes' conformance suite against a hosted cluster (FOCUS=, SKIP=; needs root)
	@FOCUS='$(FOCUS)' SKIP='$(SKIP)' $(BIN)/python -m tests.conformance

generated: $(READY) ## Rewrite what is generated from the code: share/ and charts/
	@$(BIN)/python -m hypershift.cli.manual share
	@$(BIN)/python -m tools.chart charts/hypershift

proof: $(READY) ## Keep the results of the last runs in docs/proof, and write docs/proof.md from them
	@$(BIN)/python -m tools.proof take

release: $(READY) ## Wheel, sdist, chart, bill of materials, changelog and checksums in build/release
	@$(BIN)/python -m tools.release --uv $(UV) --out build/release

golden: $(READY) ## Rewrite the golden files; review reads the diff
	@$(PYTEST) tests/golden --golden

fix: $(READY) ## Format, and fix what the linter can fix
	@$(BIN)/ruff format --quiet $(SOURCES); $(BIN)/ruff check --fix --quiet $(SOURCES)

clean: ## Remove what the targets above made in this directory
	@rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis

.PHONY: help setup demo demo-down check format lint types layers unit integration e2e render-components parts openshift-parts test soak story history kept bench chaos conformance generated proof release golden fix clean
