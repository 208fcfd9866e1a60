# The README shows `make demo` and `make test`. CI also runs `make test-packages` and `make check`.
.PHONY: demo server-demo test test-folders test-packages test-all check apple sqlite artifact-bundle documentation arrows shape mutants scenarios version-scenarios feed-scenarios evolutions kills kills-app kills-migration hostile sanitize format generate random-schemas setup benchmarks weight

SWIFT ?= swift
# SwiftPM 6.3 passes a package's traits to the compiler in the order of their hashes, so a build with other hashes would
# compile every module again (swift-package-manager issue 10525, fixed in 6.4).
export SWIFT_DETERMINISTIC_HASHING = 1
# What is built is run with random hashes, to find results that depend on them.
TEST = env -u SWIFT_DETERMINISTIC_HASHING $(SWIFT) test --skip-build
# A test keeps its stores open while others have their turn. Without a limit, thousands begin at once. On Linux, with 1,350
# open files, Foundation reads past the end of a buffer when it starts a process (`findMaximumOpenFromProcSelfFD`).
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 32
RUN = env -u SWIFT_DETERMINISTIC_HASHING $(SWIFT) run --skip-build
# In CI every warning of ours is an error, in the same build that the tests use.
ifeq ($(CI),true)
export LOCKSTEP_STRICT ?= 1
endif
# All Swift files. Generated ones are linted too, but only lockstep changes them.
SWIFT_FILES = $(shell git ls-files --cached --others --exclude-standard '*.swift')
FORMATTED = $(filter-out Generated/%,$(SWIFT_FILES))

## Installs missing packages: libyaml and the SQLite headers, in CI also PostgreSQL and Chromium.
setup:
	@./Scripts/setup

## Builds Examples/Journal, and runs its demo of two devices and a server.
demo: setup
	@./Scripts/demo

## Syncs two devices with a PostgreSQL server generated from a schema; a device and the server are killed in between.
server-demo:
	@./Scripts/setup --postgresql
	@echo "Building (the first time takes a few minutes) …"
	@$(SWIFT) build --product workbench
	@$(RUN) workbench server-demo

# Tests that use all cores. They are run separately, because they would delay tests that need the main actor.
BUSY_TESTS = ^SimulationTests\.

# Suites that send requests to real sockets, and a few with similar names. They run first and on their own: on Linux,
# `URLSession` uses most of a core while it waits for a response on a new connection, and these tests would take minutes
# if they ran together with all others.
SOCKET_TESTS = ^(LockstepTestingTests\.|LockstepGeneratorTests\.Conformance|Lockstep(HTTP|Sync)Tests\.(\w+Snippets|\w+Story|(BackPressure|BrokenConnection|Cancellation|Client|EventStream|FieldValue|HostileServer|Redirect|UpdateNeeded)Tests)/)

## The tests to run before each commit: all except those that take minutes. SEEDS=1000 tries all seeds, SEEDS=100 a tenth.
test: setup
	$(SWIFT) build --build-tests
	$(TEST) --filter '$(SOCKET_TESTS)'
	$(TEST) --skip '$(SOCKET_TESTS)' --skip '$(BUSY_TESTS)' --skip PackageTests
	$(TEST) --filter '$(BUSY_TESTS)'

## The tests of the files in some folders: make test-folders FOLDERS="Tests/Suites/LockstepMergeTests Tests/Suites/LockstepSyncTests/Outbox"
test-folders: setup
	$(SWIFT) build --build-tests
	$(TEST) --filter "\.($$(grep -rhoE '^(struct|final class) [A-Za-z]+' $(FOLDERS) | awk '{ print $$NF }' | paste -sd '|' -))/"

## The tests that `make test` omits: users' packages, the example, ThreadSanitizer.
test-packages: setup
	$(SWIFT) build --build-tests
	$(TEST) --filter PackageTests
	$(SWIFT) build --package-path Examples/Journal --build-tests --disable-build-manifest-caching
	$(TEST) --package-path Examples/Journal
	@./Scripts/demo
	@./Scripts/sanitize

## Every test, with all seeds.
test-all:
	$(MAKE) test SEEDS=1000
	$(MAKE) test-packages

## The other checks of CI: no warnings, nothing stale in Generated/, the format.
check: setup
	LOCKSTEP_STRICT=1 $(SWIFT) build --build-tests
	LOCKSTEP_STRICT=1 $(SWIFT) build --package-path Examples/Journal --build-tests --disable-build-manifest-caching
	LOCKSTEP_STRICT=1 $(RUN) lockstep generate --check
	@./Scripts/check-documentation
	@LOCKSTEP_STRICT=1 ./Scripts/folder-arrows
	@LOCKSTEP_STRICT=1 ./Scripts/build-documentation
	$(SWIFT) format lint --strict --parallel $(SWIFT_FILES)

