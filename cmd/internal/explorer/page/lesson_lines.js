// Diagonals and anti-diagonals: their numbers and their masks.

import {h} from "./dom.js";
import {change} from "./state.js";
import {hex, nameOf} from "./sets.js";
import {bitsOf, strips} from "./strip.js";

const all = [...Array(64).keys()], fileOf = (square) => square & 7, rankOf = (square) => square >> 3;

/** The kinds of lines: what stays the same along one, and its name. */
const kinds = {
  rank: {same: rankOf, step: 1}, file: {same: fileOf, step: 8},
  diagonal: {same: (square) => rankOf(square) - fileOf(square), step: 9},
  antidiagonal: {same: (square) => rankOf(square) + fileOf(square), step: 7},
};

const lineOf = (kind, square) => all.filter((other) => kinds[kind].same(other) === kinds[kind].same(square));

const setOf = (squares) => squares.reduce((set, square) => set | (1n << BigInt(square)), 0n);

/** A board with lines through a square and a number on every square. */
function boardOf({square}, names, note) {
  const lines = names.map((kind) => ({kind, squares: lineOf(kind, square)}));
  return {
    selected: square, notes: Object.fromEntries(all.map((one) => [one, String(note(one))])),
    marks: lines.map(({kind, squares}) => ({name: `line-${kind}`, label: kind, squares, plain: true})),
    lines: lines.filter(({squares}) => squares.length > 1).map(({kind, squares}) =>
      ({from: squares[0], to: squares.at(-1), name: `line-${kind}`})),
  };
}

const signed = (n) => (n < 0 ? `−${-n}` : String(n));

export const linesLesson = {
  name: "lines", short: "Diagonals", title: "Ranks, files, diagonals, anti-diagonals",
  hint: "Click a square.",
  click: (c, square) => change({slider: nameOf(square)}),
  controls: () => [],
  steps: [
    {title: "A square is a number of two digits", show: (c) => ({
      board: boardOf(c, ["rank", "file"], (square) => square),
      said: `${nameOf(c.square)} is square ${c.square}.`,
      text: [h("p", {}, "Count the squares from a1 = 0 along the ranks. Written in base eight, a square has its rank " +
        "as the first digit and its file as the second. So the rank is a shift, and the file is a mask of three bits."),
        h("p", {class: "result"}, `${nameOf(c.square)} = ${c.square} = 8 · ${rankOf(c.square)} + ${fileOf(c.square)}`),
        h("p", {}, h("code", {}, `rank = ${c.square} >> 3 = ${rankOf(c.square)}`), ", ",
          h("code", {}, `file = ${c.square} & 7 = ${fileOf(c.square)}`))],
    })},
    {title: "Along a diagonal, rank − file stays the same", show: (c) => ({
      board: boardOf(c, ["diagonal"], (square) => signed(rankOf(square) - fileOf(square))),
      said: `rank - file is ${rankOf(c.square) - fileOf(c.square)}.`,
      text: [h("p", {}, "One step to the north-east adds one to both rank and file. Their difference does not " +
        "change: it names the diagonal."),
        h("p", {class: "result"}, `${rankOf(c.square)} − ${fileOf(c.square)} = `,
          h("strong", {}, signed(rankOf(c.square) - fileOf(c.square)))),
        h("p", {}, "Two squares share a diagonal exactly if these numbers are equal: one comparison, no table of " +
          "pairs.")],
    })},
    {title: "Along an anti-diagonal, rank + file stays the same", show: (c) => ({
      board: boardOf(c, ["antidiagonal"], (square) => rankOf(square) + fileOf(square)),
      said: `rank + file is ${rankOf(c.square) + fileOf(c.square)}.`,
      text: [h("p", {}, "One step to the north-west adds one to the rank and takes one from the file. Their sum does " +
        "not change."),
        h("p", {class: "result"}, `${rankOf(c.square)} + ${fileOf(c.square)} = `,
          h("strong", {}, String(rankOf(c.square) + fileOf(c.square)))),
        h("p", {}, `The sum is ` +
          `${(rankOf(c.square) + fileOf(c.square)) % 2 ? "odd: the square is light" : "even: the square is dark"}, ` +
          `and so are all squares of this line, and of the diagonal through it.`)],
    })},
    {title: "Fifteen of each, numbered from 0 to 14", show: (c) => ({
      board: boardOf(c, ["diagonal", "antidiagonal"], (square) =>
        `${7 + rankOf(square) - fileOf(square)}·${rankOf(square) + fileOf(square)}`),
      said: "",
      text: [h("p", {}, "Add 7 to the difference, and both numbers run from 0 to 14: an index. The squares show " +
        "both, diagonal · anti-diagonal; together they tell a square."),
        h("p", {class: "result"}, `diagonal 7 + ${rankOf(c.square)} − ${fileOf(c.square)} = `,
          h("strong", {}, String(7 + rankOf(c.square) - fileOf(c.square))), `, anti-diagonal `,
          h("strong", {}, String(rankOf(c.square) + fileOf(c.square)))),
        h("p", {}, "Without the addition, ",
          h("code", {}, `(rank - file) & 15 = ${(rankOf(c.square) - fileOf(c.square)) & 15}`), " is an index, too. " +
          "It has four bits, so a table of sixteen words needs no check of its bounds.")],
    })},
    {title: "A line is one word of a table", show: (c) => ({
      board: boardOf(c, ["rank", "file", "diagonal", "antidiagonal"], (square) => nameOf(square)),
      said: "",
      text: [h("p", {}, "The squares of a line are a set, so a number of 64 bits: its mask. Eight masks for the " +
        "ranks and the files, fifteen for the diagonals of each kind. To find what stands on a line is one AND.")],
      figure: strips(Object.keys(kinds).map((kind) => {
        const mask = setOf(lineOf(kind, c.square));
        return {label: h("span", {class: `chip line-${kind}`}, kind), title: `The mask ${hex(mask)}`,
          bits: bitsOf(mask, () => `line-${kind}`)};
      })),
    })},
  ],
};
