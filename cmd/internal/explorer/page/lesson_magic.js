// How magic bitboards work. Each piece in the way has one colour, from its square to its bits of the index.

import {button, chip, code, counted, digits, h, headOf, hint, p, redraw, result, s as svg, say, strong} from "./dom.js";
import {bitsOf, grid, smallBoard, strips} from "./board.js";
import * as magic from "./magic.js";
import {all, has, hex, nameOf, parseSet, squaresOf} from "./sets.js";
import {slidersBoard, withSlider} from "./lesson_sliders.js";

const chipOf = ({name, square}) => chip(name, nameOf(square));
const power = (n) => ["2", h("sup", {}, String(n))];
const scroll = (label, table) => h("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": label}, table);
const list = (items) => items.flatMap((item, i) => [i === 0 ? null : i === items.length - 1 ? " and " : ", ", item]);
const namesOf = (set) => [...squaresOf(set)].map(nameOf);
const piecesOf = (set) => namesOf(set).join(" ") || "no piece";

/** All that the steps show: the number, the pieces in the way with their colours, the product and the index. */
function workedOut(c) {
  const ours = magic.numberOf(c.piece, c.square), other = parseSet(c.state.number);
  const m = other === null ? ours : {...ours, factor: other}, size = 64 - m.shift;
  const relevant = c.occupied & m.mask, squares = [...squaresOf(m.mask)];
  const pieces = [...squaresOf(relevant)].map((square) => ({square, name: `piece-${squares.indexOf(square)}`}));
  const columns = magic.columnsOf(m, pieces.map(({square}) => square));
  // A bit of the product has the colour of a piece if it comes from that piece alone.
  const colorOf = (i) => (columns[i].from.length === 1 && columns[i].carry === 0
    ? pieces.find(({square}) => square === columns[i].from[0]).name : "mixed");
  return {m, isOurs: other === null, relevant, pieces, columns, colorOf, size, squares, ways: 2 ** squares.length,
    top: Array.from({length: size}, (_, i) => 63 - i), product: magic.productOf(m, c.occupied),
    index: magic.indexOf(m, c.occupied), attacks: magic.attacksOf(c.piece, c.square, c.occupied)};
}

/** The board of a step: the pieces, those in the way in their colours. */
function boardOf(c, w, more = {}) {
  const marks = w.pieces.map(({square, name}) => ({name, label: "in the way", squares: [square], plain: true,
    apart: true}));
  return {pieces: slidersBoard(c), selected: c.state.place === "slider" ? c.square : null, ...more,
    marks: [...marks, ...(more.marks || [])]};
}

const withMask = (c, w, more = {}) => boardOf(c, w, {...more, marks: [{name: "mask", label: "its occupancy matters",
  squares: w.squares.filter((square) => !has(w.relevant, square)), plain: true, apart: true}]});

const raysOf = (c) => magic.directions[c.piece].map((direction) => magic.rayOf(c.square, direction, c.occupied));

const raysAsLines = (c) => raysOf(c).filter((ray) => ray.length)
  .map((ray) => ({from: c.square, to: ray.at(-1), name: "sight"}));

const copiesOf = (w) => w.pieces.map((piece) => ({
  label: [chipOf(piece), ` factor << ${piece.square}`], title: `The factor, ${piece.square} columns to the left`,
  bits: bitsOf(BigInt.asUintN(64, w.m.factor << BigInt(piece.square)), () => piece.name),
}));

const productRow = (w) => ({label: strong("product"), title: `The product, ${hex(w.product)}`,
  bits: bitsOf(w.product, w.colorOf), kind: "sum"});

const numberKeys = (c, w) => h("div", {class: "keys"},
  button("Try a random number", () => c.change({number: hex(magic.randomFactor())})),
  !w.isOurs && button("Our number", () => c.change({number: ""})),
  code(hex(w.m.factor)));

