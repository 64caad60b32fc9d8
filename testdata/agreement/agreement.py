#!/usr/bin/env python3
"""What python-chess says of 100,000 positions, for Fianchetto to be held against.

    agreement.py make           play the games, ask python-chess, write agreement.txt.gz
    agreement.py check          ask python-chess again about every position of the table
    agreement.py explain FEN    show all that python-chess says of one position

Needs python-chess (pip install chess==1.11.2); make also needs Stockfish 15.1 to play half of the games.
The same seed and the same two versions make the same table, byte for byte.
"""

import argparse
import gzip
import os
import random
import shutil
import sys
import zlib

import chess
import chess.engine
import chess.polyglot

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "agreement.txt.gz")

HEADER = """\
# What python-chess {library} says of {count} positions. Made by agreement.py, seed {seed}, with {engine}.
# Between tabs: FEN, Polyglot key, number of legal moves, CRC-32 of their SANs (sorted, a newline after each), and
# C check, M checkmate, S stalemate, I insufficient material, - none of them.
"""


def answer(fen):
    """Return the line that the table has for a position."""
    board = read(fen)
    sans = sorted_sans(board)
    digest = zlib.crc32("".join(san + "\n" for san in sans).encode())
    return f"{fen}\t{chess.polyglot.zobrist_hash(board):016x}\t{len(sans)}\t{digest:08x}\t{marks(board)}\n"


def read(fen):
    """Return the board of a FEN; rights that name files are those of Chess960."""
    return chess.Board(fen, chess960=not set(fen.split()[2]) <= set("KQkq-"))


def sorted_sans(board):
    return sorted(board.san(move) for move in board.legal_moves)


def marks(board):
    said = {
        "C": board.is_check(),
        "M": board.is_checkmate(),
        "S": board.is_stalemate(),
        "I": board.is_insufficient_material(),
    }
    return "".join(mark for mark, holds in said.items() if holds) or "-"


def spell(board):
    """Return the FEN, with the en-passant square after every double push, captured there or not."""
    return board.shredder_fen(en_passant="fen") if board.chess960 else board.fen(en_passant="fen")


def standard_array(_):
    return chess.Board()


def chess960_array(rng):
    """Return one of the 960 arrays; every fifth time Black has another than White."""
    white, black = rng.randrange(960), rng.randrange(960)
    board = chess.Board.from_chess960_pos(white)
    if rng.randrange(5) == 0:
        ranks = board.board_fen().split("/")
        ranks[0] = chess.Board.from_chess960_pos(black).board_fen().split("/")[0]
        board.set_board_fen("/".join(ranks))
        board.castling_rights = board.rooks
    return board


class RandomPlayer:
    """Plays any legal move; in every other game it likes to capture, so that the board empties."""

    longest = 300

    def new_game(self, rng):
        self.greedy = rng.randrange(2) == 0

    def choose(self, board, rng):
        moves = list(board.legal_moves)
        captures = [move for move in moves if board.is_capture(move)]
        if self.greedy and captures and rng.randrange(2) == 0:
            moves = captures
        return rng.choice(moves)


class EnginePlayer:
    """Plays as Stockfish does with very few nodes, after a random opening and with a blunder now and then."""

    longest = 240
    opening = 6

    def __init__(self, engine):
        self.engine = engine

    def new_game(self, _):
        self.game = object()

    def choose(self, board, rng):
        if board.ply() < self.opening or rng.randrange(20) == 0:
            return rng.choice(list(board.legal_moves))
        return self.engine.play(board, chess.engine.Limit(nodes=300), game=self.game).move


def play(array, player, rng):
    """Yield the FENs of every fifth position of a game, roughly, and of the last."""
    board = array(rng)
    player.new_game(rng)
    while not board.is_game_over() and board.ply() < player.longest:
        if rng.randrange(5) == 0:
            yield spell(board)
        board.push(player.choose(board, rng))
    yield spell(board)


def positions(engine, seed, count):
    """Yield each position once: from random games 30 and 25 of a hundred, standard and Chess960, the others from played ones."""
    seen = set()
    plan = [
        ("random", 30, standard_array, RandomPlayer()),
        ("random Chess960", 25, chess960_array, RandomPlayer()),
        ("played", 25, standard_array, EnginePlayer(engine)),
        ("played Chess960", 20, chess960_array, EnginePlayer(engine)),
    ]
    for name, percent, array, player in plan:
        rng = random.Random(f"{name} {seed}")
        wanted = len(seen) + count * percent // 100
        games = 0
        while len(seen) < wanted:
            games += 1
            for fen in play(array, player, rng):
                if fen not in seen and len(seen) < wanted:
                    seen.add(fen)
                    yield fen
        print(f"{name}: {games} games, {count * percent // 100} positions", file=sys.stderr)


def make(arguments):
    with chess.engine.SimpleEngine.popen_uci(arguments.engine) as engine:
        engine.configure({"Threads": 1, "Hash": 1})
        header = HEADER.format(library=chess.__version__, count=arguments.count, seed=arguments.seed, engine=engine.id["name"])
        lines = [answer(fen) for fen in positions(engine, arguments.seed, arguments.count)]
    with open(arguments.table, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as table:
        table.write((header + "".join(lines)).encode())


def check(arguments):
    checked = differing = 0
    with gzip.open(arguments.table, "rt") as table:
        for line in table:
            if line.startswith("#"):
                continue
            checked += 1
            again = answer(line.split("\t")[0])
            if again != line:
                differing += 1
                print(f"the table says {line}now it is   {again}", end="")
    print(f"{checked} positions, {differing} differ")
    sys.exit(1 if differing else 0)


def explain(arguments):
    board = read(arguments.fen)
    print(answer(arguments.fen), end="")
    print(" ".join(sorted_sans(board)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default=TABLE)
    commands = parser.add_subparsers(required=True)
    maker = commands.add_parser("make")
    maker.add_argument("--seed", type=int, default=1)
    maker.add_argument("--count", type=int, default=100_000)
    maker.add_argument("--engine", default=shutil.which("stockfish") or "/usr/games/stockfish")
    maker.set_defaults(run=make)
    commands.add_parser("check").set_defaults(run=check)
    explainer = commands.add_parser("explain")
    explainer.add_argument("fen")
    explainer.set_defaults(run=explain)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
