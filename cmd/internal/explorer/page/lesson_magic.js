// How magic bitboards work. Each piece in the way has one colour, from its square to its bits of the index.

import {button, counted, digits, h, s as svg} from "./dom.js";
import * as magic from "./magic.js";
import {numbers} from "./numbers.js";
import {has, hex, nameOf, parseSet, squaresOf} from "./sets.js";
import {smallBoard} from "./small_board.js";
import {bitsOf, grid, strips} from "./strip.js";
import {slidersBoard, withSlider} from "./slider_board.js";

const chip = (piece, text = nameOf(piece.square)) => h("span", {class: `chip ${piece.name}`}, text);

const list = (items) => items.flatMap((item, i) => [i === 0 ? null : i === items.length - 1 ? " and " : ", ", item]);

/** All that the steps show: the number, the pieces in the way with their colours, the product and the index. */
function workedOut(c) {
  const ours = magic.numberOf(c.piece, c.square), other = parseSet(c.state.number);
  const m = other === null ? ours : {...ours, factor: other};
  const relevant = c.occupied & m.mask, of = [...squaresOf(m.mask)];
  const pieces = [...squaresOf(relevant)].map((square) => ({square, name: `piece-${of.indexOf(square)}`}));
  const columns = magic.columnsOf(m, pieces.map(({square}) => square));
  // A bit of the product that is one piece's alone has its colour; where pieces meet, or a carry, it has none.
  const colorOf = (i) => (columns[i].from.length === 1 && columns[i].carry === 0
    ? pieces.find(({square}) => square === columns[i].from[0]).name : "mixed");
  return {m, isOurs: other === null, relevant, pieces, columns, colorOf, size: 64 - m.shift,
    ways: 2 ** of.length, squares: of, product: magic.productOf(m, c.occupied), index: magic.indexOf(m, c.occupied),
      attacks: magic.attacksOf(c.piece, c.square, c.occupied)};
}

/** The board of a step: the pieces, those in the way in their colours. */
function boardOf(c, w, more = {}) {
  const marks = w.pieces.map(({square, name}) => ({name, label: "in the way", squares: [square], plain: true,
    apart: true}));
  return {pieces: slidersBoard(c), selected: c.state.place === "slider" ? c.square : null, ...more,
    marks: [...marks, ...(more.marks || [])]};
}

const maskMark = (w) => ({name: "mask", label: "its occupancy matters", squares: w.squares.filter(
  (square) => !has(w.relevant, square)), plain: true, apart: true});

const raysOf = (c) => magic.directions[c.piece]
  .map((direction) => [direction[0], magic.rayOf(c.square, direction, c.occupied)]);

const raysAsLines = (c) => raysOf(c).filter(([, ray]) => ray.length)
  .map(([, ray]) => ({from: c.square, to: ray.at(-1), name: "sight"}));

const copiesOf = (w) => w.pieces.map((piece) => ({
  label: [chip(piece), ` × magic = magic << ${piece.square}`], title: `The magic number, ${piece.square} columns to ` +
    `the left`,
  bits: bitsOf(BigInt.asUintN(64, w.m.factor << BigInt(piece.square)), () => piece.name),
}));

const productRow = (w) => ({label: h("strong", {}, "product"), title: `The product, ${hex(w.product)}`,
  bits: bitsOf(w.product, w.colorOf), kind: "sum"});

const numberKeys = (c, w) => h("div", {class: "keys"},
  button("Try a random number", () => c.change({number: hex(magic.randomFactor())})),
  !w.isOurs && button("Our number", () => c.change({number: ""})),
  h("code", {}, hex(w.m.factor)));

