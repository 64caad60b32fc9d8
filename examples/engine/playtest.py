#!/usr/bin/env python3
"""Have the example engine play whole games under python-chess, and see that it never breaks a rule.

    playtest.py ENGINE [--standard 50] [--chess960 50] [--base 1.0] [--increment 0.01] [--ponder]
    playtest.py ENGINE --opponent /usr/games/stockfish --elo 2400 --standard 200 --chess960 0 --base 0.5

Without an opponent it plays itself. python-chess knows the rules, and keeps the clocks by its own time: an illegal move, a
crash, a clock that runs out, and a move that does not begin the last line that the engine reported each end the game, are
reported, and make the exit code 1. So does a warning of python-chess, which reads all that the engine prints: an illegal
move in a line, an answer that it does not expect. A draw is claimed as soon as it can be. The same seed has the same
openings. Needs python-chess (pip install chess==1.11.2).
"""

import argparse
import collections
import logging
import math
import random
import statistics
import sys
import time

import chess
import chess.engine


class Warnings(logging.Handler):
    """The warnings of python-chess."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.messages = []
        logging.getLogger("chess.engine").addHandler(self)

    def emit(self, record):
        self.messages.append(record.getMessage())
        print(f"warning: {record.getMessage()}", file=sys.stderr)


class Failure(Exception):
    """What must not happen."""

    def __init__(self, text, player):
        super().__init__(text)
        self.player = player


def opening(number, chess960, rng):
    """Return a board after four to seven random plies from the array of the game."""
    while True:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        for _ in range(4 + number % 4):
            board.push(rng.choice(list(board.legal_moves)))
            if board.is_game_over():
                break
        else:
            return board


class Player:
    """An engine, and how it managed its time."""

    def __init__(self, name, command, options, ponder, nodes):
        self.name = name
        self.nodes = nodes
        self.ponder = ponder
        self.watched = True
        self.engine = chess.engine.SimpleEngine.popen_uci(command, timeout=60)
        self.engine.configure({option: value for option, value in options.items() if option in self.engine.options})
        self.slowest = 0.0
        self.least = float("inf")  # the least time that it had left after a move
        self.castled = collections.Counter()  # by whether it was Chess960

    def move(self, board, clocks, increment, game):
        us = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=increment, black_inc=increment
        )
        if self.nodes:
            limit = chess.engine.Limit(nodes=self.nodes)
        begun = time.perf_counter()
        try:
            result = self.engine.play(board, limit, game=game, info=chess.engine.INFO_ALL, ponder=self.ponder)
            move = result.move
        except chess.engine.EngineError as error:  # python-chess refuses illegal moves, and says when an engine dies
            kind = "crash" if isinstance(error, chess.engine.EngineTerminatedError) else "illegal move"
            raise Failure(f"{kind}: {error}", self)
        spent = time.perf_counter() - begun
        if move is None or move not in board.legal_moves:
            raise Failure(f"illegal move: {move}", self)
        line = result.info.get("pv", [move] if self.ponder else [])  # all lines may have come before ponderhit
        if self.watched and line[:1] != [move]:
            raise Failure(f"wrong line: {move} after {' '.join(map(str, line))}", self)
        clocks[us] -= 0 if self.nodes else spent
        self.slowest = max(self.slowest, spent)
        self.least = min(self.least, clocks[us])
        if clocks[us] < 0:
            raise Failure(f"time loss: {-clocks[us]:.3f} s too late, after {spent:.3f} s for the move", self)
        clocks[us] += increment
        self.castled[board.chess960] += board.is_castling(move)
        return move


def play(board, players, arguments):
    """Play one game from a board; return its result, or raise Failure."""
    clocks = {chess.WHITE: arguments.base, chess.BLACK: arguments.base}
    game = object()
    while (over := ending(board)) is None:
        player = players[board.turn]
        try:
            board.push(player.move(board, clocks, arguments.increment, game))
        except Failure as failure:
            raise Failure(f"{player.name}: {failure} in {board.fen()} after {moves(board)}", player)
    return over


def ending(board):
    """Return how the game has ended, and the winner, or None. Draws are claimed when they are on the board."""
    if outcome := board.outcome():
        return outcome.termination.name.lower().replace("_", " "), outcome.winner
    if board.is_repetition(3):
        return "threefold repetition", None
    if board.is_fifty_moves():
        return "fifty moves", None
    return None


def moves(board):
    return " ".join(board.uci(move) for move in board.move_stack)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--opponent", help="an engine that speaks UCI; without it the engine plays itself")
    parser.add_argument("--elo", type=int, help="the opponent's UCI_Elo, for Stockfish 1320..3190")
    parser.add_argument("--standard", type=int, default=50, help="games of standard chess")
    parser.add_argument("--chess960", type=int, default=50, help="games of Chess960")
    parser.add_argument("--base", type=float, default=1.0, help="seconds for the game")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds for each move")
    parser.add_argument("--nodes", type=int, help="nodes for each move, instead of clocks: the same games on any machine")
    parser.add_argument("--overhead", type=int, default=10, help="ms that both set aside for each move: more on a crowded machine")
    parser.add_argument("--ponder", action="store_true", help="have the engines think in the other side's time, too")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    options = {"Hash": 16, "Move Overhead": arguments.overhead}  # of each player that has them
    warnings = Warnings()
    first = Player("engine", arguments.engine, options, arguments.ponder, arguments.nodes)
    if arguments.opponent:
        strength = {} if arguments.elo is None else {"UCI_LimitStrength": True, "UCI_Elo": arguments.elo}
        second = Player("opponent", arguments.opponent, options | strength, arguments.ponder, arguments.nodes)
    else:
        second = Player("engine's twin", arguments.engine, options, arguments.ponder, arguments.nodes)
    second.watched = not arguments.opponent
    rng = random.Random(arguments.seed)
    results, endings, failures, plies = collections.Counter(), collections.Counter(), [], []
    for number in range(arguments.standard + arguments.chess960):
        board = opening(number, number >= arguments.standard, rng)
        white, black = (first, second) if number % 2 == 0 else (second, first)
        try:
            how, winner = play(board, {chess.WHITE: white, chess.BLACK: black}, arguments)
        except Failure as failure:
            failures.append((number + 1, failure))
            print(f"game {number + 1}: {failure}", file=sys.stderr)
            if "crash" in str(failure):
                break
            continue
        plies.append(len(board.move_stack))
        endings[how] += 1
        results["draw" if winner is None else white.name if winner else black.name] += 1
        print(f"game {number + 1}: {how} after {plies[-1]} plies", file=sys.stderr)
    for player in (first, second):
        player.engine.quit()
    players = [player for player in (first, second) if player.watched]
    failed = summarize(arguments, results, endings, failures, plies, players)
    print(f"{len(warnings.messages)} warnings of python-chess")
    sys.exit(1 if failed or warnings.messages else 0)


def rating(won, drawn, lost, opponent):
    """Say how much stronger the engine is in Elo, with the error of two standard deviations."""
    games = won + drawn + lost
    score = (won + drawn / 2) / games
    deviation = math.sqrt((won * (1 - score) ** 2 + drawn * (0.5 - score) ** 2 + lost * score**2) / games / games)
    low, middle, high = (elo(min(max(s, 0.001), 0.999)) for s in (score - 2 * deviation, score, score + 2 * deviation))
    text = f"score {score:.3f}: {middle:+.0f} Elo, {low:+.0f} to {high:+.0f}"
    return text if opponent is None else f"{text}, so {opponent + middle:.0f}, {opponent + low:.0f} to {opponent + high:.0f}"


def elo(score):
    return -400 * math.log10(1 / score - 1)


def summarize(arguments, results, endings, failures, plies, watched):
    """Print how it went, and return whether a watched player failed."""
    print(f"{arguments.standard} games of standard chess, {arguments.chess960} of Chess960: {len(plies)} finished, {len(failures)} failed")
    print("won: " + ", ".join(f"{name} {count}" for name, count in sorted(results.items())))
    if arguments.opponent and plies:
        print(rating(results["engine"], results["draw"], results["opponent"], arguments.elo))
    print("ended by: " + ", ".join(f"{how} {count}" for how, count in endings.most_common()))
    if plies:
        print(f"{sum(plies)} plies, in a game {min(plies)} to {max(plies)}, median {statistics.median(plies)}")
    for player in watched:
        print(f"{player.name}: slowest move {player.slowest:.3f} s, least time left {player.least:.3f} s, "
              f"castled {player.castled[False]} times in standard chess, {player.castled[True]} in Chess960")
    for number, failure in failures:
        print(f"game {number}: {failure}")
    return any(failure.player in watched for _, failure in failures)


if __name__ == "__main__":
    main()
