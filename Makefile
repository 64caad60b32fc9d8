# Fianchetto: a chess move generator. `make help` lists what can be made.

GO ?= go
GORELEASER ?= $(GO) run github.com/goreleaser/goreleaser/v2@v2.5.1
ACTIONLINT = $(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.7
GREMLINS = $(GO) run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
# Inputs for each fuzz target. It is not a time, because before Go 1.27 the fuzzer can fail with
# "context deadline exceeded" at the end of a time (https://go.dev/issue/75804).
FUZZTIME ?= 20000x
SEED ?= $$(date +%s)
PACKAGE ?= ./book
SITE ?= site

LIBRARY = github.com/fianchetto-chess/fianchetto

# Targets that run what they build use the best GOAMD64 for this machine unless it is set. Tests use
# the default build.
ifeq ($(origin GOAMD64),undefined)
run install bench pgo bench-compare crosscheck fuzz-long site: export GOAMD64 = $(shell $(GO) run ./tools/goamd64)
endif

# Other platforms that must build and pass vet.
PLATFORMS = linux/arm64 linux/386 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# Below, `work` means the packages of all modules that go.work joins.

# The packages that others can import, and the packages to test on emulated machines, which are slow.
PUBLIC = $$($(GO) list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./... | grep -v /internal/)
EMULATED = . ./bitboard ./magic ./attacks ./internal/sliders ./internal/core ./internal/difftest ./epd ./pgn ./book ./uci/...

# The tests of a package take a minute or two, and far longer on a slow or busy machine.
GO_TEST = $(GO) test -timeout 30m

# Tests with one goroutine that take minutes under the race detector.
SEQUENTIAL = TestUniquePublished|TestJournal(WithAnyByteFlipped|CutAnywhere.*)|TestAllValues
SEQUENTIAL := $(SEQUENTIAL)|TestParseSANChooses.*

# What the next version of the library exports, like the lists of Go itself (go.dev/api).
API = api/v0.1.txt

.PHONY: help run install quick test test-long test-tags race lint api api-check check portability \
	test-386 test-arm64 test-s390x test-riscv64 test-wasm bench pgo bench-compare crosscheck fuzz fuzz-long mutants \
	generate verify-generate tidy site screenshots dist

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## count a published position, then find the mistake of an engine that is wrong on purpose
	$(GO) build -o bin/ ./cmd/fianchetto ./cmd/internal/buggy/buggyengine
	bin/fianchetto perft 5 kiwipete
	bin/fianchetto compare "bin/buggyengine --bugs castling-through-check" kiwipete 2 || [ $$? = 1 ]

install: ## install the commands, built for this machine
	$(GO) install ./cmd/fianchetto ./cmd/fianchetto-cluster

quick: ## compare core, root and counting with the oracle, in seconds: the first thing after a change
	$(GO) test -short -timeout 2m ./internal/core . ./internal/difftest ./perft/internal/...

test: ## run the tests: three minutes on two processors
	$(GO_TEST) work
	@$(GO_TEST) -count=1 -v -run '^TestKernelRuns$$' ./perft/internal/simd | sed -n 's/.*go:[0-9]*: //p'

test-long: ## run all tests at full depth, which takes up to forty minutes
	$(GO) test -tags long -timeout 60m -v -run . work

mutants: ## plant faults in PACKAGE (./book), one at a time, and list those that its tests miss
	GOWORK=off $(GREMLINS) unleash --timeout-coefficient 100 $(PACKAGE)

race: ## run the short tests of all concurrent code with the race detector
	$(GO_TEST) -race -short -skip '$(SEQUENTIAL)' . ./internal/core ./internal/difftest ./perft/... \
		./cmd/fianchetto-cluster/...

check: lint api-check verify-generate test-tags portability ## run all checks but the tests

lint: ## check formatting, vet, staticcheck and the workflows
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { echo "gofmt would change:"; echo "$$unformatted"; exit 1; }
	$(GO) vet work
	$(GO) vet -tags 'long purego fianchettodebug' work
	$(STATICCHECK) work
	$(ACTIONLINT)

test-tags: ## run the short tests with checked arguments, and without assembly
	$(GO_TEST) -short -tags fianchettodebug ./...
	$(GO_TEST) -short -tags purego ./internal/sliders ./internal/core ./perft ./perft/internal/...

api: ## list the exported names of the library in api/
	$(GO) run ./tools/apilist > $(API).new && mv $(API).new $(API)

api-check: ## fail if an exported name was removed, changed or not listed
	$(GO_TEST) -count=1 ./tools/apilist

portability: test-386 test-arm64 test-wasm ## build for all platforms, and test those that run here
	@for platform in $(PLATFORMS); do \
		echo "vet and build for $$platform"; \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/}; \
		$(GO) vet ./... ./cmd/... ./cmd/fianchetto-cluster/... && \
			$(GO) build -o /dev/null ./cmd/fianchetto ./cmd/fianchetto-cluster || exit 1; \
	done
	GOOS=js GOARCH=wasm $(GO) vet $(PUBLIC)

test-386: ## test with 32-bit words, if this machine runs such programs
	@if refusal=$$(GOARCH=386 $(GO) run ./tools/goamd64 2>&1); then \
		echo "GOARCH=386 go test -short"; GOARCH=386 $(GO_TEST) -short $(PUBLIC) ./internal/difftest ./internal/sliders; \
	else \
		echo "test-386 skipped: no program for 386 runs here: $$refusal"; \
	fi

