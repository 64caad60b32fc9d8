// Eleven ways to the attacks of a slider, as one family: a formula, its Go code, and its steps on the board.

import {ask} from "./backend.js";
import {button, choice, code, counted, digits, h, headOf, hint, p, redraw} from "./dom.js";
import {bitsOf, strips} from "./board.js";
import {directions} from "./magic.js";
import {all, has, hex, nameOf, parseSet, squaresOf, toggled} from "./sets.js";
import {change, replace} from "./state.js";

/**
 * The ways in the order of package sliders. Each of the parts is a part of the formula with the line of Go that
 * computes it: "" for the line before. Without a part of the formula, a line is only listed. The library's steps repeat
 * the parts for each line or ray; a way with "along" has one part, and a moment for each square.
 */
const ways = [
  {name: "walker", title: "Walk along each ray", words: `The plainest way, and the reference for all others: along each
    ray, one square at a time, up to the first occupied square.`, along: () => "",
  parts: [["s + d, s + 2d, …", "for step := s.Bitboard().Shift(d); step != 0; step = step.Shift(d) {"],
    ["", "passed |= step"], ["", "if step&occupancy != 0 {"], ["", "break"], ["", "}"], ["", "}"]]},
  {name: "breadcrumbs", title: "Leave breadcrumbs", words: `One sweep over the whole board for each direction. A square
    is reached if the square before it is the slider's or has a breadcrumb. If it is empty, it gets a breadcrumb. No ray
    is followed.`,
  along: (from, to) => `${nameOf(to - (to - from) / steps(from, to))} has a breadcrumb or the slider, `,
  note: (c, square, reached) => (has(reached, square) && !has(c.occupied, square) ? "crumb" : ""),
  parts: [["", "for j := range 8 {"], ["", "file := along(step.x, j)"],
    ["crumb(s − d)", "if before.x&^7 != 0 || before.y&^7 != 0 || !crumbs[before.y][before.x] {"],
    ["", "continue // off the board, or without a breadcrumb"], ["", "}"],
    ["", "reached = reached.With(square)"], ["", "crumbs[rank][file] = !occupancy.Has(square)"], ["", "}"]]},
  {name: "coordinates", title: "Draw a graph", words: `Squares are points, from a1 = (1, 1) to h8 = (8, 8). A bishop's
    rays are the graphs of y = x and y = −x through its square, a rook's are the axes. Each point is the square plus k
    times the direction.`, along: (from, to) => `(${coordinates(from)}) + ${steps(from, to)} · (${directionOf(
    from, to).slice(1).join(", ")}) = (${coordinates(to)}), `,
  note: (c, square) => coordinates(square),
  parts: [["(x, y) + k · (dx, dy)", "to := point{from.x + step.x*distance, from.y + step.y*distance}"],
    ["", "if to.x < 1 || to.x > 8 || to.y < 1 || to.y > 8 {"], ["", "break"], ["", "}"], ["", "graph = graph.With(square)"],
    ["", "if occupancy.Has(square) {"], ["", "break"], ["", "}"]]},
  {name: "classical", title: "Scan for the first piece", words: `A table contains each ray of an empty board. A bit scan
    finds the first piece on it, and one XOR removes the ray behind that piece. On a ray that leads up the first piece
    is the lowest bit, on a ray that leads down the highest. The end
    of the board is added to the pieces, so an empty ray is no exception. The code shows the way up.`,
  parts: [["ray(s)", "first := bits.TrailingZeros64(uint64(ray[s&63]&occupancy | bitboard.H8.Bitboard()))"],
    ["first(ray(s) & o)", ""], ["ray(s) ⊕ ray(first)", "return ray[s&63] ^ ray[first&63]"]]},
  {name: "hyperbola", title: "Let a borrow run", words: `Hyperbola quintessence takes the pieces of one line, o, and
    subtracts twice the slider, r. The borrow runs up through empty squares to the first piece, or off the board.
    The reversed line, o′, gives the way down. A byte swap reverses files and diagonals. For ranks the code has a table
    of 512 bytes, and the picture turns the board round.`,
  parts: [["o", "pieces := occupancy & line"], ["o − 2r", "upwards := pieces - 2*s.Bitboard()"], ["(o′ − 2r′)′",
    "downwards := (pieces.FlipVertical() - 2*s.FlipVertical().Bitboard()).FlipVertical()"],
  ["⊕", "return (upwards ^ downwards) & line"], ["& line", ""]]},
  {name: "obstruction", square: 22, title: "Subtract the neighbours", words: `Obstruction difference looks for the nearest pieces
    below and above the slider on a line. Twice the upper bit minus the lower one is 1 on every square from one to the
    other. Without a piece below, a1 is the lower end. Without a piece above, the upper end is 2⁶⁴, which is 0 in 64
    bits.`,
  parts: [["lower", "lower = line & occupancy & below"], ["upper", "upper = line & occupancy &^ below"],
    ["", "nearestLower := bitboard.Bitboard(1) << (63 - bits.LeadingZeros64(uint64(lower|1)))"],
    ["2 · lowest(upper) − highest(lower)", "return lower, upper, 2*(upper&-upper) - nearestLower"],
    ["& line", "return difference & line"]]},
  {name: "kogge-stone", title: "Flood the empty squares", words: `The slider floods the empty squares of a direction: by
    one square, by two more, by four more, as the carries of a parallel adder. One more step reaches the piece that
    stops the flood, if there is one. There is no table and no branch. The code shows the way up; the way down shifts to
    the right.`,
  parts: [["", "flooded, open := s.Bitboard(), ^occupancy&arrivals"],
    ["f | f « d", "flooded |= open & (flooded << step)"],
    ["", "open &= open << step"], ["| f « 2d", "flooded |= open & (flooded << (2 * step))"],
    ["", "open &= open << (2 * step)"], ["| f « 4d", "flooded |= open & (flooded << (4 * step))"],
    ["then « d", "return flooded << step & arrivals"]]},
  {name: "kindergarten", title: "Gather six bits", words: `A multiplication brings the six inner squares of a line
    together in the highest six bits of the product. They are the index of a table with the attacks along the first
    rank, repeated on all ranks. The line selects its squares from it. A file has another factor and table than this
    code.`,
  parts: [["o", "inner := (occupancy & line) * fileB >> 58"], ["o · b-file", ""], [">> 58", ""],
    ["table[index] & line", "return rankFills[s&7][inner&63] & line"]]},
  {name: "fancy", title: "Multiply by a magic number", words: `The lesson on magic bitboards explains the product. Here
    each square has exactly one slot for each way to occupy its mask, so the shift differs from square to square.`,
  parts: [["mask", "return e.window[uint64(occupancy&e.mask)*e.factor>>(e.shift&63)]"], ["o & mask", ""], ["magic", ""],
    ["(o & mask) · magic", ""], [">> shift", ""], ["table[index]", ""]]},
  {name: "fixed", title: "Shift by a constant", words: `The same, with one shift for all squares of a piece. This is the
    way of package attacks: a constant shift bounds the index, so the table needs no check. The windows of the squares
    overlap in one table. The code is the bishop's.`,
  parts: [["mask", "e := &entries[0][s&63]"],
    ["o & mask", "return load(e.window, uint64(occupancy&e.mask)*e.factor>>bishopShift)"], ["magic", ""],
    ["(o & mask) · magic", ""], [">> shift", ""], ["table[index]", ""]]},
  {name: "pext", title: "Extract the bits", words: `Processors with BMI2 have an instruction for the whole hash. PEXT
    takes the bits of the mask and moves them together in their order, so it needs no number. It is slow on AMD before
    Zen 3, and Go calls it as assembly, which costs more than the multiplication.`,
  parts: [["mask", "return e.window[extract(uint64(occupancy), uint64(e.mask))]"], ["o & mask", ""],
    ["pext(o, mask)", ""], ["table[index]", ""]]},
];

