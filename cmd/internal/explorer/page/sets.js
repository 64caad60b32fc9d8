// Squares are 0..63, from a1 to h8. Sets of squares are BigInts, and hexadecimal strings in messages.

export const files = "abcdefgh";

export const nameOf = (square) => files[square & 7] + ((square >> 3) + 1);

export const squareOf = (name) =>
  /^[a-h][1-8]$/i.test(name || "") ? files.indexOf(name[0].toLowerCase()) + 8 * (Number(name[1]) - 1) : null;

/** The squares of a move in UCI, of a wrong one those on the board. */
export const endsOf = (uci = "") => [uci.slice(0, 2), uci.slice(2, 4)].map(squareOf).filter((square) => square !== null);

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
