# The tasks of this repository. `make` lists the targets.

SHELL := /bin/bash
EXAMPLE := Examples/Guide
FLAGS := $(shell CI=$(CI) dev/flags)
# The order of the traits' flags would otherwise be a matter of chance, and with another order everything is compiled again.
BUILD := env SWIFT_DETERMINISTIC_HASHING=1 swift build $(FLAGS)
# In CI a test that hangs is named after a while instead of holding up everything.
TEST := $(if $(CI),dev/limited 1800) swift test --skip-build $(FLAGS)
# The store over PostgreSQL is in the tests and in the command that they run; on Linux, where dev/bootstrap brings libpq.
test check test-full test-postgres kill-nodes test-nodes bench-postgres: export HEARTH_POSTGRES := $(filter Linux,$(shell uname -s))
# What `make test` has built, for the steps that run it.
BUILT := HEARTH_BINARY="$(CURDIR)/.build/debug/hearth" GUIDE_DEMO="$(CURDIR)/.build/debug/guide-demo" GUIDE_LIVE="$(CURDIR)/.build/debug/guide-live" \
	HEARTH_ARCHIVE_CALLER="$(CURDIR)/.build/debug/ArchiveCaller"
# Steps that wait much run three at a time; what a step prints stays together. Older makes run one after the other.
THREE_AT_A_TIME := $(if $(filter output-sync,$(.FEATURES)),-j3 --output-sync=target)
# The embedded product by itself, without the network layer (Package.swift), and the example on top of it.
EMBEDDED := --scratch-path .build-embedded
EMBEDDED_EXAMPLE := --package-path $(EXAMPLE) --scratch-path $(EXAMPLE)/.build-embedded
BENCH := HEARTH_BENCHMARKS=1 swift build -c release --scratch-path .build-bench --product HearthBenchmarks
# Passed on to the benchmarks, for example: make bench ARGS="--filter decode"
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help bootstrap demo demo-server demo-emulator test check test-full test-example test-modes test-clients test-embedded fuzz test-oracle test-tsan check-consumer lint format-check bench bench-build bench-instructions docs clean

# What a newcomer needs.
FIRST := demo guide test check lint bench docs

help: ## list the targets that one needs first
	@awk -F ':.*## ' -v first=" $(FIRST) " '/^[a-z-]+:.*## / && index(first, " " $$1 " ") { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "  make help-all             list the other targets, too"

.PHONY: help-all
help-all: ## list all targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

bootstrap: ## install missing system packages (Debian and Ubuntu); silent if none is missing
	@dev/bootstrap

demo: bootstrap ## run the Swift Codable guide on the embedded database, then real data
	@HEARTH_EMBEDDED=1 swift build $(EMBEDDED_EXAMPLE) --product guide-demo
	@HEARTH_EMBEDDED=1 swift run $(EMBEDDED_EXAMPLE) --skip-build guide-demo
	@echo "The guide as a page, with documents that can be edited while the code reads them: make guide"

.PHONY: guide
guide: bootstrap ## the guide as a page: a server, and the example as its client; Ctrl-C stops both (ARGS="--data guide-data")
	@dev/guide $(ARGS)

demo-server: bootstrap ## the same with hearth serve, which is started and stopped for it, and without a connection to it
	@dev/demo server

demo-emulator: bootstrap ## the same with Google's official emulator; skipped if it is not installed
	@dev/demo emulator

PREFIX ?= /usr/local
.PHONY: install
install: bootstrap ## build the command and put it in PREFIX/bin, /usr/local/bin by default (minutes)
	HEARTH_COMMIT="$$(git rev-parse HEAD 2>/dev/null)" swift build -c release --product hearth --static-swift-stdlib
	@mkdir -p "$(PREFIX)/bin"
	install -m 0755 .build/release/hearth "$(PREFIX)/bin/hearth"
	@"$(PREFIX)/bin/hearth" --version

