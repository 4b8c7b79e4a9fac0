# "make help" lists what there is.
SHELL := /bin/bash
GO ?= go
BIN := bin/benchmill
SAMPLE := .benchmill/sample
# Data that is not part of the project: ground truth and vocabularies for
# "make fidelity" and "make bench", and repositories at <owner>/<name>.
SHARED ?= ../shared
MIRRORS ?= mirrors
CODELLAMA ?= $(SHARED)/tokenizers/llama2.model
NEEDLES ?= $(SHARED)/groundtruth/repoqa_needles.jsonl
COMPLETIONS ?= $(SHARED)/groundtruth/crosscodeeval_rows.jsonl
OFFICIAL ?= $(SHARED)/groundtruth/crosscodeeval_official_rows.jsonl
FUNCTIONS ?= $(SHARED)/groundtruth/yabloco_redis_functions.csv
CALLGRAPH ?= $(SHARED)/groundtruth/yabloco_redis_callgraph.json
BODIES ?= $(SHARED)/groundtruth/yabloco_redis_bench.csv
RELEASED ?= redis/redis@493e31e3ad299c99cbb96b8581b7598b19b23892
DATED ?= ca5cac998e75e52b73ad2794042b9165f4833020
KEEP ?= bin/fidelity
KILLS ?= 200

.PHONY: help build sample sample-data run test test-long deps torture fidelity fidelity-long agreement bench fuzz lint clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

build: ## build bin/benchmill
	$(GO) build -trimpath -o $(BIN) ./cmd/benchmill

sample: build ## prepare the sample repositories
	@$(BIN) init --sample $(SAMPLE)

run: sample ## build everything and make the releases of the sample, offline
	$(BIN) run --frozen
	@$(BIN) releases

sample-data: build ## record the sample's conversations and replies again (after a change of the sample or the prompts)
	$(GO) run ./internal/samplehub
	$(BIN) lock
	$(GO) run ./internal/sampleledger

deps: ## install what only the tests need
	bash internal/testdeps/install.sh

test: deps ## run all tests but the long ones
	$(GO) vet ./...
	$(GO) test ./...

test-long: deps ## the long suites: race detector, torture, fuzzing
	$(GO) test -race ./pipeline/... ./artifacts/... ./stages/... ./sources/... ./internal/...
	$(MAKE) torture fuzz

torture: sample ## kill runs and collections at random instants, then compare with undisturbed ones
	$(GO) run ./internal/torture -bin $(BIN) -kills $(KILLS)
	$(GO) run ./internal/torture -bin $(BIN) -github

fidelity: build ## compare with rows of released datasets (needs MIRRORS and SHARED; ARGS="-only callgraph": a part)
	$(GO) run ./internal/fidelity -mirrors $(MIRRORS) -keep $(KEEP) -benchmill $(BIN) \
		-needles $(NEEDLES) -tokenizer $(CODELLAMA) -completions $(COMPLETIONS) -official $(OFFICIAL) \
		-repository $(RELEASED) -functions $(FUNCTIONS) -graph $(CALLGRAPH) -bench $(BODIES) -dated-at $(DATED) -zone Europe/Moscow -below src/ $(ARGS)

fidelity-long: ## run the tests of a released repository, and date each of its lines with git blame too
	$(MAKE) fidelity ARGS="-only history,coverage $(ARGS)"

agreement: ## compare cross-file uses with those of compilers (needs MIRRORS, REPOS: a list of repositories)
	$(GO) run ./internal/agreement -repos $(REPOS) -mirrors '$(MIRRORS)' $(ARGS)

bench: ## the benchmarks of BENCHMARKS.md (MIRRORS: real repositories)
	BENCHMILL_MIRRORS=$(abspath $(MIRRORS)) BENCHMILL_NEEDLES=$(abspath $(NEEDLES)) $(GO) test ./internal/bench ./cmd/benchmill -run '^$$' -bench 'Functions|Plan' -benchtime 10x -count 1 $(ARGS)
	BENCHMILL_MIRRORS=$(abspath $(MIRRORS)) BENCHMILL_HISTORY=$(RELEASED) $(GO) test ./internal/bench -run '^$$' -bench Mainline -benchtime 1x -count 1
	$(GO) test ./internal/bench -run '^$$' -bench Collect -benchtime 3x -count 1

fuzz: ## run every fuzz target for a short time
	bash internal/testdeps/fuzz.sh

lint: ## formatting and vet
	@test -z "$$(gofmt -l $$(git ls-files '*.go' | grep -v _repos/))" || (gofmt -l $$(git ls-files '*.go' | grep -v _repos/); exit 1)
	$(GO) vet ./...

clean: ## remove what was built, and the sample's store
	rm -rf bin .benchmill
