// A board of 64 buttons: played by pointer, by touch, by keyboard and by voice, and read by screen readers.

import {link} from "./backend.js";
import {button, copy, download, h, s} from "./dom.js";
import {has, nameOf, squaresOf} from "./sets.js";

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

export const format = ({pieces, side, castling, enPassant, halfmove, fullmove}) => [files.toReversed().map(
  (rank) => pieces.slice(8 * rank, 8 * rank + 8).map((piece) => piece || 1).join("")
    .replace(/1+/g, (empty) => empty.length)).join("/"),
side, castling || "-", enPassant || "-", halfmove || "0", fullmove || "1"].join(" ");

export const names = {p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king"};

/** Names a piece for screen readers: "white knight". */
export function pieceName(letter) {
  return letter ? `${letter === letter.toUpperCase() ? "white" : "black"} ${names[letter.toLowerCase()]}` : "";
}

const pieceId = (letter) => `piece-${letter === letter.toUpperCase() ? "w" : "b"}${letter.toLowerCase()}`;

// The board.

const dragDistance = 5; // pixels that make a click a drag

/**
 * A board. handlers: click(square), drop(from, to), where to is null off the board, canDrag(square), remove(square),
 * key(square, key), and enter(square) when the pointer is on a square or, with null, leaves the board.
 */
export class Board {
  constructor(label, handlers = {}) {
    this.handlers = handlers;
    this.flipped = false;
    this.focused = 4;
    this.shown = {};
    [this.below, this.above] = [0, 1].map(() => s("svg", {class: "lines", viewBox: "0 0 8 8", "aria-hidden": "true"}));
    this.element = h("div", {class: "board", role: "grid", "aria-label": label});
    this.element.addEventListener("pointerdown", (event) => this.#press(event));
    this.element.addEventListener("pointerover", ({target}) =>
      this.handlers.enter?.(target.closest(".square") && Number(target.closest(".square").dataset.square)));
    this.element.addEventListener("pointerleave", () => this.handlers.enter?.(null));
    this.element.addEventListener("click", (event) => this.#click(event));
    this.element.addEventListener("focusout", ({relatedTarget}) => {
      this.pointed &&= this.element.contains(relatedTarget);
    });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.#build();
  }

  /** Turns the board round. */
  flip(flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    const focused = this.element.contains(document.activeElement);
    this.#build();
    this.show(this.shown);
    if (focused) this.focus();
  }

  /** Focuses the square that was focused last. */
  focus() { this.cells[this.focused].focus({preventScroll: true}); }

  /**
   * Shows pieces (64 letters of FEN, "" for none); marks, which are sets {name, label, squares} with a colour and a
   * sign; lines {from, to, name, arrow}; and notes, short texts by square. selected, last (two squares), check, targets
   * and problems are squares.
   */
  show(shown = {}) {
    this.shown = shown;
    const several = (shown.marks || []).filter(({squares, plain}) => squares.length > 0 && !plain).length > 1;
    this.element.classList.toggle("several", several);
    const {pieces = [], marks = [], lines = [], notes = {}, selected = null, last = [], check = null, targets = [],
      problems = []} = shown;
    for (let square = 0; square < 64; square++) {
      const cell = this.cells[square], piece = pieces[square] || "", isTarget = targets.includes(square);
      const here = marks.filter((mark) => mark.squares.includes(square));
      cell.classList.toggle("selected", square === selected);
      cell.classList.toggle("last", last.includes(square));
      cell.classList.toggle("check", square === check);
      cell.classList.toggle("problem-square", problems.includes(square));
      cell.classList.toggle("movable", Boolean(this.handlers.canDrag?.(square)));
      const signs = here.filter((mark) => !mark.plain && several); // one set alone needs no sign
      cell.replaceChildren(
        ...here.map((mark, i) => this.#ring(mark, marks.indexOf(mark) && i, square)),
        ...(piece ? [pieceDrawing(piece)] : []),
        ...(square in notes ? [h("span", {class: "note"}, notes[square])] : []),
        ...(signs.length ? [h("span", {class: "signs"},
          signs.map((mark) => h("span", {class: `sign ${mark.name}`})))] : []),
        ...(isTarget ? [h("span", {class: piece ? "target capture" : "target"})] : []),
      );
      const words = [...(piece ? [pieceName(piece)] : []), nameOf(square), ...(piece ? [] : ["empty"]),
        ...(square in notes ? [notes[square]] : []),
        ...here.map((mark) => mark.label || mark.name), ...(isTarget ? ["a move"] : []),
          ...(square === check ? ["in check"] : [])];
      cell.setAttribute("aria-label", words.join(", "));
      cell.setAttribute("aria-selected", square === selected);
      cell.tabIndex = square === this.focused ? 0 : -1;
    }
    this.below.replaceChildren(...lines.filter(({arrow}) => !arrow).map((line) => this.#line(line)));
    this.above.replaceChildren(...lines.filter(({arrow}) => arrow).map((line) => this.#line(line)));
  }

  /** The sides of a square of a set that have no neighbour in the set: "n", "e", "s" and "w", as they are seen. */
  outline({squares, apart}, square) {
    const file = square & 7, rank = square >> 3;
    const sides = {n: [rank < 7, 8], e: [file < 7, 1], s: [rank > 0, -8], w: [file > 0, -1]};
    return ["n", "e", "s", "w"].filter((side, i) => {
      const [onBoard, step] = sides[this.flipped ? ["s", "w", "n", "e"][i] : side];
      return apart || !onBoard || !squares.includes(square + step);
    });
  }

  #ring(mark, depth, square) {
    const ring = h("span", {class: `mark ${mark.name} ${this.outline(mark, square).join(" ")}`});
    ring.style.setProperty("--depth", depth);
    return ring;
  }

  /** The middle of a square, in squares from the upper left. */
  middle(square) {
    return this.flipped ? [7.5 - (square & 7), 0.5 + (square >> 3)] : [0.5 + (square & 7), 7.5 - (square >> 3)];
  }

  #line({from, to, name, arrow}) {
    const [x1, y1] = this.middle(from), [x2, y2] = this.middle(to);
    return arrow ? s("path", {d: arrowPath([x1, y1], [x2, y2]), class: name})
      : s("line", {x1, y1, x2, y2, class: name});
  }

  #build() {
    const order = [...Array(64).keys()].map((i) => (this.flipped ? i ^ 7 : i ^ 56));
    this.cells = [];
    const rows = [];
    for (let row = 0; row < 8; row++) {
      rows.push(h("div", {role: "row", class: "row"}, order.slice(8 * row, 8 * row + 8).map((square) => {
        this.cells[square] = h("button", {
          type: "button", role: "gridcell", class: "square", "data-square": square,
          // The style sheet writes these on the board's edge: the names of the squares say it to screen readers.
          "data-file": row === 7 ? "abcdefgh"[square & 7] : null, "data-rank": (square & 7) === (
            this.flipped ? 7 : 0) ? (square >> 3) + 1 : null,
        });
        return this.cells[square];
      })));
    }
    this.element.replaceChildren(this.below, ...rows, this.above);
  }

  /** Returns the square at a point of the window, or null. */
  squareAt(x, y) {
    const cell = document.elementFromPoint(x, y)?.closest(".square");
    return cell && this.element.contains(cell) ? Number(cell.dataset.square) : null;
  }

  #press(event) {
    const cell = event.target.closest(".square.movable");
    if (!cell || event.button !== 0) return;
    const from = Number(cell.dataset.square);
    drag(event, this.shown.pieces?.[from], {
      begin: () => cell.classList.add("dragged"),
      end: (x, y) => {
        cell.classList.remove("dragged");
        const to = this.squareAt(x, y);
        if (to !== from) this.handlers.drop?.(from, to);
      },
    });
  }

  #click(event) {
    const cell = event.target.closest(".square");
    if (!cell) return;
    this.#focus(Number(cell.dataset.square));
    this.pointed = event.detail > 0; // not by a key
    this.handlers.click?.(this.focused);
  }

  #key(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: 8, ArrowDown: -8}[event.key];
    if (step) {
      if (this.pointed && Math.abs(step) === 1) return; // after a click they turn the pages of the view
      this.pointed = false;
      event.preventDefault();
      const next = this.focused + (this.flipped ? -step : step);
      const wraps = Math.abs(step) === 1 && (next >> 3) !== (this.focused >> 3);
      if (next >= 0 && next < 64 && !wraps) this.#focus(next);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.handlers.remove?.(this.focused);
    } else if (event.key.length === 1 && event.key !== " ") {
      this.handlers.key?.(this.focused, event.key);
    }
  }

  #focus(square) {
    this.cells[this.focused].tabIndex = -1;
    this.focused = square;
    this.cells[square].tabIndex = 0;
    this.focus();
  }
}

/** The outline of an arrow between two points, in squares: the same as that of show --svg. */
function arrowPath([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y), dx = (toX - x) / length, dy = (toY - y) / length, neck = length - 0.36;
  const corners = [[0, -0.07], [neck, -0.07], [neck, -0.17], [length, 0], [neck, 0.17], [neck, 0.07], [0, 0.07]];
  return `M${corners.map(([along, aside]) => `${x + along * dx - aside * dy} ${y + along * dy + aside * dx}`)
    .join("L")}z`;
}

export function pieceDrawing(letter) {
  return s("svg", {class: "piece", viewBox: "0 0 45 45", "aria-hidden": "true"},
    s("use", {href: `#${pieceId(letter)}`}));
}

/** Follows a pressed pointer: calls begin when it starts to move, and end where it is released. */
export function drag(event, piece, {begin, end}) {
  const origin = [event.clientX, event.clientY];
  // Now, because an answer may draw the piece anew before the pointer moves.
  const size = event.target.closest(".square, .palette button").getBoundingClientRect().width;
  let ghost = null;
  const move = (e) => {
    if (!ghost && Math.hypot(e.clientX - origin[0], e.clientY - origin[1]) > dragDistance) {
      ghost = h("div", {class: piece ? "ghost" : "ghost empty"}, piece && pieceDrawing(piece));
      ghost.style.setProperty("--size", `${size}px`);
      document.body.append(ghost);
      begin?.();
    }
    ghost?.style.setProperty("translate", `${e.clientX}px ${e.clientY}px`);
  };
  const finish = (e) => {
    for (const type of ["pointermove", "pointerup", "pointercancel"]) removeEventListener(
      type, type === "pointermove" ? move : finish);
    ghost?.remove();
    if (ghost) end(e.clientX, e.clientY);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", finish);
  addEventListener("pointercancel", finish);
}

// Pictures of boards, to save.

const size = 45, border = 18;

function boardSVG(board) {
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

async function toPNG(svg) {
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
function markdown(board, {fen = "", line = [], sentence = "", ask = "", rows = []}) {
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
    `[Open this board](${link()})`].filter(Boolean).join("\n\n") + "\n";
}

export const linkButton = (hash) => button("Copy link", (e) => copy(link(hash?.()), e.target));

/** Makes the buttons that save a board; about returns its {name, fen, line, sentence, ask, rows}. */
export function saveButtons(board, about) {
  const save = async (kind, make) => download(`${about().name}.${kind}`, await make());
  return h("div", {class: "keys save", role: "group", "aria-label": "Save the board"},
    button("SVG", () => save("svg", () => new Blob([boardSVG(board)], {type: "image/svg+xml"}))),
    button("PNG", () => save("png", () => toPNG(boardSVG(board)))),
    button("Copy as Markdown", (e) => copy(markdown(board, about()), e.target)));
}

// Figures, to look at only: small boards, 64 bits in a row with the highest at the left, tables of slots.

/** Draws a set of squares, pieces, an occupancy as rings, an origin as a diamond, and an arrow between two squares. */
export function smallBoard(set, {pieces = [], occupancy = 0n, origin = null, arrow = null, label = ""} = {}) {
  const cells = [], middle = (square) => [(square & 7) + 0.5, 7.5 - (square >> 3)];
  for (let square = 0; square < 64; square++) {
    const x = square & 7, y = 7 - (square >> 3);
    const dark = (x + y) % 2 === 1;
    cells.push(s("rect", {x, y, width: 1, height: 1, class: has(set, square) ? "member" : dark ? "dark" : "light"}));
    if (square === origin) cells.push(s("path", {d: `M${x + 0.5} ${y + 0.15}l.35 .35-.35 .35-.35-.35z`,
      class: "origin"}));
    else if (has(occupancy, square)) cells.push(s("circle", {cx: x + 0.5, cy: y + 0.5, r: 0.24, class: "occupied"}));
    if (pieces[square]) cells.push(s("use", {href: `#${pieceId(pieces[square])}`, x, y, width: 1, height: 1}));
  }
  if (arrow) cells.push(s("path", {d: arrowPath(...arrow.map(middle)), class: "wrong-move"}));
  const squares = [...squaresOf(set)].map(nameOf).join(" ") || "no square";
  return s("svg", {class: "small-board", viewBox: "0 0 8 8",
    ...(label ? {role: "img", "aria-label": `${label}: ${squares}`} : {"aria-hidden": "true"})}, cells);
}

/**
 * Draws rows of 64 bits below a scale. A row is {label, bits, title}: bits lists the class of each 1, and null for 0.
 * The highest bits, as many as top says, are marked as a window.
 */
export function strips(rows, {top = 0} = {}) {
  const scale = h("div", {class: "strip-row"}, h("span", {class: "strip-label"}, "bit"), h("div", {class: "scale"},
    [63, 55, 47, 39, 31, 23, 15, 7].map((bit) => h("span", {}, String(bit)))));
  return h("div", {class: "strips"}, scale, rows.map(({label, bits, title, kind = ""}) =>
    h("div", {class: `strip-row ${kind}`},
    h("span", {class: "strip-label"}, label),
    s("svg", {class: "strip", viewBox: "0 0 640 14", preserveAspectRatio: "none", role: "img", "aria-label": title},
      top > 0 && s("rect", {class: "window", x: 0, y: 0, width: 10 * top, height: 14}),
      [...bits.keys()].map((i) => s("rect", bits[i] === null
        ? {class: "zero", x: 10 * (63 - i) + 3.5, y: 6, width: 3, height: 2}
        : {class: `one ${bits[i]}`, x: 10 * (63 - i) + 1, y: 1, width: 8, height: 12}))))));
}

/** The bits of a number for a strip; name(i) is the class of bit i. */
export const bitsOf = (number, name = () => "") => Array.from({length: 64}, (_, i) =>
  ((number >> BigInt(i)) & 1n ? name(i) : null));

/** Draws a table of slots as a grid. classOf names the class of a slot. */
export function grid(slots, classOf, label) {
  const columns = slots > 512 ? 64 : 32, paths = {};
  for (let i = 0; i < slots; i++) {
    const name = classOf(i) || "free";
    paths[name] = (paths[name] || "") + `M${i % columns} ${Math.floor(i / columns)}h.84v.84h-.84z`;
  }
  return s("svg", {class: "slots", viewBox: `-.1 -.1 ${columns + 0.1} ${slots / columns + 0.1}`, role: "img",
    "aria-label": label},
    Object.entries(paths).map(([name, d]) => s("path", {class: name, d})));
}
