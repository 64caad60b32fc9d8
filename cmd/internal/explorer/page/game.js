// The game that Position and Perft share: a position and the moves from it, kept in the address.

import {field, h} from "./dom.js";
import {change, packed} from "./state.js";
import {start} from "./fen.js";
import {positions} from "./library.js";

export function gameOf(state) {
  return {fen: state.fen || start, chess960: state.chess960 === "1", moves: state.moves ? state.moves.split(" ") : []};
}

export function play(game, uci) {
  change({moves: [...game.moves, uci].join(" "), redo: "", divide: ""});
}

/** Goes to the position after a number of moves. The later moves can be redone. */
export function goTo(game, state, plies, more) {
  const all = [...game.moves, ...(state.redo ? state.redo.split(" ") : [])];
  if (plies < 0 || plies > all.length || plies === game.moves.length) return;
  change({moves: all.slice(0, plies).join(" "), redo: all.slice(plies).join(" "), divide: "", ...more});
}

export function setUp(fen, chess960, more = {}) {
  change({fen: fen === start ? "" : fen, chess960: chess960 ? "1" : "", moves: "", redo: "", pgn: "", divide: "", ...more});
}

export const showGame = async ({fen, chess960, moves}, text) =>
  setUp(fen, chess960, {view: "position", moves: moves.join(" "), pgn: await packed(text)});

export function positionMenu({fen, chess960, moves}) {
  const at = moves.length ? -1 : positions.findIndex((one) => one.fen === fen && one.chess960 === chess960);
  return field("Positions", h("select", {onchange: ({target}) => {
    const {fen: chosen, chess960: is960} = positions[target.value];
    setUp(chosen, is960);
  }}, h("option", {value: "", disabled: true, selected: at < 0}, "Choose…"),
  positions.map(({name}, i) => h("option", {value: i, selected: i === at}, name))));
}
