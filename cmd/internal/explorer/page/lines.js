// The lines through squares, and where they meet.

import {nameOf} from "./sets.js";

export const all = [...Array(64).keys()], fileOf = (square) => square & 7, rankOf = (square) => square >> 3;

export const difference = (square) => rankOf(square) - fileOf(square), sum = (square) => rankOf(square) + fileOf(square);

/** The kinds of lines, each with the number that stays the same along a line: r * rank + f * file. */
export const kinds = {
  rank: {r: 1, f: 0, name: "rank", formula: "rank"}, file: {r: 0, f: 1, name: "file", formula: "file"},
  diagonal: {r: 1, f: -1, name: "diagonal", formula: "rank - file"},
  antidiagonal: {r: 1, f: 1, name: "anti-diagonal", formula: "rank + file"},
};

const numberOf = ({r, f}, square) => r * rankOf(square) + f * fileOf(square);

export const lineOf = (kind, square) => all.filter((other) => numberOf(kinds[kind], other) === numberOf(kinds[kind], square));

export const setOf = (squares) => squares.reduce((set, square) => set | (1n << BigInt(square)), 0n);

/** Returns where a line through a meets one of another kind through b, with two equations and their solution. */
export function intersection(kindA, a, kindB, b) {
  const [x, y] = [kinds[kindA], kinds[kindB]], [u, v] = [numberOf(x, a), numberOf(y, b)], d = x.r * y.f - y.r * x.f;
  const rank = (u * y.f - v * x.f) / d, file = (x.r * v - y.r * u) / d, onBoard = (n) => n >= 0 && n < 8;
  const isWhole = Number.isInteger(rank), square = isWhole && onBoard(rank) && onBoard(file) ? 8 * rank + file : null;
  const written = (n) => (isWhole ? String(n + 0) : `${2 * n}/2`);
  return {kindA, kindB, square, steps: [`${x.formula} = ${u} on the ${x.name} of ${nameOf(a)}`,
    `${y.formula} = ${v} on the ${y.name} of ${nameOf(b)}`, `rank = ${written(rank)}, file = ${written(file)}: ` +
    (square !== null ? nameOf(square) : isWhole ? "off the board" : "between squares")]};
}

/** Returns the meetings of the lines through two squares, for the pairs of different kinds. */
export const intersections = (a, b, names = Object.keys(kinds)) => names.flatMap((kindA) =>
  names.filter((kindB) => kindB !== kindA).map((kindB) => intersection(kindA, a, kindB, b)));
