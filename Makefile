# Fianchetto: a chess move generator. `make help` lists what can be made.

GO ?= go
GORELEASER ?= $(GO) run github.com/goreleaser/goreleaser/v2@v2.5.1
ACTIONLINT = $(GO) run github.com/rhysd/actionlint/cmd/actionlint@v1.7.7
GREMLINS = $(GO) run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
# A count of inputs, not a time: at the end of a time, the fuzzer of Go before 1.27 can fail with
# "context deadline exceeded" and no finding (https://go.dev/issue/75804).
FUZZTIME ?= 20000x
SEED ?= $$(date +%s)
PACKAGE ?= ./book
SITE ?= site

LIBRARY = github.com/fianchetto-chess/fianchetto

# Programs that make builds to run them here use the instruction set that counts fastest on this machine, unless GOAMD64 is set. Tests
# do not: they test the default build.
ifeq ($(origin GOAMD64),undefined)
run install bench bench-compare crosscheck fuzz-long site: export GOAMD64 = $(shell $(GO) run ./tools/goamd64)
endif

# What must build and pass vet besides the machine's own platform, as GOOS/GOARCH.
PLATFORMS = linux/arm64 linux/386 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# Below, `work` means the packages of all modules that go.work joins.

# The packages that others can import, and those of them that are tested on machines that are emulated, which are slow.
PUBLIC = $$($(GO) list -f '{{if ne .Name "main"}}{{.ImportPath}}{{end}}' ./... | grep -v /internal/)
EMULATED = . ./bitboard ./magic ./attacks/... ./internal/core ./internal/difftest ./epd ./pgn ./book ./uci

# The tests of a package take a minute or two, and many times as long on a slow machine under load.
GO_TEST = $(GO) test -timeout 30m

# Tests of one goroutine that take minutes under the race detector.
SEQUENTIAL = TestUniquePublished|TestJournal(WithAnyByteFlipped|DamagedBadly|CutAnywhere.*)|TestAllValues|TestParseSANChooses.*

# The list of all that the library exports in the version that is next or out: programs rely on each of its lines. Go keeps
# such lists of itself (go.dev/api); unlike apidiff, which needs the earlier version at hand, they show in a change
# what it adds to the list or, before a version is out, removes from it.
API = api/v0.1.txt

.PHONY: dist dist-test install-test sums work-sync screenshots site help run install quick test test-long mutants race test-debug check fmt-check vet lint api api-check portability platforms test-purego test-386 test-arm64 test-s390x test-riscv64 test-wasm bench bench-compare crosscheck fuzz fuzz-long generate tidy verify-generate

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## count a published position: kiwipete to depth 5
	$(GO) run ./cmd/fianchetto perft --fen kiwipete --depth 5

install: ## install the commands, built for this machine
	$(GO) install ./cmd/fianchetto ./cmd/fianchetto-cluster

quick: ## compare core, root and counting with the oracle, in seconds: the first thing after a change
	$(GO) test -short ./internal/core . ./internal/difftest ./perft/internal/...

test: ## run the tests: three minutes on two processors
	$(GO_TEST) work
	@$(GO_TEST) -count=1 -v -run '^TestKernelRuns$$' ./perft/internal/simd | sed -n 's/.*go:[0-9]*: //p'

test-long: ## run all tests at full depth, every position of three pieces among them: up to forty minutes
	$(GO) test -tags long -timeout 60m -v -run . work

mutants: ## plant faults in PACKAGE (./book), one at a time, and list those that its tests miss
	GOWORK=off $(GREMLINS) unleash --timeout-coefficient 100 $(PACKAGE)

race: ## run the tests with the race detector where goroutines share memory, in their short forms
	$(GO_TEST) -race -short -skip '$(SEQUENTIAL)' . ./internal/core ./internal/difftest ./perft/... ./cmd/fianchetto-cluster/...

check: fmt-check vet lint api-check verify-generate test-debug portability ## formatting, vet, staticcheck, the API, generated files, checked arguments, other platforms

fmt-check:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi

vet:
	$(GO) vet work
	$(GO) vet -tags 'long purego fianchettodebug' work

lint:
	$(STATICCHECK) work
	$(ACTIONLINT)

work-sync: ## fail if a module requires other versions than those that the modules are tested with together
	$(GO) work sync
	git diff --exit-code --stat -- '*go.mod' '*go.sum' go.work

api: ## write the list of what the library exports
	$(GO) run ./tools/apilist > $(API).new && mv $(API).new $(API)

