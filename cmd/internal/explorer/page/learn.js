// Lessons: steps on one board that the reader plays with. A lesson says what each step shows. This view has the board,
// the steps and the keys. Below it is the first lesson.

import {bitsOf, Board, linkButton, saveButtons, smallBoard, strips} from "./board.js";
import {boardSide, button, choice, code, copies, counted, field, h, hint, p, redraw, say, textInput} from "./dom.js";
import {become, change, replace} from "./state.js";
import {all, has, hex, nameOf, parseSet, squareOf, squaresOf, toggled} from "./sets.js";
import {magicLesson} from "./lesson_magic.js";
import {checksLesson, linesLesson, sanLesson} from "./lesson_lines.js";
import {slidersLesson} from "./lesson_sliders.js";

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
    h("section", {class: "head", "aria-label": "Lessons and steps"}, menu, title, stepper, turn),
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
      advice.textContent = [state.step > step() && `There is no step ${state.step}.`,
        state.step && !state.lesson && "A step alone is one of this lesson.", lesson.fault?.(c),
        show.hint || lesson.hint].filter(Boolean).join(" ");
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

// Sets of squares are 64-bit numbers: a calculator, one group of operators at a time.

const examples = {arithmetic: [0x380040n, 0x80008n], // a borrow, and a carry
  fill: [0x200000040000n, 0n]}; // few lines to fill
const size = (set) => [...squaresOf(set)].length;

/** The sets of a state, the chosen operator of the step's group, and its result. */
function workedOut({state, step}) {
  const {group} = steps[step - 1], [A, B] = ["A", "B"].map((name, i) =>
    parseSet(state[name]) ?? (examples[group] || [0x8040201008040201n, 0x3c3c3c3c0000n])[i]);
  const of = operators.filter((one) => one.group === group);
  const chosen = of.find(({symbol}) => symbol === state.op) || of[0];
  const result = chosen ? operate(chosen, A, B) : A;
  const on = chosen && {B: "B", result: "the result"}[state.on] || "A";
  return {A, B, of, chosen, result, on, shown: {A, B}[on] ?? result};
}

const written = ({group, symbol}) => (group === "logic" || group === "arithmetic"
  ? symbol.replace(/\ba\b/g, "A").replace(/\bb\b/g, "B") : symbol);

const boardOf = ({shown, on}, notes = {}) =>
  ({notes, marks: [{name: "member", label: `in ${on}`, squares: [...squaresOf(shown)], plain: true}]});

const edited = (c) => (workedOut(c).on === "B" ? "B" : "A");

const layoutOf = ({state}) => layouts.find(({name}) => name === state.layout) || layouts[0];

function literalOf(c, name, set) {
  const {map} = layoutOf(c), input = textInput({value: hex(map(set)), onchange: () => {
    try {
      change({[name]: hex(map(parseLiteral(input.value)))});
    } catch (error) {
      input.problem(error.message);
    }
  }});
  return field(`Bits of ${name}`, input, {wide: true});
}

const everyForm = (c, set) => h("details", {}, h("summary", {}, "In every form"),
  copies(formsOf(layoutOf(c).map(set))));

function number(c) {
  const w = workedOut(c), layout = layoutOf(c), bits = layout.map(w.A);
  const moved = (square) => [...squaresOf(layout.map(1n << BigInt(square)))][0];
  const ends = [...squaresOf(bits)].map(moved);
  return {
    board: boardOf(w, Object.fromEntries(all.map((square) => [square, String(moved(square))]))),
    said: `${counted(ends.length, "square")}.`,
    text: [p`Each square has a number, and is that bit of a 64-bit number. So a set of squares is one number, and one
      instruction of the processor works on all 64 squares at once.`,
    p`This set has ${counted(ends.length, "square")}${ends.length ? `, first ${nameOf(ends[0])}, last ${
      nameOf(ends.at(-1))}` : ""}.`],
    figure: [strips([{label: "A", title: `The number ${hex(bits)}`, bits: bitsOf(bits, () => "set")}]),
      literalOf(c, "A", w.A),
      field("What bits 0, 1 and 8 are", h("select", {onchange: ({target: {value}}) =>
        change({layout: value === "a1" ? "" : value})}, layouts.map((one) =>
        h("option", {value: one.name, selected: one === layout}, one.squares)))), everyForm(c, w.A)],
  };
}

