// The board as a picture of its own, for documents: SVG, and PNG made from it.

import {pieceId} from "./fen.js";

const size = 45, border = 18;

/** Draws pieces (64 letters, a1 first) as a standalone SVG document. */
export function boardSVG(pieces, flipped) {
  const side = 8 * size + 2 * border;
  const body = [`<rect width="${side}" height="${side}" rx="6" fill="#26201e"/>`];
  for (let i = 0; i < 64; i++) {
    const square = flipped ? i ^ 7 : i ^ 56;
    const x = border + size * (i & 7), y = border + size * (i >> 3);
    const dark = ((square >> 3) + square) % 2 === 0;
    const symbol = pieces[square] && document.getElementById(pieceId(pieces[square])).innerHTML;
    body.push(`<g transform="translate(${x} ${y})"><rect width="${size}" height="${size}" fill="${dark ? "#b58c6a" : "#f0dcbe"}"/>${symbol || ""}</g>`);
  }
  for (let i = 0; i < 8; i++) {
    const middle = border + size * i + size / 2;
    const file = "abcdefgh"[flipped ? 7 - i : i], rank = flipped ? i + 1 : 8 - i;
    const text = (x, y, label) => `<text x="${x}" y="${y + 4}">${label}</text>`;
    body.push(`<g font-family="sans-serif" font-size="11" text-anchor="middle" fill="#f0dcbe">${
      text(middle, border / 2, file)}${text(middle, side - border / 2, file)}${text(border / 2, middle, rank)}${text(side - border / 2, middle, rank)}</g>`);
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${2 * side}" height="${2 * side}">${body.join("\n")}</svg>\n`;
}

/** Makes a PNG of an SVG document. */
export async function toPNG(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], {type: "image/svg+xml"}));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext("2d").drawImage(image, 0, 0);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}
