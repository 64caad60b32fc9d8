// Perft, and the way from a wrong count to the wrong move.

import {Board} from "./board.js";
import {ask, isAbort} from "./backend.js";
import {button, choice, copy, digits, field, h} from "./dom.js";
import {gameOf, goTo, play, setUp} from "./game.js";
import {change} from "./state.js";
import {parseSet, squareOf, squaresOf} from "./sets.js";
import * as fen from "./fen.js";

const stateNames = {same: "same", differs: "differs", missing: "missing", extra: "extra"};

export function perftView() {
  let state = {}, game = null, work = null, sequence = 0, shownGame = "", comparison = null, end = null;

  const board = new Board("Position that is counted", {});
  const fenInput = h("input", {type: "text", spellcheck: "false", autocomplete: "off", onchange: () => setUp(fenInput.value.trim(), game.chess960)});
  const depthInput = h("input", {type: "number", min: 1, max: 10, value: 3, onchange: () => change({depth: depthInput.value}, {replace: true})});
  const methods = h("div"), path = h("ol", {class: "line"}), total = h("p", {class: "status", "aria-live": "polite"});
  const methodTimes = h("p", {class: "hint"});
  const table = h("div", {class: "scroll"}), findings = h("div", {class: "stack", "aria-live": "polite"}), next = h("div", {class: "stack"});
  const text = h("textarea", {rows: 10, spellcheck: "false", placeholder: "e2e4: 20\ne7e5 20\n…\nNodes searched: 400"});

  const times = new Map(); // seconds by method, of the count that is shown

  const depth = () => Math.min(10, Math.max(1, Number(state.depth) || 3));
  const method = () => state.method || "auto";

  function draw(marks = [], selected = null) {
    const last = game.moves.at(-1);
    board.show({
      pieces: fen.parse(end?.fen || game.fen).pieces, marks, selected,
      last: last ? [squareOf(last.slice(0, 2)), squareOf(last.slice(2, 4))] : [],
    });
  }

  function begin() {
    work?.abort();
    work = new AbortController();
    return work.signal;
  }

  function rows(header, lines) {
    table.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, header.map((name) => h("th", {scope: "col", class: name === "Move" || !name ? null : "number"}, name)))), h("tbody", {}, lines)));
  }

  async function count() {
    const signal = begin(), began = performance.now();
    comparison = null;
    findings.replaceChildren();
    next.replaceChildren();
    const counted = JSON.stringify([game, depth()]);
    if (times.counted !== counted) times.clear();
    times.counted = counted;
    const showCounts = (answer, ended) => {
      const seconds = (performance.now() - began) / 1000;
      total.textContent = `${digits(answer.nodes)} leaves, ${answer.moves.length} of ${answer.total} moves, ${answer.method}, ${seconds.toFixed(2)} s${ended ? `, ${digits(Math.round(Number(answer.nodes) / Math.max(seconds, 1e-3)))} a second` : "…"}`;
      if (ended) times.set(answer.method, seconds);
      methodTimes.textContent = times.size > 1 ? [...times].map(([name, s]) => `${name} ${s.toFixed(2)} s`).join(", ") : "";
      rows(["Move", "Leaves"], answer.moves.map((m) => h("tr", {}, h("th", {scope: "row"}, stepButton(m.uci, m.san)), h("td", {class: "number"}, digits(m.nodes)))));
    };
    total.textContent = "Counting…";
    try {
      showCounts(await ask("divide", {...game, depth: depth(), method: method()}, {signal, partial: (answer) => showCounts(answer, false)}), true);
    } catch (error) {
      if (signal === work?.signal) total.textContent = isAbort(error) ? "Stopped." : error.message;
    }
  }

  const stepButton = (uci, san) => button(`${uci} ${san || ""}`, () => step(uci), {class: "link", title: `Play ${uci}`});

  function step(uci) {
    text.value = "";
    comparison = null;
    change({depth: Math.max(1, depth() - 1)}, {replace: true});
    play(game, uci);
  }

  async function compare() {
    const signal = begin();
    text.problem("");
    total.textContent = "Comparing…";
    try {
      comparison = await ask("compare", {...game, depth: depth(), text: text.value}, {signal});
    } catch (error) {
      if (signal !== work?.signal) return;
      total.textContent = "";
      text.problem(isAbort(error) ? "Stopped." : error.message);
      return;
    }
    showComparison();
  }

  function showComparison() {
    const {rows: lines, verdict, next: nextStep, findings: found = []} = comparison;
    total.textContent = verdict;
    rows(["Move", "Ours", "Theirs", ""], lines.map((r) => h("tr", {class: r.state},
      h("th", {scope: "row"}, r.state === "extra" ? r.uci : stepButton(r.uci, r.san)),
      h("td", {class: "number"}, digits(r.ours || "–")), h("td", {class: "number"}, digits(r.theirs || "–")),
      h("td", {}, h("span", {class: `state ${r.state}`}, stateNames[r.state])))));
    findings.replaceChildren(...found.map((f) => h("section", {class: "finding"},
      h("h3", {}, `${f.kind} ${f.move}: ${f.rule}`), h("p", {}, f.reason))));
    if (found.length) {
      const first = found[0];
      draw([
        {name: first.kind === "extra" ? "wrong-move" : "missing-move", label: `${first.kind} move`, squares: [squareOf(first.move.slice(0, 2)), squareOf(first.move.slice(2, 4))]},
        {name: "reason", label: "the reason", squares: [...squaresOf(parseSet(first.squares))]},
      ]);
    }
    next.replaceChildren(...(nextStep ? [h("p", {}, `The counts below ${nextStep.san} differ. Step into it, and ask your engine:`),
      h("pre", {}, h("code", {}, nextStep.ask)),
      h("div", {class: "keys"}, button(`Step into ${nextStep.san}`, () => step(nextStep.move), {class: "primary"}), button("Copy the question", (e) => copy(nextStep.ask, e.target)))] : []));
  }

  function question() {
    const moves = game.moves.length ? ` moves ${game.moves.join(" ")}` : "";
    return `position ${game.fen === fen.start ? "startpos" : `fen ${game.fen}`}${moves}\ngo perft ${depth()}`;
  }

  const ours = h("pre", {}, h("code"));
  const element = h("div", {class: "view"},
    h("section", {class: "board-side", "aria-label": "Board"}, board.element, field("FEN", fenInput, {wide: true}),
      h("h2", {}, "Moves so far"), path),
    h("section", {class: "panel", "aria-label": "Perft"},
      h("div", {class: "row-of-fields"}, field("Depth", depthInput), methods,
        button("Count", count, {class: "primary"}), button("Stop", () => work?.abort())),
      h("details", {open: true}, h("summary", {}, "Compare with your engine"),
        h("p", {class: "hint"}, "Ask your engine this, and paste what it prints."), ours,
        field("What your engine prints", text, {wide: true}), h("div", {class: "keys"}, button("Compare", compare, {class: "primary"}), button("Copy the question", (e) => copy(question(), e.target)))),
      total, methodTimes, findings, next, table));

  return {
    element,
    leave: () => work?.abort(),
    async show(nextState) {
      state = nextState;
      const turn = ++sequence;
      game = gameOf(state);
      depthInput.value = depth();
      ours.firstChild.textContent = question();
      methods.replaceChildren(choice("Method", ["auto", "plain", "two-ply"].map((name) => [name, name]), method(), (name) => change({method: name === "auto" ? "" : name}, {replace: true})));
      const key = JSON.stringify(game);
      if (key === shownGame) return;
      shownGame = key;
      work?.abort();
      const reply = await ask("position", game).catch((error) => ({problems: [{text: error.message}]}));
      if (turn !== sequence) return;
      end = reply;
      fenInput.value = reply.fen || game.fen;
      fenInput.problem((reply.problems || []).map((p) => p.text).join("; "));
      total.textContent = "";
      methodTimes.textContent = "";
      table.replaceChildren();
      findings.replaceChildren();
      next.replaceChildren();
      path.replaceChildren(h("li", {}, button("start", () => goTo(game, state, 0), {"aria-current": game.moves.length ? null : "step"})),
        ...(reply.line || []).map((ply, i) => h("li", {}, button(ply.san, () => goTo(game, state, i + 1), {"aria-current": i + 1 === game.moves.length ? "step" : null}))));
      draw();
    },
  };
}
