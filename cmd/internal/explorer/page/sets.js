// Squares are 0..63, from a1 to h8. Sets of squares are BigInts, and hexadecimal strings in messages. Lines are the
// ranks, files and diagonals through squares.

export const files = "abcdefgh";

export const nameOf = (square) => files[square & 7] + ((square >> 3) + 1);

export const squareOf = (name) =>
  /^[a-h][1-8]$/i.test(name || "") ? files.indexOf(name[0].toLowerCase()) + 8 * (Number(name[1]) - 1) : null;

/** The squares of a move in UCI, of a wrong one those on the board. */
export const endsOf = (uci = "") => [uci.slice(0, 2), uci.slice(2, 4)].map(squareOf).filter((one) => one !== null);

export const has = (set, square) => ((set >> BigInt(square)) & 1n) === 1n;

export const toggled = (set, square) => set ^ (1n << BigInt(square));

export const hex = (set) => "0x" + set.toString(16).padStart(16, "0");

/** Reads a hexadecimal string; null if it is not one. */
export function parseSet(text) {
  return /^0x[0-9a-f]{1,16}$/i.test(text || "") ? BigInt(text) : null;
}

export function* squaresOf(set) {
  for (let square = 0; square < 64; square++) if (has(set, square)) yield square;
}

export const all = [...Array(64).keys()], fileOf = (square) => square & 7, rankOf = (square) => square >> 3;

export const difference = (square) => rankOf(square) - fileOf(square);
export const sum = (square) => rankOf(square) + fileOf(square);

/** The kinds of lines, each with the number that stays the same along a line: r * rank + f * file. */
export const kinds = {
  rank: {r: 1, f: 0, formula: "rank"}, file: {r: 0, f: 1, formula: "file"},
  diagonal: {r: 1, f: -1, formula: "rank - file"}, "anti-diagonal": {r: 1, f: 1, formula: "rank + file"},
};

const numberOf = ({r, f}, square) => r * rankOf(square) + f * fileOf(square);

export const lineOf = (kind, square) =>
  all.filter((other) => numberOf(kinds[kind], other) === numberOf(kinds[kind], square));

export const setOf = (squares) => squares.reduce((set, square) => set | (1n << BigInt(square)), 0n);

/** Returns where a line through a meets one of another kind through b, with two equations and their solution. */
export function intersection(kindA, a, kindB, b) {
  const [x, y] = [kinds[kindA], kinds[kindB]], [u, v] = [numberOf(x, a), numberOf(y, b)], d = x.r * y.f - y.r * x.f;
  const rank = (u * y.f - v * x.f) / d, file = (x.r * v - y.r * u) / d, onBoard = (n) => n >= 0 && n < 8;
  const isWhole = Number.isInteger(rank), square = isWhole && onBoard(rank) && onBoard(file) ? 8 * rank + file : null;
  const written = (n) => (isWhole ? String(n + 0) : `${2 * n}/2`);
  return {kindA, kindB, square, steps: [`${x.formula} = ${u} on the ${kindA} of ${nameOf(a)}`,
    `${y.formula} = ${v} on the ${kindB} of ${nameOf(b)}`, `rank = ${written(rank)}, file = ${written(file)}: ` +
    (square !== null ? nameOf(square) : isWhole ? "off the board" : "between squares")]};
}

/** Returns the meetings of the lines through two squares, for the pairs of different kinds. */
export const intersections = (a, b, names = Object.keys(kinds)) => names.flatMap((kindA) =>
  names.filter((kindB) => kindB !== kindA).map((kindB) => intersection(kindA, a, kindB, b)));
