// What "Bb3" means: which piece goes there is for the reader of the notation to find.

import {ask} from "./backend.js";
import {field, h} from "./dom.js";
import {change} from "./state.js";
import {has, nameOf, parseSet, squareOf} from "./sets.js";
import * as fen from "./fen.js";

const example = {fen: "6B1/4k3/8/3p4/B7/4B3/r1B3K1/8 w - - 0 1", san: "Bb3"};
const pattern = /^([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?$/;
const sight = {B: [[1, 1], [1, -1], [-1, 1], [-1, -1]], R: [[1, 0], [-1, 0], [0, 1], [0, -1]], N: [[1, 2], [2, 1]],
  K: [[1, 1], [1, 0], [0, 1]]};

/** Reports whether a piece could go from one square to another on a board without other pieces. */
function reaches(kind, white, from, to) {
  const files = (to & 7) - (from & 7), ranks = (to >> 3) - (from >> 3), near = [Math.abs(files), Math.abs(ranks)];
  if (kind === "P") return white ? (files === 0 ? ranks === 1 || (ranks === 2 && from >> 3 === 1) : near[0] === 1
    && ranks === 1) : (files === 0 ? ranks === -1 || (ranks === -2 && from >> 3 === 6) : near[0] === 1 && ranks === -1);
  if (kind === "N" || kind === "K") return sight[kind].some(([a, b]) => (near[0] === a && near[1] === b)
    || (near[0] === b && near[1] === a));
  const straight = files === 0 || ranks === 0, diagonal = near[0] === near[1];
  return kind === "Q" ? straight || diagonal : kind === "R" ? straight : diagonal;
}

/** The squares that a piece passes over. */
function passed(from, to) {
  const files = (to & 7) - (from & 7), ranks = (to >> 3) - (from >> 3), far = Math.max(Math.abs(files),
    Math.abs(ranks));
  if (files && ranks && Math.abs(files) !== Math.abs(ranks)) return []; // a knight passes over none
  return Array.from({length: Math.max(0, far - 1)}, (_, i) => from + (i + 1) * (Math.sign(ranks) * 8 + Math.sign(
    files)));
}

/** Takes a move apart and follows each piece that could be meant, until one remains. */
export async function readMove({state}) {
  const text = state.fen || example.fen, san = state.san || example.san;
  const answer = await ask("position", {fen: text, chess960: false, moves: []});
  const pieces = fen.parse(text).pieces, parts = pattern.exec(san);
  if (answer.problems) return {pieces, problem: answer.problems[0].text, san, text};
  if (!parts) return {pieces, problem: /^[O0]-[O0]/.test(san) ? "Castling names no square: there is nothing to find " +
    "out." : `${san} is not a move in algebraic notation: a piece, a square, such as Bb3 or exd5.`, san, text};
  const [, letter, file, rank, target, promotion] = parts, kind = letter || "P",
    white = answer.sideToMove === "white", to = squareOf(target);
  const pinned = parseSet(answer.overlays.find(({name}) => name === "pinned").set);
  const candidates = pieces.flatMap((piece, from) => {
    if (!piece || piece.toUpperCase() !== kind || (piece === piece.toUpperCase()) !== white) return [];
    const between = passed(from, to).filter((square) => pieces[square]);
    const legal = answer.moves.find((m) => squareOf(m.from) === from && m.targets.includes(target)
      && (m.promotion?.[0] ?? "") === (promotion ? {Q: "q", R: "r", B: "b", N: "k"}[promotion] : ""));
    const named = (!file || file === nameOf(from)[0]) && (!rank || rank === nameOf(from)[1]);
    const out = !reaches(kind, white, from, to) ? 2 : between.length ? 3 : !legal ? 4 : !named ? 4 : 0;
    const color = (s) => ((s >> 3) + s) % 2;
    const reason = {2: kind === "B" && color(from) !== color(to) ? "stands on the other colour" : "does not go that " +
      "way", 3: `would pass over ${between.map(nameOf).join(" ")}`,
      4: legal ? "is not the one that the notation names" : has(pinned, from) ? "is pinned: its king would be in " +
        "check" : answer.check ? "does not end the check" : "may not go there", 0: "can go there"}[out];
    return [{from, out, reason, move: legal}];
  });
  return {pieces, san, text, kind, to, target, file, rank, candidates, white};
}

const pieceNames = {P: "pawn", N: "knight", B: "bishop", R: "rook", Q: "queen", K: "king"};

/** A step that shows the candidates that are left after the tests up to it. */
const step = (tests, title, words) => ({title, show: async (c) => {
  const read = await readMove(c);
  if (read.problem) return {board: {pieces: read.pieces}, said: read.problem, text: h("p", {class: "problem"},
    read.problem)};
  const left = read.candidates.filter(({out}) => out === 0 || out > tests), fallen = read.candidates.filter(
    ({out}) => out && out <= tests);
  return {
    board: {pieces: read.pieces,
      marks: [{name: "meeting", label: "the square", squares: [read.to], plain: true, apart: true},
        {name: "set", label: "a candidate", squares: left.map(({from}) => from), plain: true, apart: true},
        {name: "fallen", label: "falls out", squares: fallen.map(({from}) => from), plain: true, apart: true}],
      lines: tests >= 2 ? left.map(({from}) => ({from, to: read.to, name: "sight"})) : []},
    said: `Candidates: ${left.map(({from}) => nameOf(from)).join(" ") || "none"}.`,
    text: [words(read), tests === 4 && h("p", {class: "result"}, left.length === 1 ? [`${read.san} is `,
      h("strong", {}, `${nameOf(left[0].from)}${read.target}`)] : left.length ? "The notation leaves more than one: " +
      "it must name the file or the rank." : "No piece can go there: the move is illegal.")],
    figure: h("ul", {class: "plain candidates"}, read.candidates.filter(({out}) => out === 0 || out >= tests)
      .map(({from, out, reason}) => h("li", {},
      h("span", {class: `chip ${out && out <= tests ? "fallen" : "set"}`}, nameOf(from)), tests > 1 && out
        && out <= tests ? ` ${reason}` : tests === 4 ? ` ${reason}` : "")), !read.candidates.length
        && h("li", {}, "There is no such piece.")),
  };
}});

export const sanLesson = {
  name: "san", short: "What “Bb3” means", title: "What “Bb3” means",
  hint: "Write any position and any move.",
  click: () => {},
  controls({state}) {
    const input = (label, name) => field(label, h("input", {type: "text", value: state[name] || example[name],
      spellcheck: "false", autocomplete: "off",
      onchange: (e) => change({[name]: e.target.value.trim() === example[name] ? "" : e.target.value.trim()})}),
        {wide: name === "fen"});
    return [input("Move", "san"), input("Position", "fen")];
  },
  steps: [
    step(1, "A piece and a square", (read) => {
      const from = read.file ? "file" : read.rank ? "rank" : "";
      return h("p", {}, `The notation has the kind of piece, a ${pieceNames[read.kind]}, and the square it goes to, ` +
        `${read.target}. ${from ? `It also names the ${from} it comes from.` : "It does not say from where."} Every ` +
        `${pieceNames[read.kind]} of ${read.white ? "White" : "Black"} is a candidate.`);
    }),
    step(2, "Who can reach it on an empty board?", (read) =>
      [h("p", {}, read.kind === "B" ? "A bishop never leaves its colour, so half of the bishops fall out at once; of " +
      "the others those that share no diagonal with the square." : "The way must be one that the piece can go at " +
      "all.")]),
    step(3, "The squares passed over must be empty",
      () => [h("p", {}, "On the line between, nothing may stand: what stands there falls to no one. One mask of the " +
      "squares between, and one AND.")]),
    step(4, "Its own king may not be left in check",
      () => [h("p", {}, "A pinned piece may move only along its pin. This is what readers of notation forget: the " +
      "pinned piece is no candidate, so the notation need not tell it from the other.")]),
  ],
};