// What the signs of the formulas mean.
const meanings = {s: "the slider's square", d: "a step in the direction", o: "the pieces", r: "the slider",
  f: "the flooded squares", "′": "reversed", "«": "shifted by", "⊕": "XOR"};

const coordinates = (square) => `${(square & 7) + 1}, ${(square >> 3) + 1}`;
const steps = (from, to) => Math.max(Math.abs((to & 7) - (from & 7)), Math.abs((to >> 3) - (from >> 3)));
const directionOf = (from, to) => directions.queen.find(([, files, ranks]) =>
  files === Math.sign((to & 7) - (from & 7)) && ranks === Math.sign((to >> 3) - (from >> 3)));

function squareBySquare({square: from, occupied}, along, rays) {
  let reached = 0n;
  return [...rays.slice(0, -1).flatMap(({board}) => [...squaresOf(parseSet(board) & ~reached)]
    .sort((a, b) => steps(from, a) - steps(from, b)).map((to) => {
      reached |= 1n << BigInt(to);
      return {title: `${directionOf(from, to)[0]}: ${along(from, to)}${nameOf(to)} is ` +
        (has(occupied, to) ? "occupied: the ray ends" : "empty"), board: hex(reached), looks: to};
    })), rays.at(-1)];
}

/** Draws a way: its formula, its code and the board of a moment point at each other. */
async function show(c, way) {
  const {square, occupied} = c, answer = await ask("sliders", {piece: c.piece, square: nameOf(square),
    occupancy: hex(occupied), algorithm: way.name});
  const moments = way.along ? squareBySquare(c, way.along, answer.steps) : answer.steps;
  const now = Math.min(Math.max(Number(c.state.at) || 1, 1), moments.length) - 1, last = moments.length - 1;
  const found = counted([...squaresOf(parseSet(answer.attacks))].length, "square");
  const {tableBytes, available, source} = answer.algorithms[ways.indexOf(way)];
  const others = ways.filter((_, i) => answer.algorithms[i].attacks !== answer.attacks).map(({title}) => title);
  const formula = way.parts.filter(([part]) => part);
  const signs = Object.entries(meanings).filter(([sign]) =>
    formula.some(([part]) => RegExp(`(?<![a-z])${sign}(?![a-z])`).test(part)));
  const momentOf = (part) => (now === last ? last - formula.length : now - now % formula.length) + part;

  const boardOf = ({title, board, bits, looks}) => {
    const set = parseSet(board), squares = [...squaresOf(set)];
    const notes = all.map((one) => [one, way.note?.(c, one, set)]).filter(([, text]) => text);
    return {pieces: slidersBoard(c), selected: c.state.place === "slider" ? square : null,
      notes: Object.fromEntries(notes), marks: [
        {name: bits ? "number" : "set", label: title, squares, plain: true, apart: bits},
        {name: "look", label: "looked at", squares: looks === undefined ? [] : [looks], plain: true, apart: true}]};
  };
  const result = h("p", {class: "result moment"}), bits = h("div");
  const pick = (part) => ({onclick: () => c.replace({at: momentOf(part) + 1}),
    onpointerenter: () => point(momentOf(part)), onpointerleave: () => point(now)});
  const keys = formula.map(([text], part) => h("button", {type: "button", class: "link", ...pick(part)}, text));
  const by = (step, text, label) => button(text, () => c.replace({at: now + 1 + step}),
    {"aria-label": label, off: !moments[now + step]});
  let part = -1, depth = 0;
  const indented = (line) => {
    depth -= line === "}";
    return "\t".repeat(line.endsWith("{") ? depth++ : depth) + line;
  };
  const lines = way.parts.reduce((all, [text, line]) => {
    part += text ? 1 : 0;
    if (line) return [...all, {line, parts: text ? [part] : []}];
    all.at(-1).parts.push(part);
    return all;
  }, []).map(({line, parts}) => ({parts, element: h("li", parts.length ? pick(parts[0]) : {}, code(indented(line)))}));

  // Shows a moment, and which part of the formula and which line of the code it is.
  function point(i) {
    const moment = moments[i], current = i === last ? -1 : i % formula.length, set = parseSet(moment.board);
    c.look(boardOf(moment));
    redraw(result, moment.title, moment.value && `: ${moment.value}`);
    redraw(bits, strips([{label: moment.bits ? "a number" : "the set", title: moment.title,
      bits: bitsOf(set, () => (moment.bits ? "number" : "set"))}]));
    keys.forEach((key, k) => { key.ariaCurrent = k === current || null; });
    for (const {element, parts} of lines) element.ariaCurrent = parts.includes(current) || null;
  }
  point(now);
  return {
    board: boardOf(moments[now]), said: moments[now].title, time: 2500,
    next: now < last ? () => c.replace({at: now + 2}) : undefined,
    // A square of the board points at the parts whose result contains it.
    enter: (on) => keys.forEach((key, k) => key.classList.toggle("contains", on !== null
      && has(parseSet(moments[momentOf(k)]?.board || "0x0"), on))),
    text: [p`${way.words}`, h("div", {class: "field wide"},
      h("label", {for: "moment"}, `Moment ${now + 1} of ${moments.length}`), h("div", {class: "moments"},
        by(-1, "‹", "One moment back"), h("input", {id: "moment", type: "range", min: 1, max: moments.length,
          value: now + 1, oninput: (e) => point(e.target.value - 1), onchange: (e) => c.replace({at: e.target.value})}),
        by(1, "›", "One moment on"))), result],
    figure: [h("div", {class: "formula keys", role: "group", "aria-label": "Formula"}, keys),
      signs[0] && hint(signs.map((pair) => pair.join(": ")).join(", ")),
      h("ol", {class: "code"}, lines.map(({element}) => element)), bits,
      p`It finds ${found}${others.length ? `, and ${others.join(", ")} others.` : ", and so do the ten other ways."} ${
        tableBytes ? `Its tables take ${digits(tableBytes)} bytes.` : "It needs no table."}${
        available ? "" : " Here the instruction is missing, and a slower function takes its place."}`,
      hint("Source: ", source.split(/(https:\S+)/).map((part) =>
        (part.startsWith("https:") ? h("a", {href: part}, part) : part))),
      h("details", {}, h("summary", {}, "The tables of all eleven"), h("table", {"aria-label": "Algorithms"},
        headOf(["Way", "Bytes"], true), h("tbody", {}, answer.algorithms.map(({tableBytes: bytes}, i) => h("tr",
          {class: ways[i] === way ? "chosen" : null}, h("th", {scope: "row"}, ways[i].title),
          h("td", {class: "number"}, bytes ? digits(bytes) : "none"))))))],
  };
}

