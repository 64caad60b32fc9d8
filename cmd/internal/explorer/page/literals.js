// 64 bits in the literals and layouts of other programs, and operators on them.

import {hex} from "./sets.js";

const all = (1n << 64n) - 1n, wrap = (n) => BigInt.asUintN(64, n);

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
  return mapped(all, (file, rank) => (lines.has(of(file, rank)) ? [file, rank] : null));
}

const step = (files, ranks) => (set) => mapped(set, (file, rank) => [file + files, rank + ranks]);

const operator = (group) => ([symbol, apply, name = symbol]) => ({group, symbol, name, apply, arity: apply.length});

/** The operators of the calculator: on one set, or on two. */
export const operators = [
  ...[["a & b", (a, b) => a & b], ["a | b", (a, b) => a | b], ["a ^ b", (a, b) => a ^ b],
    ["a &^ b", (a, b) => a & ~b], ["^a", (a) => ~a]].map(operator("logic")),
  ...[["a - b", (a, b) => a - b], ["a + b", (a, b) => a + b], ["a * b", (a, b) => a * b], ["-a", (a) => -a],
    ["a & -a", (a) => a & -a, "the lowest bit"],
    ["a & (a-1)", (a) => a & (a - 1n), "without the lowest bit"], ["a << 1", (a) => a << 1n],
      ["a >> 1", (a) => a >> 1n]].map(operator("arithmetic")),
  ...[["flip ranks", turns.vertical], ["flip files", turns.horizontal], ["rotate 180", turns.half],
    ["rotate 90", turns.clockwise, "rotate by 90 degrees clockwise"],
    ["rotate -90", turns.counterclockwise, "rotate by 90 degrees counter-clockwise"],
      ["flip a1/h8", turns.transposed]].map(operator("turn")),
  ...[["fill ranks", (a) => filled(a, (file, rank) => rank)], ["fill files", (a) => filled(a, (file) => file)],
    ["fill diagonals", (a) => filled(a, (file, rank) => rank - file)],
      ["fill anti-diagonals", (a) => filled(a, (file, rank) => rank + file)]].map(operator("fill")),
  ...[["↖", step(-1, 1), "one step north-west"], ["↑", step(0, 1), "one step north"],
    ["↗", step(1, 1), "one step north-east"], ["←", step(-1, 0), "one step west"],
    ["→", step(1, 0), "one step east"], ["↙", step(-1, -1), "one step south-west"],
      ["↓", step(0, -1), "one step south"], ["↘", step(1, -1), "one step south-east"]].map(operator("shift")),
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
  if (value > (sign ? 1n << 63n : all)) throw new Error(unreadable(text));
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
