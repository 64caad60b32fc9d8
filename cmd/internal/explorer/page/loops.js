// The page's questions, as text for an engine and as loops for the languages that engines are written in.

import {start} from "./fen.js";

const commands = ({chess960}, lines) => [...(chess960 ? ["setoption name UCI_Chess960 value true"] : []), "ucinewgame",
  ...lines].join("\n");

const positionOf = (fen, moves = []) => `position ${fen === start ? "startpos" : `fen ${fen}`}` +
  (moves.length ? ` moves ${moves.join(" ")}` : "");

const yours = "divide is yours: it sets up the FEN, makes the moves, and prints each move with its count.";

/** Makes a loop: its lines before the questions, one for a question, and those after them. */
const loop = (before, each, after) => ({fen}, asked) => [...before(fen), ...asked.map(({moves, depth}) =>
  each(moves.join(" "), depth)), ...after].join("\n");

export const forms = {
  UCI: (game, asked) => commands(game, asked.flatMap(({moves, depth}) => [positionOf(game.fen, moves), `go perft ${depth}`])),
  "UCI without moves": (game, asked) => commands(game, asked.flatMap(({fen, depth}) => [positionOf(fen), `go perft ${depth}`])),
  Shell: (game, asked) => ["engine=./engine # yours: it takes a FEN and a depth, and prints each move with its count",
    ...asked.map(({fen, moves, depth}) => `echo "${positionOf(game.fen, moves)}"; $engine "${fen}" ${depth}`)].join("\n"),
  Python: loop((fen) => [`# ${yours}`, `FEN = "${fen}"`, "for moves, depth in ["], (moves, depth) => `    ("${moves}", ${depth}),`,
    ["]:", '    print(f"position fen {FEN} moves {moves}")', "    divide(FEN, moves.split(), depth)"]),
  JavaScript: loop((fen) => [`// ${yours}`, `const fen = "${fen}";`, "for (const [moves, depth] of ["],
    (moves, depth) => `  ["${moves}", ${depth}],`,
    ["]) {", "  console.log(`position fen ${fen} moves ${moves}`);", '  divide(fen, moves.split(" ").filter(Boolean), depth);', "}"]),
  "C++": loop((fen) => [`// ${yours}`, `const std::string fen = "${fen}";`,
    "const std::pair<std::string, int> questions[] = {"], (moves, depth) => `    {"${moves}", ${depth}},`,
  ["};", "for (const auto& [moves, depth] : questions) {",
    '    std::cout << "position fen " << fen << " moves " << moves << std::endl;', "    divide(fen, moves, depth);", "}"]),
  Rust: loop((fen) => [`// ${yours}`, `let fen = "${fen}";`, "for (moves, depth) in ["], (moves, depth) => `    ("${moves}", ${depth}),`,
    ["] {", '    println!("position fen {fen} moves {moves}");', "    divide(fen, moves.split_whitespace(), depth);", "}"]),
  Go: loop((fen) => [`// ${yours}`, `const fen = "${fen}"`, "for _, q := range []struct {", "\tmoves string", "\tdepth int", "}{"],
    (moves, depth) => `\t{"${moves}", ${depth}},`,
    ["} {", '\tfmt.Println("position fen", fen, "moves", q.moves)', "\tdivide(fen, strings.Fields(q.moves), q.depth)", "}"]),
};
