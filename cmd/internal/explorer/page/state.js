// The state of the page is its address: every view of anything can be linked to, and back and forward work.

const listeners = [];

/** Returns the state: the pairs after the #. */
export function read() {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/**
 * Changes pairs of the state; a pair whose value is "" or null goes. A change that a person would want to go back from
 * is a new entry of the history, a small one (a slider of a form) replaces the entry.
 */
export function change(pairs, {replace = false} = {}) {
  const params = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of Object.entries(pairs)) {
    if (value === null || value === undefined || value === "") params.delete(name);
    else params.set(name, value);
  }
  const hash = "#" + params;
  if (hash === location.hash) return;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  notify();
}

/** Calls a function now and after every change of the state. */
export function watch(listener) {
  listeners.push(listener);
  listener(read());
}

function notify() {
  const state = read();
  for (const listener of listeners) listener(state);
}

addEventListener("popstate", notify);

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