.PHONY: package
package: bootstrap-postgres ## the Debian package, the tarball and their lists of components in .build/packages, from release builds (minutes)
	@dev/package $(ARGS)

.PHONY: image
image: bootstrap-postgres ## an image for containers in .build/packages, made without a container engine, from a release build (minutes)
	@dev/image $(ARGS)

.PHONY: bootstrap-postgres
bootstrap-postgres:
	@dev/bootstrap postgres

# The suites of `make test`: the embedded product and all below it, rules, pipelines, the code of the documents, the rules of the repository.
RING := HearthBaseTests FirestoreCoreTests FirestoreCodingTests FirestoreSemanticsTests FirestorePipelinesTests LinearRegexTests \
	FirestoreStorageTests FirestoreSQLiteTests FirestoreEngineTests FirestoreEventsTests FirestoreRulesTests RuledServiceTests FirestoreClientTests \
	FirebaseFirestoreTests SnippetTests RepositoryTests
space := $(subst ,, )
comma := ,

test: bootstrap-postgres ## what the README promises: the guide, the embedded database, a server with our client and Python's (10 minutes)
	@dev/beside start python dev/python
	@HEARTH_TESTS=$(subst $(space),$(comma),$(RING)) dev/step "build" $(BUILD) --build-tests
	@dev/step "tests" dev/tests
	@PACKAGE="$(CURDIR)/Examples/Guide" dev/step "guide" dev/example --package-tests
	@dev/step "Python, which was prepared beside the others" dev/beside finish python
	@$(BUILT) dev/step "a server, with our client" dev/test modes --few server
	@$(BUILT) dev/step "a server, with Python's client" dev/test clients --few

check: bootstrap-postgres ## everything else in quick size, after `make test`; CI runs both (half an hour)
	@dev/prepare
	@dev/beside start example $(MAKE) --no-print-directory test-example
	@dev/step "build of everything" $(BUILD) --build-tests
	@HEARTH_PYTHON="$$(dev/python)" dev/step "tests of the other suites" dev/tests --skip '^($(subst $(space),|,$(RING)))\.'
	@dev/step "guide: build" dev/example guide-demo guide-live
	@$(BUILT) $(MAKE) --no-print-directory $(THREE_AT_A_TIME) $(BESIDE:%=step-%)
	@dev/step "example on the embedded product, begun beside the others" dev/beside finish example

# The steps of `make check` that run beside each other, those that take long first. Only one of them calls the package manager; those that
# need the same ports, or the official emulator, follow each other.
BESIDE := on-postgres console modes packages abuse archive readme clients events admin documents demo-server nodes rest rules scale measuring
.PHONY: $(BESIDE:%=step-%)
step-console: ; @dev/step "console in Chromium" dev/test browser
step-modes: ; @dev/step "tests over gRPC and against hearth serve" dev/test modes loopback server server+memory server+disk nodes
step-abuse: ; @dev/step "abuse of a server" dev/abuse-server --small --p99-ms 1000
step-on-postgres: ; @$(MAKE) --no-print-directory test-on-postgres
step-packages: ; @dev/protected packages dev/step "packages of this build, in a fresh system" dev/test packages
step-readme: ; @dev/step "README, followed" dev/readme
step-archive: ; @dev/step "archive in S3 and in a folder" dev/test archive
step-clients: ; @dev/step "Python client and curl" dev/test clients
step-events: ; @dev/step "events at their receivers" dev/test events -k "not speed"
step-admin: ; @dev/step "admin API, without gcloud" dev/test admin -k "not gcloud"
step-documents: step-readme ; @dev/step "commands of the documents" dev/test documents
step-demo-server: step-documents ; @dev/step "make demo-server" dev/demo server
step-nodes: ; @dev/step "three nodes, disturbed, under the history checker" dev/test nodes -k "history or rounds"
step-rest: ; @dev/step "oracle" dev/oracle rest --quick
step-rules: step-rest ; @dev/step "oracle of security rules" dev/oracle rules --quick
step-scale: ; @dev/step "simulation of several nodes" dev/test scale
step-measuring: ; @dev/step "what measures" dev/test measuring