# QEMU names its emulators like Go, with one exception.
QEMU_arm64 = aarch64

test-arm64: ## test on an emulated ARM; also test-s390x (big-endian) and test-riscv64
test-arm64 test-s390x test-riscv64: test-%:
	@qemu=qemu-$(or $(QEMU_$*),$*); if command -v $$qemu >/dev/null; then \
		echo "GOARCH=$* go test -short -exec $$qemu"; GOARCH=$* $(GO_TEST) -short -exec $$qemu $(EMULATED); \
	else \
		echo "test-$* skipped: no $$qemu here (Debian: qemu-user)"; \
	fi

test-wasm: ## test as WebAssembly under node
	@if command -v node >/dev/null; then \
		echo "GOOS=js GOARCH=wasm go test -short"; \
		GOOS=js GOARCH=wasm $(GO_TEST) -short -exec "$$($(GO) env GOROOT)/lib/wasm/go_js_wasm_exec" $(EMULATED); \
	else \
		echo "test-wasm skipped: no node here"; \
	fi

bench: ## print ratios to dragontoothmg, in some three minutes (MINDCHESS=CLONE: to mindchess as well)
	cd benchmarks && $(GO) run . bench \
		$(if $(MINDCHESS),--bulk 'mindchess=$(abspath $(MINDCHESS))/mindchess perft {fen} {depth}')

pgo: ## profile perft and the search again for the compiler, which reads default.pgo in builds of programs
	$(GO) test -run '^$$' -bench Training -benchtime 1.5s -cpuprofile cmd/fianchetto/default.pgo.new -o /dev/null ./perft
	$(GO) tool pprof -proto -ignore '^runtime[.]' -output cmd/fianchetto/default.pgo cmd/fianchetto/default.pgo.new
	rm cmd/fianchetto/default.pgo.new # whose samples of the runtime make the program larger, but no faster
	cp cmd/fianchetto/default.pgo cmd/fianchetto-cluster/default.pgo
	$(GO) test -run '^$$' -bench Search -benchtime 2s -cpuprofile benchmarks/default.pgo.new -o /dev/null ./benchmarks
	$(GO) tool pprof -proto -ignore '^runtime[.]' -output benchmarks/default.pgo cmd/fianchetto/default.pgo benchmarks/default.pgo.new
	rm benchmarks/default.pgo.new

bench-compare: ## run all contests, and write results and plots (COMPARE='--bulk NAME=COMMAND')
	cd benchmarks && $(GO) run . --write $(COMPARE)

crosscheck: ## compare moves with the reference library at millions of nodes
	$(GO_TEST) -v -count=1 ./cmd/crosscheck -nodes 20000

fuzz: ## run every fuzz target for FUZZTIME (20000x)
	@for package in $$($(GO) list work); do \
		directory=$$($(GO) list -f '{{.Dir}}' $$package); \
		for target in $$(grep -hos '^func Fuzz[A-Za-z0-9]*' $$directory/*_test.go | cut -c6-); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 2s $$package || exit 1; \
		done; \
	done

fuzz-long: FUZZTIME = 1h
fuzz-long: ## compare random positions with the oracle on all processors for FUZZTIME (1h)
	$(GO) test -run TestRandomPositions -timeout 0 -v ./internal/difftest -args -for $(FUZZTIME) -seed $(SEED)

site: ## write the explorer as static files to ./site
	GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags='-s -w' -o $(SITE)/explorer.wasm ./cmd/internal/explorer/wasm
	gzip -9nf $(SITE)/explorer.wasm
	$(GO) run ./cmd/internal/explorer/site $(SITE) "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js"

# The files carry the version if the commit has its tag.
PUBLISHING = $(if $(shell git tag --points-at HEAD 'v*'),--skip=publish,--snapshot)

dist: ## build the files of a release into ./dist; .ci/release tests them
	$(GORELEASER) release --config .ci/goreleaser.yaml --clean $(PUBLISHING)

screenshots: ## make the pictures of the documentation with chromium
	$(GO) test ./cmd/internal/explorer/browser -run Pictures -update

generate: ## write the generated files
	$(GO) generate work

# The modules with a version that the others may require, in the order of .ci/release. That version
# may not be out yet, so tidy puts this tree in its place.
REQUIRING = cmd cmd/fianchetto-cluster benchmarks tools

tidy: ## add missing and drop unused requirements in the go.mod of every module
	GOWORK=off $(GO) mod tidy
	@for module in $(REQUIRING); do (cd $$module && \
		$(GO) mod edit -replace $(LIBRARY)=$(CURDIR) -replace $(LIBRARY)/cmd=$(CURDIR)/cmd && GOWORK=off $(GO) mod tidy; \
		status=$$?; $(GO) mod edit -dropreplace $(LIBRARY) -dropreplace $(LIBRARY)/cmd; exit $$status) || exit 1; \
	done
	cd cmd/internal/explorer/browser && GOWORK=off $(GO) mod tidy

GENERATED = benchmarks/search cmd/internal/faulty magic internal/suites docs/pictures perft/internal/simd cmd/internal/cli \
	cmd/internal/explorer/page

verify-generate: generate ## fail if a generated file or a go.mod is stale
	@git diff --exit-code --stat -- $(GENERATED) || { echo "stale: commit the output of make generate"; exit 1; }
	$(GO) work sync
	@git diff --exit-code --stat -- '*go.mod' '*go.sum' go.work
