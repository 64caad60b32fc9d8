// Elements and events, in as few words as a page without a framework needs.

/** Makes an element: h("button", {class: "key", onclick: f}, "text", child, ...). */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const svgNamespace = "http://www.w3.org/2000/svg";

/** Makes an element of an SVG drawing. */
export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

let labels = 0;

/** Makes a field with its label: the control gets an id and a place for what is wrong with it. */
export function field(label, control, {hint = "", wide = false} = {}) {
  control.id ||= `field-${++labels}`;
  const problem = h("p", {class: "problem", id: `${control.id}-problem`, role: "alert", hidden: true});
  control.setAttribute("aria-describedby", problem.id);
  control.problem = (text) => {
    problem.textContent = text || "";
    problem.hidden = !text;
    control.setAttribute("aria-invalid", text ? "true" : "false");
  };
  return h("div", {class: wide ? "field wide" : "field"},
    h("label", {for: control.id}, label), control, hint && h("p", {class: "hint"}, hint), problem);
}

/** Makes a group of buttons of which one is pressed. */
export function choice(label, options, chosen, onchoose) {
  const buttons = options.map(([value, text]) =>
    h("button", {type: "button", "aria-pressed": String(value === chosen), "data-value": value, onclick: () => onchoose(value)}, text));
  return h("div", {class: "choice", role: "group", "aria-label": label}, buttons);
}

/** Makes a button. */
export function button(text, onclick, attributes = {}) {
  return h("button", {type: "button", onclick, ...attributes}, text);
}

/** Copies text and says so for a moment on the button that was pressed. */
export async function copy(text, pressed) {
  const label = pressed.textContent;
  try {
    await navigator.clipboard.writeText(text);
    pressed.textContent = "Copied";
  } catch {
    pressed.textContent = "Copying is not allowed here";
  }
  setTimeout(() => { pressed.textContent = label; }, 1200);
}

/** Offers a file for download. */
export function download(name, blob) {
  const link = h("a", {href: URL.createObjectURL(blob), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Writes a number with thousands separators; n is a number or a string of digits. */
export function digits(n) {
  return String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}
