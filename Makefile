# What one does with this repository. `make` lists the targets.

SHELL := /bin/bash
EXAMPLE := Examples/Guide
# Debug information costs time and disk, and CI reads neither.
BUILD := swift build $(if $(CI),-debug-info-format none)
TEST := swift test --skip-build $(if $(CI),-debug-info-format none)
# The embedded product by itself, without the network layer (Package.swift), and the example on top of it.
EMBEDDED := --scratch-path .build-embedded
EMBEDDED_EXAMPLE := --package-path $(EXAMPLE) --disable-default-traits --scratch-path $(EXAMPLE)/.build-embedded
BENCH := HEARTH_BENCHMARKS=1 swift build -c release --scratch-path .build-bench --product HearthBenchmarks
# Passed on to the benchmarks, for example: make bench ARGS="--filter decode"
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help bootstrap demo demo-server demo-emulator test test-full test-example test-modes modes-page test-clients test-embedded fuzz test-oracle emulator-differences test-tsan compatibility check-consumer lint format-check bench bench-build bench-instructions docs clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap: ## install what the system lacks (Debian and Ubuntu); silent when nothing is missing
	@dev/bootstrap

demo: bootstrap ## the Swift Codable guide, running on the embedded database, then real data
	@swift build $(EMBEDDED_EXAMPLE) --product guide-demo
	@swift run $(EMBEDDED_EXAMPLE) --skip-build guide-demo

demo-server: bootstrap ## the same walk against hearth serve, which is started for it and stopped afterwards
	@dev/demo server

demo-emulator: bootstrap ## the same walk against Google's official emulator; skipped where it is not installed
	@dev/demo emulator

test: bootstrap ## all tests in quick size, the example's included (minutes); CI runs this
	@dev/step "build" $(BUILD) --build-tests
	@HEARTH_PYTHON="$$(dev/python)" dev/step "tests" $(TEST)
	@dev/step "tests over gRPC and against hearth serve" dev/test-modes loopback server
	@HEARTH_BINARY="$$(swift build --show-bin-path)/hearth" dev/step "oracle" dev/oracle-serve --quick
	@HEARTH_BINARY="$$(swift build --show-bin-path)/hearth" dev/step "Python client and curl" dev/test-clients
	@$(MAKE) --no-print-directory test-example
	@$(MAKE) --no-print-directory test-embedded

test-full: bootstrap ## all tests in full size, all modes, the whole oracle, an outside consumer (an hour)
	@dev/step "build" $(BUILD) --build-tests
	@HEARTH_FULL=1 HEARTH_PYTHON="$$(dev/python)" dev/step "tests, full size" $(TEST)
	@dev/step "tests in three modes" dev/test-modes loopback server emulator
	@HEARTH_BINARY="$$(swift build --show-bin-path)/hearth" dev/step "oracle, full size" dev/oracle-serve
	@HEARTH_BINARY="$$(swift build --show-bin-path)/hearth" dev/step "Python client and curl" dev/test-clients
	@$(MAKE) --no-print-directory test-example
	@dev/step "the walk against a server" dev/demo server
	@$(MAKE) --no-print-directory test-embedded
	@dev/step "consumer" dev/check-consumer

test-example: bootstrap ## the guide's example on the embedded database: a consumer without the network layer
	@dev/step "example: build" $(BUILD) $(EMBEDDED_EXAMPLE) --build-tests
	@dev/step "example: tests" $(TEST) $(EMBEDDED_EXAMPLE)

test-modes: bootstrap ## the suite of the public API over gRPC in process, against hearth serve, and Google's emulator where installed
	$(BUILD) --build-tests
	@dev/test-modes $(or $(ARGS),loopback server emulator)

test-clients: bootstrap ## the official Python client and curl against hearth serve (ARGS="-k listen" picks)
	@dev/test-clients $(ARGS)

test-embedded: bootstrap ## the suite of the public API with the embedded product alone, as a build without the network layer
	@HEARTH_EMBEDDED=1 HEARTH_TESTS=FirebaseFirestoreTests dev/step "embedded: build" $(BUILD) $(EMBEDDED) --build-tests
	@HEARTH_EMBEDDED=1 HEARTH_TESTS=FirebaseFirestoreTests dev/step "embedded: tests" $(TEST) $(EMBEDDED)

fuzz: bootstrap ## what reads strangers' bytes, under libFuzzer and the address sanitizer (SECONDS_EACH=600 ARGS="rest json")
	@SECONDS_EACH=$(or $(SECONDS_EACH),600) dev/fuzz $(ARGS)

test-oracle: bootstrap ## the same requests to Google's emulator and to hearth serve (SEED=… COUNT=…); skipped without the emulator
	@dev/oracle-serve --verbose $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) $(ARGS)

emulator-differences: ## docs/emulator-differences.md, made of the list of accepted differences
	@PYTHONPATH=Tests/Clients python3 -c "from oracle import page; page.write()"

test-tsan: bootstrap ## all tests of the package in quick size under the thread sanitizer
	HEARTH_SANITIZER=thread swift test --sanitize=thread --scratch-path .build-tsan

compatibility: bootstrap ## docs/compatibility.md, written by the tests that prove each of its rows
	HEARTH_WRITE_COMPATIBILITY=1 swift test --filter CompatibilityTableTests

modes-page: bootstrap ## docs/modes.md, made of the table of what not every mode can do
	HEARTH_WRITE_MODES=1 swift test --filter ModeTableTests

check-consumer: bootstrap ## a package outside this one imports FirebaseFirestore, in Swift 5 and Swift 6 mode
	@dev/check-consumer

.PHONY: kill-server
kill-server: bootstrap ## kill -9 of a server under load, over and over (ROUNDS=100); nothing acknowledged may be lost
	swift build -c release --product hearth
	@python=$$(dev/python) && $$python dev/kill-server $(or $(ROUNDS),100)

lint: bootstrap format-check ## the repository's own rules: imports, file and line length, links, license headers, swift-format
	swift test --filter RepositoryTests

format-check: ## the rules of .swift-format (seconds)
	@dev/format-check

bench: bootstrap ## the benchmark table, also written to .build/bench.json
	@$(BENCH)
	@.build-bench/release/HearthBenchmarks --json .build/bench.json $(ARGS)

.PHONY: bench-server
bench-server: ## the figures of the server against its peers, also written to .build/bench-server.json
	@dev/bootstrap nghttp2-client:h2load
	@dev/bench-server $(ARGS)

bench-build: bootstrap ## clean build times and binary size of an app on the embedded database (minutes)
	@$(BENCH)
	@dev/bench-build

bench-instructions: bootstrap ## instructions per operation of the codec cases, counted by valgrind
	@$(BENCH)
	@dev/bench-instructions $(ARGS)

docs: bootstrap ## the API documentation, into .build/docs
	@dev/build-docs

clean: ## remove everything that was built
	rm -rf .build .build-embedded .build-bench .build-tsan .build-consumer $(EXAMPLE)/.build $(EXAMPLE)/.build-embedded
