// The game that the position and the perft view share: a position and the moves from it, kept in the address.

import {change} from "./state.js";
import {start} from "./fen.js";

/** Reads the game of a state, as a request has it. */
export function gameOf(state) {
  return {fen: state.fen || start, chess960: state.chess960 === "1", moves: state.moves ? state.moves.split(" ") : []};
}

/** Makes a move, in UCI. */
export function play(game, uci) {
  change({moves: [...game.moves, uci].join(" "), redo: ""});
}

/** Goes to the position after some number of the moves, and keeps those behind it for going forward again. */
export function goTo(game, state, plies, more = {}) {
  const all = [...game.moves, ...(state.redo ? state.redo.split(" ") : [])];
  change({moves: all.slice(0, plies).join(" "), redo: all.slice(plies).join(" "), ...more});
}

/** Starts from another position. */
export function setUp(fen, chess960, more = {}) {
  change({fen: fen === start ? "" : fen, chess960: chess960 ? "1" : "", moves: "", redo: "", ...more});
}
