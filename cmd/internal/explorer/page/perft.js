// The box: whatever is pasted is recognised, and a wrong count leads to the wrong move.

import {Board, linkButton, saveButtons, smallBoard} from "./board.js";
import {ask, engine, isAbort, loaded} from "./backend.js";
import {boardSide, button, choice, code, copy, counted, digits, field, h, headOf, hint, p, panelOf, pliesOf, redraw,
  say, textArea, textInput} from "./dom.js";
import {change, gameOf, goTo, inFull, lineOf, packed, plyAt, positionMenu, replace, setUp, showGame,
  unpacked} from "./state.js";
import {endsOf, squareOf} from "./sets.js";
import {attacksOf} from "./magic.js";
import * as fen from "./board.js";
import {positions} from "./library.js";

const maxDepth = 10, few = 8;

const cards = [
  {view: "learn", title: "Learn how bitboards work", words: "Sets of squares, checks, magic numbers: one step at a " +
    "time, on a board that you change with a click.", set: attacksOf("bishop", 27, 0x0000220000402000n),
  picture: {occupancy: 0x0000220000402000n, origin: 27}},
  {view: "position", title: "Look at a position", words: "Legal moves, checks, pins and attacks. Play, set up, and " +
    "copy it in any form.", picture: {pieces: fen.parse(fen.start).pieces}},
];

const purpose = h("div", {class: "purpose"}, h("h2", {}, "Paste what your engine prints"),
  p`Two pastes find the wrong move of most chess engines, and the rule that it breaks:`,
  h("ol", {}, [`Paste a perft divide: every move with its count. The page knows kiwipete and many other positions.
    For any other put its FEN first.`, `The page asks about the moves with wrong counts. Copy its questions to your
    engine.`, "Paste all answers at once. The page shows the wrong move on the board."].map((text) =>
    h("li", {}, text))));

// An engine that castles through check: its first divide, and its answer to the page's question.
const example = ["4k3/8/8/8/8/6pp/7P/4K2R b K - 0 1\ng3g2: 7\ng3h2: 8\ne8d7: 8\ne8e7: 8\ne8f7: 8\ne8d8: 8\ne8f8: 8\n" +
  "Nodes searched: 55", "e1d1: 1\ne1d2: 1\ne1e2: 1\ne1f2: 1\ne1g1: 1\nh1f1: 1\nh1g1: 1\nNodes searched: 7"];

const otherWays = h("div", {class: "cards"}, cards.map(({view, title, words, set = 0n, picture}) =>
  h("a", {href: `#view=${view}`}, smallBoard(set, picture), h("h2", {}, title), p`${words}`)));

// The questions, as text for an engine and as loops for the languages that engines are written in.

const commands = ({chess960}, lines) => [...(chess960 ? ["setoption name UCI_Chess960 value true"] : []), "ucinewgame",
  ...lines].join("\n");

const positionOf = (root, moves = []) => `position ${root === fen.start ? "startpos" : `fen ${root}`}` +
  (moves.length ? ` moves ${moves.join(" ")}` : "");

const yours = "divide is yours: it sets up the FEN, makes the moves, and prints each move with its count.";

/** Makes a loop: its lines before the questions, one for a question, and those after them. */
const loop = (before, each, after) => (game, asked) => [...before(game.fen), ...asked.map(({moves, depth, fen}) =>
  each(moves.join(" "), depth, fen)), ...after].join("\n");