// A bit that receives a carry or a borrow differs from the xor of its bits. The bit before a run of them begins it.
const runsOf = (received) => [...received.toString(2).split("").reverse().join("").matchAll(/1+/g)]
  .map(({0: run, index}) => `from ${nameOf(index - 1)} to ${nameOf(index + run.length - 1)}`).join(", ");

const apply = (words) => (c) => {
  const w = workedOut(c), {A, B, chosen, result} = w, given = chosen.arity === 2 ? {A, B} : {A};
  const lost = chosen.group === "shift" ? size(A) - size(result) : 0;
  const named = {...given, [written(chosen)]: result}, moved = {"a - b": "borrow", "a + b": "carry"}[chosen.symbol];
  const runs = moved && runsOf(A ^ B ^ result);
  return {
    board: boardOf(w), said: `${chosen.name}: ${counted(size(result), "square")}.`,
    text: [p`${words}`, h("div", {class: `operators ${chosen.group}`, role: "group", "aria-label": chosen.group},
      w.of.map((one) => button(written(one), () => replace({op: one.symbol}), {title: one.name,
        "aria-label": one.group === "shift" ? one.name : null, "aria-pressed": String(one === chosen)}))),
    h("p", {class: "result"}, chosen.name !== chosen.symbol && `${chosen.name}: `, Object.values(given).map((set) => counted(size(set), "square")).join(" and "),
      ` give${given.B === undefined && size(A) === 1 ? "s" : ""} ${counted(size(result), "square")}.`, lost > 0 && ` ${counted(lost, "square")} left the board.`),
    moved && p`${runs ? `The ${moved} runs ${runs}.` : `There is no ${moved}.`}`],
    figure: [h("div", {class: "keys"}, "Show on the board:", choice("Show on the board",
      [...Object.keys(given).map((name) => [name, name]), ["result", "the result"]],
      w.on === "the result" ? "result" : w.on, (on) => replace({on}))),
    h("div", {class: "sets"}, Object.entries(named).map(([name, set]) =>
      h("figure", {}, smallBoard(set, {label: name}), h("figcaption", {}, name)))),
    strips(Object.entries(named).map(([name, set]) => ({label: name, title: `${name}: ${hex(set)}`,
      bits: bitsOf(set, () => "set")}))),
    h("div", {class: "keys"}, button("Copy the result to A", () => change({A: hex(result), on: ""})),
      button("Copy the result to B", () => change({B: hex(result), on: ""}))),
    layoutOf(c) !== layouts[0] && hint(`Below, bits 0, 1 and 8 are ${layoutOf(c).squares}, as chosen in step 1.`),
    Object.entries(given).map(([name, set]) => literalOf(c, name, set)), everyForm(c, result)],
  };
};

const steps = [
  {title: "A set of squares is a number", show: number},
  {title: "And, or, xor", group: "logic", show: apply(`Logic works on each square alone. Not is ^ in Go, and ~ in C. One AND asks whether a piece stands on any of these squares.`)},
  {title: "A shift moves every square", group: "shift", show: apply(`With a1 as bit 0 and b1 as bit 1, a shift by 8
    moves a whole set one rank up, a shift by 1 one file east. Squares that would come in at the other edge are masked away first.`)},
  {title: "Arithmetic carries along the bits", group: "arithmetic", show: apply(`A sum carries from lower to higher
    bits, a difference borrows from higher ones. So a subtraction can run along empty squares up to a piece. And a
    product is a sum of shifted copies.`)},
  {title: "Turn and mirror", group: "turn", show: apply(`A byte swap turns the ranks upside down: a board as the other
    side sees it. Other exchanges of bits mirror files, or turn the board.`)},
  {title: "Fill lines", group: "fill", show: apply(`Every line on which a set has a square is filled. Two filled sets
    meet where their lines cross.`)},
];

