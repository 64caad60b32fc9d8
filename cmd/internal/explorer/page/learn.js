// Lessons: a few steps each, on one board that the reader plays with. A lesson says what a step shows; this view has
// the board, the steps and the keys.

import {Board} from "./board.js";
import {button, choice, copy, h, redraw, say} from "./dom.js";
import {saveButtons} from "./picture.js";
import {change} from "./state.js";
import {parseSet, squareOf} from "./sets.js";
import {magicLesson} from "./lesson_magic.js";
import {linesLesson} from "./lesson_lines.js";
import {checksLesson} from "./lesson_checks.js";
import {sanLesson} from "./lesson_san.js";
import {raysLesson} from "./lesson_rays.js";

const lessons = [magicLesson, linesLesson, checksLesson, sanLesson, raysLesson];
const secondsPerStep = 6;

export function learnView() {
  let state = {}, lesson = magicLesson, sentence = "", playing = null, sequence = 0;

  const board = new Board("Board of the lesson", {
    click: (square) => lesson.click(context(), square),
    canDrag: (square) => (lesson.movable || (() => false))(context(), square),
    drop: (from, to) => to !== null && lesson.drop(context(), from, to),
  });
  const controls = h("div", {class: "keys"}), hint = h("p", {class: "hint"});
  const choose = h("nav", {class: "lessons", "aria-label": "Lessons"}), title = h("h2");
  const stepper = h("div", {class: "stepper"}),
    panel = h("section", {class: "panel step", "aria-label": "The step"}),
    code = h("section", {class: "listing", "aria-label": "Code"});

  const step = () => Math.min(Math.max(Number(state.step) || 1, 1), lesson.steps.length);
  const context = () => ({state, step: step(), change, ...sliderOf(state, lesson)});

  function goTo(next) {
    if (next >= 1 && next <= lesson.steps.length) change({step: next === 1 ? "" : next}, {replace: true});
  }

  function play() {
    clearTimeout(playing);
    playing = setTimeout(() => {
      goTo(step() + 1);
      if (step() < lesson.steps.length) play();
      else stop();
    }, 1000 * secondsPerStep);
    drawStepper();
  }

  function stop() {
    if (playing === null) return;
    clearTimeout(playing);
    playing = null;
    drawStepper();
  }

  addEventListener("keydown", (event) => {
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!by || !element.isConnected || event.target.closest(".board, input, select, textarea, [role=tablist]")) return;
    event.preventDefault();
    stop();
    goTo(step() + by);
  });

  function drawStepper() {
    const last = lesson.steps.length;
    redraw(stepper,
      button("‹", () => { stop(); goTo(step() - 1); }, {"aria-label": "Previous step", off: step() === 1}),
      h("ol", {}, lesson.steps.map((one, i) => h("li", {class: one.after ? "after" : null},
        button(String(i + 1), () => { stop(); goTo(i + 1); }, {"aria-label": `Step ${i + 1}: ${one.title}`,
          title: one.title, "aria-current": i + 1 === step() ? "step" : null})))),
      button("›", () => { stop(); goTo(step() + 1); }, {"aria-label": "Next step", off: step() === last}),
      button(playing === null ? "Play" : "Pause", () => {
        if (playing !== null) { stop(); return; }
        if (step() === last) goTo(1);
        play();
      }, {class: "play"}));
  }

  const element = h("div", {class: "view learn"},
    h("section", {class: "board-side", "aria-label": "Board"}, board.element, controls, hint,
      saveButtons(board, () => ({name: `${lesson.name}-${step()}`, sentence}))),
    h("section", {class: "head", "aria-label": "Lessons and steps"}, choose, title, stepper),
    panel, code);

  return {
    element,
    leave: stop,
    async show(next) {
      state = next;
      const turn = ++sequence, changed = lesson, before = panel.dataset.step;
      lesson = lessons.find(({name}) => name === state.lesson) || magicLesson;
      if (changed !== lesson) stop();
      redraw(choose, choice("Lessons", lessons.map(({name, short}) => [name, short]), lesson.name, (name) => {
        stop();
        change({lesson: name === "magic" ? "" : name, step: "", slider: "", occupied: "", number: "", column: "",
          place: ""});
      }));
      title.textContent = lesson.title;
      document.title = `${lesson.title} - Fianchetto`;
      drawStepper();
      const c = context(), now = lesson.steps[step() - 1];
      const shown = await Promise.resolve(now.show(c)).catch(
        (error) => ({board: {}, text: [h("p", {class: "problem"}, error.message)]}));
      if (turn !== sequence) return;
      board.show(shown.board);
      redraw(controls, lesson.controls(c), button("Copy link", (e) => copy(location.href, e.target)));
      hint.textContent = shown.hint || lesson.hint;
      redraw(panel, h("h3", {}, `${step()}. ${now.title}`), shown.text, shown.figure);
      panel.dataset.step = lesson.name + step();
      sentence = `${lesson.title}, step ${step()}: ${now.title}. ${shown.said || ""}`;
      if (panel.dataset.step !== before || shown.said) say(sentence);
      const listing = now.listing || lesson.code;
      redraw(code, listing && h("ol", {class: "code"}, listing(c).map((line, i) =>
        h("li", {"aria-current": now.code.includes(i) ? "true" : null}, h("code", {}, line)))));
    },
  };
}

/** The slider of a lesson, its square and the pieces around, as they stand in the address. */
function sliderOf(state, lesson) {
  const piece = (lesson.sliders || []).includes(state.piece) ? state.piece : "bishop";
  const square = squareOf(state.slider) ?? 27;
  const occupied = (parseSet(state.occupied) ?? 0x0000220000402000n) & ~(1n << BigInt(square));
  return {piece, square, occupied};
}
