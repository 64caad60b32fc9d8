// Small boards that show a set of squares, or 64 bits, and are not played on.

import {s} from "./dom.js";
import {has, nameOf, squaresOf} from "./sets.js";

/** Draws a set on a small board; occupancy is shown as rings, origin as a diamond. */
export function smallBoard(set, {occupancy = 0n, origin = null, label = ""} = {}) {
  const cells = [];
  for (let square = 0; square < 64; square++) {
    const x = square & 7, y = 7 - (square >> 3);
    const dark = (x + y) % 2 === 1;
    cells.push(s("rect", {x, y, width: 1, height: 1, class: has(set, square) ? "member" : dark ? "dark" : "light"}));
    if (square === origin) cells.push(s("path", {d: `M${x + 0.5} ${y + 0.15}l.35 .35-.35 .35-.35-.35z`,
      class: "origin"}));
    else if (has(occupancy, square)) cells.push(s("circle", {cx: x + 0.5, cy: y + 0.5, r: 0.24, class: "occupied"}));
  }
  const members = [...squaresOf(set)].map(nameOf);
  return s("svg", {class: "small-board", viewBox: "0 0 8 8", role: "img",
    "aria-label": `${label}${members.length ? `: ${members.join(" ")}` : ": no square"}`}, cells);
}