const setsLesson = {
  name: "sets", short: "Sets", title: "Sets of squares, a calculator",
  hint: "Click squares, or drag one of the set.", steps,
  fault: (c) => [["op", workedOut(c).chosen?.symbol], ["layout", layoutOf(c).name]].filter(([name, read]) =>
    c.state[name] && c.state[name] !== read).map(([name]) => `There is no ${name} “${c.state[name]}” here.`).join(" "),
  click: (c, square) => change({[edited(c)]: hex(toggled(workedOut(c)[edited(c)], square)), on: edited(c)}),
  movable: (c, square) => workedOut(c).on.length === 1 && has(workedOut(c).shown, square),
  drop: (c, from, to) => change({[edited(c)]: hex(workedOut(c)[edited(c)] & ~(1n << BigInt(from)) | 1n << BigInt(to))}),
  controls(c) {
    const set = edited(c);
    return [button("Empty", () => change({[set]: hex(0n), on: set})),
    button("All", () => change({[set]: hex((1n << 64n) - 1n), on: set}))];
  },
};

// 64 bits in the literals and layouts of other programs, and operators on them.

const whole = (1n << 64n) - 1n, wrap = (n) => BigInt.asUintN(64, n);

/** Moves each square of a set to where a function puts it; null removes it. */
function mapped(set, to) {
  let result = 0n;
  for (let square = 0; square < 64; square++) {
    const place = (set >> BigInt(square)) & 1n ? to(square & 7, square >> 3) : null;
    if (place && place.every((n) => n >= 0 && n < 8)) result |= 1n << BigInt(8 * place[1] + place[0]);
  }
  return result;
}

const turn = (to) => (set) => mapped(set, to);

const turns = {
  none: turn((file, rank) => [file, rank]), vertical: turn((file, rank) => [file, 7 - rank]),
    horizontal: turn((file, rank) => [7 - file, rank]),
  half: turn((file, rank) => [7 - file, 7 - rank]), clockwise: turn((file, rank) => [rank, 7 - file]),
    counterclockwise: turn((file, rank) => [7 - rank, file]),
  transposed: turn((file, rank) => [rank, file]),
};

/** Layouts by what their bits 0, 1 and 8 stand for. Each mapping is its own inverse. */
export const layouts = [
  {name: "a1", squares: "a1, b1, a2", map: turns.none}, {name: "h1", squares: "h1, g1, h2", map: turns.horizontal},
  {name: "a8", squares: "a8, b8, a7", map: turns.vertical}, {name: "h8", squares: "h8, g8, h7", map: turns.half},
  {name: "a1 by files", squares: "a1, a2, b1", map: turns.transposed},
];

/** Fills the lines on which a set has squares; of tells the line of a square. */
function filled(set, of) {
  const lines = new Set();
  mapped(set, (file, rank) => { lines.add(of(file, rank)); return null; });
  return mapped(whole, (file, rank) => (lines.has(of(file, rank)) ? [file, rank] : null));
}

const step = (files, ranks) => (set) => mapped(set, (file, rank) => [file + files, rank + ranks]);

const operator = (group) => ([symbol, apply, name = symbol]) => ({group, symbol, name, apply, arity: apply.length});

