// Perft, and the way from a wrong count to the wrong move.

import {Board} from "./board.js";
import {ask, isAbort} from "./backend.js";
import {button, choice, copy, counted, digits, field, h, redraw, say} from "./dom.js";
import {gameOf, goTo, setUp} from "./game.js";
import {saveButtons} from "./picture.js";
import {change, packed, unpacked} from "./state.js";
import {parseSet, squareOf, squaresOf} from "./sets.js";
import * as fen from "./fen.js";

const maxDepth = 10;

export function perftView() {
  let state = {}, game = null, work = null, sequence = 0, shown = {}, end = null, sentence = "";

  const board = new Board("Position that is counted", {});
  const fenInput = h("input", {type: "text", spellcheck: "false", autocomplete: "off", onchange: () =>
    setUp(fenInput.value.trim(), game.chess960, {divide: ""})});
  const depthInput = h("input", {type: "number", min: 1, max: maxDepth, value: 3, onchange: () =>
    change({depth: depthInput.value, divide: ""}, {replace: true})});
  const methods = h("div"), path = h("ol", {class: "line"}), total = h("p", {class: "status"}),
    methodTimes = h("p", {class: "hint"});
  const table = h("div", {class: "stack"}), findings = h("div", {class: "stack"}), next = h("div", {class: "stack"});
  const text = h("textarea", {rows: 8, spellcheck: "false",
    placeholder: "e2e4: 20\ne7e5 20\n…\nNodes searched: 400"});
  const times = new Map(); // seconds by method, of the count that is shown

  const depthOf = (wanted) => Math.min(maxDepth, Math.max(1, Math.trunc(Number(wanted)) || 3));
  const depth = () => depthOf(state.depth);
  const method = () => state.method || "auto";

  function draw(marks = []) {
    const last = game.moves.at(-1);
    board.show({
      pieces: fen.parse(end?.fen || game.fen).pieces, marks,
      last: last ? [squareOf(last.slice(0, 2)), squareOf(last.slice(2, 4))] : [],
    });
  }

  function tell(words) {
    sentence = words;
    total.textContent = words;
    if (words) say(words);
  }

  // Begins work: what an earlier count or comparison found is not about it, and goes.
  function begin() {
    work?.abort();
    work = new AbortController();
    text.problem("");
    methodTimes.textContent = "";
    for (const part of [table, findings, next]) redraw(part);
    draw();
    return work.signal;
  }

  function tableOf(name, header, lines) {
    return h("div", {class: "scroll"}, h("table", {"aria-label": name},
      h("thead", {}, h("tr", {},
      header.map((column) => h("th", {scope: "col", class: column === "Move" || !column ? null : "number"},
      column)))), h("tbody", {}, lines)));
  }

  async function count() {
    const signal = begin(), began = performance.now(), counting = JSON.stringify([game, depth()]);
    if (times.of !== counting) times.clear();
    times.of = counting;
    const showCounts = (answer, ended) => {
      const seconds = (performance.now() - began) / 1000;
      tell(`${digits(answer.nodes)} leaves at depth ${depth()}, ${answer.moves.length} of ${answer.total} moves, ` +
        `${answer.method}, ${seconds.toFixed(2)} ` +
        `s${ended ? `, ${digits(Math.round(Number(answer.nodes) / Math.max(seconds, 1e-3)))} a second` : "…"}`);
      if (ended) times.set(answer.method, seconds);
      methodTimes.textContent = times.size > 1 ? [...times].map(([name, s]) => `${name} ${s.toFixed(2)} s`).join(
        ", ") : "";
      redraw(table, tableOf("Leaves below each move", ["Move", "Leaves"],
        answer.moves.map((m) => h("tr", {}, h("th", {scope: "row"}, stepButton(m.uci, m.san)),
        h("td", {class: "number"}, digits(m.nodes))))));
    };
    tell("Counting…");
    try {
      showCounts(await ask("divide", {...game, depth: depth(), method: method()},
        {signal, partial: (answer) => showCounts(answer, false)}), true);
    } catch (error) {
      if (signal === work?.signal) tell(isAbort(error) ? "Stopped." : error.message);
    }
  }

  const stepButton = (uci, san) => button(`${uci} ${san || ""}`, () => step(uci),
    {class: "link", title: `Play ${uci}`});

  // One entry of the history: going back from it restores the depth too.
  const step = (uci) => change({moves: [...game.moves, uci].join(" "), redo: "", depth: Math.max(1, depth() - 1),
    divide: ""});

  // What was pasted is in the address, so that a finding can be linked to.
  async function compare() {
    const divide = await packed(text.value);
    if (divide === state.divide) await comparePasted();
    else change({divide});
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

  function rowOf(r) {
    return h("tr", {class: r.state},
      h("th", {scope: "row"}, r.state === "extra" ? r.uci : stepButton(r.uci, r.san)),
      h("td", {class: "number"}, digits(r.ours || "–")), h("td", {class: "number"}, digits(r.theirs || "–")),
      h("td", {}, h("span", {class: `state ${r.state}`}, r.state)));
  }

  function showFinding(f) {
    draw([
      {name: f.kind === "extra" ? "wrong-move" : "missing-move", label: `${f.kind} move`,
        squares: [squareOf(f.move.slice(0, 2)), squareOf(f.move.slice(2, 4))]},
      {name: "reason", label: "the reason", squares: [...squaresOf(parseSet(f.squares))]},
    ]);
    sentence = `${f.kind} ${f.move}: ${f.rule}: ${f.reason}`;
  }

  function showComparison({rows, verdict, next: nextStep, findings: found = []}) {
    const header = ["Move", "Ours", "Theirs", ""];
    const [same, wrong] = [rows.filter((r) => r.state === "same"), rows.filter((r) => r.state !== "same")];
    tell(found.length ? `${verdict} ${found[0].kind} ${found[0].move}: ${found[0].rule}` : verdict);
    total.textContent = verdict;
    redraw(table, wrong.length > 0 && tableOf("Moves with a difference", header, wrong.map(rowOf)),
      same.length > 0 && h("details", {}, h("summary", {}, `${counted(same.length, "move")} with the same count`),
        tableOf("Moves with the same count", header, same.map(rowOf))));
    redraw(findings, found.map((f) => h("section", {class: "finding"},
      h("h3", {}, `${f.kind} ${f.move}: ${f.rule}`), h("p", {}, f.reason), found.length > 1 && button(
        `Show ${f.move}`, () => showFinding(f), {class: "small"}))));
    if (found.length && found[0].move) showFinding(found[0]);
    redraw(next, nextStep && [h("p", {}, `The counts below ${nextStep.san} differ. Step into it, and ask your engine:`),
      h("pre", {}, h("code", {}, nextStep.ask)),
      h("div", {class: "keys"}, button(`Step into ${nextStep.san}`, () => step(nextStep.move), {class: "primary"}),
        button("Copy the next question", (e) => copy(nextStep.ask, e.target)))]);
  }

  function question() {
    const moves = game.moves.length ? ` moves ${game.moves.join(" ")}` : "";
    return `position ${game.fen === fen.start ? "startpos" : `fen ${game.fen}`}${moves}\ngo perft ${depth()}`;
  }

  const ours = h("pre", {}, h("code"));
  const element = h("div", {class: "view"},
    h("section", {class: "board-side", "aria-label": "Board"}, board.element, field("FEN", fenInput, {wide: true}),
      h("h2", {}, "Moves so far"), path,
        saveButtons(board, () => ({name: "perft", fen: end.fen || game.fen, sentence}))),
    h("section", {class: "panel", "aria-label": "Perft"},
      h("div", {class: "row-of-fields"}, field("Depth", depthInput), methods,
        button("Count", count, {class: "primary"}), button("Stop", () => work?.abort())),
      h("details", {open: true}, h("summary", {}, "Compare with your engine"),
        h("p", {class: "hint"}, "Ask your engine this, and paste what it prints."), ours,
        field("What your engine prints", text, {wide: true}),
        h("div", {class: "keys"}, button("Compare", compare, {class: "primary"}),
          button("Copy the question", (e) => copy(question(), e.target)),
          button("Copy link", (e) => copy(location.href, e.target)))),
      total, methodTimes, findings, next, table));

  return {
    element,
    leave: () => work?.abort(),
    async show(nextState) {
      state = nextState;
      game = gameOf(state);
      depthInput.value = depth();
      if (state.depth && state.depth !== String(depth())) say(`depth ${state.depth} is cut to ${depth()}`);
      ours.firstChild.textContent = question();
      redraw(methods, choice("Method", ["auto", "plain", "two-ply"].map((name) => [name, name]), method(), (name) =>
        change({method: name === "auto" ? "" : name}, {replace: true})));
      const before = shown;
      shown = {game: JSON.stringify(game), counted: JSON.stringify([game, depth()]), divide: state.divide || ""};
      if (shown.counted === before.counted && shown.divide === before.divide) return;
      const turn = ++sequence, other = shown.game !== before.game;
      begin();
      tell("");
      if (shown.divide !== (before.divide || "") || (other && before.game)) text.value = shown.divide
        ? await unpacked(shown.divide) : "";
      if (other) {
        const reply = await ask("position", game).catch((error) => ({problems: [{text: error.message}]}));
        if (turn !== sequence) return;
        end = reply;
        fenInput.value = end.fen || game.fen;
        fenInput.problem((end.problems || []).map((p) => p.text).join("; "));
        redraw(path, h("li", {}, button("start", () => goTo(game, state, 0, {divide: ""}),
          {"aria-current": game.moves.length ? null : "step"})),
          (end.line || []).map((ply, i) => h("li", {}, button(ply.san, () => goTo(game, state, i + 1, {divide: ""}),
            {"aria-label": `${ply.san}, ply ${i + 1}`, "aria-current": i + 1 === game.moves.length ? "step" : null}))));
        draw(board.shown.marks);
      }
      if (turn === sequence && shown.divide) comparePasted();
    },
  };
}
