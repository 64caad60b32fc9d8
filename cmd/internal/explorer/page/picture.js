// The board for documents, as it is on the screen: SVG, PNG and Markdown.

import {link} from "./backend.js";
import {arrowPath} from "./board.js";
import {pieceId} from "./fen.js";
import {button, copy, download, h} from "./dom.js";
import {nameOf} from "./sets.js";

const size = 45, border = 18;

export function boardSVG(board) {
  const {pieces = [], marks = [], lines = [], notes = {}} = board.shown, side = 8 * size + 2 * border;
  const color = (name, property = "--mark") => {
    const probe = board.element.appendChild(h("span", {class: name, hidden: true}));
    probe.style.setProperty("color", `var(${property})`);
    const computed = getComputedStyle(probe).color;
    probe.remove();
    return computed;
  };
  const light = color("", "--light-square"), dark = color("", "--dark-square");
  const squares = [], onTop = [];
  for (let square = 0; square < 64; square++) {
    const [cx, cy] = board.middle(square), [x, y] = [border + size * (cx - 0.5), border + size * (cy - 0.5)];
    const isDark = ((square >> 3) + square) % 2 === 0;
    squares.push(`<rect x="${x}" y="${y}" width="${size}" height="${size}" fill="${isDark ? dark : light}"/>`);
    marks.filter((mark) => mark.squares.includes(square)).forEach((mark, i) => {
      const inset = 1.5 + 3.5 * i, far = size - inset, ends = {n: [0, inset, size, inset], e: [far, 0, far, size],
        s: [0, far, size, far], w: [inset, 0, inset, size]};
      const edges = board.outline(mark, square).map((side) => ends[side]).map(([x1, y1, x2, y2]) =>
        `M${x1} ${y1}L${x2} ${y2}`).join("");
      squares.push(`<g class="mark ${mark.name}" transform="translate(${x} ${y})"><rect width="${size}" ` +
        `height="${size}" fill="${color(mark.name)}" fill-opacity="0.2"/>`
        + `<path d="${edges}" stroke="${color(mark.name)}" stroke-width="3"/></g>`);
    });
    if (pieces[square]) onTop.push(
      `<g transform="translate(${x} ${y})">${document.getElementById(pieceId(pieces[square])).innerHTML}</g>`);
    const at = pieces[square] ? [x + size - 9, y + 10] : [x + size / 2, y + size - 5];
    if (square in notes) onTop.push(`<text x="${at[0]}" y="${at[1]}" font-size="9">${notes[square]}</text>`);
  }
  for (const {from, to, name, arrow} of lines) {
    const ends = [board.middle(from), board.middle(to)];
    (arrow ? onTop : squares).push(`<path class="${name}" transform="translate(${border} ${border}) scale(${size})" ` +
      (arrow ? `d="${arrowPath(...ends)}" fill="${color(name)}" opacity="0.75"/>`
        : `d="M${ends.join("L")}" stroke="${color(name)}" stroke-width=".1" opacity="0.75" stroke-linecap="round"/>`));
  }
  for (let i = 0; i < 8; i++) {
    const middle = border + size * i + size / 2;
    const file = "abcdefgh"[board.flipped ? 7 - i : i], rank = board.flipped ? i + 1 : 8 - i;
    for (const across of [border / 2, side - border / 2]) {
      onTop.push(`<text x="${middle}" y="${across + 4}">${file}</text><text x="${across}" ` +
        `y="${middle + 4}">${rank}</text>`);
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${2 * side}" ` +
    `height="${2 * side}">`
    + `<rect width="${side}" height="${side}" rx="6" fill="#fffefa"/>${squares.join("\n")}\n`
    + `<g font-family="sans-serif" font-size="11" text-anchor="middle" fill="#4a443b">${onTop.join("\n")}</g></svg>\n`;
}

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

/** Writes a board as Markdown: a diagram with * for a marked square and () around a marked piece, and text. */
export function markdown(board, {fen = "", line = [], sentence = "", ask = "", rows = []}) {
  const {pieces = [], marks = []} = board.shown, marked = new Set(marks.flatMap((mark) => mark.squares));
  const ranks = [];
  for (let i = 0; i < 64; i++) {
    const square = board.flipped ? i ^ 7 : i ^ 56, piece = pieces[square];
    const cell = marked.has(square) ? (piece ? `(${piece})` : " * ") : ` ${piece || "."} `;
    ranks[i >> 3] = (ranks[i >> 3] || `${(square >> 3) + 1} `) + cell;
  }
  const files = `   ${[..."abcdefgh"].map((_, i) => "abcdefgh"[board.flipped ? 7 - i : i]).join("  ")}`;
  const sets = marks.map(({name, label, squares}) => `- ${label || name}: ${squares.map(nameOf).join(" ") || "none"}`);
  const fenced = (...lines) => ["```", ...lines, "```"].join("\n");
  const table = rows.map(({san, uci, ours, theirs}) => `\n| ${san || uci} | ${ours || "–"} | ${theirs || "–"} |`);
  return [sentence, table[0] && `| move | ours | theirs |\n|---|--:|--:|${table.join("")}`, fenced(...ranks, files),
    fen && `FEN: \`${fen}\``, line[0] && `after ${line.join(" ")}`, ask && fenced(ask),
    sets[0] && `Marked by * and ():\n\n${sets.join("\n")}`,
    `[Open this board](${link()})`]
    .filter(Boolean).join("\n\n") + "\n";
}

export const linkButton = () => button("Copy link", (e) => copy(link(), e.target));

/** Makes the buttons that save a board; about returns its {name, fen, line, sentence, ask, rows}. */
export function saveButtons(board, about) {
  const save = async (kind, make) => download(`${about().name}.${kind}`, await make());
  return h("div", {class: "keys save", role: "group", "aria-label": "Save the board"},
    button("SVG", () => save("svg", () => new Blob([boardSVG(board)], {type: "image/svg+xml"}))),
    button("PNG", () => save("png", () => toPNG(boardSVG(board)))),
    button("Copy as Markdown", (e) => copy(markdown(board, about()), e.target)));
}