# The suites of the engine, of rules, of the server and of accounts, on a PostgreSQL server that they start (tests must be built).
ON_POSTGRES := FirestoreEngineTests|RuledServiceTests|ServiceContractTests|FirestoreServerTests|FirestoreAccountsTests
# What is decided before a store is asked: which calls rules judge, what a rule says, what Identity Toolkit does not have. These suites made
# 625 of 1,634 schemas.
BEFORE_THE_STORE := RuledMethodTests|RuledServiceTests[.](MethodTests|RandomPipelinesTests|RandomRulesTests)|UnsupportedTests|[.]LimitTests
.PHONY: test-on-postgres
test-on-postgres:
	@HEARTH_TEST_STORE=postgres dev/step "engine, rules and server on PostgreSQL" dev/tests --filter '$(ON_POSTGRES)' --skip '$(BEFORE_THE_STORE)'

.PHONY: test-postgres
test-postgres: bootstrap-postgres ## the store on PostgreSQL: its own tests, several nodes, and the suites of engine, rules and server on it
	$(BUILD) --build-tests
	@dev/step "store on PostgreSQL" dev/tests --filter 'PostgresLinkTests|FirestorePostgresTests|SeveralServersTests|StoreCommandTests'
	@$(MAKE) --no-print-directory test-on-postgres

test-full: bootstrap-postgres ## all tests in full size, all modes, the whole oracle, an external consumer (an hour)
	@dev/step "build" $(BUILD) --build-tests
	@HEARTH_FULL=1 HEARTH_PYTHON="$$(dev/python)" dev/step "tests, full size" $(TEST)
	@$(BUILT) dev/step "tests in all modes" dev/test modes loopback server server+memory server+disk nodes nodes+memory nodes+disk emulator emulator+disk
	@dev/step "guide: build" dev/example guide-demo guide-live
	@$(BUILT) dev/step "oracle, full size" dev/oracle rest
	@dev/step "oracle of security rules, full size" dev/oracle rules 20000
	@$(BUILT) dev/step "Python client and curl" dev/test clients
	@$(BUILT) dev/step "admin API" dev/test admin
	@$(BUILT) dev/step "Python client and curl on two nodes" dev/test clients --nodes 2
	@$(BUILT) dev/step "deployment of several nodes" dev/test deploy
	@dev/step "packages: release builds" dev/package
	@dev/step "image: release build" dev/image
	@HEARTH_BINARY="$(CURDIR)/.build-package/deb/hearth" PACKAGES="$(CURDIR)/.build/packages" dev/step "packages" dev/test packages
	@$(BUILT) dev/step "archive in S3 and in a folder" dev/test archive
	@$(BUILT) dev/step "events at their receivers" dev/test events
	@dev/step "simulation of several nodes" dev/test scale
	@dev/step "what measures" dev/test measuring
	@HEARTH_FULL=1 $(BUILT) dev/step "console in Chromium, full size" dev/test browser
	@$(BUILT) dev/step "commands of the documents" dev/test documents
	@$(BUILT) dev/step "make demo-server" dev/demo server
	@$(BUILT) dev/step "abuse of a server" dev/abuse-server
	@HEARTH_TEST_STORE=postgres dev/step "engine, rules and server on PostgreSQL" dev/tests --filter '$(ON_POSTGRES)'
	@$(MAKE) --no-print-directory test-embedded
	@$(MAKE) --no-print-directory test-example
	@dev/step "consumer" dev/check-consumer
	@dev/step "instructions of hot paths" $(MAKE) --no-print-directory bench-gate
	@$(MAKE) --no-print-directory test-macros

test-example: bootstrap ## the tests of the guide's example on the embedded database, without the network layer
	@dev/example --tests

test-modes: bootstrap ## the tests of the public API over gRPC in process, with hearth serve, and with Google's emulator if installed
	$(BUILD) --build-tests
	@dev/test modes $(or $(ARGS),loopback server server+memory server+disk emulator emulator+disk)