function lines(c) {
  const w = workedOut(c), rays = raysOf(c), visited = rays.reduce((sum, [, ray]) => sum + ray.length, 0);
  return {
    board: boardOf(c, w, {lines: raysAsLines(c)}),
    said: `${counted(visited, "square")} visited.`,
    text: [h("p", {}, `A ${c.piece} sees along its lines until something is in the way. A program can walk there, ` +
      `square by square, and ask on each: is it occupied? Here it visits ${counted(visited, "square")}, and guesses ` +
      `wrong at the end of almost every ray.`),
      h("p", {}, "An engine asks this many million times a second. The next steps replace the walk by one " +
        "multiplication and one read from memory.")],
    figure: h("table", {class: "small"},
      h("thead", {}, h("tr", {}, ["Ray", "Squares", "Ends at"].map((name) => h("th", {scope: "col"}, name)))),
      h("tbody", {}, rays.map(([name, ray]) => {
        const end = ray.at(-1), piece = w.pieces.find(({square}) => square === end);
        return h("tr", {}, h("th", {scope: "row"}, name), h("td", {}, ray.map(nameOf).join(" ") || "none"),
          h("td", {}, piece ? chip(piece) : end !== undefined && has(c.occupied, end) ? `a piece on the edge, ` +
            `${nameOf(end)}` : "the edge"));
      }))),
  };
}

function mask(c) {
  const w = workedOut(c), ignored = [...squaresOf(c.occupied & ~w.m.mask)];
  return {
    board: boardOf(c, w, {marks: [maskMark(w)]}),
    said: `${counted(w.squares.length, "square")} matter.`,
    text: [h("p", {}, "Only what stands on the lines can be in the way. And of a line its last square does not " +
      "matter: nothing lies behind it, and it is attacked whether it is occupied or not. What remains is the ",
      h("strong", {}, "mask"), `: ${counted(w.squares.length, "square")}, which can be occupied in 2`,
      h("sup", {}, String(w.squares.length)), ` = ${digits(w.ways)} ways.`),
      h("p", {}, w.pieces.length ? ["In the way: ", ...list(w.pieces.map((piece) => chip(piece))), ". "]
        : "Nothing is in the way. ",
        ignored.length ? `No matter: ${ignored.map(nameOf).join(", ")}.` : "Put a piece on the edge or beside the " +
          "lines: it gets no colour.")],
  };
}

function number(c) {
  const w = workedOut(c);
  return {
    board: boardOf(c, w, {notes: Object.fromEntries([...Array(64).keys()].map((square) => [square, String(square)]))}),
    said: `The pieces in the way are the number ${hex(w.relevant)}.`,
    text: [h("p", {}, "Number the squares: a1 is 0, b1 is 1, h8 is 63. A set of squares is then a number of 64 bits, " +
      "in which each piece is one bit."),
      h("p", {}, w.pieces.length
        ? [...list(w.pieces.map((piece) => [chip(piece), " is 2", h("sup", {}, String(piece.square))])), ". "]
        : "No piece, no bit. ", "Together: ", h("code", {}, hex(w.relevant)), ".")],
    figure: strips([{label: "pieces in the way", title: `The number ${hex(w.relevant)}`,
      bits: bitsOf(w.relevant, (i) => w.pieces.find(({square}) => square === i).name)}]),
  };
}

