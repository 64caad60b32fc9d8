// The state of the page is its address, so that every view can be linked to, and Back and Forward work. Perft and
// Position share a game in it: a position and the moves from it.

import {field, h} from "./dom.js";
import {start} from "./board.js";
import {positions} from "./library.js";

const listeners = [];

export function read() {
  const state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  return forms.lesson.test(state.view) ? {...state, view: "learn", lesson: state.view} : state;
}

/** Changes pairs of the state; "" or null removes one. The browser's Back undoes the change. */
export const change = (pairs) => write(pairs, "pushState");

/** Replaces all pairs of the state. */
export const become = (pairs) => change({...Object.fromEntries(Object.keys(read()).filter((name) => name !== "embed")
  .map((name) => [name, ""])), ...pairs});

// A lesson and a game leave each other no pairs, and come back as they were.
const left = {};

export function goToView(view) {
  const now = read(), isLesson = view === "learn";
  if ((now.view === "learn") === isLesson) return change({view});
  left[!isLesson] = now;
  become({...left[isLesson], view});
}

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
  b: square, step: /^[1-9]\d*$/, at: number, column: number, pair: number, piece: /^(bishop|rook|queen)$/,
  lesson: /^(magic|sets|lines|checks|san|sliders)$/};
const wanted = new Map([[set, "hexadecimal, such as 0x00ff"], [square, "a square such as e4"], [number, "a number"],
  [forms.lesson, "a lesson"], [forms.step, "a step"]]);
const others = /^(view|fen|moves|redo|pgn|divide|depth|chess960|edit|show|flip|embed|op|on|san|place|layout)$/;

/** Returns a sentence about each pair of a state that cannot be read. */
export const faultsOf = async (state, views) => [
  ...(!state.view || views.some(({name}) => name === state.view) ? []
    : [`There is no view “${state.view}”. The tools are in Learn.`]),
  ...Object.keys(state).filter((name) => !state[name] && name !== "embed"
    || !(name in forms) && !others.test(name)).map((name) =>
    `“${name}” in the address means nothing here.`),
  ...(await Promise.all(["pgn", "divide"].map(async (name) => state[name] && !await unpacked(state[name])
    && `“${name}” in the address cannot be read.`))).filter(Boolean),
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

export function gameOf(state) {
  return {fen: state.fen || start, chess960: state.chess960 === "1", moves: state.moves ? state.moves.split(" ") : []};
}

export function play(game, uci) {
  change({moves: [...game.moves, uci].join(" "), redo: "", divide: ""});
}

export const lineOf = ({moves}, {redo}) => [...moves, ...(redo ? redo.split(" ") : [])];

/** The number of moves after a step in a game: -1, 1, or an infinite one to its first or last position. */
export const plyAt = (game, state, by) => Math.max(0, Math.min(lineOf(game, state).length, game.moves.length + by));

/** Goes to the position after a number of moves. The later moves can be redone. */
export function goTo(game, state, plies, more) {
  const all = lineOf(game, state);
  if (plies === game.moves.length) return;
  change({moves: all.slice(0, plies).join(" "), redo: all.slice(plies).join(" "), divide: "", ...more});
}

export function setUp(fen, chess960, more = {}) {
  change({fen: fen === start ? "" : fen, chess960: chess960 ? "1" : "", moves: "", redo: "", pgn: "", divide: "",
    ...more});
}

export const showGame = async ({fen, chess960, moves}, text) =>
  setUp(fen, chess960, {view: "position", moves: moves.join(" "), pgn: await packed(text)});

/** Names a position for people who do not know our names. */
export const inFull = (name) => name.replace(/^pos(.).*/, "$& (chessprogramming.org, position $1)");

export function positionMenu({fen, chess960, moves}) {
  const at = moves.length ? -1 : positions.findIndex((one) => one.fen === fen && one.chess960 === chess960);
  return field("Positions", h("select", {onchange: ({target}) => {
    const {fen: chosen, chess960: is960} = positions[target.value];
    setUp(chosen, is960);
  }}, h("option", {value: "", disabled: true, selected: at < 0}, "Choose…"),
  positions.map(({name}, i) => h("option", {value: i, selected: i === at}, inFull(name)))));
}
