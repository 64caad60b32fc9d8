// Diagonals and anti-diagonals: their numbers and their masks. And intersection squares: where a slider gives check,
// without trying a move.

import {choice, code, h, p, strong} from "./dom.js";
import {attacksOf} from "./magic.js";
import {change, replace} from "./state.js";
import {all, difference, fileOf, hex, intersections, kinds, lineOf, nameOf, parseSet, rankOf, setOf, squareOf,
  squaresOf, sum, toggled} from "./sets.js";
import {bitsOf, strips} from "./figures.js";
import {letters, moveButtons} from "./lesson_sliders.js";

const result = (...children) => h("p", {class: "result"}, ...children);

function linesBoard({square}, names, note) {
  const lines = names.map((kind) => ({kind, squares: lineOf(kind, square)}));
  return {
    selected: square, notes: Object.fromEntries(all.map((one) => [one, String(note(one))])),
    marks: lines.map(({kind, squares}) => ({name: `line-${kind}`, label: kind, squares, plain: true})),
    lines: lines.filter(({squares}) => squares.length > 1).map(({kind, squares}) =>
      ({from: squares[0], to: squares.at(-1), name: `line-${kind}`})),
  };
}

const secondOf = ({state}) => squareOf(state.b) ?? 46;
const fromZero = (square) =>
  `Ranks and files count from 0: ${nameOf(square)} has rank ${rankOf(square)}, file ${fileOf(square)}.`;
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
      board: linesBoard(c, ["rank", "file"], (square) => square),
      said: `${nameOf(c.square)} is square ${c.square}.`,
      text: [p`Count ranks and files from 0, and squares along the ranks, from a1 = 0. In base eight the first digit of
        a square is its rank, the second its file. So the rank is a shift, and the file is a mask of three bits.`,
      result(`${nameOf(c.square)} = ${c.square} = 8 · ${rankOf(c.square)} + ${fileOf(c.square)}`),
      p`${code(`rank = ${c.square} >> 3 = ${rankOf(c.square)}`)},
        ${code(`file = ${c.square} & 7 = ${fileOf(c.square)}`)}`],
    })},
    {title: "Along a diagonal, rank − file is constant", show: (c) => ({
      board: linesBoard(c, ["diagonal"], (square) => signed(difference(square))),
      said: `rank - file is ${difference(c.square)}.`,
      text: [p`One step to the north-east adds one to both rank and file. Their difference stays the same, so it names
        the diagonal.`,
      result(`${rankOf(c.square)} − ${fileOf(c.square)} = `, strong(signed(difference(c.square)))),
      p`Two squares share a diagonal exactly if these numbers are equal: one comparison, no table of pairs.`],
    })},
    {title: "Along an anti-diagonal, rank + file is constant", show: (c) => ({
      board: linesBoard(c, ["antidiagonal"], sum),
      said: `rank + file is ${sum(c.square)}.`,
      text: [p`One step to the north-west adds one to the rank and takes one from the file. Their sum stays the same.`,
        result(`${rankOf(c.square)} + ${fileOf(c.square)} = `, strong(String(sum(c.square)))),
        p`The sum is ${sum(c.square) % 2 ? "odd, so the square is light" : "even, so the square is dark"}. The same is
          true for all squares of this line, and of the diagonal through it.`],
    })},
    {title: "Fifteen of each, numbered from 0 to 14", show: (c) => ({
      board: linesBoard(c, ["diagonal", "antidiagonal"], (square) => `${7 + difference(square)}·${sum(square)}`),
      text: [p`Add 7 to the difference, and both numbers run from 0 to 14: an index. The squares show diagonal ·
        anti-diagonal. Together the two name a square.`,
      result(`diagonal 7 + ${rankOf(c.square)} − ${fileOf(c.square)} = `, strong(String(7 + difference(c.square))),
        ", anti-diagonal ", strong(String(sum(c.square))))],
    })},
    {title: "A line is one word of a table", show: (c) => ({
      board: linesBoard(c, Object.keys(kinds), nameOf),
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
        hint: `Click a square to move ${nameOf(b)}, or drag ${nameOf(c.square)} or ${nameOf(b)}.`,
        board: {selected: c.square, notes: {[c.square]: nameOf(c.square), [b]: nameOf(b)},
          marks: [...drawn.map(([kind, squares]) => ({name: `line-${kind}`, label: kind, squares, plain: true})),
            {name: "meeting", label: "intersection", squares: chosen.square === null ? [] : [chosen.square]}],
        lines: drawn.filter(([, squares]) => squares.length > 1).map(([kind, squares]) => ({name: `line-${kind}`,
          from: squares[0], to: squares.at(-1)}))},
        said: `${chosen.kindA} and ${chosen.kindB}: ${chosen.square === null ? "none" : nameOf(chosen.square)}.`,
        text: [p`A line through ${nameOf(c.square)} and a line of another kind through ${nameOf(b)} meet in one point at
          most. Choose a pair of lines. ${b === c.square ? "Here both squares are the same." : shared
          ? `The two squares share a ${kinds[shared].name}.` : "The two squares share no line."} ${fromZero(b)}`,
        h("ol", {class: "steps"}, chosen.steps.map((text) => h("li", {}, code(text))))],
        figure: h("div", {class: "grid-of-keys", role: "group", "aria-label": "Intersections"}, met.map((x, i) =>
          h("button", {type: "button", "aria-pressed": String(x === chosen), onclick: () => replace({pair: i})},
            h("span", {}, `${kinds[x.kindA].name} · ${kinds[x.kindB].name}`), strong(x.square === null ? "none"
              : nameOf(x.square))))),
      };
    }},
  ],
};

