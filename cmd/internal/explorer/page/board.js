// A board of 64 buttons: played by pointer, by touch and by keyboard, and read by screen readers.

import {h, s} from "./dom.js";
import {nameOf} from "./sets.js";
import {pieceId, pieceName} from "./fen.js";

const dragDistance = 5; // pixels that make a click a drag

/**
 * A board. handlers: click(square), drop(from, to) with to null if the piece leaves the board, and canDrag(square).
 */
export class Board {
  constructor(label, handlers = {}) {
    this.handlers = handlers;
    this.pieces = new Array(64).fill("");
    this.flipped = false;
    this.focused = 4;
    this.cells = [];
    this.marks = [];
    this.drawing = s("svg", {class: "lines", viewBox: "0 0 8 8", "aria-hidden": "true"});
    this.element = h("div", {class: "board", role: "grid", "aria-label": label});
    this.element.addEventListener("pointerdown", (event) => this.#press(event));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.#build();
  }

  /** Turns the board round. */
  flip(flipped) {
    if (flipped === this.flipped) return;
    this.flipped = flipped;
    this.#build();
    this.show(this.shown);
  }

  /**
   * Shows pieces (64 letters of FEN, "" for none) and marks: sets of squares as {name: "...", squares: [...]}, each of which
   * has a colour and a sign. selected, last (two squares), check and targets are squares of a move.
   */
  show(shown = {}) {
    this.shown = shown;
    const {pieces = [], marks = [], selected = null, last = [], check = null, targets = [], lines = [], problems = []} = shown;
    this.pieces = pieces;
    for (let square = 0; square < 64; square++) {
      const cell = this.cells[square], piece = pieces[square] || "";
      cell.classList.toggle("selected", square === selected);
      cell.classList.toggle("last", last.includes(square));
      cell.classList.toggle("check", square === check);
      cell.classList.toggle("problem-square", problems.includes(square));
      const here = marks.filter((mark) => mark.squares.includes(square));
      const isTarget = targets.includes(square);
      cell.replaceChildren(
        ...here.slice(0, 1).map((mark) => h("span", {class: `tint ${mark.name}`})),
        ...(piece ? [pieceDrawing(piece)] : []),
        ...(here.length ? [h("span", {class: "signs"}, here.map((mark) => h("span", {class: `sign ${mark.name}`})))] : []),
        ...(isTarget ? [h("span", {class: piece ? "target capture" : "target"})] : []),
      );
      const words = [nameOf(square), pieceName(piece) || "empty", ...here.map((mark) => mark.label || mark.name)];
      if (isTarget) words.push("a move");
      if (square === selected) words.push("selected");
      cell.setAttribute("aria-label", words.join(", "));
      cell.tabIndex = square === this.focused ? 0 : -1;
    }
    this.drawing.replaceChildren(...lines.map((line) => this.#line(line)));
  }

  #build() {
    const order = [...Array(64).keys()].map((i) => (this.flipped ? i ^ 7 : i ^ 56));
    this.cells = [];
    const rows = [];
    for (let row = 0; row < 8; row++) {
      rows.push(h("div", {role: "row", class: "row"}, order.slice(8 * row, 8 * row + 8).map((square) => {
        const dark = ((square >> 3) + square) % 2 === 0;
        this.cells[square] = h("button", {
          type: "button", role: "gridcell", class: dark ? "square dark" : "square light", "data-square": square,
          // The style sheet writes these on the board's edge: the names of the squares say it to screen readers.
          "data-file": row === 7 ? "abcdefgh"[square & 7] : null, "data-rank": (square & 7) === (this.flipped ? 7 : 0) ? (square >> 3) + 1 : null,
        });
        return this.cells[square];
      })));
    }
    this.element.replaceChildren(...rows, this.drawing);
  }

  #line({from, to, name, arrow}) {
    const at = (square) => (this.flipped
      ? [7.5 - (square & 7), 0.5 + (square >> 3)] : [0.5 + (square & 7), 7.5 - (square >> 3)]);
    const [x1, y1] = at(from), [x2, y2] = at(to);
    return s("line", {x1, y1, x2, y2, class: name, "marker-end": arrow ? "url(#arrow)" : null});
  }

  #squareAt(x, y) {
    const cell = document.elementFromPoint(x, y)?.closest(".square");
    return cell && this.element.contains(cell) ? Number(cell.dataset.square) : null;
  }

  #press(event) {
    const cell = event.target.closest(".square");
    if (!cell || event.button !== 0) return;
    event.preventDefault();
    const from = Number(cell.dataset.square);
    this.#focus(from);
    drag(event, this.pieces[from] && this.handlers.canDrag?.(from) ? this.pieces[from] : "", {
      click: () => this.handlers.click?.(from),
      begin: () => cell.classList.add("dragged"),
      end: (x, y) => {
        cell.classList.remove("dragged");
        this.handlers.drop?.(from, this.#squareAt(x, y));
      },
    });
  }

  /** Drops a piece that was dragged from elsewhere; returns the square below the pointer or null. */
  squareBelow(x, y) { return this.#squareAt(x, y); }

  #key(event) {
    const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: 8, ArrowDown: -8};
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      const next = this.focused + (this.flipped ? -step : step);
      const wraps = Math.abs(step) === 1 && (next >> 3) !== (this.focused >> 3);
      if (next >= 0 && next < 64 && !wraps) this.#focus(next);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.handlers.click?.(this.focused);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      this.handlers.remove?.(this.focused);
    } else if (event.key.length === 1) {
      this.handlers.key?.(this.focused, event.key);
    }
  }

  #focus(square) {
    this.cells[this.focused].tabIndex = -1;
    this.focused = square;
    this.cells[square].tabIndex = 0;
    this.cells[square].focus({preventScroll: true});
  }
}

/** Draws a piece. */
export function pieceDrawing(letter) {
  return s("svg", {class: "piece", viewBox: "0 0 45 45", "aria-hidden": "true"}, s("use", {href: `#${pieceId(letter)}`}));
}

/** Follows a pointer that was pressed, with a piece if one is dragged, until it is released. */
export function drag(event, piece, {click, begin, end}) {
  const origin = [event.clientX, event.clientY];
  let ghost = null;
  const move = (e) => {
    if (!ghost && piece && Math.hypot(e.clientX - origin[0], e.clientY - origin[1]) > dragDistance) {
      const size = event.target.closest(".square, .palette button").getBoundingClientRect().width;
      ghost = h("div", {class: "ghost"}, pieceDrawing(piece));
      ghost.style.setProperty("--size", `${size}px`);
      document.body.append(ghost);
      begin?.();
    }
    ghost?.style.setProperty("translate", `${e.clientX}px ${e.clientY}px`);
  };
  const finish = (e) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", finish);
    removeEventListener("pointercancel", finish);
    const dragged = ghost !== null;
    ghost?.remove();
    if (dragged) end(e.clientX, e.clientY);
    else if (e.type === "pointerup") click?.();
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", finish);
  addEventListener("pointercancel", finish);
}
