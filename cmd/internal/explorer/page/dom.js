// Elements and events, for a page without a framework.

/** Makes an element: h("button", {class: "key", onclick: f}, "text", child). Leaves null and false children out. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const svgNamespace = "http://www.w3.org/2000/svg";

export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value == null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...shownOf(children));
  return element;
}

const shownOf = (children) => children.flat(Infinity).filter((child) => child !== false && child != null);

/** Makes a paragraph of a template: p`a bishop on ${element}`. */
export const p = (texts, ...values) => h("p", {}, texts.flatMap((text, i) => [text, values[i]]));

export const code = (...children) => h("code", {}, ...children);
export const hint = (...children) => h("p", {class: "hint"}, ...children);
export const strong = (...children) => h("strong", {}, ...children);
export const result = (...children) => h("p", {class: "result"}, ...children);
export const chip = (name, text) => h("span", {class: `chip ${name}`}, text);

const nameOfControl = (control) => control.getAttribute("aria-label") || control.labels?.[0]?.textContent
  || control.textContent;

export const boardSide = (...children) => h("section", {class: "board-side", "aria-label": "Board"}, ...children);
export const panelOf = (label, ...children) => h("section", {class: "panel", "aria-label": label}, ...children);

/** Makes the head of a table; the columns from the second on are numbers if numbers is set. */
export const headOf = (columns, numbers = false) => h("thead", {}, h("tr", {}, columns.map((column, i) =>
  h("th", {scope: "col", class: numbers && i && i < 3 ? "number" : null}, column))));

const facts = (rows) => h("dl", {class: "facts"},
  rows.map(([name, ...values]) => [h("dt", {}, name), h("dd", {}, values)]));

export const copies = (rows) => facts(rows.map(([name, text]) => [name, code(text), button("Copy",
  (e) => copy(text, e.target), {class: "small", "aria-label": `Copy ${name}`})]));

/** Replaces the children of an element. The focus stays on the control of the same name, or else in the same place. */
export function redraw(element, ...children) {
  const focused = document.activeElement, had = focused !== element && element.contains(focused);
  const controls = () => [...element.querySelectorAll("button, input, select, textarea, summary, a[href]")];
  const name = had && nameOfControl(focused), place = had && controls().indexOf(focused);
  element.replaceChildren(...shownOf(children));
  if (!had) return;
  const now = controls(), named = now.find((c) => c.tagName === focused.tagName && nameOfControl(c) === name);
  (named || now[Math.min(place, now.length - 1)] || document.getElementById("main")).focus({preventScroll: true});
}

let labels = 0;

/** Makes a labelled field. It gives the control an id, and a method that shows a problem below it. */
export function field(label, control, {wide = false} = {}) {
  control.id ||= `field-${++labels}`;
  const problem = h("p", {class: "problem", id: `${control.id}-problem`, hidden: true});
  control.setAttribute("aria-describedby", problem.id);
  control.problem = (text) => {
    if (text && text !== problem.textContent) say(text);
    problem.textContent = text || "";
    problem.hidden = !text;
    control.setAttribute("aria-invalid", !!text);
  };
  return h("div", {class: wide ? "field wide" : "field"}, h("label", {for: control.id}, label), control, problem);
}

export const textInput = (attributes) => h("input", {type: "text", spellcheck: "false", autocomplete: "off",
  ...attributes});

/** Makes a field for several lines, which are read a quarter of a second after the last key. */
export function textArea(read, attributes) {
  let typing = null;
  return h("textarea", {rows: 6, spellcheck: "false", oninput: () => {
    clearTimeout(typing);
    typing = setTimeout(read, 250);
  }, ...attributes});
}

export function choice(label, options, chosen, onchoose) {
  const buttons = options.map(([value, text]) =>
    h("button", {type: "button", "aria-pressed": String(value === chosen), onclick: () => onchoose(value)}, text));
  return h("div", {class: "choice", role: "group", "aria-label": label}, buttons);
}

/** Makes a button. A button that is off keeps the focus. */
export function button(text, onclick, {off = false, ...attributes} = {}) {
  const made = h("button", {type: "button", "aria-disabled": off ? "true" : null, ...attributes}, text);
  made.addEventListener("click", (event) => made.getAttribute("aria-disabled") !== "true" && onclick(event));
  return made;
}

/** Makes a button for each move of a game, which goes to the position after it; at is the number of moves made. */
export const pliesOf = (line, at, go) => line?.map((san, i) => h("li", {}, button(san, () => go(i + 1),
  {"aria-label": `${san}, ply ${i + 1}`, "aria-current": i + 1 === at ? "step" : null,
    class: i < at ? null : "undone"})));

let said = "", saying = null;

/** Tells screen readers a text: the last one given within half a second. */
export function say(text) {
  said = text;
  saying ||= setTimeout(() => {
    saying = null;
    document.getElementById("status").textContent = said;
  }, 500);
}

/** Copies text, and says so on the pressed button for a moment. */
export async function copy(text, pressed) {
  const label = pressed.textContent;
  let result = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    result = "Copying is not allowed here";
  }
  pressed.textContent = result;
  say(result);
  setTimeout(() => { pressed.textContent = label; }, 1200);
}

export function download(name, blob) {
  const link = h("a", {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function digits(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

export const counted = (n, noun) => `${digits(n)} ${noun}${Number(n) === 1 ? "" : "s"}`;
