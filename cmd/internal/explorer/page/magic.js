// The arithmetic of magic bitboards, exact in 64 bits, tested against the library for every square.

import {numbers} from "./library.js";
import {setOf} from "./sets.js";

export const sliders = ["bishop", "rook"];

/** The names and steps (files, ranks) of the rays of a slider. */
export const directions = {
  bishop: [["north-east", 1, 1], ["north-west", -1, 1], ["south-east", 1, -1], ["south-west", -1, -1]],
  rook: [["north", 0, 1], ["east", 1, 0], ["south", 0, -1], ["west", -1, 0]],
};
directions.queen = [...directions.bishop, ...directions.rook];

const bit = (square) => 1n << BigInt(square);

/** Returns the squares of a ray, up to and including the first occupied one. */
export function rayOf(square, [, files, ranks], occupied) {
  const ray = [];
  for (let file = (square & 7) + files, rank = (square >> 3) + ranks; file >= 0 && file < 8 && rank >= 0 && rank < 8;
    file += files, rank += ranks) {
    const next = 8 * rank + file;
    ray.push(next);
    if (occupied & bit(next)) break;
  }
  return ray;
}

export const attacksOf = (piece, square, occupied) =>
  setOf(directions[piece].flatMap((direction) => rayOf(square, direction, occupied)));

/** Returns the squares whose occupancy matters: each ray without its last square. */
const maskOf = (piece, square) =>
  setOf(directions[piece].flatMap((direction) => rayOf(square, direction, 0n).slice(0, -1)));

const magics = numbers.split("\n");

export function numberOf(piece, square) {
  const i = sliders.indexOf(piece), [factor, start] = magics[64 * i + square].split(" ");
  return {piece, shift: 55 - 3 * i, factor: BigInt(`0x${factor}`), start: Number(start), square,
    mask: maskOf(piece, square)};
}

export const productOf = (m, occupied) => BigInt.asUintN(64, (occupied & m.mask) * m.factor);

export const indexOf = (m, occupied) => Number(productOf(m, occupied) >> BigInt(m.shift));

export const slotsOf = (m) => 2 ** (64 - m.shift);

/** Returns a random number with an eighth of its bits set. */
export function randomFactor() {
  const [a, b, c] = crypto.getRandomValues(new BigUint64Array(3));
  return a & b & c;
}

/**
 * Adds the copies of the magic number column by column, the lowest first. A column lists the pieces whose copy has a 1
 * there, the carry from the right, and the resulting bit.
 */
export function columnsOf(m, squares) {
  const columns = [];
  for (let i = 0, carry = 0; i < 64; i++) {
    const from = squares.filter((square) => square <= i && (m.factor >> BigInt(i - square)) & 1n);
    const sum = from.length + carry;
    columns.push({from, carry, bit: sum & 1});
    carry = sum >> 1;
  }
  return columns;
}

export function indexesOf(m) {
  const indexes = [], shift = BigInt(m.shift);
  let subset = 0n;
  do {
    indexes.push(Number(BigInt.asUintN(64, subset * m.factor) >> shift));
    subset = (subset - m.mask) & m.mask;
  } while (subset);
  return indexes;
}

/**
 * Fills the table of a number in order until an occupancy needs a slot that has other attacks: at, a destructive
 * collision, or null. filled is the number of occupancies before it, of all, and used that of their slots.
 */
export function fillUntilFailure(m) {
  const slots = new Map(), all = occupanciesOf(m);
  let filled = 0, at = null;
  for (const [occupancy, attacks] of all) {
    const index = indexOf(m, occupancy), first = slots.get(index);
    if (first && first[1] !== attacks) {
      at = {index, occupancies: [first[0], occupancy]};
      break;
    }
    if (!first) slots.set(index, [occupancy, attacks]);
    filled++;
  }
  return {filled, of: all.length, used: slots.size, at};
}

const known = new Map(); // the attacks for each relevant occupancy, by slider and square

function occupanciesOf({piece, square, mask}) {
  const key = piece + square;
  if (!known.has(key)) {
    const all = [];
    let subset = 0n;
    do {
      all.push([subset, attacksOf(piece, square, subset)]);
      subset = (subset - mask) & mask;
    } while (subset);
    known.set(key, all);
  }
  return known.get(key);
}

/**
 * Fills the table of a number. Two occupancies may share an index: a constructive collision if their attacks are equal,
 * a destructive one if not. Returns a pair of each kind or null, if possible with the present occupancy.
 */
export function tableOf(m, occupied) {
  const slots = new Map(), wrong = new Set(), relevant = occupied & m.mask;
  const all = occupanciesOf(m);
  for (const [occupancy, attacks] of all) {
    const index = indexOf(m, occupancy);
    if (!slots.has(index)) slots.set(index, []);
    slots.get(index).push([occupancy, attacks]);
    if (slots.get(index)[0][1] !== attacks) wrong.add(index);
  }
  const pair = (same) => {
    const mine = indexOf(m, relevant);
    for (const [index, entries] of [[mine, slots.get(mine)], ...slots]) {
      const first = index === mine ? entries.find(([occupancy]) => occupancy === relevant) : entries[0];
      const second = entries.find(([occupancy, attacks]) => occupancy !== first[0] && (attacks === first[1]) === same);
      if (second) return {index, occupancies: [first[0], second[0]], attacks: [first[1], second[1]]};
    }
    return null;
  };
  return {slots, wrong, occupancies: all.length, different: new Set(all.map(([, attacks]) => attacks)).size,
    constructive: pair(true), destructive: pair(false)};
}