test-clients: bootstrap ## the official Python client, curl and a WebChannel client with hearth serve (ARGS="-k listen" selects tests)
	@dev/test clients $(ARGS)

.PHONY: test-guests
test-guests: bootstrap ## build the command without each guest of the server in turn (ARGS=Archive selects one); once a week
	@dev/test-guests $(ARGS)

.PHONY: test-scale
test-scale: ## compare the simulation of several nodes with what was measured (seconds)
	@dev/test scale $(ARGS)

.PHONY: test-documents
test-documents: ## run the shell commands of every page (ARGS="docs/guides/web-apps.md" selects pages)
	@dev/test documents $(ARGS)

.PHONY: test-packages
test-packages: bootstrap-postgres ## the packages of a debug build in a fresh system (ARGS="-k debian" selects tests)
	@dev/test packages $(ARGS)

.PHONY: test-macros
test-macros: bootstrap ## the tests of @FirestoreModel, which build swift-syntax, and who fetches it (minutes)
	@dev/step "macros: build" $(BUILD) --package-path Tests/Models/Macros --build-tests
	@dev/step "macros: tests" $(TEST) --package-path Tests/Models/Macros
	@dev/step "swift-syntax is fetched with the trait Macros only" dev/check-fetched

.PHONY: test-browser
test-browser: bootstrap ## the console's pages in Chromium, in front of hearth serve (ARGS="-k tabs" selects tests)
	@dev/test browser $(ARGS)

.PHONY: console-pictures
console-pictures: bootstrap ## take the pictures of docs/guides/console.md again
	@dev/console-pictures

test-embedded: bootstrap ## the tests of the public API with the embedded product alone, without the network layer
	@HEARTH_EMBEDDED=1 HEARTH_TESTS=FirebaseFirestoreTests,CompatibilityTests dev/step "embedded: build" $(BUILD) $(EMBEDDED) --build-tests
	@HEARTH_EMBEDDED=1 HEARTH_TESTS=FirebaseFirestoreTests,CompatibilityTests dev/step "embedded: tests" $(TEST) $(EMBEDDED)

fuzz: bootstrap ## fuzz the parsers of untrusted bytes with libFuzzer and the address sanitizer (SECONDS_EACH=600 ARGS="rest json")
	@SECONDS_EACH=$(or $(SECONDS_EACH),600) dev/fuzz $(ARGS)

test-oracle: bootstrap ## compare the answers of Google's emulator and hearth serve (SEED=… COUNT=…); skipped without the emulator
	@dev/oracle rest --verbose $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) $(ARGS)

test-tsan: bootstrap ## all tests of the package in quick size under the thread sanitizer
	HEARTH_SANITIZER=thread swift test --sanitize=thread --scratch-path .build-tsan

.PHONY: pages
pages: bootstrap ## generate docs/reference/compatibility.md, docs/reference/modes.md and docs/reference/emulator-differences.md from their tables
	HEARTH_WRITE_COMPATIBILITY=1 HEARTH_WRITE_MODES=1 swift test --filter "CompatibilityTableTests|ModeTableTests|PipelineReferenceTests|LimitPageTests"
	@PYTHONPATH=Tests/Clients python3 -c "from oracle import page; page.write()"

check-consumer: bootstrap ## build an external package that imports FirebaseFirestore, in Swift 5 and Swift 6 mode
	@dev/check-consumer

.PHONY: abuse-server
abuse-server: bootstrap ## behave badly towards a server and check that other callers do not notice (ARGS="--only gzip_bombs")
	swift build --product hearth
	@dev/abuse-server $(ARGS)

.PHONY: test-failover
test-failover: bootstrap-postgres ## fail over with PostgreSQL's replication (ROUNDS=50) and under Patroni with etcd (PATRONI=10), under load (minutes)
	@dev/bootstrap etcd-server:etcd nftables:nft
	@dev/step "fail-over" dev/failover $(or $(ROUNDS),50) --patroni $(or $(PATRONI),10) $(ARGS)
	@dev/step "fail-over under special circumstances" dev/failover --scenario all

