// The start page: what the explorer is for, and where to begin.

import {h, p} from "./dom.js";
import * as fen from "./fen.js";
import {smallBoard} from "./small_board.js";
import {attacksOf} from "./magic.js";

const occupancy = 0x0000220000402000n;

const cards = [
  {view: "perft", title: "Find my perft bug", words: "Paste what your engine prints. The page names the wrong move " +
    "and the rule that it breaks.", picture: {pieces: fen.parse("4k2N/8/4p3/8/8/8/8/4K3").pieces, arrow: [60, 62]}},
  {view: "learn", title: "Learn how magic bitboards work", words: "Step by step, on a board that you change with a " +
    "click.", set: attacksOf("bishop", 27, occupancy), picture: {occupancy, origin: 27}},
  {view: "position", title: "Look at a position", words: "Legal moves, checks, pins and attacks. Play, set up, and " +
    "copy it in any form.", picture: {pieces: fen.parse(fen.start).pieces}},
];

export function startView() {
  const element = h("div", {class: "start"},
    h("p", {class: "purpose"}, "Find the wrong move of your chess engine, and see how bitboards work."),
    h("div", {class: "cards"}, cards.map(({view, title, words, set = 0n, picture}) => h("a", {href: `#view=${view}`},
      smallBoard(set, picture), h("h2", {}, title), p`${words}`))));
  return {element, show() {}};
}
