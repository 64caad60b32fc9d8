#!/usr/bin/env python3
"""Compares `fianchetto pgn` with python-chess and pgn-extract over a folder of PGN files.

    tools/pgncompare.py FOLDER     counts the games and each kind of difference, with its ruling
    tools/pgncompare.py -v FOLDER  also prints the file, the game and both readings

python-chess (pip install chess) compares moves, ends, results, comments and signs of the main line.
pgn-extract compares moves. Either may be missing. The status is 1 for a difference without a ruling.
"""
import collections
import difflib
import io
import json
import pathlib
import shutil
import subprocess
import sys

# Which reading is right, for each kind of difference. "With an error" means that a reader reports one.
RULINGS = {
    "python-chess: extra game without moves": "ours: titles and comments are no games, and a tag pair may span lines",
    "python-chess: extra game with an error": "ours: text between games is no game",
    "python-chess: missing game": "ours: CR ends a line, and a result ends a game without tags",
    "python-chess: missing game with an error": "ours: CR ends a line",
    "python-chess: missing game without moves": "ours: a result after tags ends a game",
    "python-chess: other moves": "ours: a castling right without its king or rook at home is dropped",
    "python-chess: other moves with an error": "ours: no moves from a refused position, no null move in check",
    "python-chess: result": "both: we prefer the mark after the moves, it prefers the tag; we note that they differ",
    "python-chess: result with an error": "both: we prefer the tag if the mark is * or missing",
    "python-chess: comments": "ours: a comment before the tags belongs to the game that follows",
    "python-chess: comments with an error": "ours: a comment before the tags belongs to the game that follows",
    "python-chess: signs": "ours: it knows only !, ? and numbers, we also read signs such as +=",
    "pgn-extract: extra game": "ours: CR ends a line",
    "pgn-extract: extra game without moves": "ours: text after a comment in a comment is no game",
    "pgn-extract: missing game": "ours: null moves, games without a result, and lines that end with CR are read",
    "pgn-extract: missing game with an error": "both: a variant and an illegal game; we keep the tags",
    "pgn-extract: fewer moves": "ours: bytes between games, glued results and odd words lose no moves",
    "pgn-extract: fewer moves with an error": "ours: an odd word ends a game only if a move may be missing",
    "pgn-extract: other moves": "both: it writes castling of Chess960 by the king's target",
    "pgn-extract: other moves with an error": "both: we read no German letters, and no moves from a refused position",
    "pgn-extract: result": "both: we prefer the mark after the moves, and the tag if the mark is * or missing",
}


def words(texts):
    """The words of all comments, because programs split and join comments differently."""
    return " ".join(" ".join(texts).split())


def read(text):
    """Reads games with python-chess."""
    import chess.pgn
    stream, games = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        nodes = [game, *game.mainline()]
        games.append({
            "moves": [node.uci() for node in nodes[1:]],
            "end": nodes[-1].board().fen(),
            "result": game.headers["Result"],
            "comments": words(part for node in nodes for part in (node.starting_comment, node.comment)),
            "signs": sorted(sign for node in nodes for sign in node.nags),
            "odd": bool(game.errors) or game.headers.get("Variant", "Standard").lower() not in ("standard", "chess960"),
        })
    return games


def fianchetto(path, has_python_chess):
    """Reads games with fianchetto, and their comments and signs from its own export."""
    run = lambda form: subprocess.run(["fianchetto", "pgn", "--as", form, path], capture_output=True).stdout.decode()
    games = [json.loads(row) for row in run("jsonl").splitlines()]
    exported = iter(read(run("pgn")) if has_python_chess else ())
    for game in games:
        game["moves"], game["odd"], game["end"] = game["moves"].split(), "error" in game, game.get("fen", "")
        if game["end"] and has_python_chess:
            export = next(exported)
            game.update(comments=export["comments"], signs=export["signs"])
    return games


def pgn_extract(path):
    """Reads games with pgn-extract."""
    text = subprocess.run(["pgn-extract", "-s", "-Wuci", path], capture_output=True).stdout.decode("utf-8", "replace")
    lines = [line.lower().split() for line in text.splitlines() if line and not line.startswith("[")]
    return [{"moves": line[:-1], "result": line[-1], "odd": False} for line in lines]


def pairs(ours, theirs):
    """Pairs the games of both programs by their first moves. None stands for a missing game."""
    if len(ours) == len(theirs):
        return list(zip(ours, theirs))
    keys = [[" ".join(game["moves"][:16]) for game in games] for games in (ours, theirs)]
    paired, at, there = [], 0, 0
    for i, k, size in difflib.SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks():
        paired += [(game, None) for game in ours[at:i]] + [(None, game) for game in theirs[there:k]]
        paired += zip(ours[i:i + size], theirs[k:k + size])
        at, there = i + size, k + size
    return paired


def differences(our, their):
    """The kinds of differences between two readings of a game."""
    odd = " with an error" if (our or their)["odd"] or (their or our)["odd"] else ""
    if our is None or their is None:
        empty = "" if (our or their)["moves"] else " without moves"
        yield ("extra game" if our is None else "missing game") + (odd or empty)
        return
    if our["moves"] != their["moves"]:
        yield ("fewer" if len(their["moves"]) < len(our["moves"]) else "other") + " moves" + odd
        return
    for part in ("end", "result", "comments", "signs"):
        if part in our and part in their and our[part] != their[part]:
            yield part + odd


def main(folder, verbose):
    others = {}
    try:
        import chess.pgn
        import logging
        logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
        others["python-chess"] = lambda path: read(path.read_bytes().decode("utf-8-sig", "replace"))
    except ImportError:
        print("python-chess is not installed")
    if shutil.which("pgn-extract"):
        others["pgn-extract"] = pgn_extract
    else:
        print("pgn-extract is not installed")
    counts, files = collections.Counter(), 0
    for path in sorted(path for path in pathlib.Path(folder).rglob("*") if path.suffix.lower() == ".pgn"):
        ours, files = fianchetto(path, "python-chess" in others), files + 1
        counts["fianchetto: games"] += len(ours)
        for name, other in others.items():
            theirs = other(path)
            counts[name + ": games"] += len(theirs)
            for number, (our, their) in enumerate(pairs(ours, theirs), 1):
                for kind in differences(our, their):
                    counts[f"{name}: {kind}"] += 1
                    if verbose:
                        print(f"{path}: pair {number}: {name}: {kind}\n  {our}\n  {their}")
    print(f"{files} files")
    for kind, n in sorted(counts.items()):
        print(f"{n:8} {kind:50} {RULINGS.get(kind, '' if kind.endswith(': games') else 'NO RULING')}")
    return any(kind not in RULINGS and not kind.endswith(": games") for kind in counts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1], "-v" in sys.argv[1:-1]))
