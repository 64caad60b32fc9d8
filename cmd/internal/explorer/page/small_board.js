// Small boards, to look at only.

import {s} from "./dom.js";
import {arrowPath} from "./board.js";
import {pieceId} from "./fen.js";
import {has, nameOf, squaresOf} from "./sets.js";

/** Draws a set of squares, pieces, an occupancy as rings, an origin as a diamond, and an arrow between two squares. */
export function smallBoard(set, {pieces = [], occupancy = 0n, origin = null, arrow = null, label = ""} = {}) {
  const cells = [], middle = (square) => [(square & 7) + 0.5, 7.5 - (square >> 3)];
  for (let square = 0; square < 64; square++) {
    const x = square & 7, y = 7 - (square >> 3);
    const dark = (x + y) % 2 === 1;
    cells.push(s("rect", {x, y, width: 1, height: 1, class: has(set, square) ? "member" : dark ? "dark" : "light"}));
    if (square === origin) cells.push(s("path", {d: `M${x + 0.5} ${y + 0.15}l.35 .35-.35 .35-.35-.35z`,
      class: "origin"}));
    else if (has(occupancy, square)) cells.push(s("circle", {cx: x + 0.5, cy: y + 0.5, r: 0.24, class: "occupied"}));
    if (pieces[square]) cells.push(s("use", {href: `#${pieceId(pieces[square])}`, x, y, width: 1, height: 1}));
  }
  if (arrow) cells.push(s("path", {d: arrowPath(...arrow.map(middle)), class: "wrong-move"}));
  const squares = [...squaresOf(set)].map(nameOf).join(" ") || "no square";
  return s("svg", {class: "small-board", viewBox: "0 0 8 8",
    ...(label ? {role: "img", "aria-label": `${label}: ${squares}`} : {"aria-hidden": "true"})}, cells);
}
