// The fields of a FEN, for showing and editing them. The library decides whether the position can be played.

const files = [...Array(8).keys()];

export const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/**
 * Takes a FEN apart. pieces is null if its board cannot be read. A rank of another length than eight squares is shown
 * as far as it goes, and its squares are wrong.
 */
export function parse(fen) {
  const [placement = "", side = "w", castling = "-", enPassant = "-", halfmove = "0", fullmove = "1"] = fen.trim()
    .split(/\s+/);
  const ranks = placement.split("/").reverse()
    .map((rank) => [...rank.replace(/[0-9]/g, (n) => " ".repeat(n))].map((c) => (/[pnbrqk]/i.test(c) ? c : "")));
  const wrong = ranks.flatMap(({length}, rank) => (length === 8 ? [] : files.map((file) => 8 * rank + file)));
  const pieces = ranks.length === 8 ? ranks.flatMap((rank) => files.map((file) => rank[file] || "")) : null;
  return {pieces, wrong: pieces ? wrong : [], side, castling, enPassant, halfmove, fullmove};
}

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

export const names = {p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king"};

/** Names a piece for screen readers: "white knight". */
export function pieceName(letter) {
  return letter ? `${letter === letter.toUpperCase() ? "white" : "black"} ${names[letter.toLowerCase()]}` : "";
}

export const pieceId = (letter) => `piece-${letter === letter.toUpperCase() ? "w" : "b"}${letter.toLowerCase()}`;