function why(c) {
  const w = workedOut(c);
  return {
    board: boardOf(c, w, {marks: [{name: "set", label: "attacked", squares: [...squaresOf(w.attacks)], plain: true}]}),
    text: [p`The attacks of a ${c.piece} depend on the pieces in its way. An engine needs them many million times a
      second, so it computes them once for each case and looks them up.`,
    p`But how do you find the case in the table? A board has 64 squares, and ${power(64)} ways to occupy them do not
      fit into memory. Only ${w.squares.length} squares matter for this ${c.piece}, in ${digits(w.ways)} ways. Their
      bits lie scattered over the board. A ${strong("hash")} brings them together into a small number, the index. One
      multiplication can do that, if its factor is well chosen: the magic number.`],
  };
}

function lines(c) {
  const w = workedOut(c), visited = raysOf(c).reduce((sum, ray) => sum + ray.length, 0);
  return {
    board: boardOf(c, w, {lines: raysAsLines(c)}),
    said: `${counted(visited, "square")} visited.`,
    text: p`First the slow way. A program walks along each line, square by square, until something is in the way. Here
      it visits ${counted(visited, "square")}. The processor cannot predict where a line ends.`,
  };
}

function mask(c) {
  const w = workedOut(c), ignored = namesOf(c.occupied & ~w.m.mask);
  return {
    board: withMask(c, w),
    said: `${counted(w.squares.length, "square")} matter.`,
    text: [p`Only pieces on the lines can be in the way. The last square of a line does not matter, because nothing lies
      behind it. What remains is the ${strong("mask")}: ${counted(w.squares.length, "square")}, which can be occupied
      in ${power(w.squares.length)} = ${digits(w.ways)} ways.`,
    p`${w.pieces.length ? ["In the way: ", ...list(w.pieces.map(chipOf)), ". "]
      : "Nothing is in the way. "}${ignored.length ? `Not in the way: ${ignored.join(", ")}.`
      : `Put a piece on ${namesOf(magic.attacksOf(c.piece, c.square, 0n) & ~w.m.mask).join(" or ")
      }, where a line ends, or beside the lines: it gets no colour.`}`],
  };
}

function number(c) {
  const w = workedOut(c);
  return {
    board: boardOf(c, w, {notes: Object.fromEntries(all.map((square) => [square, String(square)]))}),
    said: `The pieces in the way are the number ${hex(w.relevant)}.`,
    text: [p`Number the squares from a1 = 0 to h8 = 63. Each square is then a bit of a 64-bit number, and a set of
      squares is such a number.`,
    p`${w.pieces.length ? [...list(w.pieces.map((piece) => [chipOf(piece), " is ", power(piece.square)])), ". "]
      : "No piece, no bit. "}Together: ${code(hex(w.relevant))}.`],
    figure: strips([{label: "in the way", title: `The number ${hex(w.relevant)}`,
      bits: bitsOf(w.relevant, (i) => w.pieces.find(({square}) => square === i).name)}]),
  };
}

function product(c) {
  const w = workedOut(c), {top} = w;
  const column = top.includes(Number(c.state.column)) && c.state.column ? Number(c.state.column) : top.find(
    (i) => w.columns[i].from.length + w.columns[i].carry > 1) ?? top.find((i) => w.columns[i].bit) ?? 63;
  const carries = (columns) => top.some((i) => columns[i].from.length + columns[i].carry > 1);
  const {from, carry, bit} = w.columns[column], sum = from.length + carry;
  const terms = [...from.map((square) => chipOf(w.pieces.find((piece) => piece.square === square))),
    ...(carry ? [`a carry of ${carry}`] : [])];
  return {
    board: withMask(c, w),
    said: `The product is ${hex(w.product)}.`,
    text: p`A piece is one bit, and a multiplication by one bit is a shift. So the product is a ${
      strong("sum of copies of the factor")}, one for each piece, shifted left by the number of its square. Bits
      that leave at the left are lost.`,
    figure: [strips([{label: "factor", title: `The factor ${hex(w.m.factor)}`, bits: bitsOf(w.m.factor)},
      ...copiesOf(w), productRow(w)], {top: w.size}),
    h("h4", {}, "Why it can work"),
    p`A 1 at bit i of the factor sends square s to column s + i. A good factor sends every square of the mask
      into the top ${w.size} columns, shown here. A framed 1 is that of an empty square.`,
    scroll("Columns", columnTable(c, w, column)),
    hint(`Column ${column}: `, sum ? [...list(terms), ` ${terms[1] ? "make" : "makes"} ${sum}.`,
      sum > 1 && ` The bit is ${bit}, and ${sum >> 1} is carried to the left.`] : "no copy has a 1 here."),
    carries(w.columns) ? p`${strong("Carried:")} the columns are added as on paper.`
      : !carries(magic.columnsOf(w.m, w.squares)) ? p`With this number no column ever carries.`
      : p`${strong("Your task:")} find pieces that carry. Click empty squares of the mask until two copies have a 1 in
        one column.`,
    numberKeys(c, w)],
  };
}

