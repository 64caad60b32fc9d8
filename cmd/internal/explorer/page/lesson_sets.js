// Sets of squares are 64-bit numbers: a calculator, one group of operators at a time.

import {button, choice, copies, counted, field, h, p, textInput} from "./dom.js";
import {formsOf, layouts, operate, operators, parseLiteral} from "./literals.js";
import {change, replace} from "./state.js";
import {has, hex, nameOf, parseSet, squaresOf, toggled} from "./sets.js";
import {bitsOf, smallBoard, strips} from "./figures.js";

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
  const w = workedOut(c), layout = layoutOf(c), bits = layout.map(w.A), ends = [...squaresOf(w.A)];
  return {
    board: boardOf(w, Object.fromEntries([...Array(64).keys()].map((square) =>
      [square, String([...squaresOf(layout.map(1n << BigInt(square)))][0])]))),
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

const apply = (words) => (c) => {
  const w = workedOut(c), {A, B, chosen, result} = w, given = chosen.arity === 2 ? {A, B} : {A};
  const lost = chosen.group === "shift" ? size(A) - size(result) : 0;
  const named = {...given, [written(chosen)]: result};
  return {
    board: boardOf(w), said: `${chosen.name}: ${counted(size(result), "square")}.`,
    text: [p`${words}`, h("div", {class: `operators ${chosen.group}`, role: "group", "aria-label": chosen.group},
      w.of.map((one) => button(written(one), () => replace({op: one.symbol}), {title: one.name,
        "aria-label": one.group === "shift" ? one.name : null, "aria-pressed": String(one === chosen)}))),
    h("p", {class: "result"}, Object.values(given).map((set) => counted(size(set), "square")).join(" and "),
      ` give ${counted(size(result), "square")}.`, lost > 0 && ` ${counted(lost, "square")} left the board.`)],
    figure: [h("div", {class: "keys"}, "Show on the board:", choice("Show on the board",
      [...Object.keys(given).map((name) => [name, name]), ["result", "the result"]],
      w.on === "the result" ? "result" : w.on, (on) => replace({on}))),
    h("div", {class: "sets"}, Object.entries(named).map(([name, set]) =>
      h("figure", {}, smallBoard(set, {label: name}), h("figcaption", {}, name)))),
    strips(Object.entries(named).map(([name, set]) => ({label: name, title: `${name}: ${hex(set)}`,
      bits: bitsOf(set, () => "set")}))),
    h("div", {class: "keys"}, button("Copy the result to A", () => change({A: hex(result), on: ""})),
      button("Copy the result to B", () => change({B: hex(result), on: ""}))),
    Object.entries(given).map(([name, set]) => literalOf(c, name, set)), everyForm(c, result)],
  };
};

const steps = [
  {title: "A set of squares is a number", show: number},
  {title: "And, or, xor", group: "logic", show: apply(`Logic works on each square alone: squares of both sets, of one or
    the other, of only one. Not is ^ in Go, and ~ in C. One AND asks whether a piece stands on any of these squares.`)},
  {title: "A shift moves every square", group: "shift", show: apply(`A shift by 8 moves a whole set one rank up, a shift
    by 1 one file east. Squares that would come in at the other edge are masked away first.`)},
  {title: "Arithmetic carries along the bits", group: "arithmetic", show: apply(`A sum carries from lower to higher
    bits, a difference borrows from higher ones. So a subtraction can run along empty squares up to a piece. And a
    product is a sum of shifted copies.`)},
  {title: "Turn and mirror", group: "turn", show: apply(`A byte swap turns the ranks upside down: a board as the other
    side sees it. Other exchanges of bits mirror files, or turn the board.`)},
  {title: "Fill lines", group: "fill", show: apply(`Every line on which a set has a square is filled. Two filled sets
    meet where their lines cross.`)},
];

export const setsLesson = {
  name: "sets", short: "Sets", title: "Sets of squares, a calculator", hint: "Click squares, or drag them.", steps,
  click: (c, square) => change({[edited(c)]: hex(toggled(workedOut(c)[edited(c)], square)), on: edited(c)}),
  movable: (c, square) => workedOut(c).on.length === 1 && has(workedOut(c).shown, square),
  drop: (c, from, to) => change({[edited(c)]: hex(workedOut(c)[edited(c)] & ~(1n << BigInt(from)) | 1n << BigInt(to))}),
  controls(c) {
    const set = edited(c);
    return [button("Empty", () => change({[set]: hex(0n), on: set})),
    button("All", () => change({[set]: hex((1n << 64n) - 1n), on: set}))];
  },
};