api-check: ## fail if something that the library exported was removed or changed
	@$(GO) run ./tools/apilist > $(API).new
	@listed() { LC_ALL=C sort -u api/*.txt | LC_ALL=C comm $$1 - $(API).new; }; gone=$$(listed -23); added=$$(listed -13); \
		rm $(API).new; [ -z "$$added" ] || { echo "not listed yet, see make api:"; echo "$$added"; }; \
		[ -z "$$gone" ] || { echo "removed or changed:"; echo "$$gone"; exit 1; }

portability: platforms test-purego test-386 test-arm64 test-wasm ## build for other platforms, and run there what can be run here

platforms:
	@for platform in $(PLATFORMS); do \
		echo "vet and build for $$platform"; \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/}; \
		$(GO) vet ./... ./cmd/... ./cmd/fianchetto-cluster/... && $(GO) build -o /dev/null ./cmd/fianchetto ./cmd/fianchetto-cluster || exit 1; \
	done
	GOOS=js GOARCH=wasm $(GO) vet $(PUBLIC)

test-debug: ## test with the arguments checked that the library otherwise trusts
	$(GO_TEST) -short -tags fianchettodebug ./...

test-purego: ## test without assembly
	$(GO_TEST) -short -tags purego ./attacks/sliders ./internal/core ./perft ./perft/internal/...

test-386: ## test with 32-bit words, where the machine runs such programs (Go does not run under qemu-i386)
	@if refusal=$$(GOARCH=386 $(GO) run ./bitboard/testdata/importer 2>&1); then \
		echo "GOARCH=386 go test -short"; GOARCH=386 $(GO_TEST) -short $(PUBLIC) ./internal/difftest; \
	else \
		echo "test-386 skipped: no program for 386 runs here: $$refusal"; \
	fi

# The name of QEMU's emulator of each architecture is Go's, except of this one.
QEMU_arm64 = aarch64

test-arm64: ## test on an emulated ARM; test-s390x (big-endian) and test-riscv64 likewise
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

bench: ## print the speed as ratios to dragontoothmg, in about a minute
	cd benchmarks && $(GO) run . bench

bench-compare: ## compare generators, perft, engines' work and sliders: writes results and plots (COMPARE='--bulk NAME=COMMAND')
	cd benchmarks && $(GO) run . --write $(COMPARE)

crosscheck: ## compare moves with the reference library at millions of nodes
	$(GO_TEST) -v -count=1 ./cmd/crosscheck -nodes 20000

fuzz: ## fuzz every parser, and making and unmaking moves, each with FUZZTIME (20000x) inputs
	@for package in $$($(GO) list work); do \
		for target in $$(cd $$($(GO) list -f '{{.Dir}}' $$package) && grep -ho '^func Fuzz[A-Za-z0-9]*' *_test.go 2>/dev/null | cut -c6-); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

fuzz-long: FUZZTIME = 1h
fuzz-long: ## compare everything about random positions with the oracle on all processors, for FUZZTIME (here 1h)
	$(GO) test -run TestRandomPositions -timeout 0 -v ./internal/difftest -args -for $(FUZZTIME) -seed $(SEED)

site: ## write the explorer as static files, into ./site
	$(GO) run ./cmd/internal/explorer/site $(SITE)

# Where the commit has the tag of a version, the files bear it.
dist: ## build what a release has into ./dist: both commands for six platforms, checksums, a formula for Homebrew
	$(GORELEASER) release --config .ci/goreleaser.yaml --clean $(if $(shell git tag --points-at HEAD 'v*'),--skip=publish,--snapshot)

dist-test: ## release into a folder, twice, and use the release as strangers do; install-test does without the archives
	.ci/release

install-test:
	.ci/release install

sums: ## write the sums of the modules into each other's go.sum: the last commit before a tag
	.ci/release sums

screenshots: ## make the pictures of the documentation anew, and every page in every size in ./gallery, with chromium
	mkdir -p gallery
	$(GO) test ./cmd/internal/explorer/browser -run 'Screenshots|Gallery' \
		-screenshots $(CURDIR)/docs/pictures -gallery $(CURDIR)/gallery

generate: ## make the generated files anew
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

verify-generate: generate ## fail if generated files are not what their generators make
	@git diff --exit-code --stat -- magic internal/suites docs/pictures perft/internal/simd cmd/internal/mutant cmd/internal/cli || { echo "generated files are stale: commit what make generate made"; exit 1; }
