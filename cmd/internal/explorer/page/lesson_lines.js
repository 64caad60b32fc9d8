// Diagonals and anti-diagonals: their numbers and their masks. And intersection squares: where a slider gives check,
// without trying a move. And what "Bb3" means: the reader of the notation finds the piece.

import {ask} from "./backend.js";
import {chip, choice, code, counted, field, h, p, result, strong, textInput} from "./dom.js";
import {bitsOf, strips} from "./board.js";
import * as fen from "./board.js";
import {attacksOf} from "./magic.js";
import {change, replace} from "./state.js";
import {all, difference, fileOf, hex, intersections, kinds, lineOf, nameOf, parseSet, rankOf, setOf, squareOf,
  squaresOf, sum, toggled} from "./sets.js";
import {letters, moveButtons} from "./lesson_sliders.js";

const ends = ({name, squares}) => (squares.length > 1 ? {name, from: squares[0], to: squares.at(-1)} : []);

/** The marks and lines for pairs of a kind and a square. */
function drawn(pairs) {
  const marks = pairs.map(([kind, square]) =>
    ({name: `line-${kind}`, label: kind, squares: lineOf(kind, square), plain: true}));
  return {marks, lines: marks.flatMap(ends)};
}

const linesBoard = ({square}, names, note) => ({selected: square, ...drawn(names.map((kind) => [kind, square])),
  notes: Object.fromEntries(all.map((one) => [one, String(note(one))]))});

const secondOf = ({state}) => squareOf(state.b) ?? 46;
const fromZero = (square) =>
  `Ranks and files count from 0: ${nameOf(square)} has rank ${rankOf(square)}, file ${fileOf(square)}.`;
const colorOf = (square) => (sum(square) % 2 ? "light" : "dark");
const signed = (n) => (n < 0 ? `−${-n}` : String(n));