// Checks.

const lookups = {bishop: "Bishop", rook: "Rook", queen: "Queen"};
const kindsOf = {bishop: ["diagonal", "antidiagonal"], rook: ["rank", "file"], queen: Object.keys(kinds)};

/** The pieces of the lesson: by default a bishop on e7 and a king on e1. */
function placed({state, piece}) {
  const from = squareOf(state.slider) ?? 52, king = squareOf(state.king) ?? 4;
  const others = (parseSet(state.occupied) ?? 0x2000n) & ~(1n << BigInt(from)) & ~(1n << BigInt(king));
  return {piece, from, king, others};
}

function answersFor(c) {
  const {piece, from, king, others} = placed(c), crossings = intersections(from, king, kindsOf[piece]);
  const slide = (square, occupied) => [...squaresOf(attacksOf(piece, square, occupied))];
  const reachable = slide(from, others | (1n << BigInt(king))), checking = slide(king, others);
  const apart = (one) => one !== null && one !== from && one !== king;
  const shared = kindsOf[piece].flatMap((kind) => (lineOf(kind, from).includes(king) ? lineOf(kind, from) : []))
    .filter(apart);
  const met = [...crossings.map(({square}) => square).filter(apart), ...shared];
  return {piece, from, king, others, crossings, met, shared, reachable, checking,
    squares: reachable.filter((one) => checking.includes(one)), checksNow: reachable.includes(king)};
}

function checksBoard(c, a, {withLines = true, ...more}) {
  const pieces = new Array(64).fill("");
  for (const square of squaresOf(a.others)) pieces[square] = "p";
  pieces[a.from] = letters[a.piece];
  pieces[a.king] = "k";
  const line = (square, name) => kindsOf[a.piece].map((kind) => lineOf(kind, square)).filter(({length}) => length > 1)
    .map((squares) => ({from: squares[0], to: squares.at(-1), name}));
  return {
    pieces, check: a.checksNow ? a.king : null, selected: {slider: a.from, king: a.king}[c.state.place] ?? null,
      ...more,
    lines: withLines ? [...line(a.from, "reachable"), ...line(a.king, "checking")] : [],
  };
}

const chip = (name, text) => h("span", {class: `chip ${name}`}, text);
const names = (squares) => squares.map(nameOf).join(" ") || "none";

const step = (show) => (c) => {
  const {piece, from, king} = placed(c);
  if (from === king) return {board: {}, text: p`The slider and the king stand on one square.`};
  return show(c, answersFor(c), piece);
};

