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
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...shownOf(children));
  return element;
}

const shownOf = (children) => children.flat(3).filter((child) => child !== null && child !== undefined
  && child !== false);

const nameOfControl = (control) => control.getAttribute("aria-label") || control.labels?.[0]?.textContent
  || control.textContent;

/**
 * Replaces the children of an element. Who had the focus has it afterwards: the control of that name or, if there is
 * none any more, the one in its place.
 */
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

/** Makes a field with its label: the control gets an id and a place for what is wrong with it. */
export function field(label, control, {hint = "", wide = false} = {}) {
  control.id ||= `field-${++labels}`;
  const problem = h("p", {class: "problem", id: `${control.id}-problem`, hidden: true});
  control.setAttribute("aria-describedby", problem.id);
  control.problem = (text) => {
    if (text && text !== problem.textContent) say(text);
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
    h("button", {type: "button", "aria-pressed": String(value === chosen), "data-value": value, onclick: () =>
      onchoose(value)}, text));
  return h("div", {class: "choice", role: "group", "aria-label": label}, buttons);
}

/** Makes a button. One that is off can still be reached by keyboard, so that pressing it never loses the focus. */
export function button(text, onclick, {off = false, ...attributes} = {}) {
  const made = h("button", {type: "button", "aria-disabled": off ? "true" : null, ...attributes}, text);
  made.addEventListener("click", (event) => made.getAttribute("aria-disabled") !== "true" && onclick(event));
  return made;
}

let said = "", saying = null;

/** Says what happened in the page's one status region: the last of what is said within half a second. */
export function say(text) {
  said = text;
  saying ||= setTimeout(() => {
    saying = null;
    document.getElementById("status").textContent = said;
  }, 500);
}

/** Copies text and says so for a moment on the button that was pressed. */
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

/** Writes "1 square", "2 squares". */
export const counted = (n, noun) => `${digits(n)} ${noun}${Number(n) === 1 ? "" : "s"}`;