export const linesLesson = {
  name: "lines", short: "Diagonals", title: "Ranks, files, diagonals, anti-diagonals",
  hint: "Click a square, or drag the one in the frame.",
  click: (c, square) => change({[c.step === 6 ? "b" : "slider"]: nameOf(square)}),
  movable: (c, square) => square === c.square || (c.step === 6 && square === secondOf(c)),
  drop: (c, from, to) => change({[from === c.square ? "slider" : "b"]: nameOf(to)}),
  controls: () => [],
  steps: [
    {title: "A square is a number of two digits", show: (c) => ({
      board: linesBoard(c, ["rank", "file"], (square) => square),
      said: `${nameOf(c.square)} is square ${c.square}.`,
      text: [p`Count ranks and files from 0, and squares along the ranks, from a1 = 0. In base eight the first digit of
        a square is its rank, the second its file. So the rank is a shift, and the file is a mask of three bits.`,
      result(`${nameOf(c.square)} = ${c.square} = 8 · ${rankOf(c.square)} + ${fileOf(c.square)}`),
      p`${code(`rank = ${c.square} >> 3 = ${rankOf(c.square)}`)},
        ${code(`file = ${c.square} & 7 = ${fileOf(c.square)}`)}`],
    })},
    {title: "Along a diagonal, rank − file is constant", show: (c) => ({
      board: linesBoard(c, ["diagonal"], (square) => signed(difference(square))),
      said: `rank - file is ${difference(c.square)}.`,
      text: [p`One step to the north-east adds one to both rank and file. Their difference stays the same, so it names
        the diagonal.`,
      result(`${rankOf(c.square)} − ${fileOf(c.square)} = `, strong(signed(difference(c.square)))),
      p`Two squares share a diagonal exactly if these numbers are equal: one comparison, no table of pairs.`],
    })},
    {title: "Along an anti-diagonal, rank + file is constant", show: (c) => ({
      board: linesBoard(c, ["anti-diagonal"], sum),
      said: `rank + file is ${sum(c.square)}.`,
      text: [p`One step to the north-west adds one to the rank and takes one from the file. Their sum stays the same.`,
        result(`${rankOf(c.square)} + ${fileOf(c.square)} = `, strong(String(sum(c.square)))),
        p`The sum is ${sum(c.square) % 2 ? "odd" : "even"}, so the square is ${colorOf(c.square)}. The same is
          true for all squares of this line, and of the diagonal through it.`],
    })},
    {title: "Fifteen of each, numbered from 0 to 14", show: (c) => ({
      board: linesBoard(c, ["diagonal", "anti-diagonal"], (square) => `${7 + difference(square)}·${sum(square)}`),
      text: [p`Add 7 to the difference, and both numbers run from 0 to 14: an index. The squares show diagonal ·
        anti-diagonal. Together the two name a square.`,
      result(`diagonal 7 + ${rankOf(c.square)} − ${fileOf(c.square)} = `, strong(String(7 + difference(c.square))),
        ", anti-diagonal ", strong(String(sum(c.square))))],
    })},
    {title: "A line is one word of a table", show: (c) => ({
      board: linesBoard(c, Object.keys(kinds), nameOf),
      text: p`The squares of a line are a set, so they are one 64-bit number: its mask. There are eight masks for the
        ranks, eight for the files and fifteen for each kind of diagonal. One AND finds the pieces on a line.`,
      figure: strips(Object.keys(kinds).map((kind) => {
        const mask = setOf(lineOf(kind, c.square));
        return {label: chip(`line-${kind}`, kind), title: `The mask ${hex(mask)}`,
          bits: bitsOf(mask, () => `line-${kind}`)};
      })),
    })},
    {title: "Two squares, twelve intersections", show: (c) => {
      const b = secondOf(c), met = intersections(c.square, b), chosen = met[Number(c.state.pair)] ?? met[6];
      const {marks, lines} = drawn([[chosen.kindA, c.square], [chosen.kindB, b]]);
      const shared = b !== c.square && Object.keys(kinds).find((kind) => lineOf(kind, c.square).includes(b));
      return {
        hint: `Click a square to move ${nameOf(b)}, or drag ${[...new Set([c.square, b])].map(nameOf).join(" or ")}.`,
        board: {selected: c.square, notes: {[c.square]: nameOf(c.square), [b]: nameOf(b)},
          marks: [...marks,
            {name: "meeting", label: "intersection", squares: chosen.square === null ? [] : [chosen.square]}], lines},
        said: `${chosen.kindA} and ${chosen.kindB}: ${chosen.square === null ? "none" : nameOf(chosen.square)}.`,
        text: [p`A line through ${nameOf(c.square)} and a line of another kind through ${nameOf(b)} meet in one point at
          most. Choose a pair of lines. ${b === c.square ? "Here both squares are the same." : shared
          ? `The two squares share one ${shared}.` : "The two squares share no line."} ${fromZero(b)}`,
        h("ol", {class: "steps"}, chosen.steps.map((text) => h("li", {}, code(text))))],
        figure: h("div", {class: "grid-of-keys", role: "group", "aria-label": "Intersections"}, met.map((x, i) =>
          h("button", {type: "button", "aria-pressed": String(x === chosen), onclick: () => replace({pair: i})},
            h("span", {}, `${x.kindA} · ${x.kindB}`), strong(x.square === null ? "none" : nameOf(x.square))))),
      };
    }},
  ],
};

// Checks.

const lookups = {bishop: "Bishop", rook: "Rook", queen: "Queen"};
const kindsOf = {bishop: ["diagonal", "anti-diagonal"], rook: ["rank", "file"], queen: Object.keys(kinds)};

/** The pieces of the lesson: by default a bishop on e7 and a king on e1. */
function placed({state, piece}) {
  const from = squareOf(state.slider) ?? 52, wanted = squareOf(state.king) ?? 4;
  const king = wanted !== from ? wanted : from === 4 ? 60 : 4;
  const others = (parseSet(state.occupied) ?? 0x2000n) & ~(1n << BigInt(from)) & ~(1n << BigInt(king));
  return {piece, from, king, others};
}

function answersFor(c) {
  const {piece, from, king, others} = placed(c), crossings = intersections(from, king, kindsOf[piece]);
  const slide = (square, occupied) => [...squaresOf(attacksOf(piece, square, occupied))];
  const reachable = slide(from, others | (1n << BigInt(king))), checking = slide(king, others);
  const apart = (one) => one !== null && one !== from && one !== king;
  const shared = kindsOf[piece].flatMap((kind) => (lineOf(kind, from).includes(king) ? lineOf(kind, from) : []))
    .filter(apart);
  const met = [...crossings.map(({square}) => square).filter(apart), ...shared];
  return {piece, from, king, others, crossings, met, shared, reachable, checking,
    squares: reachable.filter((one) => checking.includes(one)), checksNow: reachable.includes(king)};
}