function product(c) {
  const w = workedOut(c), top = [...Array(w.size).keys()].map((i) => 63 - i);
  const column = top.includes(Number(c.state.column)) && c.state.column ? Number(c.state.column) : top.find(
    (i) => w.columns[i].from.length + w.columns[i].carry > 1) ?? top.find((i) => w.columns[i].bit) ?? 63;
  const {from, carry, bit} = w.columns[column], sum = from.length + carry;
  const terms = [...from.map((square) => chip(w.pieces.find((piece) => piece.square === square))),
    ...(carry ? [`a carry of ${carry}`] : [])];
  const rowOf = (name, cell) => h("tr", {}, h("th", {scope: "row"}, name),
    top.map((i) => h("td", {class: i === column ? "chosen" : null}, cell(i))));
  return {
    board: boardOf(c, w, {marks: [maskMark(w)]}),
    said: `The product is ${hex(w.product)}.`,
    text: [h("p", {}, "A piece is one bit, and to multiply by one bit is to shift. So the product is a ",
      h("strong", {}, "sum of copies of the magic number"), ", one for each piece, moved to the left by the number " +
      "of its square. What leaves at the left is lost."),
      h("p", {}, `The number is chosen so that in the top ${w.size} columns, the shaded ones, the copies bring a bit ` +
        `of every square of the mask together.`)],
    figure: [strips([{label: "magic", title: `The magic number ${hex(w.m.factor)}`, bits: bitsOf(w.m.factor)},
      ...copiesOf(w), productRow(w)], {top: w.size}),
      h("h4", {}, `The top ${w.size} columns`),
      h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Columns"}, h("table", {class: "columns"},
        h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "bit"),
          top.map((i) => h("th", {scope: "col", class: i === column ? "chosen" : null},
          button(String(i), () => c.change({column: i}, {replace: true}), {"aria-label": `Column ${i}`,
            "aria-pressed": String(i === column)}))))),
        h("tbody", {}, w.pieces.map((piece) => rowOf(chip(piece), (i) => (w.columns[i].from.includes(piece.square)
          ? h("span", {class: `digit ${piece.name}`}, "1") : h("span", {class: "digit none"}, "0")))),
          rowOf("carry", (i) => h("span", {class: w.columns[i].carry ? "digit carry" : "digit none"},
            String(w.columns[i].carry)))),
        h("tfoot", {}, rowOf(
          "sum", (i) => h("span", {class: w.columns[i].bit ? `digit ${w.colorOf(i)}` : "digit none"},
          String(w.columns[i].bit)))))),
      h("p", {class: "hint"}, `Column ${column}: `, sum === 0 ? "no copy has a 1 here." : sum === 1
        ? ["only ", ...terms, " has a 1 here: it stays as it is."] : [...list(terms), ` make ${sum}: bit ${bit}, and ` +
        `${sum >> 1} to carry to the left.`]),
      numberKeys(c, w)],
  };
}

function index(c) {
  const w = workedOut(c), top = [...Array(w.size).keys()].map((i) => 63 - i),
    ones = top.filter((i) => w.columns[i].bit);
  return {
    board: boardOf(c, w, {marks: [maskMark(w)]}),
    said: `The index is ${w.index}.`,
    text: [h("p", {}, `Shifted right by ${w.m.shift}, only the top ${w.size} bits remain: a number from 0 to ` +
      `${digits(magic.slotsOf(w.m) - 1)}. This is the `, h("strong", {}, "index"), "."),
      h("p", {class: "result"}, ones.length ? [ones.map((i) => 2 ** (i - w.m.shift)).join(" + "), " = "] : "",
        h("strong", {}, String(w.index)))],
    figure: [strips([productRow(w)], {top: w.size}),
      h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "The index"},
        h("table", {class: "columns large"},
        h("thead", {}, h("tr", {}, top.map((i) => h("th", {scope: "col"}, String(2 ** (i - w.m.shift)))))),
        h("tbody", {}, h("tr", {},
          top.map((i) => h("td", {}, h("span", {class: w.columns[i].bit ? `digit ${w.colorOf(i)}` : "digit none"},
          String(w.columns[i].bit)))))))),
      h("p", {class: "hint"}, "A coloured bit is one piece's own. Where copies meet, or a carry comes in, the bit " +
        "belongs to none of them alone.")],
  };
}