/** The top columns: which squares of the mask send a 1 there, and their sum. */
function columnTable(c, w, column) {
  const digit = (on, name) => h("span", {class: on ? `digit ${name}` : "digit none"}, String(Number(on)));
  const rowOf = (name, cell) => h("tr", {}, h("th", {scope: "row"}, name),
    w.top.map((i) => h("td", {class: i === column ? "chosen" : null}, cell(i))));
  return h("table", {class: "columns"},
    h("thead", {}, h("tr", {}, h("th", {scope: "col"}, "bit"), w.top.map((i) =>
      h("th", {scope: "col", class: i === column ? "chosen" : null}, button(String(i), () =>
        c.replace({column: i}), {"aria-label": `Column ${i}`, "aria-pressed": String(i === column)}))))),
    h("tbody", {}, w.squares.map((square) => {
      const piece = w.pieces.find((one) => one.square === square) || {square, name: "absent"};
      return rowOf(chipOf(piece), (i) => digit(i >= square && has(w.m.factor, i - square), piece.name));
    }), rowOf("carry", (i) => digit(w.columns[i].carry, "carry"))),
    h("tfoot", {}, rowOf("sum", (i) => digit(w.columns[i].bit, w.colorOf(i)))));
}

function index(c) {
  const w = workedOut(c), ones = w.top.filter((i) => w.columns[i].bit), valueOf = (i) => String(2 ** (i - w.m.shift));
  return {
    board: withMask(c, w),
    said: `The index is ${w.index}.`,
    text: [p`After a shift right by ${w.m.shift} only the top ${w.size} bits remain: a number from 0 to
      ${digits(magic.slotsOf(w.m) - 1)}, the ${strong("index")}.`,
    result(ones.length > 1 && `${ones.map(valueOf).join(" + ")} = `, strong(String(w.index)))],
    figure: [strips([productRow(w)], {top: w.size}),
      scroll("The index", h("table", {class: "columns large"},
        headOf(w.top.map(valueOf)),
        h("tbody", {}, h("tr", {}, w.top.map((i) => h("td", {}, h("span", {class: w.columns[i].bit
          ? `digit ${w.colorOf(i)}` : "digit none"}, String(w.columns[i].bit)))))))),
      hint("Coloured bits come from one piece alone.")],
  };
}

