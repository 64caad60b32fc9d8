// The state of the page is its address, so that every view can be linked to, and Back and Forward work.

const listeners = [];

export function read() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** Changes pairs of the state; "" or null removes one. The browser's Back undoes the change. */
export const change = (pairs) => write(pairs, "pushState");

/** Changes pairs of the state without an entry in the browser's history. */
export const replace = (pairs) => write(pairs, "replaceState");

function write(pairs, how) {
  const params = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of Object.entries(pairs)) {
    if (value === null || value === undefined || value === "") params.delete(name);
    else params.set(name, value);
  }
  if (!params.has("view")) params.set("view", "position"); // an empty address is the start page
  const hash = "#" + params;
  if (hash === location.hash) return;
  const isNew = how === "pushState", at = place() + isNew;
  if (isNew) last = at;
  history[how](at, "", hash);
  notify();
}

// States are counted from the first of a visit, so that Undo does not leave the page.
const place = () => history.state || 0;
let last = 0;

/** Reports whether there is an earlier (-1) or a later state (1) of this visit. */
export const canGo = (by) => (by < 0 ? place() > 0 : place() < last);

/** Calls a function now and after every change of the state. */
export function watch(listener) {
  listeners.push(listener);
  listener(read());
}

const notify = () => listeners.forEach((listener) => listener(read()));

addEventListener("popstate", notify);

const set = /^0x[0-9a-f]{1,16}$/i, square = /^[a-h][1-8]$/i, number = /^\d+$/;
const forms = {A: set, B: set, set, occupied: set, number: set, slider: square, king: square,
  b: square, step: number, at: number, column: number, pair: number, piece: /^(bishop|rook|queen)$/,
  lesson: /^(magic|sets|lines|checks|san|sliders)$/};
const wanted = new Map([[set, "a set such as 0x00ff"], [square, "a square such as e4"], [number, "a number"], [forms.lesson, "a lesson"]]);

/** Returns a sentence about each pair of a state that cannot be read. */
export const faultsOf = (state, views) => [
  ...(!state.view || views.some(({name}) => name === state.view) ? []
    : [`There is no view “${state.view}”. This is the start page.`]),
  ...Object.entries(forms).filter(([name, form]) => state[name] && !form.test(state[name])).map(([name, form]) =>
    `“${name}=${state[name]}” in the address is not ${wanted.get(form) || "a slider"}. The page shows its example.`)];

/** Packs a text for the address: deflate, then the letters of base64url. */
export async function packed(text) {
  const packing = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packing).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll(
    "/", "_").replaceAll("=", "");
}

/** Reads a text that was packed; "" if it cannot be read. */
export async function unpacked(letters) {
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
  } catch {
    return "";
  }
}
