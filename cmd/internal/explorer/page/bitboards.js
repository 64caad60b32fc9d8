// A calculator for sets of squares.

import {Board} from "./board.js";
import {button, choice, copies, counted, field, h, panelOf, redraw, say, textInput} from "./dom.js";
import {formsOf, layouts, operate, operators, parseLiteral} from "./literals.js";
import {saveButtons} from "./picture.js";
import {change, replace} from "./state.js";
import {hex, nameOf, parseSet, squaresOf, toggled} from "./sets.js";

const names = ["A", "B", "C"];
const initial = {A: 0x8040201008040201n, B: 0x0102040810204080n, C: 0n};

export function bitboardsView() {
  let state = {};

  const boards = Object.fromEntries(names.map((name) => {
    const board = new Board(`Board ${name}`,
      {click: (square) => change({[name]: hex(toggled(set(name), square)), on: name})});
    const literal = textInput({onchange: () => read(name)});
    const title = button(`Board ${name}`, () => replace({on: name}), {class: "board-name"});
    return [name, {board, literal, title,
      element: h("section", {class: "calculator-board", "aria-label": `Board ${name}`}, title, board.element,
      field("Bits", literal, {wide: true}))}];
  }));
  const forms = h("div"), summary = h("p", {class: "status"});
  const keys = h("div", {class: "stack"}), layoutKeys = h("div"), second = h("div"), saves = h("div");

  const set = (name) => parseSet(state[name]) ?? initial[name];
  const on = () => (names.includes(state.on) ? state.on : "A");
  const other = () => (names.includes(state.with) && state.with !== on() ? state.with : names.find(
    (name) => name !== on()));
  const layout = () => layouts.find(({name}) => name === state.layout) || layouts[0];

  function read(name) {
    const {literal} = boards[name];
    try {
      const value = parseLiteral(literal.value);
      literal.problem("");
      change({[name]: hex(layout().map(value)), on: name});
    } catch (error) {
      literal.problem(error.message);
    }
  }

  const symbolOf = (o) => (o.group === "logic" || o.group === "arithmetic" ? o.symbol.replace(/\ba\b/g, on()).replace(
    /\bb\b/g, other()) : o.symbol);

  function apply(o) {
    const target = o.arity === 2 ? "C" : on();
    change({[target]: hex(operate(o, set(on()), set(other()))), result: `${target} = ${symbolOf(o)}`});
  }

  function drawKeys() {
    redraw(layoutKeys, field("Layout of the literals: what bits 0, 1 and 8 are",
      h("select", {onchange: (e) => change({layout: e.target.value === "a1" ? "" : e.target.value})},
      layouts.map((l) => h("option", {value: l.name, selected: l === layout()}, l.squares)))));
    redraw(second, choice("The second board", names.filter((name) => name !== on())
      .map((name) => [name, `with ${name}`]), other(), (name) => replace({with: name})));
    redraw(keys, Object.entries(Object.groupBy(operators, ({group}) => group)).map(([group, members]) =>
      h("div", {class: `operators ${group}`, role: "group", "aria-label": group}, members.map((o) =>
        button(symbolOf(o), () => apply(o), {title: o.name, "aria-label": group === "shift" ? o.name : null})))),
    h("div", {class: "operators"}, button("Empty", () => change({[on()]: hex(0n)})),
      button("All", () => change({[on()]: hex((1n << 64n) - 1n)}))));
    redraw(saves, saveButtons(boards[on()].board, () => ({name: `board-${on()}`, sentence: summary.textContent})));
  }

  const element = h("div", {class: "view calculator"},
    h("div", {class: "calculator-boards"}, names.map((name) => boards[name].element)),
    panelOf("Calculator", summary, second, keys, layoutKeys,
      h("h2", {}, "In every form"), forms, saves));

  return {
    element,
    show(next) {
      state = next;
      for (const name of names) {
        const {board, literal, title} = boards[name], squares = [...squaresOf(set(name))];
        board.show({marks: [{name: "member", label: "member", squares, plain: true}]});
        literal.value = hex(layout().map(set(name)));
        literal.problem("");
        title.setAttribute("aria-pressed", String(name === on()));
      }
      const chosen = [...squaresOf(set(on()))];
      const ends = chosen.length ? `, first ${nameOf(chosen[0])}, last ${nameOf(chosen.at(-1))}` : "";
      summary.textContent = `Board ${on()}: ${counted(chosen.length, "square")}${ends}` +
        (state.result ? `. ${state.result}` : "");
      say(summary.textContent);
      redraw(forms, copies(formsOf(layout().map(set(on())))));
      drawKeys();
    },
  };
}