/** The controls of a board with a slider, for any lesson: a click puts a piece in the way, a drag moves the slider. */
export const withSlider = {
  sliders: ["bishop", "rook"],
  hint: "Click squares for pieces in the way. Drag the slider.",
  click({state, square, occupied}, clicked) {
    if (state.place === "slider") withSlider.drop({occupied}, null, clicked);
    else if (clicked !== square) change({occupied: hex(toggled(occupied, clicked))});
  },
  movable: ({square}, from) => from === square,
  drop: ({occupied}, _, to) => change({slider: nameOf(to), occupied: hex(occupied & ~(1n << BigInt(to))), place: ""}),
  controls({state, piece}) {
    return [
      choice("Slider", this.sliders.map((name) => [name, name]), piece, (name) =>
        change({piece: name, number: "", column: ""})),
      moveButtons(state, "slider"),
      button("Empty board", () => change({occupied: hex(0n)})),
    ];
  },
};

/** Buttons after which a click on the board moves a piece. */
export const moveButtons = (state, ...names) => names.map((name) => button(`Move the ${name}`, () =>
  replace({place: state.place === name ? "" : name}), {"aria-pressed": String(state.place === name)}));

export const letters = {bishop: "B", rook: "R", queen: "Q"};

/** The pieces of a board with a slider and pawns. */
export function slidersBoard({piece, square, occupied}) {
  const pieces = new Array(64).fill("");
  for (const pawn of squaresOf(occupied)) pieces[pawn] = "p";
  pieces[square] = letters[piece];
  return pieces;
}

export const slidersLesson = {
  ...withSlider, name: "sliders", short: "Eleven ways", title: "Eleven ways to the attacks of a slider",
  hint: "Tap or point at the formula or code. " + withSlider.hint, sliders: ["bishop", "rook", "queen"],
  steps: ways.map((way) => ({title: way.title, square: way.square, show: (c) => show(c, way)})),
};
