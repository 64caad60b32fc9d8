// What "Bb3" means: the reader of the notation finds the piece.

import {ask} from "./backend.js";
import {field, h, p, strong, textInput} from "./dom.js";
import {change} from "./state.js";
import {nameOf, squareOf} from "./sets.js";
import * as fen from "./fen.js";

const example = {fen: "6B1/4k3/8/3p4/B7/4B3/r1B3K1/8 w - - 0 1", san: "Bb3"};

// Without a move, the position may be that of another view.
const chosen = (state) => state.san ? {...example, ...state} : example;

// Rules that decide on an empty board, and those of the way.
const movement = ["movement", "pawn capture"], way = ["blocked path", "pawn push", "double push"];

/** Reads a move, and explains it for each piece of its type: fails is the first test that a piece fails, 0 for none. */
export async function read(text, san) {
  const [, letter, file, rank, target, promotion] =
    /^([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?$/.exec(san) || [];
  if (!target) throw new Error(`“${san}” is no move with a target square, such as Bb3.`);
  const {pieces, side} = fen.parse(text);
  if (letter && san.includes("x") && pieces && !pieces[squareOf(target)])
    throw new Error(`There is no piece on ${target}.`);
  if (!pieces) await ask("explain", {fen: text, proposals: []}); // says what is wrong
  const wanted = side === "w" ? letter || "P" : (letter || "p").toLowerCase();
  const named = letter ? file : file || target[0]; // a pawn without a file keeps to its own
  const proposals = pieces.flatMap((piece, from) => (piece === wanted && nameOf(from).startsWith(named)
    && nameOf(from).endsWith(rank) ? [{from: nameOf(from), to: target,
    ...(promotion ? {promotion: fen.names[promotion.toLowerCase()]} : {})}] : []));
  const reasons = await ask("explain", {fen: text, proposals});
  return {target, promotion: promotion?.toLowerCase() || "", named: file ? "file" : rank ? "rank" : "",
    piece: fen.names[wanted.toLowerCase()], side: side === "w" ? "white" : "black",
    candidates: proposals.map(({from}, i) => {
      const {legal, rule, reason, attackers, attacked} = reasons[i];
      const fails = legal ? 0 : movement.includes(rule) ? 2 : way.includes(rule) ? 3 : 4;
      return {from, fails, attackers, attacked,
        reason: legal ? "can go there" : `may not go: ${reason}`};
    })};
}

/** A step that shows the candidates left after the tests up to it. */
const step = (test, title, words) => ({title, show: async ({state}) => {
  const {fen: given, san} = chosen(state);
  const {fen: text = given} = await ask("position", {fen: given, moves: []}), {pieces} = fen.parse(text);
  const found = await read(text, san).catch((error) => error);
  if (found instanceof Error) return {board: {pieces: pieces || []}, text: h("p", {class: "problem"}, found.message)};
  const fallen = found.candidates.filter(({fails}) => fails && fails <= test);
  const to = squareOf(found.target), left = found.candidates.filter((one) => !fallen.includes(one));
  const mark = (name, label, squares) => ({name, label, squares: squares.map(squareOf), plain: true, apart: true});
  return {
    board: {pieces, marks: [mark("meeting", "the target", [found.target]),
      mark("set", "a candidate", left.map(({from}) => from)),
      mark("fallen", "falls out", fallen.map(({from}) => from))],
    lines: [...(test > 1 ? left : []).map(({from}) => ({from: squareOf(from), to, name: "sight"})),
      ...(test === 4 ? found.candidates : []).flatMap(({attackers, attacked}) => attackers
        .map((from) => ({from: squareOf(from), to: squareOf(attacked), name: "reason", arrow: true})))]},
    said: `Candidates: ${left.map(({from}) => from).join(" ") || "none"}.`,
    text: [words(found), test === 4 && h("p", {class: "result"}, left.length === 1
      ? [`${san} is `, strong(left[0].from + found.target + found.promotion)]
      : left.length ? "More than one piece can go there: the notation must name the file or the rank."
      : "No piece can go there: the move is illegal.")],
    figure: h("ul", {class: "plain candidates"}, found.candidates.filter(({fails}) => !fails || fails >= test)
      .map((one) => h("li", {}, h("span", {class: `chip ${fallen.includes(one) ? "fallen" : "set"}`}, one.from),
        (fallen.includes(one) || test === 4) && ` ${one.reason}`)),
    !found.candidates.length && h("li", {}, "There is no such piece.")),
  };
}});

export const sanLesson = {
  name: "san", short: "Notation", title: "What “Bb3” means",
  hint: "Write any position and any move with a target square.",
  click: () => {},
  controls({state}) {
    const input = (label, name) => field(label, textInput({value: chosen(state)[name],
      onchange: ({target: {value}}) => change({...chosen(state), [name]: value.trim()})}),
    {wide: name === "fen"});
    return [input("Move", "san"), input("Position", "fen")];
  },
  steps: [
    step(1, "A piece and a square", ({piece, side, target, named}) => p`The notation names a ${piece} and its
      target, ${target}. ${piece === "pawn" ? "A pawn comes from the file of the target, or from the named one."
      : named ? `It also names the ${named} that the piece comes from.` : "It does not say where the piece comes from."}
      Every ${side} ${piece} ${piece === "pawn" || named ? "there " : ""}is a candidate.`),
    step(2, "Who can reach it on an empty board?", ({piece}) => (piece === "bishop"
      ? p`A bishop never leaves its colour, so bishops of the other colour fall out. So do those that share no diagonal
        with the target.` : p`The piece must be able to go that way at all.`)),
    step(3, "The squares between must be empty",
      () => p`A piece on the way blocks it. One mask of the squares between, and one AND, find it.`),
    step(4, "Its own king may not be left in check",
      () => p`A pinned piece may move only along its pin. To other squares it is no candidate, so the notation need not
        tell it from the other piece. Many programs forget this.`),
  ],
};