const forms = {
  UCI: (game, asked) => commands(game, asked.flatMap(({moves, depth}) =>
    [positionOf(game.fen, moves), `go perft ${depth}`])),
  "UCI without moves": (game, asked) => commands(game, asked.flatMap(({fen, depth}) =>
    [positionOf(fen), `go perft ${depth}`])),
  Shell: loop((fen) => ["engine=./engine # yours: it takes a FEN and a depth, and prints each move with its count",
    "while IFS=: read -r moves depth fen; do", `  echo "position fen ${fen} moves $moves"`,
    '  $engine "$fen" $depth </dev/null', "done <<END"], (moves, depth, fen) => `${moves}:${depth}:${fen}`, ["END"]),
  Python: loop((fen) => [`# ${yours}`, `FEN = "${fen}"`, "for moves, depth in ["],
    (moves, depth) => `    ("${moves}", ${depth}),`,
    ["]:", '    print(f"position fen {FEN} moves {moves}")', "    divide(FEN, moves.split(), depth)"]),
  JavaScript: loop((fen) => [`// ${yours}`, `const fen = "${fen}";`, "for (const [moves, depth] of ["],
    (moves, depth) => `  ["${moves}", ${depth}],`,
    ["]) {", "  console.log(`position fen ${fen} moves ${moves}`);",
      '  divide(fen, moves.split(" ").filter(Boolean), depth);', "}"]),
  "C++": loop((fen) => [`// ${yours}`, `const std::string fen = "${fen}";`,
    "const std::pair<std::string, int> questions[] = {"], (moves, depth) => `    {"${moves}", ${depth}},`,
  ["};", "for (const auto& [moves, depth] : questions) {",
    '    std::cout << "position fen " << fen << " moves " << moves << std::endl;',
    "    divide(fen, moves, depth);", "}"]),
  Rust: loop((fen) => [`// ${yours}`, `let fen = "${fen}";`, "for (moves, depth) in ["],
    (moves, depth) => `    ("${moves}", ${depth}),`,
    ["] {", '    println!("position fen {fen} moves {moves}");',
      "    divide(fen, moves.split_whitespace(), depth);", "}"]),
  Go: loop((fen) => [`// ${yours}`, `const fen = "${fen}"`, "for _, q := range []struct {", "\tmoves string",
    "\tdepth int", "}{"], (moves, depth) => `\t{"${moves}", ${depth}},`,
  ["} {", '\tfmt.Println("position fen", fen, "moves", q.moves)',
    "\tdivide(fen, strings.Fields(q.moves), q.depth)", "}"]),
};

