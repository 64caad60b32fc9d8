// Diagonals and anti-diagonals: their numbers and their masks.

import {code, h, p, strong} from "./dom.js";
import {change, replace} from "./state.js";
import {all, difference, fileOf, hex, intersections, kinds, lineOf, nameOf, rankOf, setOf, squareOf,
  sum} from "./sets.js";
import {bitsOf, strips} from "./figures.js";

const result = (...children) => h("p", {class: "result"}, ...children);

function boardOf({square}, names, note) {
  const lines = names.map((kind) => ({kind, squares: lineOf(kind, square)}));
  return {
    selected: square, notes: Object.fromEntries(all.map((one) => [one, String(note(one))])),
    marks: lines.map(({kind, squares}) => ({name: `line-${kind}`, label: kind, squares, plain: true})),
    lines: lines.filter(({squares}) => squares.length > 1).map(({kind, squares}) =>
      ({from: squares[0], to: squares.at(-1), name: `line-${kind}`})),
  };
}

const secondOf = ({state}) => squareOf(state.b) ?? 46;
const signed = (n) => (n < 0 ? `−${-n}` : String(n));

export const linesLesson = {
  name: "lines", short: "Diagonals", title: "Ranks, files, diagonals, anti-diagonals",
  hint: "Click a square, or drag the one in the frame.",
  click: (c, square) => change({[c.step === 6 ? "b" : "slider"]: nameOf(square)}),
  movable: (c, square) => square === c.square || (c.step === 6 && square === secondOf(c)),
  drop: (c, from, to) => change({[from === c.square ? "slider" : "b"]: nameOf(to)}),
  controls: () => [],
  steps: [
    {title: "A square is a number of two digits", show: (c) => ({
      board: boardOf(c, ["rank", "file"], (square) => square),
      said: `${nameOf(c.square)} is square ${c.square}.`,
      text: [p`Count the squares along the ranks, from a1 = 0. In base eight the first digit of a square is its rank,
        the second its file. So the rank is a shift, and the file is a mask of three bits.`,
      result(`${nameOf(c.square)} = ${c.square} = 8 · ${rankOf(c.square)} + ${fileOf(c.square)}`),
      p`${code(`rank = ${c.square} >> 3 = ${rankOf(c.square)}`)},
        ${code(`file = ${c.square} & 7 = ${fileOf(c.square)}`)}`],
    })},
    {title: "Along a diagonal, rank − file is constant", show: (c) => ({
      board: boardOf(c, ["diagonal"], (square) => signed(difference(square))),
      said: `rank - file is ${difference(c.square)}.`,
      text: [p`One step to the north-east adds one to both rank and file. Their difference stays the same, so it names
        the diagonal.`,
      result(`${rankOf(c.square)} − ${fileOf(c.square)} = `, strong(signed(difference(c.square)))),
      p`Two squares share a diagonal exactly if these numbers are equal: one comparison, no table of pairs.`],
    })},
    {title: "Along an anti-diagonal, rank + file is constant", show: (c) => ({
      board: boardOf(c, ["antidiagonal"], sum),
      said: `rank + file is ${sum(c.square)}.`,
      text: [p`One step to the north-west adds one to the rank and takes one from the file. Their sum stays the same.`,
        result(`${rankOf(c.square)} + ${fileOf(c.square)} = `, strong(String(sum(c.square)))),
        p`The sum is ${sum(c.square) % 2 ? "odd, so the square is light" : "even, so the square is dark"}. The same is
          true for all squares of this line, and of the diagonal through it.`],
    })},
    {title: "Fifteen of each, numbered from 0 to 14", show: (c) => ({
      board: boardOf(c, ["diagonal", "antidiagonal"], (square) => `${7 + difference(square)}·${sum(square)}`),
      text: [p`Add 7 to the difference, and both numbers run from 0 to 14: an index. The squares show diagonal ·
        anti-diagonal. Together the two name a square.`,
      result(`diagonal 7 + ${rankOf(c.square)} − ${fileOf(c.square)} = `, strong(String(7 + difference(c.square))),
        ", anti-diagonal ", strong(String(sum(c.square))))],
    })},
    {title: "A line is one word of a table", show: (c) => ({
      board: boardOf(c, Object.keys(kinds), nameOf),
      text: p`The squares of a line are a set, so they are one 64-bit number: its mask. There are eight masks for the
        ranks, eight for the files and fifteen for each kind of diagonal. One AND finds the pieces on a line.`,
      figure: strips(Object.keys(kinds).map((kind) => {
        const mask = setOf(lineOf(kind, c.square));
        return {label: h("span", {class: `chip line-${kind}`}, kinds[kind].name), title: `The mask ${hex(mask)}`,
          bits: bitsOf(mask, () => `line-${kind}`)};
      })),
    })},
    {title: "Two squares, twelve intersections", show: (c) => {
      const b = secondOf(c), met = intersections(c.square, b), chosen = met[Number(c.state.pair)] ?? met[6];
      const drawn = [[chosen.kindA, c.square], [chosen.kindB, b]].map(([kind, square]) => [kind, lineOf(kind, square)]);
      const shared = b !== c.square && Object.keys(kinds).find((kind) => lineOf(kind, c.square).includes(b));
      return {
        board: {selected: c.square, last: [b], marks: [...drawn.map(([kind, squares]) => ({name: `line-${kind}`, label: kind,
          squares, plain: true})), {name: "meeting", label: "intersection", squares: chosen.square === null ? [] : [chosen.square]}],
        lines: drawn.filter(([, squares]) => squares.length > 1).map(([kind, squares]) => ({name: `line-${kind}`,
          from: squares[0], to: squares.at(-1)}))},
        said: `${chosen.kindA} and ${chosen.kindB}: ${chosen.square === null ? "none" : nameOf(chosen.square)}.`,
        text: [p`A line through ${nameOf(c.square)} and a line of another kind through ${nameOf(b)} meet in one point at most.
          Choose a pair of lines. ${b === c.square ? "Here both squares are the same." : shared
          ? `The two squares share a ${kinds[shared].name}.` : "The two squares share no line."}`,
        h("ol", {class: "steps"}, chosen.steps.map((text) => h("li", {}, code(text))))],
        figure: h("div", {class: "grid-of-keys", role: "group", "aria-label": "Intersections"}, met.map((x, i) =>
          h("button", {type: "button", "aria-pressed": String(x === chosen), onclick: () => replace({pair: i})},
            h("span", {}, `${kinds[x.kindA].name} · ${kinds[x.kindB].name}`), strong(x.square === null ? "none"
              : nameOf(x.square))))),
      };
    }},
  ],
};