function table(c) {
  const w = workedOut(c), t = magic.tableOf(w.m, c.occupied);
  const both = (pair, text) => pair && h("div", {class: "pair"}, h("p", {}, text), ...pair.occupancies.map(
    (occupancy, i) => h("figure", {},
    smallBoard(pair.attacks[i], {occupancy, origin: c.square, label: "attacks"}),
    h("figcaption", {}, [...squaresOf(occupancy)].map(nameOf).join(" ") || "nothing"))));
  return {
    board: boardOf(c, w, {marks: [maskMark(w)]}),
    said: t.destructive ? `${counted(t.wrong.size, "slot")} would need two sets of attacks: the number is not magic.`
      : "No slot needs two sets of attacks: the number is magic.",
    text: [h("p", {}, `The index chooses one of ${digits(magic.slotsOf(w.m))} slots. Before the first game all ` +
      `${digits(t.occupancies)} ways to occupy the mask were tried, and the attacks of each were written to its ` +
      `slot: ${digits(t.different)} different sets.`),
      t.destructive ? h("p", {class: "finding"}, `This number is not magic: ${counted(t.wrong.size, "slot")} would ` +
        `need two sets of attacks at once.`)
        : h("p", {}, "No slot needs two different sets. That makes a number ", h("strong", {}, "magic"),
          "; it is found by trying.")],
    figure: [numberKeys(c, w),
      h("div", {class: "side-by-side"},
        grid(magic.slotsOf(w.m), (i) => (i === w.index ? "here" : t.wrong.has(i) ? "wrong" : t.slots.has(i) ? "used"
          : ""), `${digits(t.slots.size)} of ${digits(magic.slotsOf(w.m))} slots are used; slot ${w.index} is the ` +
          `index`),
        h("div", {},
          h("ul", {class: "legend"}, h("li", {}, h("span", {class: "swatch here"}), `slot ${w.index}, the index`),
            h("li", {}, h("span", {class: "swatch used"}), `${counted(t.slots.size, "slot")} used`),
            t.wrong.size > 0 && h("li", {}, h("span", {class: "swatch wrong"}), `${counted(t.wrong.size, "slot")} ` +
              `with two sets`), h("li", {}, h("span", {class: "swatch free"}),
              `${counted(magic.slotsOf(w.m) - t.slots.size, "slot")} free`)),
          both(t.destructive, `A destructive collision: both of these have index ${t.destructive?.index}, and ` +
            `different attacks.`),
          both(t.constructive, `A constructive collision: both of these have index ${t.constructive?.index}, and the ` +
            `same attacks. It saves a slot.`),
          !t.constructive && !t.destructive && h("p", {}, "Here no two ways to occupy the mask share a slot.")))],
  };
}

function attacks(c) {
  const w = workedOut(c), found = [...squaresOf(w.attacks)];
  return {
    board: boardOf(c, w,
      {lines: raysAsLines(c), marks: [{name: "set", label: "attacked", squares: found, plain: true}]}),
    said: `${counted(found.length, "square")} are attacked.`,
    text: [h("p", {}, `Slot ${w.index} has the answer: ${found.map(nameOf).join(" ")}. No loop, no branch: one AND, ` +
      `one multiplication, one shift and one read from memory, however many pieces there are.`),
      h("p", {}, "The first piece of each ray is in the set, whatever its colour: to leave out one's own pieces is " +
        "one more AND.")],
    figure: strips([{label: `slot ${w.index}`, title: `The attacks, ${hex(w.attacks)}`,
      bits: bitsOf(w.attacks, () => "set")}]),
  };
}

function fixedShift(c) {
  const w = workedOut(c), ours = magic.numberOf(c.piece, c.square), {of, shift} = numbers[c.piece];
  const all = magic.sliders.flatMap((piece) => [...Array(64).keys()].map((square) => magic.numberOf(piece, square)));
  const end = Math.max(...all.map((m) => m.start + magic.slotsOf(m)));
  return {
    board: boardOf(c, w, {marks: [maskMark(w)]}),
    said: `The window begins at slot ${ours.start}.`,
    text: [h("p", {}, `The mask of this square has ${w.squares.length} squares, so ${w.squares.length} bits would ` +
      `do, and each square would have a shift of its own to load. We shift by ${shift} on all of them: the shift is ` +
      `a constant of the code, and the compiler knows without a check that the index is within the window.`),
      h("p", {}, `The price would be ${of.length} windows of ${digits(2 ** (64 - shift))} slots, many of them empty. ` +
        `So the windows overlap: the numbers were chosen so that one square uses the slots that others leave free. ` +
        `All ${all.length} fit into ${digits(end)} slots.`)],
    figure: [h("h4", {}, `Slots ${digits(ours.start)} to ${digits(ours.start + magic.slotsOf(ours) - 1)} of the one ` +
      `table, and who uses them`), windows(ours, all)],
  };
}

