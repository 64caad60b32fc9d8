// Figures, to look at only: small boards, 64 bits in a row with the highest at the left, tables of slots.

import {arrowPath} from "./board.js";
import {h, s} from "./dom.js";
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

/**
 * Draws rows of 64 bits below a scale. A row is {label, bits, title}: bits lists the class of each 1, and null for 0.
 * The highest bits, as many as top says, are marked as a window.
 */
export function strips(rows, {top = 0} = {}) {
  const scale = h("div", {class: "strip-row"}, h("span", {class: "strip-label"}, "bit"), h("div", {class: "scale"},
    [63, 55, 47, 39, 31, 23, 15, 7].map((bit) => h("span", {}, String(bit)))));
  return h("div", {class: "strips"}, scale, rows.map(({label, bits, title, kind = ""}) =>
    h("div", {class: `strip-row ${kind}`},
    h("span", {class: "strip-label"}, label),
    s("svg", {class: "strip", viewBox: "0 0 640 14", preserveAspectRatio: "none", role: "img", "aria-label": title},
      top > 0 && s("rect", {class: "window", x: 0, y: 0, width: 10 * top, height: 14}),
      [...bits.keys()].map((i) => s("rect", bits[i] === null
        ? {class: "zero", x: 10 * (63 - i) + 3.5, y: 6, width: 3, height: 2}
        : {class: `one ${bits[i]}`, x: 10 * (63 - i) + 1, y: 1, width: 8, height: 12}))))));
}

/** The bits of a number for a strip; name(i) is the class of bit i. */
export const bitsOf = (number, name = () => "") => Array.from({length: 64}, (_, i) =>
  ((number >> BigInt(i)) & 1n ? name(i) : null));

/** Draws a table of slots as a grid. classOf names the class of a slot. */
export function grid(slots, classOf, label) {
  const columns = slots > 512 ? 64 : 32, paths = {};
  for (let i = 0; i < slots; i++) {
    const name = classOf(i) || "free";
    paths[name] = (paths[name] || "") + `M${i % columns} ${Math.floor(i / columns)}h.84v.84h-.84z`;
  }
  return s("svg", {class: "slots", viewBox: `-.1 -.1 ${columns + 0.1} ${slots / columns + 0.1}`, role: "img",
    "aria-label": label},
    Object.entries(paths).map(([name, d]) => s("path", {class: name, d})));
}
