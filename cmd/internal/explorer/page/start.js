// What the start page says around its box: what the explorer is for, and where else to begin.

import {h, p} from "./dom.js";
import * as fen from "./fen.js";
import {smallBoard} from "./small_board.js";
import {attacksOf} from "./magic.js";

const cards = [
  {view: "learn", title: "Learn how bitboards work", words: "Diagonals, checks, magic numbers: one step at a time, on a " +
    "board that you change with a click.", set: attacksOf("bishop", 27, 0x0000220000402000n),
  picture: {occupancy: 0x0000220000402000n, origin: 27}},
  {view: "position", title: "Look at a position", words: "Legal moves, checks, pins and attacks. Play, set up, and copy " +
    "it in any form.", picture: {pieces: fen.parse(fen.start).pieces}},
];

export const purpose = () => h("div", {class: "purpose"}, h("h2", {}, "Paste what your engine prints"),
  p`The page finds the wrong move of your chess engine, and the rule that it breaks. Paste the counts of perft for
    any known position, or put a FEN above them.`);

export const otherWays = () => h("div", {class: "cards"}, cards.map(({view, title, words, set = 0n, picture}) =>
  h("a", {href: `#view=${view}`}, smallBoard(set, picture), h("h2", {}, title), p`${words}`)));