.PHONY: kill-server
kill-server: bootstrap ## kill a server under load repeatedly (ROUNDS=100); no acknowledged write may be lost
	swift build -c release --product hearth
	@python=$$(dev/python) && $$python dev/kill-server $(or $(ROUNDS),100)

.PHONY: kill-archived
kill-archived: bootstrap ## kill a server with an archive under load, and lose its disk (ROUNDS=100 SEED=1)
	swift build -c release --product hearth
	@HEARTH_BINARY=.build/release/hearth dev/kill-archived $(or $(ROUNDS),100) $(or $(SEED),1)

.PHONY: kill-nodes
kill-nodes: bootstrap-postgres ## disturb three nodes over PostgreSQL, and check what their clients saw (ROUNDS=100 HEARTH_SEED=1 ARGS="--mutations")
	$(BUILD) --product hearth
	@dev/kill-nodes $(or $(ROUNDS),100) $(ARGS)

.PHONY: test-nodes
test-nodes: bootstrap-postgres ## the history checker, and three nodes that are disturbed for a minute (ARGS="-k leases" selects tests)
	$(BUILD) --product hearth
	@HEARTH_BINARY="$(CURDIR)/.build/debug/hearth" dev/test nodes $(ARGS)

lint: bootstrap format-check ## check the rules of the repository: imports, file and line length, links, license headers, swift-format
	swift test --filter RepositoryTests

format-check: ## the rules of .swift-format (seconds)
	@dev/format-check

bench: bootstrap ## print the benchmark table, also written to .build/bench.json
	@$(BENCH)
	@.build-bench/release/HearthBenchmarks --json .build/bench.json $(ARGS)

.PHONY: bench-server
bench-server: ## compare the server with its peers, also written to .build/bench-server.json
	@dev/bootstrap nghttp2-client:h2load
	@dev/bench server $(ARGS)

.PHONY: bench-operations
bench-operations: bootstrap ## archive, restore, events and expiry, also written to .build/bench-server.json (HEARTH_FULL=1: a million)
	@dev/bootstrap nghttp2-client:h2load
	@dev/bench operations $(ARGS)

.PHONY: bench-postgres
bench-postgres: bootstrap-postgres ## compare nodes over PostgreSQL with SQL by hand (HEARTH_FULL=1: a million documents)
	@HEARTH_BENCHMARKS=1 swift build -c release --scratch-path .build-bench-postgres --product HearthBenchmarks
	@.build-bench-postgres/release/HearthBenchmarks --filter PostgreSQL --json .build/bench-postgres.json $(ARGS)

bench-build: bootstrap ## measure clean build times and binary size of an app on the embedded database (minutes)
	@$(BENCH)
	@dev/bench build

bench-instructions: bootstrap ## count instructions per operation of the codec cases with valgrind
	@$(BENCH)
	@dev/bench instructions $(ARGS)

.PHONY: bench-gate
bench-gate: bootstrap ## count the instructions of ten hot paths, and fail if one needs 3 % more than Benchmarks/gate.json says (minutes)
	@dev/bootstrap valgrind binutils:strip
	@$(BENCH)
	@dev/bench gate $(ARGS)

.PHONY: flame-graphs
flame-graphs: bootstrap ## draw flame graphs of a get, a commit and a query over the wire in docs/reference/flames (with the rights to use perf)
	@dev/bootstrap nghttp2-client:h2load linux-perf:perf
	@dev/bench flames $(ARGS)

docs: bootstrap ## build the API documentation in .build/docs
	@dev/build-docs

clean: ## remove all build products
	rm -rf .build .build-package .build-embedded .build-bench .build-tsan .build-consumer .build-fetched Tests/Models/Macros/.build $(EXAMPLE)/.build $(EXAMPLE)/.build-embedded