/** The operators of the calculator: on one set, or on two. */
export const operators = [
  ...[["a & b", (a, b) => a & b, "In both"], ["a | b", (a, b) => a | b, "In A, in B or in both"],
    ["a ^ b", (a, b) => a ^ b, "In only one"], ["a &^ b", (a, b) => a & ~b, "In A, not in B"],
    ["^a", (a) => ~a, "Not in A"]].map(operator("logic")),
  ...[["a - b", (a, b) => a - b, "Minus as numbers"], ["a + b", (a, b) => a + b, "Plus as numbers"],
    ["a * b", (a, b) => a * b, "Times, the low 64 bits"], ["-a", (a) => -a, "2⁶⁴ − A"],
    ["a & -a", (a) => a & -a, "The lowest bit"],
    ["a & (a-1)", (a) => a & (a - 1n), "Without the lowest bit"], ["a << 1", (a) => a << 1n, "One bit up, h1 to a2"],
      ["a >> 1", (a) => a >> 1n, "One bit down, a2 to h1"]].map(operator("arithmetic")),
  ...[["flip ranks", turns.vertical], ["flip files", turns.horizontal], ["rotate 180", turns.half],
    ["rotate 90", turns.clockwise, "Rotated by 90 degrees clockwise"],
    ["rotate -90", turns.counterclockwise, "Rotated by 90 degrees counter-clockwise"],
      ["flip a1/h8", turns.transposed]].map(operator("turn")),
  ...[["fill ranks", (a) => filled(a, (file, rank) => rank)], ["fill files", (a) => filled(a, (file) => file)],
    ["fill diagonals", (a) => filled(a, (file, rank) => rank - file)],
      ["fill anti-diagonals", (a) => filled(a, (file, rank) => rank + file)]].map(operator("fill")),
  ...[["↖", step(-1, 1), "One step north-west"], ["↑", step(0, 1), "One step north"],
    ["↗", step(1, 1), "One step north-east"], ["←", step(-1, 0), "One step west"],
    ["→", step(1, 0), "One step east"], ["↙", step(-1, -1), "One step south-west"],
      ["↓", step(0, -1), "One step south"], ["↘", step(1, -1), "One step south-east"]].map(operator("shift")),
];

export const operate = ({apply}, a, b) => wrap(apply(a, b));

/**
 * Reads a literal of 64 bits: hexadecimal (0x), octal (0o), binary (0b) or decimal with a sign; with the suffixes of C,
 * Java and Rust, digits separated by _ or ', and a conversion such as uint64(...) around it.
 */
export function parseLiteral(text) {
  const inner = text.trim().replace(/^[\w.]*\(([^()]*)\)$/, "$1").replace(/[;,\s]+$/, "").trim().toLowerCase();
  const [, sign, digits] =
    /^(-?)((?:0x[\da-f_']+|0o?[0-7_']*|0b[01_']+|[1-9][\d_']*)(?=$|u64$|i64$|ull$|llu$|ul$|lu$|ll$|u$|l$|n$))/.exec(
    inner) || [];
  const plain = digits?.replace(/[_']/g, "").replace(/^0(?=\d)/, "0o");
  if (!plain || !/\d/.test(plain) || /^0[xob]$/.test(plain)) throw new Error(unreadable(text));
  const value = BigInt(plain);
  if (value > (sign ? 1n << 63n : whole)) throw new Error(unreadable(text));
  return wrap(sign ? -value : value);
}

const unreadable = (text) => `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}” is not a 64-bit number ` +
  `(0x1f, 0b101, 42, -1, with the suffixes of C, Java and Rust)`;

export function formsOf(value) {
  return [["Hexadecimal", hex(value)], ["Decimal", String(value)], ["Signed", String(BigInt.asIntN(64, value))],
    ["Binary", `0b${value.toString(2).padStart(64, "0")}`],
    ["Go", `uint64(${hex(value)})`], ["C, C++", `${hex(value)}ULL`], ["Rust", `${hex(value)}_u64`],
      ["Java", `${hex(value)}L`], ["Python", hex(value)]];
}

const lessons = [setsLesson, linesLesson, checksLesson, sanLesson, magicLesson, slidersLesson];