/** Draws the slots of a window that its own square uses, those that other squares use, and all of them together. */
function windows(ours, all) {
  const slots = magic.slotsOf(ours), most = 9;
  const rows = all.flatMap((m) => {
    const isOurs = m.piece === ours.piece && m.square === ours.square, by = m.start - ours.start;
    if (by >= slots || by + magic.slotsOf(m) <= 0) return [];
    const used = [...new Set(magic.indexesOf(m))].map((index) => index + by).filter((slot) => slot >= 0
      && slot < slots);
    return used.length ? [{m, used, isOurs}] : [];
  }).sort((a, b) => b.isOurs - a.isOurs || b.used.length - a.used.length);
  const strip = (row, label, drawn) => h("div", {class: "strip-row"}, h("span", {class: "strip-label"}, label),
    svg("svg", {class: "strip", viewBox: `0 0 ${slots} 1`, preserveAspectRatio: "none", role: "img",
      "aria-label": "The slots it uses"}, drawn));
  const path = ({used, isOurs}, i) => svg("path", {class: isOurs ? "one set" : `one piece-${(i - 1) % 12}`,
    d: used.map((slot) => `M${slot} 0h1v1h-1z`).join("")});
  return [h("div", {class: "strips"}, rows.slice(0, most).map((row, i) =>
    strip(row, [h("span", {class: `chip ${row.isOurs ? "set" : `piece-${(i - 1) % 12}`}`},
      `${row.m.piece} ${nameOf(row.m.square)}`), ` ${digits(row.used.length)}`], path(row, i))),
  strip(null, h("strong", {}, "together"), rows.map(path))),
  rows.length > most && h("p", {class: "hint"}, `and ${rows.length - most} more squares`)];
}

function pext(c) {
  const w = workedOut(c), found = magic.extracted(c.occupied, w.m.mask), order = w.squares;
  const nameOfBit = (square) => w.pieces.find((piece) => piece.square === square)?.name;
  return {
    board: boardOf(c, w, {marks: [maskMark(w)], notes: Object.fromEntries(
      order.map((square, i) => [square, String(i)]))}),
    said: `PEXT gives ${found}.`,
    text: [h("p", {}, "Processors with BMI2 have an instruction for just this: PEXT takes the bits of the mask out " +
      "of a number and moves them together, in their order. No number needs to be found, and every bit of the index " +
      "is one square's own."),
      h("p", {class: "result"}, "PEXT(occupancy, mask) = ", h("strong", {}, String(found))),
      h("p", {class: "hint"}, "The board has the bit of the index for each square of the mask. On AMD before Zen 3 " +
        "the instruction is slow; in Go it is a call of assembly, which costs more than the multiplication.")],
    figure: strips([
      {label: "occupancy", title: "The occupancy", bits: bitsOf(c.occupied, (i) => nameOfBit(i) || "other")},
      {label: "mask", title: "The mask", bits: bitsOf(w.m.mask)},
      {label: h("strong", {}, "PEXT"), title: `The index ${found}`,
        bits: bitsOf(BigInt(found), (i) => nameOfBit(order[i])), kind: "sum"},
    ]),
  };
}