function table(c) {
  const w = workedOut(c), t = magic.tableOf(w.m, c.occupied), slots = magic.slotsOf(w.m);
  const both = (pair, text) => pair && h("div", {class: "pair"}, p`${text}`, pair.occupancies.map(
    (occupancy, i) => h("figure", {}, smallBoard(pair.attacks[i], {occupancy, origin: c.square, label: "attacks"}),
      h("figcaption", {}, piecesOf(occupancy)))));
  const legend = (name, text) => h("li", {}, h("span", {class: `swatch ${name}`}), text);
  return {
    board: withMask(c, w),
    said: t.destructive ? `${counted(t.wrong.size, "slot")} would need two or more sets: the number is not magic.`
      : "No slot needs two sets of attacks: the number is magic.",
    text: [p`The index chooses one of ${digits(slots)} slots. Before the first game the program tries all
      ${digits(t.occupancies)} ways to occupy the mask, and writes the attacks of each into its slot. There are only
      ${digits(t.different)} different sets of attacks, so several ways can share a slot.${
        t.slots.size === t.occupancies ? " Here each has its own." : ""}`,
    t.destructive ? h("p", {class: "finding"}, `Not magic: ${counted(t.wrong.size, "slot")} would need two or more ` +
      "sets of attacks at once.")
      : p`No slot needs two different sets. That makes a number ${strong("magic")}.`],
    figure: [numberKeys(c, w),
      h("div", {class: "side-by-side"},
        grid(slots, (i) => (i === w.index ? "here" : t.wrong.has(i) ? "wrong" : t.slots.has(i) ? "used" : ""),
          `${digits(t.slots.size)} of ${digits(slots)} slots are used; slot ${w.index} is the index`),
        h("div", {},
          h("ul", {class: "legend"}, legend("here", `slot ${w.index}, the index`),
            legend("used", `${counted(t.slots.size - t.wrong.size, "slot")} with one set`),
            t.wrong.size > 0 && legend("wrong", `${counted(t.wrong.size, "slot")} with two or more sets`),
            legend("free", `${counted(slots - t.slots.size, "slot")} free`)),
          both(t.destructive,
            `A destructive collision: both have index ${t.destructive?.index}, and different attacks.`),
          both(t.constructive,
            `A constructive collision saves a slot: both have index ${t.constructive?.index}, and the same attacks.`))),
    ],
  };
}

const output = h("div", {class: "stack"}), most = 400000, pause = 200;
let shownFor = ""; // the slider of the output

/** Tries random numbers until one is magic, and lists those that get further than all before above ours. */
async function race(c) {
  const m = magic.numberOf(c.piece, c.square), status = h("p", {class: "status"}), list = h("ul", {class: "plain"});
  const run = (factor) => ({factor, ...magic.fillUntilFailure({...m, factor})});
  const add = ({factor, filled, of, used, at}, name) => list.prepend(h("li", {}, button(code(hex(factor)), () =>
    c.change({number: hex(factor), step: 7}), {class: "link", title: "See its table"}), filledBar(filled / of),
  ` ${name}${at ? `: ${digits(filled)} of ${digits(of)} ways in ${counted(used, "slot")}, then ${piecesOf(
    at.occupancies[0])} and ${piecesOf(at.occupancies[1])} need slot ${at.index} for different attacks.`
    : ` is magic: all ${digits(of)} ways in ${digits(used)} of ${digits(magic.slotsOf(m))} slots.`}`));
  const ours = run(m.factor);
  let tries = 0, best = {filled: ours.of / 16}, stopped = false;
  add(ours, "Ours");
  redraw(output, status, button("Stop", () => { stopped = true; }), list);
  while (best.at !== null && tries < most && !stopped) {
    let now = best;
    for (const end = performance.now() + 20; now.filled <= best.filled && performance.now() < end; tries++)
      now = run(magic.randomFactor());
    status.textContent = `${counted(tries, "candidate")} tried…`;
    const further = now.filled > best.filled;
    if (further) add(best = now, `No. ${digits(tries)}`);
    await new Promise((next) => setTimeout(next, further && pause));
    if (!output.contains(status)) return; // another race has begun
    stopped ||= !output.isConnected;
  }
  status.nextSibling.remove();
  say(status.textContent = `${best.at === null ? "Found" : "None found"} after ${counted(tries, "candidate")
  }. The list shows each that got further than all before, from a sixteenth of the ways on.`);
}

const filledBar = (share) => svg("svg", {class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none",
  "aria-hidden": "true"}, svg("rect", {width: 100, height: 10, class: "zero"}),
svg("rect", {width: Math.max(1, 100 * share), height: 10, class: share === 1 ? "one whole" : "one"}));

function found(c) {
  const w = workedOut(c), slots = magic.slotsOf(w.m);
  if (shownFor !== (shownFor = c.piece + c.square)) redraw(output);
  return {
    board: withMask(c, w),
    text: [p`Magic numbers are found by trying. Draw a random number with few 1s, so that its copies seldom have a 1 in
      the same column, and fill its table. At the first slot that would need two different sets, draw the next number.`,
    p`Spare slots make it easier: here ${digits(w.ways)} ways have ${digits(slots)} slots${
      w.ways === slots ? ", none to spare" : ""}. Without spare ones, half of the bishop's squares need fewer than 1,400
      tries on average, and half of the rook's fewer than 21,000. A number stays good, so programs contain it as a constant.`],
    figure: [h("div", {class: "keys"}, button("Race candidates", () => race(c))), output],
  };
}

