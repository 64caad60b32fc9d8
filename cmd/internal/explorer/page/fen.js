// The fields of a FEN, for showing and editing them. The library decides whether the position can be played.

export const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** Takes a FEN apart. pieces is null if its board cannot be read. */
export function parse(fen) {
  const [placement = "", side = "w", castling = "-", enPassant = "-", halfmove = "0", fullmove = "1"] = fen.trim()
    .split(/\s+/);
  const ranks = placement.split("/").reverse()
    .map((rank) => [...rank.replace(/[1-8]/g, (n) => " ".repeat(n))].map((c) => c.trim()));
  const pieces = ranks.length === 8 && ranks.every((rank) => rank.length === 8 && rank.every((c) =>
    !c || /[pnbrqk]/i.test(c))) ? ranks.flat() : null;
  return {pieces, side, castling, enPassant, halfmove, fullmove};
}

/** Writes a FEN. */
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

/** Names a piece for screen readers: "white knight". */
export function pieceName(letter) {
  return letter ? `${letter === letter.toUpperCase() ? "white" : "black"} ${names[letter.toLowerCase()]}` : "";
}

/** The id of a piece's drawing. */
export const pieceId = (letter) => `piece-${letter === letter.toUpperCase() ? "w" : "b"}${letter.toLowerCase()}`;
