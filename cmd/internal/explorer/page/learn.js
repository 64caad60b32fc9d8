// Lessons: steps on one board that the reader plays with. A lesson says what each step shows. This view has the board,
// the steps and the keys.

import {Board, linkButton, saveButtons} from "./board.js";
import {boardSide, button, choice, code, h, hint, redraw, say} from "./dom.js";
import {become, change, replace} from "./state.js";
import {parseSet, squareOf} from "./sets.js";
import {magicLesson} from "./lesson_magic.js";
import {checksLesson, linesLesson, sanLesson} from "./lesson_lines.js";
import {setsLesson} from "./lesson_sets.js";
import {slidersLesson} from "./lesson_sliders.js";

const lessons = [setsLesson, linesLesson, checksLesson, sanLesson, magicLesson, slidersLesson];
const tools = [["Set calculator", setsLesson, 2], ["Intersections", linesLesson, 6], ["Checks", checksLesson, 5],
  ["Magic numbers", magicLesson, 8], ["Sliders", slidersLesson, 5]];

export function learnView() {
  let state = {}, lesson = setsLesson, sentence = "", playing = null, sequence = 0, shown = {};

  const board = new Board("Board of the lesson", {
    click: (square) => lesson.click(context(), square),
    canDrag: (square) => lesson.movable?.(context(), square),
    drop: (from, to) => to !== null && lesson.drop(context(), from, to),
    enter: (square) => shown.enter?.(square),
  });
  const controls = h("div", {class: "keys"}), advice = hint();
  const menu = h("nav", {class: "lessons scroll", "aria-label": "Lessons"}), title = h("h2"), words = h("div");
  const stepper = h("div", {class: "stepper"}), turn = h("div", {class: "keys turn"}),
    panel = h("section", {class: "panel step", "aria-label": "The step"}),
    listing = h("section", {class: "listing", "aria-label": "Code"});

  const step = () => Math.min(Math.max(Number(state.step) || 1, 1), lesson.steps.length);
  const context = () => ({state, step: step(), change, replace, look: (pieces) => board.show(pieces),
    ...sliderOf(state, lesson, lesson.steps[step() - 1])});

  function goTo(next) {
    change({lesson: lesson.name, step: next === 1 ? "" : next, at: "", op: "", on: ""});
  }

  function turnTo(next) {
    stop();
    goTo(Math.min(Math.max(next, 1), lesson.steps.length));
    if (panel.getBoundingClientRect().top < 0) element.scrollIntoView();
  }

  function choose({name}) {
    stop();
    become({view: "learn", lesson: name});
  }

  // Waits as long as the text of the step takes to read, or for a moment. The next one, when shown, plays on.
  function play() {
    clearTimeout(playing);
    const {next = step() < lesson.steps.length && (() => goTo(step() + 1))} = shown;
    if (!next) return stop();
    const time = shown.time || 250 * words.innerText.split(/\s+/).length;
    playing = setTimeout(next, time);
    stepper.style.setProperty("--reading", `${time}ms`);
    drawStepper();
  }

  function stop() {
    if (playing === null) return;
    clearTimeout(playing);
    playing = null;
    drawStepper();
  }

  function drawStepper() {
    const next = lesson.steps[step()];
    redraw(stepper,
      h("ol", {}, lesson.steps.map((one, i) => h("li", {class: one.after ? "after" : null},
        button(String(i + 1), () => turnTo(i + 1), {"aria-label": `Step ${i + 1}: ${one.title}`,
          title: one.title, "aria-current": i + 1 === step() ? "step" : null})))),
      button(playing === null ? "Play" : "Pause", () => {
        if (playing !== null) return stop();
        if (!next && !shown.next) goTo(1);
        play();
      }, {class: playing === null ? "play" : "play reading"}));
    const after = lessons[lessons.indexOf(lesson) + 1];
    redraw(turn, button("Back", () => turnTo(step() - 1), {off: step() === 1}),
      next ? button(["Next", h("span", {}, `: ${next.title}`)], () => turnTo(step() + 1), {class: "primary"})
        : after ? button(["Next lesson", h("span", {}, `: ${after.short}`)], () => choose(after), {class: "primary"})
        : h("span", {}, "The end."));
  }

  const save = saveButtons(board, () => ({name: `${lesson.name}-${step()}`, sentence}));
  save.append(linkButton());
  const element = h("div", {class: "view learn"},
    h("section", {class: "head", "aria-label": "Lessons and steps"}, menu, title, stepper, turn,
      h("nav", {class: "keys tools", "aria-label": "Tools"}, "Tools:", tools.map(([name, {name: lesson}, step]) =>
        h("a", {href: `#view=${lesson}&step=${step}`}, name)))),
    h("div", {class: "side"}, boardSide(board.element), h("div", {class: "controls"}, controls, advice), listing, save),
    panel);

  return {
    element,
    turn: (by) => turnTo(step() + by),
    leave: stop,
    async show(next) {
      state = next;
      const mine = ++sequence, changed = lesson, before = panel.dataset.step;
      lesson = lessons.find(({name}) => name === state.lesson) || (state.step ? magicLesson : setsLesson); // old links
      if (changed !== lesson) stop();
      redraw(menu, choice("Lessons", lessons.map((one) => [one, one.short]), lesson, choose));
      if (changed !== lesson) menu.querySelector("[aria-pressed=true]").scrollIntoView({block: "nearest"});
      title.textContent = lesson.title;
      document.title = `${lesson.title} - Fianchetto`;
      drawStepper();
      const c = context(), now = lesson.steps[step() - 1];
      const show = await Promise.resolve(now.show(c)).catch(
        (error) => ({board: {}, text: h("p", {class: "problem"}, error.message)}));
      if (mine !== sequence) return;
      shown = show;
      board.show(show.board);
      redraw(controls, lesson.controls(c));
      advice.textContent = (state.step > step() ? `There is no step ${state.step}. ` : "") + (show.hint || lesson.hint);
      redraw(words, show.text);
      redraw(panel, h("h3", {}, `${step()}. ${now.title}`), words, show.figure);
      panel.dataset.step = lesson.name + step();
      sentence = `${lesson.title}, step ${step()}: ${now.title}. ${show.said || ""}`;
      if (panel.dataset.step !== before || show.said) say(sentence);
      const lines = now.listing || lesson.code;
      redraw(listing, lines && h("ol", {class: "code"}, lines(c).map((line, i) =>
        h("li", {"aria-current": now.code.includes(i) ? "true" : null}, code(line)))));
      if (playing !== null) play();
    },
  };
}

/** The slider of a lesson, its square and the pieces around it: those of the address, or of the step's example. */
function sliderOf(state, lesson, now) {
  const piece = (lesson.sliders || []).includes(state.piece) ? state.piece : "bishop";
  const square = squareOf(state.slider) ?? now.square ?? 27;
  const occupied = (parseSet(state.occupied) ?? 0x00002a0040002000n) & ~(1n << BigInt(square));
  return {piece, square, occupied};
}