export function perftView() {
  let state = {}, game = null, work = null, sequence = 0, shown = {divide: ""}, end = null, sentence = "", asked = [],
    told = null, reported = null, pastes = 0, slow = 0, form = "UCI", compared = null, root = "", solved = null;
  const known = {}; // the depth and the pasted divide of each game
  const questions = new Map(), right = new Set(); // the questions of this root, and those answered rightly
  const asking = new Set(); // the texts of the questions
  const forget = () => { solved = null; questions.clear(); right.clear(); };
  const keyOf = ({moves, depth: asked}) => `${moves} ${asked}`;

  const board = new Board("Position that is counted", {});
  const fenInput = textInput({onchange: () => setUp(fenInput.value.trim(), game.chess960)});
  const depthInput = h("input", {type: "number", min: 1, max: maxDepth, value: 3, onchange: () =>
    replace({depth: depthInput.value})});
  const menu = h("div", {class: "field"}), path = h("ol", {class: "line", "aria-label": "Moves so far"});
  const total = h("p", {class: "status"}), part = h("div");
  const table = h("div", {class: "stack"}), findings = h("div", {class: "findings"});
  const legend = h("p", {class: "keys"}), next = h("div", {class: "stack"});
  const stop = button("Stop", () => work?.abort(), {hidden: true});
  const settings = h("details", {class: "settings"}), summary = h("summary");
  const box = h("details", {class: "box", open: true});
  // Not on change, which follows a press of the mouse elsewhere, and would take the pressed button away.
  const text = textArea(recognize, {onfocus: () => asked.length && text.select(), placeholder: "e2e4: 600\n" +
    "d2d4: 560\n…\nNodes searched: 8902\nor a FEN, a position command, a PGN"});

  const depth = () => Math.min(maxDepth, Math.max(1, Math.trunc(Number(state.depth)) || 3));

  function draw(all = [], lines = []) {
    const marks = all.filter((mark) => mark.squares.length);
    redraw(legend, marks.map(({name, label}) => [h("span", {class: `sign ${name}`}), label]));
    board.show({
      pieces: fen.parse(end?.fen || game.fen).pieces || board.shown.pieces, marks,
      lines: lines.filter(({from, to}) => to >= 0 && to !== from),
      last: endsOf(game.moves.at(-1)), problems: fen.parse(end?.fen || game.fen).wrong,
    });
  }

  function tell(words) {
    sentence = words;
    stop.hidden = !words.endsWith("…"); // which ends what is said during work
    clearTimeout(slow);
    if (/^(Reading|Comparing)…$/.test(words))
      slow = setTimeout(() => tell(`${words} Large counts take long…`), 999);
    total.textContent = words;
    if (words) say(words);
  }

  function begin() {
    work?.abort();
    work = new AbortController();
    text.problem("");
    for (const panel of [table, findings, next, part]) redraw(panel);
    box.open = !isNear();
    summary.textContent = "The pasted text";
    asked = [];
    draw();
    return work.signal;
  }

  const tableOf = (name, header, lines) => h("div", {class: "scroll"}, h("table", {"aria-label": name},
    headOf(header, true),
    h("tbody", {}, lines)));

  async function count() {
    const signal = begin();
    tell("Counting…");
    try {
      await loaded();
      const began = performance.now();
      const showCounts = (answer, ended) => {
        const seconds = (performance.now() - began) / 1000;
        tell(`${digits(answer.nodes)} leaves at depth ${depth()}, ${answer.moves.length} of ${answer.total} moves, ` +
          `${answer.method}, ${seconds.toFixed(2)} s` +
          (ended ? `, ${digits(Math.round(Number(answer.nodes) / Math.max(seconds, 1e-3)))} a second` : "…"));
        redraw(table, tableOf("Leaves below each move", ["Move", "Leaves"],
          answer.moves.map((m) => h("tr", {}, h("th", {scope: "row"}, stepButton(m.uci, m.san)),
            h("td", {class: "number"}, digits(m.ours))))));
      };
      showCounts(await ask("divide", {...game, depth: depth()},
        {signal, partial: (answer) => showCounts(answer, false)}), true);
    } catch (error) {
      if (signal === work?.signal) tell(isAbort(error) ? "Stopped." : error.message);
    }
  }

  // The game with the FEN in full, for other programs.
  const whole = () => ({...game, fen: end?.root || game.fen});

  const stepButton = (uci, san) => button(`${uci} ${san || ""}`, () => step(uci), {class: "link"});

  // Plays a move, counts one ply less, and waits for the engine's next answer. One Back undoes it all.
  function step(uci) {
    text.value = "";
    change({moves: [...game.moves, uci].join(" "), redo: "", depth: Math.max(1, depth() - 1), divide: ""});
    text.focus();
  }

  const rewind = (plies) => goTo(game, state, plies, {depth: Math.max(1, depth() + game.moves.length - plies),
    ...known[JSON.stringify({...game, moves: lineOf(game, state).slice(0, plies)})]});

  // Finds out what the text is, and shows it: a divide in its position, or a position, or a game.
  async function recognize() {
    if (!text.value.trim()) return text.problem(""); // the box is empty between two pastes
    pastes++;
    const waiting = asked, signal = begin();
    tell("Reading…");
    try {
      if (asking.has(text.value.trim())) throw Error("These are questions, not answers.");
      const near = [...questions.values()].map(({moves, depth: asked, count}) => ({...game, moves, asked, count}));
      if (state.view === "perft") near.push(game);
      const {game: found, cases} = await ask("paste", {text: text.value, near}, {signal});
      if (found) {
        if (found.problem) throw Error(found.problem);
        if (waiting.some((one) => one.fen === found.fen || `${one.moves}` === `${found.moves}`))
          throw Error("This text has no counts.");
        tell("");
        if (found.isPGN) return showGame(found, text.value);
        return setUp(found.fen, found.chess960, {moves: found.moves.join(" "), depth: found.depth || state.depth,
          view: "perft"});
      }
      const keys = cases.map(keyOf), all = waiting.length;
      const answered = waiting.filter((one) => keys.includes(keyOf(one))).length;
      cases.forEach((one) => one.state === "right" && right.add(keyOf(one)));
      const isRight = keys.every((key) => questions.has(key) && right.has(key));
      const more = isRight && wrongBy([...questions].find(([key, {count}]) => count && keys.includes(key))?.[1]);
      if (isRight && compared.of === shown.game) return answered < all
        ? showComparison(compared, `${answered} of ${counted(all, "answer")}, all right: paste the rest.`)
        : showComparison({...compared, suspects: [], notes: [],
          verdict: more || "All answers are right. Was the first text copied wrongly?"});
      if (!keys.some((key) => questions.has(key))) forget(); // it answers none
      told = {cases, all, answered, more};
      await open(cases[0]);
      if (/^Reading/.test(sentence)) { // it is the same text again
        await comparePasted(cases[0].text);
        drawTold(cases[0].text);
      }
    } catch (error) {
      if (signal !== work?.signal || isAbort(error)) return;
      tell("");
      if (questions.size) showComparison(compared);
      shown = {...shown, divide: ""};
      text.problem(error.message);
    }
  }

  // A wrong count below a move, and right counts in the position after it: the move itself is at fault.
  function wrongBy(one) {
    if (!one) return "";
    const [, , rights, enPassant] = one.fen.split(" "), bySearch = !/Shell|without/.test(form);
    return `Your engine counts ${one.count} below ${one.san}, but is right in the position after it. ` + (bySearch
      ? "Its search makes or undoes a move wrongly."
      : `It makes ${one.san} wrongly: castling rights become ${rights}, the en passant square ${enPassant}.`);
  }

  // The address contains the pasted text, so that a finding is a link.
  const pairsOf = async (one) => ({view: "perft", fen: one.fen === fen.start ? "" : one.fen, redo: "",
    chess960: one.chess960 ? "1" : "", moves: one.moves.join(" "), depth: one.depth,
    divide: one.text && await packed(one.text)});
  const open = async (one) => change(await pairsOf(one));

  function linkOf(f) {
    const made = h("a", {}, "See it on the board");
    pairsOf({...f, depth: 1, text: f.list}).then((pairs) => {
      made.href = `#${new URLSearchParams(Object.entries(pairs).filter(([, value]) => value))}`;
    });
    return [made, " ", linkButton(() => made.hash)];
  }

  function drawTold(pasted) {
    const {cases, all, answered, more} = told, {name} = cases.find((one) => one.text === pasted);
    const isShown = (one) => one.text === pasted && one.fen === game.fen && `${one.moves}` === `${game.moves}`;
    const wrong = cases.filter((one) => /wrong/.test(one.state)).length, isChoice = cases[1] && !answered;
    const read = answered && cases.length <= all ? `${answered} of ${counted(all, "question")} answered`
      : `${counted(cases.length, "answer")} read`;
    const judged = wrong ? `${wrong} of the answers ${wrong === 1 ? "is" : "are"} wrong. ${
      isShown(cases[0]) && wrong > 1 ? "This one tells the most." : ""}`
      : cases.some((one) => one.state === "incomplete") ? "None is wrong." : "All are right.";
    redraw(part, more && p`${more}`,
      name && p`Taken for ${inFull(name)}. If it is another position, put its FEN first.`,
      cases[1] && (isChoice && cases[1].text === cases[0].text ? p`Two positions fit:` : p`${read}. ${judged}`),
      (isChoice || wrong > 1) && h("div", {class: "keys answers"}, cases.slice(0, isChoice ? cases.length : wrong)
        .map((one) => button(`${inFull(one.name) || [...isChoice ? [one.fen] : [], ...one.moves].join(" ")}, depth ${
          one.depth}: ${one.state}`, () => open(one), {"aria-pressed": String(isShown(one))}))));
  }

  async function comparePasted(divide, whole = false) {
    const signal = begin();
    tell("Comparing…");
    try {
      const answer = await ask("compare", {...game, depth: depth(), text: divide, whole}, {signal});
      compared = {...answer, divide, of: shown.game};
      showComparison(compared);
    } catch (error) {
      if (signal !== work?.signal) return;
      tell("");
      text.problem(isAbort(error) ? "Stopped." : error.message);
    }
  }

  const rowOf = (r) => h("tr", {class: r.state},
    h("th", {scope: "row"}, r.state === "extra" ? r.uci : stepButton(r.uci, r.san)),
    h("td", {class: "number"}, digits(r.ours || "–")), h("td", {class: "number"}, digits(r.theirs || "–")),
    h("td", {}, h("span", {class: `state ${r.state}`}, r.state)));

  // The moves that one rule decides are one finding. The first ones are named and drawn.
  const listOf = (same) => `${same.slice(0, few).map(({move}) => move).join(", ")}${
    same.length > few ? ` and ${same.length - few} more` : ""}`;

  const titleOf = (same) => `${same[0].kind} ${listOf(same)}: ${same[0].kind === "missing" && {check: "answer to check",
    pin: "move along the pin", "king safety": "safe king move"}[same[0].why.rule] || same[0].why.rule}`;

  const arrows = (all, name) => all.map(([from, to]) => ({from, to, name, arrow: true}));

  function showFinding(same) {
    const [{kind, why: {legal, reason, squares, attackers, attacked}}] = same;
    const ends = same.slice(0, few).map(({move}) => endsOf(move));
    const name = kind === "extra" ? "wrong-move" : "missing-move";
    draw([{name, label: `${kind} move`, squares: ends.flat()},
      {name: "reason", label: "the reason", squares: kind === "extra" && legal ? []
        : [...new Set([...squares, ...attackers])].map(squareOf)}],
    [...arrows(ends, name), ...arrows(attackers.map((from) => [squareOf(from), squareOf(attacked)]), "reason")]);
    sentence = `${titleOf(same)}: ${reason}`;
  }

  // Usual mistakes that several findings share stand in the first of them.
  const findingsOf = (groups, more, seen = []) => groups.map((same, i) => {
    const [{kind, made, read}] = same, usual = same.map((f) => f.usual).sort((a, b) => b.length - a.length)[0];
    const isNew = !usual || !seen.includes(usual) && seen.push(usual);
    const reasons = Object.entries(Object.groupBy(same, ({move, why}) => why.reason.replace(move, "it")));
    return [!i && made && p`${made}`, h("section", {class: `finding ${kind}`}, h("h2", {}, titleOf(same)),
      reasons.slice(0, few).map(([reason, some]) => p`${reasons[1] ? `${listOf(some)}: ` : ""}${reason}`),
      isNew && p`${usual && `Usual mistakes: ${usual} `}${h("a", {href: read, target: "_blank"},
        usual ? "More" : "About this rule")}`,
      more(same))];
  });

  function showComparison(comparison, more = "") {
    const {rows, divide, notes = [], depth: recognised, damaged, findings: stated = [], next: onward} = comparison;
    let {verdict, suspects = []} = isNear() ? {...comparison, suspects: []} : comparison;
    if (recognised !== depth()) return replace({depth: recognised});
    // One finding may stand for all promotions of a pawn.
    const found = stated.flatMap((f) => rows.filter(({state, uci}) => state === f.kind && (uci === f.move
      || state === "missing" && uci.startsWith(f.move.slice(0, 4)))).map(({uci}) => ({...f, move: uci})));
    if (found[1]) verdict = `${found.length} moves are wrong here.`;
    if (!rows[0] && !onward) suspects = [{moves: game.moves, fen: end?.fen, depth: depth()}]; // a total is wrong
    const header = ["Move", "Ours", "Theirs", "State"];
    const inOrder = (...states) => states.flatMap((state) => rows.filter((r) => r.state === state));
    const groups = Object.values(Object.groupBy(found, (f) => f.kind + f.why.rule));
    const wrong = inOrder("extra", "missing", "differs");
    const folded = (state, how) => {
      const all = inOrder(state);
      return all[0] && h("details", {}, h("summary", {}, `${counted(all.length, "move")} ${how}`),
        tableOf(`Moves ${how}`, header, all.map(rowOf)));
    };
    box.open = !found[0] && !isNear();
    tell(found[0] ? `${verdict} ${groups.map(titleOf).join("; ")}` : verdict);
    total.textContent = verdict;
    redraw(table, wrong[0] && tableOf("Moves with a difference", header, wrong.map(rowOf)),
      folded("no count", "without a count"), folded("same", "with the same count"));
    redraw(findings, findingsOf(groups, (group) => groups[1] &&
      button(`Show ${group[0].move}`, () => showFinding(group), {class: "small"})), notes.map((note) => p`${note}`),
    !(damaged && suspects[0]) && rows.some((r) => r.state === "no count")
      && button("My engine prints no more", () => comparePasted(divide, true)));
    if (found[0] || !isNear()) solved = found[0] && {state, groups, plies: game.moves.length};
    const differing = rows.filter((r) => r.state === "differs");
    const ends = (differing.length > few ? [] : differing).map(({uci}) => endsOf(uci));
    if (found[0]?.move) showFinding(groups[0]);
    else draw([{name: "reason", label: "wrong count below", squares: ends.flat()}], arrows(ends, "reason"));
    const ask = () => showSuspects(suspects, differing);
    if (damaged && suspects[0]) redraw(next, button("It is whole: ask the engine", ask));
    else ask();
    if (onward) redraw(next, button(`Try ${inFull(onward.name)} at depth ${onward.asked}`, () =>
      setUp(onward.fen, onward.chess960, {depth: onward.asked})));
    redraw(part, more);
    if (isNear()) showSolved();
    if (pastes) scrollTo(0, 0);
  }

  // Before and after its position, a finding stays in sight.
  function isNear() {
    const [here, there] = [state, solved?.state].map((one) => one?.moves || "");
    return solved && here !== there && (here.startsWith(there) || there.startsWith(here));
  }

  function showSolved() {
    const by = solved.plies - game.moves.length;
    redraw(findings, findingsOf(solved.groups, () => false));
    const way = by > 0 ? endsOf(solved.state.moves.split(" ")[game.moves.length]) : [];
    draw([{name: "reason", label: "leads to the finding", squares: way}], arrows([way], "reason"));
    redraw(next, button(`Go ${counted(Math.abs(by), "move")} ${by > 0 ? "on" : "back"}, to the finding`,
      () => change({redo: "", ...solved.state}), {class: "primary"}));
  }

  // All questions at once: for most bugs, their answers contain the wrong move.
  function showSuspects(suspects, wrong) {
    asked = suspects.filter((one) => !right.has(keyOf(one)));
    if (!asked[0]) asked = suspects;
    if (!asked[0]) return redraw(next);
    asked.forEach((one) => questions.set(keyOf(one), one));
    for (const form of Object.values(forms)) asking.add(form(whole(), asked));
    const shown = forms[form](whole(), asked);
    summary.textContent = "Paste the answers here";
    redraw(next, p`Ask your engine ${asked.length === 1 ? "this question, and paste its answer"
      : `these ${asked.length} questions at once, and paste all answers`} over the text in the box below.`,
    choice("Ask in", Object.keys(forms).map((name) => [name, name]), form, (name) => {
      form = name;
      showQuestion();
      showSuspects(suspects, wrong);
    }),
    h("div", {class: "keys"}, example[0].includes(compared.divide)
        && button("Paste the example's answer", () => enter(example[1]), {class: "primary"}),
      button("Copy all questions", (e) => copy(shown + "\n", e.target), {class: "primary"}),
      wrong[0] && button(`Step into ${wrong[0].san}`, () => step(wrong[0].uci), {"data-step": ""})),
    h("pre", {class: "questions", tabindex: 0, "aria-label": "Questions for your engine"}, code(shown)));
  }

  // The browser's Back from a finding leads to the report again.
  function showReport(report, ended) {
    const {verdict, findings: found = []} = report, isNew = found.length !== reported?.findings?.length;
    reported = {...report, of: shown.game};
    tell(verdict + (ended ? "." : "…"));
    if (isNew || ended) redraw(findings, findingsOf(found.map((f) => [f]), ([f]) => linkOf(f)));
  }

  async function askEngine() {
    const signal = begin();
    tell(`${engine} is asked…`);
    reported = null;
    try {
      showReport(await ask("engine", {...game, depth: depth()}, {signal, partial: showReport}), true);
    } catch (error) {
      if (signal === work?.signal) tell(isAbort(error) ? "Stopped." : error.message);
    }
  }

  // A text may be pasted beside the box.
  document.addEventListener("paste", ({target, clipboardData}) => {
    const pasted = clipboardData.getData("text");
    if (pasted.trim() && element.isConnected && !target.closest?.("input, textarea")) enter(pasted);
  });

  function enter(pasted) {
    text.value = pasted;
    recognize();
  }

  const ours = h("pre", {}, code());
  const showQuestion = () => { ours.firstChild.textContent = forms[form](whole(),
    [{...game, fen: end?.fen || game.fen, depth: depth()}]).replace("ucinewgame\n", ""); };
  box.append(summary, field("What your engine prints", text, {wide: true}), h("div", {class: "keys example"},
    button("Try an example", () => enter(example[0]), {class: "link"}),
    button("No counts yet? Ask your engine about kiwipete", () => {
      const {fen, chess960} = positions.find(({name}) => name === "kiwipete");
      setUp(fen, chess960, {view: "perft", depth: 3});
    }, {class: "link"})));
  settings.append(h("summary", {}, "Position, depth and our count"),
    h("div", {class: "row-of-fields"}, menu, field("Depth", depthInput)), field("FEN", fenInput, {wide: true}),
    h("div", {class: "question"}, ours, button("Copy the question", (e) => copy(ours.textContent, e.target))),
    h("div", {class: "keys"}, button("Count", count),
      button("Look at the position", () => change({view: "position"}))));
  const element = h("div", {class: "view perft"},
    panelOf("Perft", engine ? h("div", {class: "keys"}, button(`Ask ${engine}`, askEngine, {class: "primary"}),
      hint("The page asks your engine in many positions, and shows each wrong move with its rule.")) : purpose,
    total, stop, findings, engine && purpose, next, part, box, settings, table, otherWays),
    boardSide(board.element, path, legend, linkButton(),
      saveButtons(board, () => ({name: "perft", fen: end?.fen || game.fen, line: end?.line, sentence,
        ask: ours.textContent, rows: compared?.of === shown.game
          ? compared.rows.filter(({state: one}) => one !== "same").slice(0, few) : []}))));

  async function askPosition(turn) {
    const reply = await ask("position", {...game, redo: state.redo?.split(" ")})
      .catch((error) => ({problems: [{text: error.message}]}));
    if (turn !== sequence) return;
    end = reply;
    if (end.fen) game.moves.splice(end.line.length); // an illegal move ends the game
    fenInput.value = end.fen || game.fen;
    const problems = (end.problems || []).map((problem) => problem.text).join("; ");
    fenInput.problem(problems);
    if (problems) tell(problems);
    ours.parentNode.hidden = !!problems; // nothing to ask about
    showQuestion();
    redraw(path, h("li", {}, button("start", () => rewind(0), {"aria-current": game.moves.length ? null : "step"})),
      pliesOf(end.line, game.moves.length, rewind));
    draw();
  }

  return {
    element,
    turn: (by) => rewind(plyAt(game, state, by)),
    leave: () => work?.abort(),
    async show(nextState) {
      state = nextState;
      game = gameOf(state);
      if (root !== (root = game.fen)) forget();
      element.classList.toggle("home", state.view !== "perft");
      element.classList.toggle("case", !!state.divide || isNear());
      depthInput.value = depth();
      depthInput.problem(Number(state.depth || 3) !== depth()
        && `${state.depth} is not a depth from 1 to ${maxDepth}. The page takes ${depth()}.`);
      showQuestion();
      redraw(menu, positionMenu(game));
      const before = shown, divide = state.divide || "", line = game.moves.length;
      shown = {game: JSON.stringify(game), depth: depth(), divide};
      if (Object.keys(shown).every((key) => shown[key] === before[key])) return;
      const turn = ++sequence;
      if (shown.game !== before.game) end = null;
      if (divide || isNear()) known[shown.game] = {depth: depth(), divide};
      begin();
      tell(!divide && !isNear() && (line || state.fen) ? `${line ? `After ${counted(line, "move")}, at` : "At"} depth ${
        depth()}: ask your engine the question below, and paste its answer.` : "");
      const typed = text.value, paste = pastes, pasted = divide && await unpacked(divide);
      if (divide !== before.divide && text.value === typed) text.value = pasted; // not over a newer paste
      settings.open = !divide && !isNear();
      if (!end) await askPosition(turn); // a later setting may have superseded the answer
      if (turn === sequence && isNear()) showSolved();
      if (turn === sequence && !divide && reported?.of === shown.game) showReport(reported, true);
      if (turn === sequence && divide && paste === pastes) await comparePasted(pasted);
      if (told?.cases.some(({text: one}) => one === pasted)) drawTold(pasted);
    },
  };
}