function hyperbola(c) {
  const w = workedOut(c), [files, ranks] = {bishop: [1, 1], rook: [0, 1]}[c.piece];
  const along = (sign) => magic.rayOf(c.square, ["", sign * files, sign * ranks], 0n);
  const line = [...along(1), ...along(-1)].reduce((set, square) => set | (1n << BigInt(square)), 0n);
  const o = c.occupied & line, r = 1n << BigInt(c.square), wrap = (n) => BigInt.asUintN(64, n);
  const up = wrap(o - 2n * r), down = magic.reversed(wrap(magic.reversed(o) - 2n * magic.reversed(r))),
    found = (up ^ down) & line;
  const colorOf = (i) => w.pieces.find(({square}) => square === i)?.name || "";
  return {
    board: boardOf(c, w, {marks: [{name: "set", label: "attacked on this line", squares: [...squaresOf(found)],
      plain: true}], lines: raysAsLines(c).filter(({to}) => has(line, to))}),
    said: "Subtraction finds the first piece by its borrow.",
    text: [h("p", {}, "Subtraction, too, finds what is in the way. Take the pieces of one line, o, and subtract " +
      "twice the slider, r: the borrow runs upwards through empty squares, to the first piece, and stops there. Turn " +
      "the board round to go downwards. Where the two results differ is what is attacked."),
      h("p", {}, "No table of attacks is needed, only the lines; the price is a few more instructions, for each " +
        "line.")],
    figure: [strips([
      {label: "o", title: "Pieces on the line", bits: bitsOf(o, colorOf)},
      {label: "r", title: "The slider", bits: bitsOf(r, () => "set")},
      {label: "o − 2r", title: "After the subtraction", bits: bitsOf(up)},
      {label: "the same, turned", title: "After the subtraction on the board turned round", bits: bitsOf(down)},
      {label: h("strong", {}, "differ, on the line"), title: "What is attacked on the line",
        bits: bitsOf(found, () => "set"), kind: "sum"},
    ]),
    h("div", {class: "keys"}, button("All eleven algorithms on this board",
      () => c.change({view: "sliders", algorithm: "hyperbola", step: ""})))],
  };
}

export const magicLesson = {
  ...withSlider,
  name: "magic", short: "Magic bitboards", title: "How magic bitboards work",
  code: ({piece}) => [
    `func ${piece === "rook" ? "Rook" : "Bishop"}(s Square, occupancy Bitboard) Bitboard {`,
    `\te := &${piece}s[s]`,
    "\trelevant := occupancy & e.mask",
    "\tproduct := relevant * e.magic",
    `\tindex := product >> ${numbers[piece].shift}`,
    "\treturn e.window[index]",
    "}",
  ],
  steps: [
    {title: "A slider sees along lines", code: [0], show: lines},
    {title: "What can be in the way: the mask", code: [1, 2], show: mask},
    {title: "The pieces in the way are a number", code: [2], show: number},
    {title: "The product is a sum of shifted copies", code: [3], show: product},
    {title: "The top bits are the index", code: [4], show: index},
    {title: "The index is a slot of a table", code: [5], show: table},
    {title: "The slot has the attacks", code: [5, 6], show: attacks},
    {title: "Beside it: one shift for all squares", after: true, code: [4], show: fixedShift},
    {title: "Beside it: PEXT, by one instruction", after: true, show: pext, code: [2], listing: () => [
      "func Bishop(s Square, occupancy Bitboard) Bitboard {", "\te := &bishops[s]", "\tindex := pext(occupancy, " +
        "e.mask)", "\treturn e.window[index]", "}"]},
    {title: "Beside it: hyperbola quintessence, by subtraction", after: true, show: hyperbola, code: [1, 2, 3, 4],
      listing: () => [
      "func alongLine(s Square, occupancy, line Bitboard) Bitboard {", "\to, r := occupancy & line, s.Bitboard()",
        "\tup := o - 2*r", "\tdown := reverse(reverse(o) - 2*reverse(r))", "\treturn (up ^ down) & line", "}"]},
  ],
};
