// A calculator for sets of squares.

import {Board} from "./board.js";
import {ask} from "./backend.js";
import {button, choice, copy, counted, field, h, redraw, say} from "./dom.js";
import {saveButtons} from "./picture.js";
import {change} from "./state.js";
import {hex, parseSet, squaresOf, toggled} from "./sets.js";

const names = ["A", "B", "C"];
const initial = {A: 0x8040201008040201n, B: 0x0102040810204080n, C: 0n};

export function bitboardsView() {
  let state = {}, operators = null, sequence = 0;

  const boards = Object.fromEntries(names.map((name) => {
    const board = new Board(`Board ${name}`, {click: (square) => change({[name]: hex(toggled(set(name), square)), on: name})});
    const literal = h("input", {type: "text", spellcheck: "false", autocomplete: "off", onchange: () => read(name)});
    const title = h("button", {type: "button", class: "board-name", onclick: () => change({on: name}, {replace: true})}, `Board ${name}`);
    return [name, {board, literal, title, element: h("section", {class: "calculator-board", "aria-label": `Board ${name}`}, title, board.element, field("Bits", literal, {wide: true}))}];
  }));
  const forms = h("dl", {class: "facts"}), summary = h("p", {class: "status"});
  const keys = h("div", {class: "stack"}), layoutKeys = h("div"), second = h("div"), saves = h("div");

  const set = (name) => parseSet(state[name]) ?? initial[name];
  const on = () => (names.includes(state.on) ? state.on : "A");
  const other = () => (names.includes(state.with) && state.with !== on() ? state.with : names.find((name) => name !== on()));
  const layout = () => state.layout || "a1";

  async function read(name) {
    const {literal} = boards[name];
    try {
      const answer = await ask("bitboard", {text: literal.value, layout: layout()});
      literal.problem("");
      change({[name]: answer.set, on: name});
    } catch (error) {
      literal.problem(error.message);
    }
  }

  async function apply(operator) {
    const target = operator.arity === 2 ? "C" : on();
    const answer = await ask("operate", {operator: operator.name, a: hex(set(on())), b: hex(set(other())), layout: layout()});
    change({[target]: answer.set, result: `${target} = ${operator.symbol.replaceAll("a", on()).replaceAll(/\bb\b/g, other())}`});
  }

  function drawKeys() {
    const groups = Object.groupBy(operators.operators, ({group}) => group);
    const symbol = (o) => (o.group === "logic" || o.group === "arithmetic" ? o.symbol.replace(/\ba\b/g, on()).replace(/\bb\b/g, other()) : o.symbol);
    redraw(layoutKeys, field("Layout of the literals: what bits 0, 1 and 8 are", h("select", {onchange: (e) => change({layout: e.target.value === "a1" ? "" : e.target.value})},
      operators.layouts.map((l) => h("option", {value: l.name, selected: l.name === layout()}, l.square)))));
    redraw(second, choice("The second board", names.filter((name) => name !== on()).map((name) => [name, `with ${name}`]), other(), (name) => change({with: name}, {replace: true})));
    redraw(keys, Object.entries(groups).map(([group, members]) =>
      h("div", {class: `operators ${group}`, role: "group", "aria-label": group}, members.map((o) =>
        h("button", {type: "button", title: o.name, "aria-label": o.group === "shift" ? `one step ${o.name}` : null, onclick: () => apply(o)}, symbol(o))))),
    h("div", {class: "operators"}, button("Empty", () => change({[on()]: hex(0n)})), button("All", () => change({[on()]: hex((1n << 64n) - 1n)}))));
  }

  const element = h("div", {class: "view calculator"},
    h("div", {class: "calculator-boards"}, names.map((name) => boards[name].element)),
    h("section", {class: "panel", "aria-label": "Calculator"}, summary, second, keys, layoutKeys, h("h2", {}, "In every form"), forms, saves));

  return {
    element,
    async show(next) {
      state = next;
      const turn = ++sequence;
      operators ||= await ask("operators", {});
      const answers = await Promise.all(names.map((name) => ask("operate", {operator: "or", a: hex(set(name)), b: hex(0n), layout: layout()}))).catch((error) => error);
      if (turn !== sequence) return;
      if (answers instanceof Error) { summary.textContent = answers.message; return; }
      names.forEach((name, i) => {
        const {board, literal, title} = boards[name];
        board.show({marks: [{name: "member", label: "member", squares: [...squaresOf(set(name))], plain: true}]});
        literal.value = answers[i].forms[0].text;
        literal.problem("");
        title.setAttribute("aria-pressed", String(name === on()));
      });
      const chosen = answers[names.indexOf(on())];
      summary.textContent = `Board ${on()}: ${counted(chosen.count, "square")}${chosen.count ? `, first ${chosen.first}, last ${chosen.last}` : ""}${state.result ? `. ${state.result}` : ""}`;
      say(summary.textContent);
      redraw(forms, chosen.forms.flatMap(({name, text}) =>
        [h("dt", {}, name), h("dd", {}, h("code", {}, text), button("Copy", (e) => copy(text, e.target), {class: "small", "aria-label": `Copy ${name}`}))]));
      drawKeys();
      redraw(saves, saveButtons(boards[on()].board, () => ({name: `board-${on()}`, sentence: summary.textContent})));
    },
  };
}
