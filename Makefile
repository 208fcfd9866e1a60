# The two commands of the README are `make demo` and `make test`; `make test-long` and `make check` are what CI adds.
.PHONY: demo test test-all test-long check documentation scenarios kills kills-app hostile sanitize format generate random-schemas setup benchmarks weight

SWIFT ?= swift
# In CI every warning of ours is an error, in the same build that the tests use.
ifeq ($(CI),true)
export LOCKSTEP_STRICT ?= 1
endif
# All Swift but what lockstep writes.
GENERATED = Generated/% Tests/Forest/% Tests/InternalSample/% Tests/Museum/% Tests/NamesThatBite/% Tests/Orders/% Tests/RandomSchemas/Generated/%
FORMATTED = $(filter-out $(GENERATED),$(shell git ls-files --cached --others --exclude-standard '*.swift'))

# KitchenSink once more, as most apps have it: internal, and in a few files.
INTERNAL_SAMPLE = Schemas/KitchenSink.yaml --access internal --shards 3 --output Tests/InternalSample

# Schemas made by seed; a file of Swift for each.
RANDOM_SCHEMAS = Tests/RandomSchemas/Schemas/RandomSchema*.yaml --output Tests/RandomSchemas/Generated --shards 1

## Installs what is missing: libyaml and SQLite headers; in CI PostgreSQL too.
setup:
	@./Scripts/setup

## Builds Examples/Journal and lets it tell how two devices and a server come to the same journal.
demo: setup
	@./Scripts/demo

# Tests that use every core for as long as they run. They have a run of their own: beside them, a test that needs the main
# actor or a socket would wait for its turn.
BUSY_TESTS = ^(RandomMergeTests|StoreResilienceTests|SyncSimulationTests)\.

## The tests to run before each commit: everything but what takes minutes.
test: setup
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --skip '$(BUSY_TESTS)' --skip PackageTests
	$(SWIFT) test --skip-build --filter '$(BUSY_TESTS)'

## Every test: those of `make test`, and those that take minutes.
test-all: test test-long

## What `make test` leaves out: properties over many more seeds, users' packages, the example, ThreadSanitizer.
test-long: setup
	$(SWIFT) build --build-tests
	SIMULATION_SEEDS=1000 MERGE_SEEDS=100 $(SWIFT) test --skip-build --filter '^(RandomMergeTests|SyncSimulationTests)\.'
	$(SWIFT) test --skip-build --filter PackageTests
	$(SWIFT) build --package-path Examples/Journal --build-tests
	$(SWIFT) test --package-path Examples/Journal --skip-build
	@./Scripts/sanitize

## What CI adds to the tests: no warning, nothing stale in Generated/, the format.
check: setup
	LOCKSTEP_STRICT=1 $(SWIFT) build --build-tests
	LOCKSTEP_STRICT=1 $(SWIFT) build --package-path Examples/Journal --build-tests
	LOCKSTEP_STRICT=1 $(SWIFT) run --skip-build lockstep generate --check
	LOCKSTEP_STRICT=1 $(SWIFT) run --skip-build lockstep generate --check Tests/NamesThatBite/NamesThatBite.yaml --output Tests/NamesThatBite
	LOCKSTEP_STRICT=1 $(SWIFT) run --skip-build lockstep generate --check Tests/Forest/Forest.yaml --output Tests/Forest
	LOCKSTEP_STRICT=1 $(SWIFT) run --skip-build lockstep generate --check Tests/Museum/Museum.yaml --output Tests/Museum
	LOCKSTEP_STRICT=1 $(SWIFT) run --skip-build lockstep generate --check Tests/Orders/Orders.yaml --output Tests/Orders
	LOCKSTEP_STRICT=1 $(SWIFT) run --skip-build lockstep generate --check $(INTERNAL_SAMPLE)
	LOCKSTEP_STRICT=1 $(SWIFT) run --skip-build lockstep generate --check $(RANDOM_SCHEMAS)
	@./Scripts/check-documentation
	@LOCKSTEP_STRICT=1 ./Scripts/build-documentation
	$(SWIFT) format lint --strict --parallel $(FORMATTED)

## Builds the pages and the reference of every module; a warning or a dead link is an error.
documentation: setup
	@./Scripts/build-documentation

# The first seed, how many, and what `Tests/Scenarios` is told besides to run one again in fewer steps.
SEED ?= 1
COUNT ?= 1000
SCENARIO = $(SEED) $(COUNT) $(if $(STEPS),--steps $(STEPS)) $(if $(SKIP),--skip $(SKIP)) \
	$(if $(WITHOUT),--without $(WITHOUT)) $(if $(TELL),--tell) $(if $(JOBS),--jobs $(JOBS))

## Devices, a server and all that goes wrong between them, by seed.
scenarios: setup
	$(SWIFT) build --product scenarios
	$(SWIFT) run --skip-build scenarios $(SCENARIO)

## `lockstep generate` and `emit`, killed at each of their steps, and what the next run makes of it.
kills: setup
	$(SWIFT) build --product lockstep
	$(SWIFT) build --product kills
	$(SWIFT) run --skip-build kills $(COUNT) $(SEED) $(if $(JOBS),$(JOBS))

## An app that is killed while it saves, merges and pushes.
kills-app: setup
	$(SWIFT) build --product store-process
	$(SWIFT) build --product kills-app
	$(SWIFT) run --skip-build kills-app $(COUNT) $(SEED)

## Servers that never end, break off, or send too much: how each meeting ends, and what memory and time it takes. KIND=events picks one.
hostile: setup
	$(SWIFT) build -c release --product hostile
	$(SWIFT) run -c release --skip-build hostile $(KIND)

## Many writers and readers of one store, under ThreadSanitizer.
sanitize: setup
	@./Scripts/sanitize

## Writes Generated/ anew from Schemas/.
generate: setup
	$(SWIFT) run lockstep generate
	$(SWIFT) run lockstep generate Tests/NamesThatBite/NamesThatBite.yaml --output Tests/NamesThatBite
	$(SWIFT) run lockstep generate Tests/Forest/Forest.yaml --output Tests/Forest
	$(SWIFT) run lockstep generate Tests/Museum/Museum.yaml --output Tests/Museum
	$(SWIFT) run lockstep generate Tests/Orders/Orders.yaml --output Tests/Orders
	$(SWIFT) run lockstep generate $(INTERNAL_SAMPLE)
	$(SWIFT) run lockstep generate $(RANDOM_SCHEMAS)

## Makes the random schemas again from their seeds, and their Swift.
random-schemas: setup
	$(SWIFT) run random-schemas Tests/RandomSchemas/Schemas
	$(SWIFT) run lockstep generate $(RANDOM_SCHEMAS)

format:
	$(SWIFT) format --in-place --parallel $(FORMATTED)

## What Lockstep costs a package that uses it: first builds, packages, binaries.
weight: setup
	@./Scripts/weight

## Prints the table of figures: release builds, medians, ratios to the floors.
benchmarks: setup
	@./Benchmarks/run
