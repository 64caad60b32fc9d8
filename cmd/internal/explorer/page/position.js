// A position: set up, played, and looked at.

import {Board, drag, pieceDrawing} from "./board.js";
import {ask, Failure} from "./backend.js";
import {button, choice, copy, counted, field, h, redraw, say} from "./dom.js";
import {gameOf, goTo, play, setUp} from "./game.js";
import {change} from "./state.js";
import {nameOf, parseSet, squareOf, squaresOf} from "./sets.js";
import * as fen from "./fen.js";
import {saveButtons} from "./picture.js";

const palette = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];

export function positionView() {
  let state = {}, game = null, answer = null, selected = null, brush = null, sequence = 0;

  const board = new Board("Chess board", {
    click: (square) => (editing() ? paint(square) : choose(square)),
    canDrag: (square) => editing() || movesFrom(square).length > 0,
    drop: (from, to) => (editing() ? move(from, to) : to !== null && tryMove(from, to)),
    remove: (square) => editing() && put(square, ""),
    key: (square, key) => editing() && /^[pnbrqk]$/i.test(key) && put(square, key),
  });
  const fenInput = h("input", {type: "text", spellcheck: "false", autocomplete: "off", onchange: () =>
    setUp(fenInput.value.trim(), game.chess960)});
  const problems = h("ul", {class: "problems"});
  const status = h("p", {class: "status"});
  const moves = h("div", {class: "moves"});
  const line = h("ol", {class: "line"});
  const overlays = h("div", {class: "overlays"});
  const facts = h("dl", {class: "facts"});
  const promotion = h("div", {class: "promotion", role: "group", "aria-label": "Promote to", hidden: true});
  const editor = h("div", {class: "editor", hidden: true});
  const modes = h("div");
  const back = button("Undo", () => goTo(game, state, game.moves.length - 1));
  const forward = button("Redo", () => goTo(game, state, game.moves.length + 1));
  const pgnText = h("textarea", {rows: 6, spellcheck: "false"});

  const editing = () => state.edit === "1";
  const pieces = () => fen.parse(answer?.fen || game.fen).pieces;

  // Playing: a piece is chosen by its square, then the square it goes to.
  function choose(square) {
    if (selected !== null && tryMove(selected, square)) return;
    selected = square === selected || !movesFrom(square).length ? null : square;
    draw();
  }

  const movesFrom = (square) => (answer?.moves || []).filter((m) => m.from === nameOf(square));

  function tryMove(from, to) {
    const found = movesFrom(from).filter((m) => m.targets.includes(nameOf(to)));
    if (!found.length) return false;
    selected = null;
    if (found.length === 1) play(game, found[0].uci);
    else askPromotion(found);
    return true;
  }

  function askPromotion(found) {
    redraw(promotion, h("span", {}, "Promote to"), ...found.map((m) => button(m.promotion, () => {
      endPromotion();
      play(game, m.uci);
    })), button("Cancel", () => { endPromotion(); draw(); }));
    promotion.hidden = false;
    say("Promote to?");
    promotion.querySelector("button").focus();
  }

  function endPromotion() {
    const focused = promotion.contains(document.activeElement);
    promotion.hidden = true;
    if (focused) board.focus();
  }

  // Editing: a brush puts pieces, dragging moves them or takes them off the board.
  function edited(change) {
    const setup = fen.parse(answer?.fen || game.fen);
    change(setup);
    setUp(fen.format(setup), game.chess960);
  }
  const put = (square, piece) => edited((setup) => { setup.pieces[square] = piece; });
  const paint = (square) => brush !== null && put(square, pieces()[square] === brush ? "" : brush);
  function move(from, to) {
    edited((setup) => {
      const piece = setup.pieces[from];
      setup.pieces[from] = "";
      if (to !== null) setup.pieces[to] = piece;
    });
  }

  function buildEditor() {
    const setup = fen.parse(answer?.fen || game.fen);
    const brushes = h("div", {class: "palette", role: "group", "aria-label": "Pieces to put on the board"},
      [...palette, ""].map((piece) => {
        const key = h("button", {
          type: "button", "aria-pressed": String(brush === piece), "aria-label": fen.pieceName(piece) || "eraser",
          onclick: () => { brush = brush === piece ? null : piece; buildEditor(); },
        }, piece ? pieceDrawing(piece) : "✕");
        key.addEventListener("pointerdown", (event) => piece && drag(event, piece, {
          end: (x, y) => { const square = board.squareAt(x, y); if (square !== null) put(square, piece); },
        }));
        return key;
      }));
    const input = (label, name, attributes = {}) => {
      const control = h("input", {type: "text", value: setup[name], autocomplete: "off", spellcheck: "false",
        ...attributes,
        onchange: () => edited((s) => { s[name] = control.value.trim(); })});
      return field(label, control);
    };
    redraw(editor, brushes,
      h("div", {class: "row-of-fields"},
        field("Side to move", h("select", {onchange: (e) => edited((s) => { s.side = e.target.value; })},
          h("option", {value: "w", selected: setup.side === "w"}, "White"),
            h("option", {value: "b", selected: setup.side === "b"}, "Black"))),
        input("Castling", "castling"), input("En passant", "enPassant"),
        input("Halfmove clock", "halfmove", {inputmode: "numeric"}), input("Move number", "fullmove",
          {inputmode: "numeric"})),
      h("div", {class: "keys"},
        button("Empty board", () => setUp("8/8/8/8/8/8/8/8 w - - 0 1", game.chess960)),
        button("Start position", () => setUp(fen.start, false)),
        field("Chess960 number", numberInput()),
        h("label", {class: "check"}, h("input", {type: "checkbox", checked: game.chess960, onchange: (e) =>
          setUp(answer?.fen || game.fen, e.target.checked)}), "Chess960")));
  }

  function numberInput() {
    const [white, black] = answer?.start || [];
    const control = h("input", {type: "text", inputmode: "numeric", placeholder: "0 to 959", autocomplete: "off",
      value: white === undefined ? "" : white === black ? String(white) : `${white} ${black}`,
      onchange: async () => {
        const numbers = control.value.trim().split(/[\s,]+/).filter(Boolean).map(Number);
        try {
          if (!numbers.length || numbers.length > 2 || !numbers.every(Number.isInteger)) throw new Failure(
            {text: "One number from 0 to 959, or one for each side."});
          const {fen: start} = await ask("start", {white: numbers[0], black: numbers[1] ?? numbers[0]});
          setUp(start, true);
        } catch (error) {
          control.problem(error.message);
        }
      }});
    return control;
  }

  const shownOverlays = () => (state.show ? state.show.split(" ") : []);

  function draw() {
    const on = shownOverlays(), own = {name: "set", label: "the set", set: state.set};
    const shown = (answer?.overlays || []).filter(({name}) => on.includes(name));
    const marks = (parseSet(state.set) === null ? shown : [...shown, own])
      .map(({name, label, set}) => ({name, label, squares: [...squaresOf(parseSet(set))]}));
    const last = answer?.line?.at(-1)?.uci;
    const board64 = pieces();
    const king = answer?.check ? board64.indexOf(answer.sideToMove === "white" ? "K" : "k") : null;
    board.show({
      pieces: board64, marks, selected, check: king,
      last: last ? [squareOf(last.slice(0, 2)), squareOf(last.slice(2, 4))] : [],
      targets: selected === null ? [] : movesFrom(selected).flatMap((m) => m.targets.map(squareOf)),
      problems: (answer?.problems || []).map((p) => squareOf(p.square)).filter((square) => square !== null),
    });
  }

  function drawPanels() {
    redraw(modes, choice("What the board is for", [["", "Play"], ["1", "Set up"]], state.edit || "", (edit) =>
      change({edit})));
    editor.hidden = !editing();
    if (editing()) buildEditor();
    if (document.activeElement !== fenInput || answer?.fen) fenInput.value = answer?.fen || game.fen;
    fenInput.problem(answer.problems ? "This position cannot be played." : "");
    redraw(problems, (answer.problems || []).map((p) => h("li", {class: "wrong"}, [p.square, p.field].filter(Boolean)
      .join(", "), p.square || p.field ? ": " : "", p.text)),
      (answer.unreachable || []).map((text) => h("li", {}, "No game reaches this position: ", text)));
    const legal = answer.moves;
    status.textContent = sentence();
    say([lastMove(), answer.check ? "check" : "", sentence()].filter(Boolean).join(", "));
    redraw(moves, legal.map((m) => button([m.san, " ", h("small", {}, m.uci)], () => play(game, m.uci),
      {class: m.check ? "move checks" : "move"})));
    const redo = state.redo ? state.redo.split(" ") : [];
    redraw(line, answer.line.map((ply, i) =>
      h("li", {}, button(ply.san, () => goTo(game, state, i + 1), {"aria-label": `${ply.san}, ply ${i + 1}`,
        "aria-current": i + 1 === game.moves.length ? "step" : null}))));
    back.setAttribute("aria-disabled", String(game.moves.length === 0));
    forward.setAttribute("aria-disabled", String(redo.length === 0));
    const on = shownOverlays();
    redraw(overlays, (answer.overlays || []).map(({name, label, set}) => h("label", {class: "check"},
      h("input", {type: "checkbox", checked: on.includes(name), onchange: (e) =>
        change({show: (e.target.checked ? [...on, name] : on.filter((other) => other !== name)).join(" ")},
          {replace: true})}),
      h("span", {class: `sign ${name}`, "aria-hidden": "true"}), h("span", {}, label),
        h("span", {class: "count"}, String([...squaresOf(parseSet(set))].length)))));
    redraw(facts, answer.fen ? [
      ["Key", answer.key], ["Packed", answer.packed], ["Go", answer.go],
      ...(answer.start ? [["Chess960", answer.start[0] === answer.start[1] ? String(answer.start[0])
        : answer.start.join(" and ")]] : []),
    ].flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, h("code", {}, text),
      button("Copy", (e) => copy(text, e.target), {class: "small", "aria-label": `Copy ${name}`}))]) : []);
  }

  // The last move as it is announced: "1. e4" or "1...e5".
  function lastMove() {
    if (!answer.line.length) return "";
    const number = Number(fen.parse(answer.fen).fullmove), san = answer.line.at(-1).san;
    return answer.sideToMove === "white" ? `${number - 1}...${san}` : `${number}. ${san}`;
  }

  const sentence = () => (!answer?.fen ? "Not playable"
    : `${answer.sideToMove === "white" ? "White" : "Black"} to move${answer.check ? ", in check" : ""}, ` +
      `${answer.status === "ongoing" ? counted(answer.moves.length, "legal move") : answer.status}`);

  const withPGN = (use) => async () => {
    pgnText.problem("");
    await use().catch((error) => pgnText.problem(error.message));
  };
  const readPGN = withPGN(async () => {
    const {fen: text, chess960, moves: played, problem} = await ask("pgn", {text: pgnText.value});
    pgnText.problem(problem);
    setUp(text, chess960, {moves: played.join(" ")});
  });
  const writePGN = withPGN(async () => { pgnText.value = (await ask("pgn", {play: game, tags: {Event: "Explorer"}}))
    .text; });

  const element = h("div", {class: "view"},
    h("section", {class: "board-side", "aria-label": "Board"},
      board.element, promotion,
      h("div", {class: "keys"}, back, forward, button("Flip", () => change({flip: state.flip === "1" ? "" : "1"},
        {replace: true})), modes),
      editor, saveButtons(board, () => ({name: "position", fen: answer.fen || game.fen, sentence: sentence()}))),
    h("section", {class: "panel", "aria-label": "About the position"},
      status, field("FEN", fenInput, {wide: true}), problems,
      h("div", {class: "keys"},
        button("Copy FEN", (e) => copy(fenInput.value, e.target)),
          button("Count its moves", () => change({view: "perft"})),
          button("Copy link", (e) => copy(location.href, e.target))),
      h("h2", {}, "Moves"), moves,
      h("h2", {}, "Game"), line,
      h("details", {}, h("summary", {}, "PGN"), field("Game as PGN", pgnText, {wide: true}),
        h("div", {class: "keys"}, button("Read", readPGN), button("Write", writePGN))),
      h("h2", {}, "Show on the board"), overlays,
      h("h2", {}, "In other forms"), facts));

  return {
    element,
    async show(next) {
      state = next;
      const turn = ++sequence;
      game = gameOf(state);
      board.flip(state.flip === "1");
      selected = null;
      endPromotion();
      if (!answer) draw(); // the board is there before the answer is
      let reply;
      try {
        reply = await ask("position", game);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        reply = {problems: [{text: error.message}]};
      }
      if (turn !== sequence) return;
      answer = {...reply, moves: reply.moves || [], line: reply.line || []};
      draw();
      drawPanels();
    },
  };
}