## Type-checks all but tests for macOS 14, and the modules for iOS 17, on Linux. MODULES="LockstepStore" names some.
apple:
	@./Scripts/setup --python
	$(SWIFT) build --build-tests
	$(SWIFT) build --package-path Examples/Journal --build-tests --disable-build-manifest-caching
	@./Scripts/check-apple $(MODULES)

## The tests of the store, merging and migrations on older versions of SQLite: that of iOS 17, and the oldest supported.
sqlite:
	@./Scripts/setup --python
	$(SWIFT) build --build-tests
	@env -u SWIFT_DETERMINISTIC_HASHING ./Scripts/check-sqlite

## Writes .build/lockstep-plugin, a package with the build plugin and its tool, built for this system.
artifact-bundle: setup
	@./Scripts/artifact-bundle

## Prints which folders of each module use which, and fails if any use each other. MODULES="lockstep" names some.
arrows:
	@./Scripts/folder-arrows $(MODULES)

## Prints how large the modules are: lines of code, functions, public declarations. FOLDERS="Tests" measures others.
shape: FOLDERS = Sources
shape: setup
	$(SWIFT) build --quiet --product upkeep
	@$(RUN) upkeep shape $(FOLDERS)

## Builds the pages and the reference of every module; a warning or a dead link is an error.
documentation: setup
	@./Scripts/build-documentation

# The first seed, their number, and the options of `Scenarios.swift` that run one again with fewer steps.
SEED ?= 1
COUNT ?= 1000
SCENARIO = $(SEED) $(COUNT) $(if $(STEPS),--steps $(STEPS)) $(if $(SKIP),--skip $(SKIP)) \
	$(if $(WITHOUT),--without $(WITHOUT)) $(if $(TELL),--tell) $(if $(JOBS),--jobs $(JOBS))

## Simulates devices, a server and failures between them, by seed.
scenarios: setup
	$(SWIFT) build --product workbench
	$(RUN) workbench scenarios $(SCENARIO)

## Simulates devices and a server that change the version of their schema, by seed. TELL=1 prints what happens.
version-scenarios: setup
	$(SWIFT) build --product workbench
	$(RUN) workbench version-scenarios $(SEED) $(COUNT) $(if $(TELL),--tell) $(if $(JOBS),--jobs $(JOBS))

## Simulates devices and a server with a feed, by seed. TELL=1 prints what happens.
feed-scenarios: setup
	$(SWIFT) build -c release --product workbench
	$(RUN) -c release workbench feed-scenarios $(SEED) $(COUNT) $(if $(TELL),--tell) $(if $(JOBS),--jobs $(JOBS))

## Switches on a fault for each numbered rule, and shows which tests and seeds find it. RULES="R10.3 P6" names some.
mutants: setup
	@./Scripts/mutants $(RULES)

## Changes random schemas and migrates files with them, at once and version by version, by seed.
evolutions: setup
	$(SWIFT) build -c release --product workbench
	$(RUN) -c release workbench evolutions $(SEED) $(COUNT) $(if $(ONLY),--only $(ONLY)) \
		$(if $(VERSIONS),--versions $(VERSIONS)) $(if $(TELL),--tell)

## Kills `lockstep generate` and `emit` at each of their steps, and checks the next run.
kills: setup
	$(SWIFT) build --product lockstep
	$(SWIFT) build --product workbench
	$(RUN) workbench kills $(COUNT) $(SEED) $(if $(JOBS),$(JOBS))

## Kills an app while it saves, merges and pushes.
kills-app: setup
	$(SWIFT) build --product workbench
	$(RUN) workbench kills-app $(COUNT) $(SEED)

## Kills migrations at statements and in the middle of writes, and checks the file. AT=statement-12 repeats one.
kills-migration: setup
	$(SWIFT) build -c release --product workbench
	$(RUN) -c release workbench kills-migration $(COUNT) $(SEED) $(if $(AT),--at $(AT)) \
		$(if $(JOBS),--jobs $(JOBS))

## Connects to servers that never end, break off, or send too much, and prints the memory and time used. KIND=events runs one.
hostile: setup
	$(SWIFT) build -c release --product workbench
	$(RUN) -c release workbench hostile $(KIND)

## Many writers and readers of one store, under ThreadSanitizer.
sanitize: setup
	@./Scripts/sanitize

## Regenerates Generated/ from Schemas/.
generate: setup
	$(SWIFT) run lockstep generate

## Regenerates the random schemas from their seeds.
random-schemas: setup
	$(SWIFT) run upkeep random-schemas Tests/Samples/RandomSchemas

format:
	$(SWIFT) format --in-place --parallel $(FORMATTED)

## Measures what Lockstep costs a package that uses it: first builds, packages, binaries.
weight: setup
	@./Scripts/weight

## Prints the table of figures: release builds, medians, ratios to the floors.
benchmarks: setup
	@./Benchmarks/run
