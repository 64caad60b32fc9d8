package main

// The pictures of docs/magic-bitboards.md, which are what the command draws.
//
//go:generate go run . show --square d4 --svg ../../docs/pictures/lines.svg
//go:generate go run . show --magic rook:d4 --svg ../../docs/pictures/relevant-rook.svg
//go:generate go run . show --magic bishop:d4 --svg ../../docs/pictures/relevant-bishop.svg
//go:generate go run . show --fen "6k1/5p1p/1p4p1/8/3B4/2P5/5PPP/6K1 w - - 0 1" --attacks bishop:d4 --svg ../../docs/pictures/attacks.svg
//go:generate go run . show --intersect antidiagonal:d7,rank:a4 --svg ../../docs/pictures/intersection.svg
//go:generate go run . show --intersect diagonal:b2,antidiagonal:h3 --svg ../../docs/pictures/no-intersection.svg
//go:generate go run . show --fen "5rk1/p5pp/8/8/8/8/4BPPP/6K1 w - - 0 1" --checks=bishop --svg ../../docs/pictures/checks.svg
