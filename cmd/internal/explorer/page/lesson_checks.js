// Intersection squares: where a slider gives check, without trying a move.

import {choice, code, h, p, strong} from "./dom.js";
import {attacksOf} from "./magic.js";
import {change} from "./state.js";
import {hex, intersections, kinds, lineOf, nameOf, parseSet, squareOf, squaresOf, toggled} from "./sets.js";
import {letters, moveButtons} from "./lesson_sliders.js";

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
  const shared = kindsOf[piece].flatMap((kind) => (lineOf(kind, from).includes(king) ? lineOf(kind, from) : []));
  const met = [...new Set([...crossings.map(({square}) => square).filter((one) => one !== null), ...shared])]
    .filter((one) => one !== from && one !== king);
  return {piece, from, king, others, crossings, met, reachable, checking,
    squares: reachable.filter((one) => checking.includes(one)), checksNow: reachable.includes(king)};
}

function boardOf(c, a, {withLines = true, ...more}) {
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
    const {from, king, others} = placed(c);
    if (c.state.place) change({[c.state.place]: nameOf(square), place: ""});
    else if (square !== from && square !== king) change({occupied: hex(toggled(others, square))});
  },
  movable(c, square) {
    const {from, king} = placed(c);
    return square === from || square === king;
  },
  drop: (c, from, to) => change({[from === placed(c).king ? "king" : "slider"]: nameOf(to)}),
  controls: ({state, piece}) => [
    choice("Slider", Object.keys(lookups).map((name) => [name, name]), piece, (name) => change({piece: name})),
    moveButtons(state, "slider", "king"),
  ],
  steps: [
    {title: "The question", show: step((c, a, piece) => ({
      board: boardOf(c, a, {withLines: false}),
      text: [p`A ${piece} on ${nameOf(a.from)}, a king on ${nameOf(a.king)}. To which squares can the ${piece} move to
        give check?`, p`A generator can make every move and look. There is a way without making a move.`],
    }))},
    {title: "The lines through each", show: step((c, a, piece) => ({
      board: boardOf(c, a, {}),
      text: [p`The ${piece} moves along ${chip("reachable", "its lines")}. It attacks the king from ${
        chip("checking", "the king's lines")}. So it must go where two of them cross, to an ${
        strong("intersection square")}.`,
      kindsOf[piece].some((kind) => lineOf(kind, a.from).includes(a.king)) && p`Here the two share a line, so each square
        of it also counts, up to a piece.`],
    }))},
    {title: "Where they cross", show: step((c, a) => ({
      board: boardOf(c, a,
        {marks: [{name: "meeting", label: "intersection", squares: a.met}]}),
      said: `The lines cross on ${names(a.met)}.`,
      text: [p`Each line is an equation in rank and file. Two equations have one solution: a square of the board, or a
        point beyond the edge or between squares.`,
      !a.met.length && h("p", {class: "result"}, "Here no solution is a square: this slider cannot check this king.")],
      figure: a.crossings.map((x) => h("div", {class: "crossing"},
        h("h4", {}, `${kinds[x.kindA].name} of ${nameOf(a.from)}, ${kinds[x.kindB].name} of ${nameOf(a.king)}: `,
          strong(x.square === null ? "none" : nameOf(x.square))),
        h("ol", {class: "steps"}, x.steps.map((text) => h("li", {}, code(text)))))),
    }))},
    {title: "Blocked squares fall out", show: step((c, a) => ({
      board: boardOf(c, a, {marks: [
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
      board: boardOf(c, a, {marks: [{name: "meeting", label: "check square", squares: a.squares}], withLines: false}),
      said: `Check squares: ${names(a.squares)}.`,
      text: [a.checksNow ? h("p", {class: "result"}, "The king is in check already.") : h("p", {class: "result"},
        "Check from: ", strong(names(a.squares))),
      p`${code(`${lookups[piece]}(${nameOf(a.from)}) & ${lookups[piece]}(${nameOf(a.king)})`)}: two lookups and an AND.
        If no two lines cross, you need neither, because then the piece can give no direct check on any board.`],
    }))},
  ],
};
