// The board of a FEN, for showing and editing it. Whether it can be played from is for the library to say.

export const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** Takes a FEN apart, as far as it can be read; squares that cannot are empty. */
export function parse(fen) {
  const [placement = "", side = "w", castling = "-", enPassant = "-", halfmove = "0", fullmove = "1"] = fen.trim()
    .split(/\s+/);
  const pieces = new Array(64).fill("");
  placement.split("/").slice(0, 8).forEach((rank, i) => {
    let file = 0;
    for (const c of rank) {
      if (/[1-8]/.test(c)) file += Number(c);
      else if (/[pnbrqk]/i.test(c) && file < 8) pieces[8 * (7 - i) + file++] = c;
      else file++;
    }
  });
  return {pieces, side, castling, enPassant, halfmove, fullmove};
}

/** Puts a FEN together again. */
export function format({pieces, side, castling, enPassant, halfmove, fullmove}) {
  const ranks = [];
  for (let rank = 7; rank >= 0; rank--) {
    let text = "", empty = 0;
    for (let file = 0; file < 8; file++) {
      const piece = pieces[8 * rank + file];
      if (!piece) { empty++; continue; }
      text += (empty || "") + piece;
      empty = 0;
    }
    ranks.push(text + (empty || ""));
  }
  return [ranks.join("/"), side, castling || "-", enPassant || "-", halfmove || "0", fullmove || "1"].join(" ");
}

const names = {p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king"};

/** Names a piece for people who do not see it: "white knight". */
export function pieceName(letter) {
  return letter ? `${letter === letter.toUpperCase() ? "white" : "black"} ${names[letter.toLowerCase()]}` : "";
}

/** The id of a piece's drawing. */
export const pieceId = (letter) => `piece-${letter === letter.toUpperCase() ? "w" : "b"}${letter.toLowerCase()}`;
