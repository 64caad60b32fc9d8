// What a slider attacks, by eleven algorithms; the steps of one; and a magic number found live.

import {Board} from "./board.js";
import {ask, isAbort} from "./backend.js";
import {button, choice, digits, h} from "./dom.js";
import {change} from "./state.js";
import {hex, nameOf, parseSet, squareOf, squaresOf, toggled} from "./sets.js";
import {bitsOf, smallBoard} from "./small_board.js";

const pieceLetters = {bishop: "B", rook: "R", queen: "Q"};

export function slidersView() {
  let state = {}, answer = null, sequence = 0, search = null;

  const board = new Board("Board of a slider", {
    click: (square) => {
      if (state.place === "slider") change({slider: nameOf(square), place: ""});
      else if (square !== origin()) change({occupied: hex(toggled(occupied(), square))});
    },
    canDrag: (square) => square === origin(),
    drop: (_, to) => to !== null && change({slider: nameOf(to), occupied: hex(occupied() & ~(1n << BigInt(to)))}),
  });
  const controls = h("div", {class: "keys"}), panel = h("div", {class: "stack"}), magic = h("div", {class: "stack"});

  const origin = () => squareOf(state.slider) ?? 27;
  const occupied = () => parseSet(state.occupied) ?? 0x0000220000402000n;
  const piece = () => (state.piece in pieceLetters ? state.piece : "bishop");
  const step = () => Math.min(Number(state.step) || 0, answer.steps.length - 1);

  function draw() {
    const pieces = new Array(64).fill("");
    for (const square of squaresOf(occupied())) pieces[square] = "p";
    pieces[origin()] = pieceLetters[piece()];
    board.show({pieces, marks: [{name: "attacked", label: "attacked", squares: [...squaresOf(parseSet(answer.attacks))]}]});
    controls.replaceChildren(
      choice("Slider", Object.keys(pieceLetters).map((name) => [name, name]), piece(), (name) => change({piece: name, step: ""})),
      button("Move the slider", () => change({place: state.place === "slider" ? "" : "slider"}, {replace: true}), {"aria-pressed": String(state.place === "slider")}),
      button("Empty board", () => change({occupied: hex(0n)})));
  }

  function drawPanel() {
    const current = answer.steps[step()];
    panel.replaceChildren(
      h("h2", {}, "The algorithms, side by side"),
      h("div", {class: "algorithms", role: "group", "aria-label": "Algorithms"}, answer.algorithms.map((a) =>
        h("button", {type: "button", "aria-pressed": String(a.name === answer.algorithm), title: a.source, onclick: () => change({algorithm: a.name, step: ""}, {replace: true})},
          smallBoard(parseSet(a.attacks), {occupancy: occupied(), origin: origin(), label: "attacks"}),
          h("strong", {}, a.name),
          h("span", {class: "hint"}, `${a.attacks === answer.attacks ? "the same squares" : "DIFFERS"}, ${a.tableBytes ? `${digits(Math.ceil(a.tableBytes / 1024))} KiB of tables` : "no table"}${a.available ? "" : ", without its instruction here"}`)))),
      h("h2", {}, `${answer.algorithm}, step ${step() + 1} of ${answer.steps.length}`),
      h("div", {class: "keys"},
        button("Previous step", () => change({step: step() - 1}, {replace: true}), {disabled: step() === 0}),
        button("Next step", () => change({step: step() + 1}, {replace: true}), {disabled: step() === answer.steps.length - 1})),
      h("div", {class: "current-step", "aria-live": "polite"},
        smallBoard(parseSet(current.board), {occupancy: current.bits ? 0n : occupied(), origin: current.bits ? null : origin(), label: current.title}),
        h("div", {}, h("p", {}, current.title), current.value && h("p", {class: "status"}, current.value),
          h("code", {}, current.board), current.bits && h("code", {class: "bits"}, bitsOf(parseSet(current.board))))),
      h("ol", {class: "filmstrip"}, answer.steps.map((one, i) => h("li", {},
        h("button", {type: "button", "aria-current": i === step() ? "step" : null, "aria-label": `Step ${i + 1}: ${one.title}`, onclick: () => change({step: i}, {replace: true})},
          smallBoard(parseSet(one.board), {label: one.title}))))));
  }

  async function find(kind) {
    search?.abort();
    search = new AbortController();
    const {signal} = search;
    const output = h("p", {class: "status", "aria-live": "polite"}, "Searching…");
    magic.replaceChildren(output, button("Stop", () => search.abort()));
    const seed = Math.floor(Math.random() * 1e9);
    try {
      const found = await ask("magic", {piece: kind, square: nameOf(origin()), seed}, {signal, partial: (p) => {
        output.replaceChildren(`${digits(p.tries)} tries; `, h("code", {}, p.candidate), ` has ${p.collisions} collisions`);
      }});
      magic.replaceChildren(h("p", {class: "status"}, `Found after ${digits(found.tries)} tries:`), h("code", {}, found.text),
        h("p", {class: "hint"}, `${digits(found.slots)} slots, none with two different attack sets; seed ${seed}`));
    } catch (error) {
      magic.replaceChildren(h("p", {class: "problem", role: "alert"}, isAbort(error) ? "Stopped." : error.message));
    }
  }

  const element = h("div", {class: "view"},
    h("section", {class: "board-side", "aria-label": "Board"}, board.element, controls,
      h("p", {class: "hint"}, "Click squares to put pieces in the way; drag the slider."),
      h("h2", {}, "Find a magic number for this square"),
      h("div", {class: "keys"}, button("For a bishop", () => find("bishop")), button("For a rook", () => find("rook"))), magic),
    h("section", {class: "panel", "aria-label": "Algorithms"}, panel));

  return {
    element,
    leave: () => search?.abort(),
    async show(next) {
      state = next;
      const turn = ++sequence;
      const reply = await ask("sliders", {piece: piece(), square: nameOf(origin()), occupancy: hex(occupied()), algorithm: state.algorithm || ""})
        .catch((error) => error);
      if (turn !== sequence) return;
      if (reply instanceof Error) {
        panel.replaceChildren(h("p", {class: "problem", role: "alert"}, reply.message));
        return;
      }
      answer = reply;
      draw();
      drawPanel();
    },
  };
}
