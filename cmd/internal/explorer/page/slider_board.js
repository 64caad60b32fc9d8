// A slider and pieces in its way, for the lessons and the view about sliders.

import {button, choice} from "./dom.js";
import {change, replace} from "./state.js";
import {hex, nameOf, squaresOf, toggled} from "./sets.js";

/** The board's controls: a click puts a piece in the way, a drag moves the slider. */
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
      moveButtons(state, "slider"),
      button("Empty board", () => change({occupied: hex(0n)})),
    ];
  },
};

/** Buttons after which a click on the board moves a piece. */
export const moveButtons = (state, ...names) => names.map((name) => button(`Move the ${name}`, () =>
  replace({place: state.place === name ? "" : name}), {"aria-pressed": String(state.place === name)}));

export const letters = {bishop: "B", rook: "R", queen: "Q"};

/** The pieces of a board with a slider and pawns. */
export function slidersBoard({piece, square, occupied}) {
  const pieces = new Array(64).fill("");
  for (const pawn of squaresOf(occupied)) pieces[pawn] = "p";
  pieces[square] = letters[piece];
  return pieces;
}
