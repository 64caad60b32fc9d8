// What a slider attacks, by eleven algorithms: their costs in a list, the steps of one on the board.

import {Board} from "./board.js";
import {ask, isAbort} from "./backend.js";
import {button, choice, digits, h, redraw, say} from "./dom.js";
import {slidersBoard, withSlider} from "./slider_board.js";
import {saveButtons} from "./picture.js";
import {change} from "./state.js";
import {hex, nameOf, parseSet, squareOf, squaresOf} from "./sets.js";
import {binary, bitsOf, strips} from "./strip.js";

const names = ["bishop", "rook", "queen"];

export function slidersView() {
  let state = {}, answer = null, speeds = null, sequence = 0, search = null;

  const context = () => ({state, piece: names.includes(state.piece) ? state.piece : "bishop",
    square: squareOf(state.slider) ?? 27,
    occupied: parseSet(state.occupied) ?? 0x0000220000402000n});
  const board = new Board("Board of a slider", {
    click: (square) => withSlider.click(context(), square),
    canDrag: (square) => withSlider.movable(context(), square),
    drop: (from, to) => to !== null && withSlider.drop(context(), from, to),
  });
  const controls = h("div", {class: "keys"}), panel = h("div", {class: "stack"}), magic = h("div", {class: "stack"});
  const list = h("div", {class: "stack"});

  const step = () => Math.min(Math.max(Number(state.step ?? answer.steps.length - 1) || 0, 0), answer.steps.length - 1);

  function draw() {
    const current = answer.steps[step()], c = context();
    board.show({pieces: slidersBoard(c), selected: state.place === "slider" ? c.square : null,
      marks: current.bits ? []
        : [{name: "set", label: current.title, squares: [...squaresOf(parseSet(current.board))], plain: true}]});
    redraw(controls, withSlider.controls.call({sliders: names}, c));
    const last = answer.steps.length - 1, goTo = (i) =>
      change({step: i === last ? "" : Math.max(0, Math.min(i, last))}, {replace: true});
    redraw(panel,
      h("h2", {}, `${answer.algorithm}, step ${step() + 1} of ${answer.steps.length}`),
      h("div", {class: "stepper"},
        button("‹", () => goTo(step() - 1), {"aria-label": "Previous step", off: step() === 0}),
        h("ol", {}, answer.steps.map(
          (one, i) => h("li", {}, button(String(i + 1), () => goTo(i), {"aria-label": `Step ${i + 1}: ${one.title}`,
          title: one.title, "aria-current": i === step() ? "step" : null})))),
        button("›", () => goTo(step() + 1), {"aria-label": "Next step", off: step() === last})),
      h("p", {class: "status"}, current.title, current.value && `: ${current.value}`),
      h("p", {}, h("code", {}, current.board), current.bits && [" ", h("code", {}, binary(parseSet(current.board)))]),
      strips([{label: current.bits ? "a number" : "the set", title: current.title,
        bits: bitsOf(parseSet(current.board), () => "set")}]));
  }

  function drawList() {
    redraw(list, h("h2", {}, "Eleven algorithms, one result"),
      h("div", {class: "scroll"}, h("table", {"aria-label": "Algorithms"},
      h("thead", {}, h("tr", {}, ["Algorithm", "Tables", "One lookup here"]
        .map((name, i) => h("th", {scope: "col", class: i ? "number" : null}, name)))),
      h("tbody", {}, answer.algorithms.map((a) => h("tr", {class: a.name === answer.algorithm ? "chosen" : null},
        h("th", {scope: "row"}, button(a.name, () => change({algorithm: a.name, step: ""}, {replace: true}),
          {class: "link", title: a.source, "aria-pressed": String(a.name === answer.algorithm)}),
          a.attacks === answer.attacks ? null : h("strong", {class: "problem"}, " DIFFERS")),
        h("td", {class: "number"}, a.tableBytes ? `${digits(Math.ceil(a.tableBytes / 1024))} KiB` : "none"),
        h("td", {class: "number"}, speeds ? `${speeds[a.name].toFixed(1)} ns` : "", a.available ? null : " without " +
          "its instruction")))))),
    button("Measure here", async (e) => {
      e.target.textContent = "Measuring…";
      speeds = await ask("speeds", {piece: context().piece}).catch(() => null);
      say("Measured.");
      drawList();
    }));
  }

  async function find(kind) {
    search?.abort();
    search = new AbortController();
    const {signal} = search, seed = Math.floor(Math.random() * 1e9), output = h("p", {class: "status"}, "Searching…");
    redraw(magic, output, button("Stop", () => search.abort()));
    let words = "Stopped.";
    try {
      const found = await ask("magic", {piece: kind, square: nameOf(context().square), seed},
        {signal, partial: ({tries}) => { output.textContent = `${digits(tries)} tries…`; }});
      words = `Found after ${digits(found.tries)} tries: ${found.text}`;
      redraw(magic, h("p", {class: "status"}, `Found after ${digits(found.tries)} tries:`), h("code", {}, found.text),
        button("See it work", () => change({view: "learn", lesson: "", step: 4, piece: kind, number: found.magic})),
        h("p", {class: "hint"}, `${digits(found.slots)} slots, none with two different attack sets; seed ${seed}`));
    } catch (error) {
      words = isAbort(error) ? words : error.message;
      redraw(magic, h("p", {class: "problem"}, words));
    }
    say(words);
  }

  const element = h("div", {class: "view"},
    h("section", {class: "board-side", "aria-label": "Board"}, board.element, controls,
      h("p", {class: "hint"}, withSlider.hint),
      saveButtons(board, () => ({name: "slider", sentence: panel.querySelector(".status").textContent}))),
    h("section", {class: "panel", "aria-label": "Algorithms"}, panel, list,
      h("h2", {}, "Find a magic number for this square"),
      h("div", {class: "keys"}, button("For a bishop", () => find("bishop")),
        button("For a rook", () => find("rook"))), magic));

  return {
    element,
    leave: () => search?.abort(),
    async show(next) {
      state = next;
      const turn = ++sequence, c = context();
      const reply = await ask("sliders", {piece: c.piece, square: nameOf(c.square), occupancy: hex(c.occupied),
        algorithm: state.algorithm || ""})
        .catch((error) => error);
      if (turn !== sequence) return;
      if (reply instanceof Error) {
        redraw(panel, h("p", {class: "problem"}, reply.message));
        say(reply.message);
        return;
      }
      answer = reply;
      draw();
      drawList();
      say(`${answer.algorithm}, step ${step() + 1}: ${answer.steps[step()].title}`);
    },
  };
}