function attacks(c) {
  const w = workedOut({...c, state: {...c.state, number: ""}}), squares = [...squaresOf(w.attacks)];
  return {
    board: boardOf(c, w, {lines: raysAsLines(c), marks: [{name: "set", label: "attacked", squares, plain: true}]}),
    said: `${counted(squares.length, "square")} are attacked.`,
    text: [p`With our number, slot ${w.index} contains the answer: ${squares.map(nameOf).join(" ")}. The lookup is one
      AND, one multiplication, one shift and one read, however many pieces there are. It has no loop and no branch.`,
    p`The first piece of each ray is in the set, whatever its colour. One more AND removes your own pieces.`],
    figure: strips([{label: `slot ${w.index}`, title: `The attacks, ${hex(w.attacks)}`,
      bits: bitsOf(w.attacks, () => "set")}]),
  };
}

function fixedShift(c) {
  const w = workedOut(c), ours = magic.numberOf(c.piece, c.square), {shift} = ours;
  const every = magic.sliders.flatMap((piece) => all.map((square) => magic.numberOf(piece, square)));
  const end = Math.max(...every.map((m) => m.start + magic.slotsOf(m)));
  return {
    board: withMask(c, w),
    said: `The window begins at slot ${ours.start}.`,
    text: [p`The mask of the ${c.piece} on ${nameOf(c.square)} has ${w.squares.length} bits, and we
      shift by ${shift} on all squares, which leaves ${64 - shift}. The shift is then a constant of the code, and the
      compiler knows that the index is within the window.`,
    p`Many slots would be empty, so the windows overlap: one square uses the slots that others leave free. All
    ${every.length} fit into ${digits(end)} slots.`],
    figure: [h("h4", {}, `Slots ${digits(ours.start)} to ${digits(ours.start + magic.slotsOf(ours) - 1)} of the one ` +
      "table: how many each square uses"), windows(ours, every)],
  };
}

/** Draws the slots of a window that its own square uses, those that other squares use, and all of them together. */
function windows(ours, every) {
  const slots = magic.slotsOf(ours), most = 9;
  const rows = every.flatMap((m) => {
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
    strip(row, [chip(row.isOurs ? "set" : `piece-${(i - 1) % 12}`, `${row.m.piece} ${nameOf(row.m.square)}`),
      ` ${digits(row.used.length)}`], path(row, i))),
  strip(null, strong("together"), rows.map(path))),
  rows.length > most && hint(`and ${rows.length - most} more squares`)];
}

export const magicLesson = {
  ...withSlider,
  name: "magic", short: "Magic bitboards", title: "How magic bitboards work",
  code: ({piece}) => [
    `func ${piece === "rook" ? "Rook" : "Bishop"}(s Square, occupancy Bitboard) Bitboard {`,
    `\te := &${piece}s[s]`,
    "\trelevant := occupancy & e.mask",
    "\tproduct := relevant * e.magic",
    `\tindex := product >> ${magic.numberOf(piece, 0).shift}`,
    "\treturn e.window[index]",
    "}",
  ],
  steps: [
    {title: "Why look up, and why hash?", code: [0], show: why},
    {title: "A slider sees along lines", code: [0], show: lines},
    {title: "What can be in the way: the mask", code: [1, 2], show: mask},
    {title: "The pieces in the way are a number", code: [2], show: number},
    {title: "The product is a sum of copies", code: [3], show: product},
    {title: "The top bits are the index", code: [4], show: index},
    {title: "The index chooses a slot", code: [5], show: table},
    {title: "How the numbers are found", code: [3], show: found},
    {title: "The slot contains the attacks", code: [5, 6], show: attacks},
    {title: "One shift for all squares", after: true, code: [4], square: 9, show: fixedShift},
  ],
};
