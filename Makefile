# Fianchetto: a chess move generator. `make help` lists what can be made.

GO ?= go
STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
FUZZTIME ?= 20s


.PHONY: help run test test-long check fmt-check vet lint portability bench bench-compare crosscheck fuzz generate verify-generate

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## count a published position: kiwipete to depth 5
	$(GO) run ./cmd/fianchetto perft --fen kiwipete --depth 5

test: ## run the tests: a minute or two
	$(GO) test ./...

test-long: ## run all tests at full depth: up to forty minutes
	$(GO) test -tags long -timeout 60m -v -run . ./...

check: fmt-check vet lint portability verify-generate ## formatting, vet, staticcheck, other platforms, generated files

fmt-check:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi

vet:
	$(GO) vet ./...
	$(GO) vet -tags 'long purego' ./...
	cd benchmarks && $(GO) vet ./...

lint:
	$(STATICCHECK) ./...

portability:
	GOARCH=arm64 $(GO) vet ./...
	GOARCH=386 $(GO) vet ./bitboard ./magic ./attacks ./internal/... . ./perft
	GOOS=windows $(GO) build -o /dev/null ./cmd/fianchetto
	GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null ./cmd/fianchetto
	$(GO) test -tags purego ./attacks

bench: ## print the speed as a ratio to dragontoothmg, in under a minute
	cd benchmarks && $(GO) run . bench

bench-compare: ## compare attack algorithms, generators and perft: writes results and plots
	cd benchmarks && $(GO) run . compare

crosscheck: ## compare moves with the reference library at millions of nodes
	$(GO) run ./cmd/crosscheck testdata/*.epd

fuzz: ## fuzz every parser, FUZZTIME (20s) each
	@for package in $$($(GO) list ./...); do \
		for target in $$(cd $$($(GO) list -f '{{.Dir}}' $$package) && grep -ho '^func Fuzz[A-Za-z0-9]*' *_test.go 2>/dev/null | cut -c6-); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

generate: ## make the generated files anew
	$(GO) generate ./...

verify-generate: generate ## fail if generated files are not what their generators make
	@git diff --exit-code --stat -- magic testdata internal/core/batch || { echo "generated files are stale: commit what make generate made"; exit 1; }
