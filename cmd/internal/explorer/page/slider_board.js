// A slider and pieces in its way: what the pages about sliders have in common.

import {button, choice} from "./dom.js";
import {change} from "./state.js";
import {hex, nameOf, squaresOf, toggled} from "./sets.js";

/** How the board is played with: pieces are put in the way by a click, and the slider is dragged. */
export const withSlider = {
  sliders: ["bishop", "rook"],
  hint: "Click squares to put pieces in the way, or take them off. Drag the slider.",
  click({state, square, occupied}, clicked) {
    if (state.place === "slider") withSlider.drop({occupied}, null, clicked);
    else if (clicked !== square) change({occupied: hex(toggled(occupied, clicked))});
  },
  movable: ({square}, from) => from === square,
  drop: ({occupied}, _, to) => change({slider: nameOf(to), occupied: hex(occupied & ~(1n << BigInt(to))), place: ""}),
  controls({state, piece}) {
    return [
      choice("Slider", this.sliders.map((name) => [name, name]), piece, (name) =>
        change({piece: name, number: "", column: ""})),
      button("Move the slider", () => change({place: state.place === "slider" ? "" : "slider"}, {replace: true}),
        {"aria-pressed": String(state.place === "slider")}),
      button("Empty board", () => change({occupied: hex(0n)})),
    ];
  },
};

export const letters = {bishop: "B", rook: "R", queen: "Q"};

/** The pieces of a board with a slider and pawns. */
export function slidersBoard({piece, square, occupied}) {
  const pieces = new Array(64).fill("");
  for (const pawn of squaresOf(occupied)) pieces[pawn] = "p";
  pieces[square] = letters[piece];
  return pieces;
}
