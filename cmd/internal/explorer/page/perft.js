// Perft, and the way from a wrong count to the wrong move.

import {Board} from "./board.js";
import {ask, isAbort, loaded} from "./backend.js";
import {boardSide, button, choice, code, copy, counted, digits, field, h, headOf, p, panelOf, redraw, say, strong,
  textInput} from "./dom.js";
import {gameOf, goTo, positionMenu, setUp} from "./game.js";
import {linkButton, saveButtons} from "./picture.js";
import {change, packed, replace, unpacked} from "./state.js";
import {endsOf, parseSet, squareOf, squaresOf} from "./sets.js";
import * as fen from "./fen.js";

const maxDepth = 10, pause = 250; // milliseconds without a key, before the answer

export function perftView() {
  let state = {}, game = null, work = null, sequence = 0, shown = {divide: ""}, end = null, sentence = "", typing = null;

  const board = new Board("Position that is counted", {});
  const fenInput = textInput({onchange: () => setUp(fenInput.value.trim(), game.chess960)});
  const depthInput = h("input", {type: "number", min: 1, max: maxDepth, value: 3, onchange: () =>
    replace({depth: depthInput.value})});
  const menu = h("div", {class: "field"}), methods = h("div"), path = h("ol", {class: "line"});
  const total = h("p", {class: "status"});
  const table = h("div", {class: "stack"}), findings = h("div", {class: "findings"}), next = h("div", {class: "stack"});
  // Not on change, which follows a press of the mouse elsewhere, and would take the pressed button away.
  const text = h("textarea", {rows: 6, spellcheck: "false", oninput: () => {
    clearTimeout(typing);
    typing = setTimeout(compare, pause);
  }, placeholder: "e2e4: 600\nd2d4: 560\n…\nNodes searched: 8902"});

  const depth = () => Math.min(maxDepth, Math.max(1, Math.trunc(Number(state.depth)) || 3));
  const method = () => state.method || "auto";

  function draw(marks = [], lines = []) {
    board.show({
      pieces: fen.parse(end?.fen || game.fen).pieces || board.shown.pieces, marks, lines,
      last: endsOf(game.moves.at(-1)), problems: fen.parse(end?.fen || game.fen).wrong,
    });
  }

  function tell(words) {
    sentence = words;
    total.textContent = words;
    if (words) say(words);
  }

  // Begins work, and removes the results of earlier work.
  function begin() {
    work?.abort();
    work = new AbortController();
    text.problem("");
    for (const part of [table, findings, next]) redraw(part);
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
            h("td", {class: "number"}, digits(m.nodes))))));
      };
      showCounts(await ask("divide", {...game, depth: depth(), method: method()},
        {signal, partial: (answer) => showCounts(answer, false)}), true);
    } catch (error) {
      if (signal === work?.signal) tell(isAbort(error) ? "Stopped." : error.message);
    }
  }

  const stepButton = (uci, san) => button(`${uci} ${san || ""}`, () => step(uci),
    {class: "link", title: `Play ${uci}`});

  // Plays a move, counts one ply less, and waits for the engine's next answer. One Back undoes it all.
  function step(uci) {
    text.value = "";
    change({moves: [...game.moves, uci].join(" "), redo: "", depth: Math.max(1, depth() - 1), divide: ""});
    text.focus();
  }

  const rewind = (plies) => goTo(game, state, plies, {divide: ""});

  // The address contains the pasted text, so that a finding is a link. Every change of the question compares again.
  async function compare() {
    const divide = text.value.trim() ? await packed(text.value) : "";
    if (divide !== shown.divide) change({divide});
    else if (divide) await comparePasted();
  }

  async function comparePasted() {
    const signal = begin();
    tell("Comparing…");
    try {
      showComparison(await ask("compare", {...game, depth: depth(), text: text.value}, {signal}));
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

  function showFinding(f) {
    const ends = endsOf(f.move);
    const name = f.kind === "extra" ? "wrong-move" : "missing-move", attackers = [...squaresOf(parseSet(f.attackers))];
    draw([{name, label: `${f.kind} move`, squares: ends},
      {name: "reason", label: "the reason", squares: [...new Set([...squaresOf(parseSet(f.squares)), ...attackers])]}],
    [{from: ends[0], to: ends[1], name, arrow: true},
      ...attackers.map((from) => ({from, to: squareOf(f.attacked), name: "reason", arrow: true}))]);
    sentence = `${f.kind} ${f.move}: ${f.rule}: ${f.reason}`;
  }

  function showComparison({rows, verdict, notes = [], depth: recognised, next: nextStep, findings: found = []}) {
    const header = ["Move", "Ours", "Theirs", "State"];
    const [same, wrong] = [rows.filter((r) => r.state === "same"), rows.filter((r) => r.state !== "same")];
    tell(found.length ? `${verdict} ${found[0].kind} ${found[0].move}: ${found[0].rule}` : verdict);
    total.textContent = verdict;
    redraw(table, wrong.length > 0 && tableOf("Moves with a difference", header, wrong.map(rowOf)),
      same.length > 0 && h("details", {}, h("summary", {}, `${counted(same.length, "move")} with the same count`),
        tableOf("Moves with the same count", header, same.map(rowOf))));
    redraw(findings, notes.map((note) => p`${note}`),
      recognised !== depth() && button(`Set the depth to ${recognised}`, () => change({depth: recognised})),
      found.map((f) => h("section", {class: `finding ${f.kind}`},
        h("h2", {}, `${f.kind} ${f.move}: ${f.rule}`),
        p`${f.reason} (${h("a", {href: f.read}, "the usual mistakes")})`,
        found.length > 1 && button(`Show ${f.move}`, () => showFinding(f), {class: "small"}))));
    if (found[0]?.move) showFinding(found[0]);
    redraw(next, nextStep && [p`The counts below ${strong(nextStep.san)} differ. Step into it, and ask again:`,
      h("pre", {}, code(nextStep.ask)),
      h("div", {class: "keys"}, button(`Step into ${nextStep.san}`, () => step(nextStep.move), {class: "primary", "data-step": ""}),
        button("Copy the next question", (e) => copy(nextStep.ask, e.target)))]);
  }

  function question() {
    const root = end?.root || game.fen, moves = game.moves.length ? ` moves ${game.moves.join(" ")}` : "";
    return (game.chess960 ? "setoption name UCI_Chess960 value true\n" : "") +
      `position ${root === fen.start ? "startpos" : `fen ${root}`}${moves}\ngo perft ${depth()}`;
  }

  const ours = h("pre", {}, code());
  const element = h("div", {class: "view perft"},
    panelOf("Perft",
      h("div", {class: "row-of-fields"}, menu, field("Depth", depthInput)), field("FEN", fenInput, {wide: true}),
      h("div", {class: "question"}, ours, button("Copy the question", (e) => copy(question(), e.target))),
      field("What your engine prints", text, {wide: true}),
      h("div", {class: "keys"}, button("Compare", compare, {class: "primary"}), button("Count", count),
        button("Stop", () => work?.abort()), methods, linkButton()),
      total, findings, next, table),
    boardSide(board.element,
      h("h2", {}, "Moves so far"), path,
      saveButtons(board, () => ({name: "perft", fen: end?.fen || game.fen, sentence}))));

  async function askPosition(turn) {
    const reply = await ask("position", game).catch((error) => ({problems: [{text: error.message}]}));
    if (turn !== sequence) return;
    end = reply;
    if (end.fen) fenInput.value = end.fen;
    fenInput.problem((end.problems || []).map((problem) => problem.text).join("; "));
    ours.firstChild.textContent = question();
    redraw(path, h("li", {}, button("start", () => rewind(0), {"aria-current": game.moves.length ? null : "step"})),
      (end.line || []).map((ply, i) => h("li", {}, button(ply.san, () => rewind(i + 1),
        {"aria-label": `${ply.san}, ply ${i + 1}`, "aria-current": i + 1 === game.moves.length ? "step" : null}))));
    draw();
  }

  return {
    element,
    turn: (by) => goTo(game, state, game.moves.length + by, {divide: "", depth: Math.max(1, depth() - by)}),
    leave: () => work?.abort(),
    async show(nextState) {
      state = nextState;
      game = gameOf(state);
      depthInput.value = depth();
      if (state.depth && state.depth !== String(depth())) say(`depth ${state.depth} is cut to ${depth()}`);
      ours.firstChild.textContent = question();
      redraw(menu, positionMenu(game));
      redraw(methods, choice("Method", ["auto", "plain", "two-ply"].map((name) => [name, name]), method(), (name) =>
        replace({method: name === "auto" ? "" : name})));
      const before = shown, divide = state.divide || "";
      shown = {game: JSON.stringify(game), depth: depth(), divide};
      if (Object.keys(shown).every((key) => shown[key] === before[key])) return;
      const turn = ++sequence;
      if (shown.game !== before.game) end = null;
      begin();
      tell("");
      if (divide !== before.divide) text.value = divide && await unpacked(divide);
      if (shown.game !== before.game) await askPosition(turn);
      if (turn === sequence && divide) comparePasted();
    },
  };
}
