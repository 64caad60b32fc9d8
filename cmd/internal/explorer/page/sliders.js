// The attacks of a slider, by eleven algorithms: their costs, and the steps of one on the board.

import {Board} from "./board.js";
import {ask} from "./backend.js";
import {boardSide, button, code, digits, fail, h, headOf, hint, p, panelOf, redraw, say} from "./dom.js";
import {slidersBoard, withSlider} from "./slider_board.js";
import {saveButtons} from "./picture.js";
import {replace} from "./state.js";
import {hex, nameOf, parseSet, squareOf, squaresOf} from "./sets.js";
import {bitsOf, strips} from "./strip.js";

const names = ["bishop", "rook", "queen"];

export function slidersView() {
  let state = {}, answer = null, sequence = 0;

  const context = () => ({state, piece: names.includes(state.piece) ? state.piece : "bishop",
    square: squareOf(state.slider) ?? 27,
    occupied: parseSet(state.occupied) ?? 0x0000220000402000n});
  const board = new Board("Board of a slider", {
    click: (square) => withSlider.click(context(), square),
    canDrag: (square) => withSlider.movable(context(), square),
    drop: (from, to) => to !== null && withSlider.drop(context(), from, to),
  });
  const controls = h("div", {class: "keys"}), panel = h("div", {class: "stack"});
  const list = h("div", {class: "stack"});

  const step = () => Math.min(Math.max(Number(state.step ?? 0) || 0, 0), answer.steps.length - 1);

  function draw() {
    const current = answer.steps[step()], c = context();
    board.show({pieces: slidersBoard(c), selected: state.place === "slider" ? c.square : null,
      marks: current.bits ? []
        : [{name: "set", label: current.title, squares: [...squaresOf(parseSet(current.board))], plain: true}]});
    redraw(controls, withSlider.controls.call({sliders: names}, c));
    const last = answer.steps.length - 1, goTo = (i) =>
      replace({step: Math.max(0, Math.min(i, last)) || ""});
    redraw(panel,
      h("h2", {}, `${answer.algorithm}, step ${step() + 1} of ${answer.steps.length}`),
      h("div", {class: "stepper"},
        h("ol", {}, answer.steps.map(
          (one, i) => h("li", {}, button(String(i + 1), () => goTo(i), {"aria-label": `Step ${i + 1}: ${one.title}`,
          title: one.title, "aria-current": i === step() ? "step" : null}))))),
      h("p", {class: "status"}, current.title, current.value && `: ${current.value}`),
      p`${code(current.board)}`,
      strips([{label: current.bits ? "a number" : "the set", title: current.title,
        bits: bitsOf(parseSet(current.board), () => "set")}]));
  }

  function drawList() {
    redraw(list, h("h2", {}, "Eleven algorithms, one result"),
      h("div", {class: "scroll"}, h("table", {"aria-label": "Algorithms"},
      headOf(["Algorithm", "Tables"], true),
      h("tbody", {}, answer.algorithms.map((a) => h("tr", {class: a.name === answer.algorithm ? "chosen" : null},
        h("th", {scope: "row"}, button(a.name, () => replace({algorithm: a.name, step: ""}),
          {class: "link", title: a.source, "aria-pressed": String(a.name === answer.algorithm)}),
          a.attacks === answer.attacks ? null : h("strong", {class: "problem"}, " DIFFERS")),
        h("td", {class: "number"}, a.tableBytes ? `${digits(Math.ceil(a.tableBytes / 1024))} KiB` : "none",
          a.available ? null : ", without its instruction")))))));
  }

  const element = h("div", {class: "view"},
    boardSide(board.element, controls,
      hint(withSlider.hint),
      saveButtons(board, () => ({name: "slider", sentence: panel.querySelector(".status").textContent}))),
    panelOf("Algorithms", panel, list));

  return {
    element,
    async show(next) {
      state = next;
      const turn = ++sequence, c = context();
      const reply = await ask("sliders", {piece: c.piece, square: nameOf(c.square), occupancy: hex(c.occupied),
        algorithm: state.algorithm || ""})
        .catch((error) => error);
      if (turn !== sequence) return;
      if (reply instanceof Error) {
        fail(panel, reply);
        return;
      }
      answer = reply;
      draw();
      drawList();
      say(`${answer.algorithm}, step ${step() + 1}: ${answer.steps[step()].title}`);
    },
  };
}
