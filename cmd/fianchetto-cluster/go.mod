module github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster

go 1.25.0

require (
	github.com/fianchetto-chess/fianchetto v0.1.0
	github.com/fianchetto-chess/fianchetto/cmd v0.1.0
	github.com/gofrs/flock v0.13.0
	github.com/nats-io/nats-server/v2 v2.14.5 // the last patch version that declares go 1.25; v2.14.6 declares go 1.26
	github.com/nats-io/nats.go v1.53.1
	github.com/spf13/cobra v1.10.2
	golang.org/x/sync v0.20.0
	pgregory.net/rapid v1.3.0
)

require (
	github.com/agext/levenshtein v1.2.3 // indirect
	github.com/antithesishq/antithesis-sdk-go v0.7.2-default-no-op // indirect
	github.com/google/go-tpm v0.9.8 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/klauspost/compress v1.19.2 // indirect
	github.com/minio/highwayhash v1.0.4 // indirect
	github.com/nats-io/jwt/v2 v2.8.2 // indirect
	github.com/nats-io/nkeys v0.4.16 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/crypto v0.55.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/term v0.45.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	golang.org/x/tools v0.42.0 // indirect
)