function checksBoard(c, a, {withLines = true, ...more}) {
  const pieces = new Array(64).fill("");
  for (const square of squaresOf(a.others)) pieces[square] = "p";
  pieces[a.from] = letters[a.piece];
  pieces[a.king] = "k";
  const line = (square, name) => kindsOf[a.piece].flatMap((kind) => ends({name, squares: lineOf(kind, square)}));
  return {
    pieces, check: a.checksNow ? a.king : null, selected: {slider: a.from, king: a.king}[c.state.place] ?? null,
      ...more,
    lines: withLines ? [...line(a.from, "reachable"), ...line(a.king, "checking")] : [],
  };
}

const inCheck = "The king is in check already.", names = (squares) => squares.map(nameOf).join(" ") || "none";

/** Says why there is no intersection: only a bishop and a king can have none. */
const unmet = ({met, from, king}) => !met.length && result(colorOf(from) === colorOf(king)
  ? "The line that the two share has no other square." : `${nameOf(from)} is ${colorOf(from)} and ${nameOf(king)
  } is ${colorOf(king)}: no square of the bishop's colour gives check.`);

const crossing = ({from, king}, {kindA, kindB, square, steps}) => h("div", {class: "crossing"},
  h("h4", {}, `${kindA} of ${nameOf(from)}, ${kindB} of ${nameOf(king)}: `,
    strong(square === null ? "none" : nameOf(square))),
  h("ol", {class: "steps"}, steps.map((text) => h("li", {}, code(text)))));

const elsewhere = (a, rest) => rest.length > 0 && h("details", {}, h("summary", {},
  `${counted(rest.length, "pair")} without a square to go to`), rest.map((x) => crossing(a, x)));

const step = (show) => (c) => show(c, answersFor(c), c.piece);

export const checksLesson = {
  name: "checks", short: "Checks", title: "From where does it give check?",
  hint: "Click squares for pieces in the way. Drag slider or king.",
  fault: ({state}) => squareOf(state.slider) === (squareOf(state.king) ?? 4)
    && "Slider and king cannot stand on one square.",
  sliders: ["bishop", "rook", "queen"],
  click(c, square) {
    if (this.movable(c, square)) return; // the slider and the king keep apart
    const {state: {place}} = c;
    change(place ? {[place]: nameOf(square), place: ""} : {occupied: hex(toggled(placed(c).others, square))});
  },
  movable(c, square) {
    const {from, king} = placed(c);
    return square === from || square === king;
  },
  drop(c, from, to) {
    if (!this.movable(c, to)) change({[from === placed(c).king ? "king" : "slider"]: nameOf(to)});
  },
  controls: ({state, piece}) => [
    choice("Slider", Object.keys(lookups).map((name) => [name, name]), piece, (name) => change({piece: name})),
    moveButtons(state, "slider", "king"),
  ],
  steps: [
    {title: "The question", show: step((c, a, piece) => ({
      board: checksBoard(c, a, {withLines: false}),
      text: [p`A ${piece} on ${nameOf(a.from)}, a king on ${nameOf(a.king)}. ${a.checksNow ? inCheck
        : `Where can the ${piece} go to give check?`}`,
      p`To find checks, a generator can try every move. There is another way.`],
    }))},
    {title: "The lines through each", show: step((c, a, piece) => ({
      board: checksBoard(c, a, {}),
      text: [p`The ${piece} moves along ${chip("reachable", "its lines")}. It attacks the king from ${
        chip("checking", "the king's lines")}. So it must go where two of them cross, to an ${
        strong("intersection square")}.`,
      kindsOf[piece].some((kind) => lineOf(kind, a.from).includes(a.king)) && p`Here the two share a line, so each
        square of it also counts, up to a piece.`],
    }))},
    {title: "Where they cross", show: step((c, a) => ({
      board: checksBoard(c, a, {marks: [{name: "meeting", label: "intersection", squares: a.met}]}),
      said: `The lines cross on ${names(a.met)}.`,
      text: [p`Each line is an equation in rank and file. Two equations have one solution: a square of the board, or a
        point beyond the edge or between squares. ${a.shared.length > 0
        && "A shared line is one equation, and each of its squares solves it. "}${fromZero(a.from)}`,
      unmet(a)],
      figure: [a.shared.length > 0 && h("h4", {}, "The shared line: ", strong(names(a.shared))),
        a.crossings.filter(({square}) => a.met.includes(square)).map((x) => crossing(a, x)),
        elsewhere(a, a.crossings.filter(({square}) => !a.met.includes(square)))],
    }))},
    {title: "Blocked squares fall out", show: step((c, a) => ({
      board: checksBoard(c, a, {marks: [
        {name: "reachable", label: "within reach", squares: a.reachable},
          {name: "checking", label: "attacks the king from there", squares: a.checking}], withLines: false}),
      said: `${names(a.squares)} remain.`,
      text: [p`A piece may stand in the way. One lookup finds the squares ${chip("reachable", "within reach")}, another,
        from the king's square, those that ${chip("checking", "attack the king")}.`, unmet(a)],
      figure: h("ul", {class: "plain"}, a.met.map((square) => {
        const there = a.reachable.includes(square), sees = a.checking.includes(square);
        return h("li", {}, strong(nameOf(square)), there && sees ? ": free" : there ? ": blocked on the way to the king"
          : sees ? ": blocked on the way there" : ": blocked on both ways");
      })),
    }))},
    {title: "The check squares are one AND", show: step((c, a, piece) => ({
      board: checksBoard(c, a, {withLines: false,
        marks: [{name: "meeting", label: "check square", squares: a.squares}]}),
      said: `Check squares: ${names(a.squares)}.`,
      text: [a.checksNow ? result(inCheck) : result("Check from: ", strong(names(a.squares))),
      p`${code(`${lookups[piece]}(${nameOf(a.from)}) & ${lookups[piece]}(${nameOf(a.king)})`)}: two lookups and an AND. The ${piece} does not
        stand in the way of the second. If no two lines cross, you need neither, because then the piece can give no direct check on any board.`],
    }))},
  ],
};