export const checksLesson = {
  name: "checks", short: "Checks", title: "From where does it give check?",
  hint: "Click squares to put pieces in the way. Drag the slider or the king.",
  sliders: ["bishop", "rook", "queen"],
  click(c, square) {
    if (this.movable(c, square)) return; // the slider and the king keep apart
    const {state: {place}} = c;
    change(place ? {[place]: nameOf(square), place: ""} : {occupied: hex(toggled(placed(c).others, square))});
  },
  movable(c, square) {
    const {from, king} = placed(c);
    return square === from || square === king;
  },
  drop(c, from, to) {
    if (!this.movable(c, to)) change({[from === placed(c).king ? "king" : "slider"]: nameOf(to)});
  },
  controls: ({state, piece}) => [
    choice("Slider", Object.keys(lookups).map((name) => [name, name]), piece, (name) => change({piece: name})),
    moveButtons(state, "slider", "king"),
  ],
  steps: [
    {title: "The question", show: step((c, a, piece) => ({
      board: checksBoard(c, a, {withLines: false}),
      text: [p`A ${piece} on ${nameOf(a.from)}, a king on ${nameOf(a.king)}. To which squares can the ${piece} move to
        give check?`, p`A generator can make every move and look. There is a way without making a move.`],
    }))},
    {title: "The lines through each", show: step((c, a, piece) => ({
      board: checksBoard(c, a, {}),
      text: [p`The ${piece} moves along ${chip("reachable", "its lines")}. It attacks the king from ${
        chip("checking", "the king's lines")}. So it must go where two of them cross, to an ${
        strong("intersection square")}.`,
      kindsOf[piece].some((kind) => lineOf(kind, a.from).includes(a.king)) && p`Here the two share a line, so each
        square of it also counts, up to a piece.`],
    }))},
    {title: "Where they cross", show: step((c, a) => ({
      board: checksBoard(c, a,
        {marks: [{name: "meeting", label: "intersection", squares: a.met}]}),
      said: `The lines cross on ${names(a.met)}.`,
      text: [p`Each line is an equation in rank and file. Two equations have one solution: a square of the board, or a
        point beyond the edge or between squares. ${a.shared.length > 0
        && "A shared line is one equation, and each of its squares solves it. "}${fromZero(a.from)}`,
      !a.met.length && h("p", {class: "result"}, "Here no solution is a square: this slider cannot check this king.")],
      figure: [a.shared.length > 0 && h("h4", {}, "The shared line: ", strong(names(a.shared))),
        a.crossings.map((x) => h("div", {class: "crossing"},
          h("h4", {}, `${kinds[x.kindA].name} of ${nameOf(a.from)}, ${kinds[x.kindB].name} of ${nameOf(a.king)}: `,
            strong(x.square === null ? "none" : nameOf(x.square))),
          h("ol", {class: "steps"}, x.steps.map((text) => h("li", {}, code(text))))))],
    }))},
    {title: "Blocked squares fall out", show: step((c, a) => ({
      board: checksBoard(c, a, {marks: [
        {name: "reachable", label: "within reach", squares: a.reachable},
          {name: "checking", label: "attacks the king from there", squares: a.checking}], withLines: false}),
      said: `${names(a.squares)} remain.`,
      text: p`A piece may stand in the way. One lookup finds the squares ${chip("reachable", "within reach")}, another,
        from the king's square, those that ${chip("checking", "attack the king")}.`,
      figure: h("ul", {class: "plain"}, a.met.map((square) => {
        const there = a.reachable.includes(square), sees = a.checking.includes(square);
        return h("li", {}, strong(nameOf(square)), there && sees ? ": free" : there ? ": blocked on the way to the king"
          : sees ? ": blocked on the way there" : ": blocked on both ways");
      })),
    }))},
    {title: "The check squares are one AND", show: step((c, a, piece) => ({
      board: checksBoard(c, a, {withLines: false,
        marks: [{name: "meeting", label: "check square", squares: a.squares}]}),
      said: `Check squares: ${names(a.squares)}.`,
      text: [a.checksNow ? h("p", {class: "result"}, "The king is in check already.") : h("p", {class: "result"},
        "Check from: ", strong(names(a.squares))),
      p`${code(`${lookups[piece]}(${nameOf(a.from)}) & ${lookups[piece]}(${nameOf(a.king)})`)}: two lookups and an AND.
        If no two lines cross, you need neither, because then the piece can give no direct check on any board.`],
    }))},
  ],
};