// Notation.

const example = {fen: "6B1/4k3/8/3p4/B7/4B3/r1B3K1/8 w - - 0 1", san: "Bb3"};

// Without a move, the position may be that of another view.
const chosen = (state) => state.san ? {...example, ...state} : example;

// Rules about the way. The others decide on an empty board, or name attackers.
const way = ["blocked path", "pawn push", "double push", "own piece", "castling path"];

/** Reads a move, and explains it for each piece of its type: fails is the first test that a piece fails, 0 for none. */
export async function read(text, san) {
  const {pieces, side} = fen.parse(text), home = side === "w" ? 1 : 8;
  const castling = /^[o0]-[o0](-[o0])?[+#]?$/i.exec(san);
  const [, letter, file, rank, target, promotion] =
    /^([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?$/.exec(
      castling ? `Ke${home}${castling[1] ? "c" : "g"}${home}` : san) || [];
  if (!target) throw new Error(`“${san}” is no move with a target square, such as Bb3.`);
  if (letter && san.includes("x") && pieces && !pieces[squareOf(target)])
    throw new Error(`There is no piece on ${target}.`);
  if (!pieces) await ask("explain", {fen: text, proposals: []}); // says what is wrong
  const becomes = !letter && /[18]/.test(target) && !promotion; // a piece that the notation must name
  const wanted = side === "w" ? letter || "P" : (letter || "p").toLowerCase();
  const named = letter ? file : file || target[0]; // a pawn without a file keeps to its own
  const proposals = pieces.flatMap((piece, from) => (piece === wanted && nameOf(from).startsWith(named)
    && nameOf(from).endsWith(rank) ? [{from: nameOf(from), to: target,
    ...(promotion || becomes ? {promotion: fen.names[(promotion || "q").toLowerCase()]} : {})}] : []));
  const reasons = await ask("explain", {fen: text, proposals});
  return {target, castling, becomes, promotion: promotion?.toLowerCase() || "", named: file ? "file" : rank ? "rank" : "",
    piece: fen.names[wanted.toLowerCase()], side: side === "w" ? "white" : "black",
    candidates: proposals.map(({from}, i) => {
      const {legal, rule, reason, attackers, attacked} = reasons[i];
      const fails = legal ? 0 : attackers[0] ? 4 : way.includes(rule) ? 3 : 2;
      return {from, fails, rule, attackers, attacked, reason: legal ? "can go there" : `may not go: ${reason}`};
    })};
}

let now = {pieces: [], moves: []}; // the shown position

/** A step that shows the candidates left after the tests up to it. */
const trial = (test, title, words) => ({title, show: async ({state}) => {
  const {fen: given, san} = chosen(state), selected = squareOf(state.place);
  const {fen: text = given, moves} = await ask("position", {fen: given, moves: []}), {pieces, side} = fen.parse(text);
  now = {pieces: pieces || [], moves: moves || [], side};
  const found = await read(text, san).catch((error) => error);
  if (found instanceof Error)
    return {board: {pieces: now.pieces, selected}, text: h("p", {class: "problem"}, found.message)};
  const fallen = found.candidates.filter(({fails}) => fails && fails <= test);
  const to = squareOf(found.target), left = found.candidates.filter((one) => !fallen.includes(one));
  const mark = (name, label, squares) => ({name, label, squares: squares.map(squareOf), plain: true, apart: true});
  return {
    board: {pieces, selected, marks: [mark("meeting", "the target", [found.target]),
      mark("set", "a candidate", left.map(({from}) => from)),
      mark("fallen", "falls out", fallen.map(({from}) => from))],
    lines: [...(test > 1 ? left : []).map(({from}) => ({from: squareOf(from), to, name: "sight"})),
      ...(test === 4 ? found.candidates : []).flatMap(({attackers, attacked}) => attackers
        .map((from) => ({from: squareOf(from), to: squareOf(attacked), name: "reason", arrow: true})))]},
    said: `${san}, candidates: ${left.map(({from}) => from).join(" ") || "none"}.`,
    text: [words(found), result(strong(san), test === 4 && (left.length && found.becomes
      ? `: the notation must name the piece that the pawn becomes, as in ${san}=Q.`
      : left.length === 1 ? [" is ", strong(left[0].from + found.target + found.promotion)]
      : left.length ? ": more than one piece can go there, so the notation must name the file or the rank."
      : ": no piece can go there, so the move is illegal."))],
    figure: h("ul", {class: "plain candidates"}, found.candidates.filter(({fails}) => !fails || fails >= test)
      .map((one) => h("li", {}, chip(fallen.includes(one) ? "fallen" : "set", one.from),
        (fallen.includes(one) || test === 4) && ` ${one.reason}`)),
    !found.candidates.length && h("li", {}, "There is no such piece.")),
  };
}});

const write = () => replace({san: move.value.trim() || " ", fen: position.value.trim() || " "});
const [move, position] = [textInput({oninput: write}), textInput({oninput: write})];
const fields = [field("Move", move), field("Position", position, {wide: true})];

export const sanLesson = {
  name: "san", short: "Notation", title: "What “Bb3” means",
  hint: "Drag a piece to see how its move is written. Or write a move, and any position.",
  movable: (c, square) => !!now.pieces[square] && (now.pieces[square] < "a") === (now.side === "w"),
  click(c, square) {
    if (this.movable(c, square)) replace({place: nameOf(square)});
    else if (c.state.place) this.drop(c, squareOf(c.state.place), square);
  },
  drop({state}, from, to) {
    const [start, end] = [from, to].map(nameOf);
    const legal = now.moves.find((move) => move.from === start && move.targets.includes(end));
    change({...chosen(state), place: "", san: legal?.san
      || now.pieces[from].toUpperCase().replace("P", "") + start + end});
  },
  controls({state}) {
    const {san, fen} = chosen(state);
    if (move !== document.activeElement) move.value = san;
    if (position !== document.activeElement) position.value = fen;
    return fields;
  },
  steps: [
    trial(1, "A piece and a square", ({piece, side, target, named, castling}) => (castling
      ? p`Castling is written by the side to which the king goes: O-O from the e-file to the g-file, O-O-O to the
        c-file. Only the king is a candidate.`
      : p`The notation names a ${piece} and its target, ${target}. ${piece === "pawn"
      ? "A pawn comes from the file of the target, or from the named one."
      : named ? `It also names the ${named} that the piece comes from.` : "It does not say where the piece comes from."}
      Every ${side} ${piece} ${piece === "pawn" || named ? "there " : ""}is a candidate.`)),
    trial(2, "Who can reach it on an empty board?", ({piece}) => (piece === "bishop"
      ? p`A bishop never leaves its colour, so bishops of the other colour fall out. So do those that share no diagonal
        with the target.` : p`The piece must be able to go that way at all.`)),
    trial(3, "The squares between must be empty",
      () => p`A piece on the way blocks it. One mask of the squares between, and one AND, find it.`),
    trial(4, "Its own king may not be left in check", ({candidates, castling}) => {
      const late = candidates.filter(({fails}) => fails === 4);
      return castling ? p`A king castles neither out of check nor through an attacked square nor into check.`
        : late.some(({rule}) => rule === "pin")
        ? p`A pinned piece may move only along its pin. To other squares it is no candidate, so the notation need not
          tell it from the other piece. Many programs forget this.`
        : p`A move that leaves its own king attacked is illegal. ${late.length
          ? "So its piece is no candidate." : "Here no candidate would do that."}`;
    }),
  ],
};
