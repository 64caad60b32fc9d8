// A position, to set up, play and look at.

import {Board, drag, linkButton, pieceDrawing, saveButtons} from "./board.js";
import {ask, Failure} from "./backend.js";
import {boardSide, button, choice, copies, copy, counted, field, h, panelOf, pliesOf, redraw, say,
  textArea, textInput} from "./dom.js";
import {canGo, change, gameOf, goTo, play, plyAt, positionMenu, replace, setUp, showGame, unpacked} from "./state.js";
import {endsOf, nameOf, parseSet, squareOf, squaresOf} from "./sets.js";
import * as fen from "./board.js";

const palette = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];

export function positionView() {
  let state = {}, game = null, answer = null, selected = null, brush = null, sequence = 0;

  const board = new Board("Chess board", {
    click: (square) => (editing() ? paint(square) : choose(square)),
    canDrag: (square) => (editing() ? Boolean(pieces()[square]) : movesFrom(square).length > 0),
    drop: (from, to) => (editing() ? move(from, to) : to !== null && (tryMove(from, to) || explain(from, to))),
    remove: (square) => editing() && put(square, ""),
    key: (square, key) => editing() && /^[pnbrqk]$/i.test(key) && put(square, key),
  });
  const fenInput = textInput({onchange: () => setUp(fenInput.value.trim(), game.chess960)});
  const problems = h("ul", {class: "problems"});
  const status = h("p", {class: "status"});
  const moves = h("div", {class: "moves"});
  const line = h("ol", {class: "line"});
  const overlays = h("div", {class: "overlays"});
  const forms = h("div");
  const promotion = h("div", {class: "promotion", role: "group", "aria-label": "Promote to", hidden: true});
  const editor = h("div", {class: "editor", hidden: true});
  const modes = h("div"), menu = h("div");
  const turn = (by) => (!editing() ? goTo(game, state, plyAt(game, state, by))
    : canGo(by) && history.go(Math.sign(by)));
  const back = button("Undo", () => turn(-1)), forward = button("Redo", () => turn(1));
  const pgnText = textArea(readPGN);

  const editing = () => state.edit === "1";
  const setupOf = () => {
    const setup = fen.parse(answer?.fen || game.fen);
    return {...setup, pieces: setup.pieces || board.shown.pieces || new Array(64).fill("")};
  };
  const pieces = () => setupOf().pieces; // a FEN that cannot be read leaves the board

  // Playing: a piece is chosen by its square, then the square it goes to.
  function choose(square) {
    const from = selected;
    if (from !== null && tryMove(from, square)) return;
    selected = square === from || !movesFrom(square).length ? null : square;
    draw();
    if (selected === null && square !== from && answer?.fen) explain(from ?? square, square);
  }

  async function explain(...squares) {
    const [from, to] = squares.map(nameOf), now = sequence;
    const [{reason}] = await ask("explain", {...game, proposals: [{from, to}]});
    if (now !== sequence) return;
    status.textContent = `${from === to ? "Illegal" : `${from}${to} is illegal`}: ${
      reason.replace(/^an? (\w+) does .* (\w+) to \2$/, "the $1 on $2 has no legal move")}.`;
    say(status.textContent);
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
  // Rights end with the king or the rook that leaves its square; in Chess960 they stay as they are written.
  const rearranged = (change) => edited((setup) => {
    change(setup.pieces);
    const homes = {K: "4K7R", Q: "4K0R", k: "60k63r", q: "60k56r"}; // of king and rook
    setup.castling = [...setup.castling].filter((right) => game.chess960 || homes[right]?.match(/\d+\D/g)
      .every((home) => setup.pieces[parseInt(home)] === home.at(-1))).join("");
    setup.enPassant = "-";
  });
  function edited(change) {
    const setup = setupOf();
    change(setup);
    setUp(fen.format(setup), game.chess960);
  }
  const put = (square, piece) => rearranged((pieces) => { pieces[square] = piece; });
  const paint = (square) => brush !== null && put(square, pieces()[square] === brush ? "" : brush);
  function move(from, to) {
    rearranged((pieces) => {
      const piece = pieces[from];
      pieces[from] = "";
      if (to !== null) pieces[to] = piece;
    });
  }

  function buildEditor() {
    const setup = setupOf();
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
    const input = (label, name) => {
      const control = textInput({value: setup[name],
        onchange: () => edited((s) => { s[name] = control.value.trim(); })});
      return field(label, control);
    };
    redraw(editor, brushes,
      h("div", {class: "row-of-fields"},
        field("Side to move", h("select", {onchange: (e) => edited((s) => { s.side = e.target.value; })},
          h("option", {value: "w", selected: setup.side === "w"}, "White"),
            h("option", {value: "b", selected: setup.side === "b"}, "Black"))),
        input("Castling", "castling"), input("En passant", "enPassant"),
        input("Halfmove clock", "halfmove"), input("Move number", "fullmove")),
      h("div", {class: "keys"},
        button("Empty board", () => setUp("8/8/8/8/8/8/8/8 w - - 0 1", game.chess960)),
        field("Chess960 number", numberInput()),
        h("label", {class: "check"}, h("input", {type: "checkbox", checked: game.chess960, onchange: (e) =>
          setUp(answer?.fen || game.fen, e.target.checked)}), "Chess960")));
  }

  function numberInput() {
    const [white, black] = answer?.start || [];
    const control = textInput({inputmode: "numeric", placeholder: "0 to 959",
      value: white === undefined ? "" : white === black ? String(white) : `${white} ${black}`,
      onchange: async () => {
        const numbers = control.value.match(/\d+/g) || [];
        try {
          if (!numbers.length) throw new Failure({text: "One number from 0 to 959, or one for each side."});
          const {fen: text, problems: [problem] = []} = await ask("position",
            {fen: `chess960 ${numbers[0]} ${numbers.at(-1)}`, chess960: true, moves: []});
          if (problem) throw new Failure(problem);
          setUp(text, true);
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
    const last = game.moves.at(-1);
    const board64 = pieces();
    const king = answer?.check ? board64.indexOf(answer.sideToMove === "white" ? "K" : "k") : null;
    board.show({
      pieces: board64, marks, selected, check: king,
      last: endsOf(last),
      targets: selected === null ? [] : movesFrom(selected).flatMap((m) => m.targets.map(squareOf)),
      problems: [...fen.parse(answer?.fen || game.fen).wrong,
        ...(answer?.problems || []).map((p) => squareOf(p.square)).filter((square) => square !== null)],
    });
  }

  function drawPanels() {
    redraw(menu, positionMenu(game));
    redraw(modes, choice("What the board is for", [["", "Play"], ["1", "Set up"]], state.edit || "", (edit) =>
      change({edit})));
    editor.hidden = !editing();
    if (editing()) buildEditor();
    if (document.activeElement !== fenInput || answer?.fen) fenInput.value = answer?.fen || game.fen;
    fenInput.problem(!answer.fen && !answer.silent ? "This position cannot be played." : "");
    redraw(problems, (answer.problems || []).map((p) => h("li", {class: "wrong"}, [p.square, p.field].filter(Boolean)
      .join(", "), p.square || p.field ? ": " : "", p.text)),
      (answer.unreachable || []).map((text) => h("li", {}, "No game reaches this position: ", text)));
    const legal = answer.moves;
    status.textContent = sentence();
    say([lastMove(), answer.check ? "check" : "", sentence()].filter(Boolean).join(", "));
    redraw(moves, legal.map((m) => button([m.san, " ", h("small", {}, m.uci)], () => play(game, m.uci),
      {class: m.check ? "move checks" : "move"})));
    redraw(line, pliesOf(answer.line, game.moves.length, (plies) => goTo(game, state, plies)));
    back.setAttribute("aria-disabled", !(editing() ? canGo(-1) : game.moves.length));
    forward.setAttribute("aria-disabled", !(editing() ? canGo(1) : state.redo));
    if (document.activeElement !== pgnText) {
      pgnText.value = answer.pgn || "";
      pgnText.problem("");
    }
    const on = shownOverlays();
    redraw(overlays, (answer.overlays || []).map(({name, label, set}) => h("label", {class: "check"},
      h("input", {type: "checkbox", checked: on.includes(name), onchange: (e) =>
        replace({show: (e.target.checked ? [...on, name] : on.filter((other) => other !== name)).join(" ")})}),
      h("span", {class: `sign ${name}`, "aria-hidden": "true"}), h("span", {}, label),
        h("span", {class: "count"}, String([...squaresOf(parseSet(set))].length)))));
    const {start: numbers} = answer;
    redraw(forms, answer.fen && copies([["Key", answer.key], ["Go", `fianchetto.MustParseFEN("${answer.fen}")`],
      ...(numbers ? [["Chess960", [...new Set(numbers)].join(" and ")]] : [])]));
  }

  // The announced last move: "1. e4" or "1...e5".
  function lastMove() {
    if (!game.moves.length || !answer.fen) return "";
    const number = Number(fen.parse(answer.fen).fullmove), san = answer.line[game.moves.length - 1];
    return answer.sideToMove === "white" ? `${number - 1}...${san}` : `${number}. ${san}`;
  }

  const sentence = () => (answer?.silent ? "No answer" : !answer?.fen ? "Not playable"
    : `${answer.sideToMove === "white" ? "White" : "Black"} to move${answer.check ? ", in check" : ""}, ` +
      `${answer.status === "ongoing" ? counted(answer.moves.length, "legal move") : answer.status}`);

  async function readPGN() {
    try {
      const {game: read} = await ask("paste", {text: pgnText.value, near: []});
      if (!read?.isPGN) throw new Failure({text: "There is no game in the text."});
      showGame(read, pgnText.value);
      pgnText.problem(read.problem);
    } catch (error) {
      pgnText.problem(error.message);
    }
  }

  const element = h("div", {class: "view"},
    boardSide(board.element, promotion,
      h("div", {class: "keys"}, back, forward,
        button("Flip", () => replace({flip: state.flip === "1" ? "" : "1"})), modes),
      menu, saveButtons(board, () => ({name: "position", fen: answer.fen || game.fen, sentence: sentence()}))),
    panelOf("About the position",
      status, editor, field("FEN", fenInput, {wide: true}), problems,
      h("div", {class: "keys"},
        button("Copy FEN", (e) => copy(fenInput.value, e.target)),
        button("Count its moves", () => change({view: "perft"})),
        linkButton()),
      h("h2", {}, "Game"), line,
      h("details", {}, h("summary", {}, "PGN"), field("Game as PGN", pgnText, {wide: true}),
        button("Copy PGN", (e) => copy(pgnText.value, e.target))),
      h("h2", {}, "Moves"), moves,
      h("h2", {}, "Show on the board"), overlays,
      h("h2", {}, "In other forms"), forms));

  return {
    element,
    turn,
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
        reply = await ask("position", {...game, redo: state.redo?.split(" "),
          pgn: state.pgn && await unpacked(state.pgn)});
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        reply = {problems: [{text: error.message}], silent: !error.field};
      }
      if (turn !== sequence) return;
      answer = {...reply, moves: reply.moves || [], line: reply.line || []};
      if (reply.fen) game.moves.splice(reply.line.length); // an illegal move ends the game
      draw();
      drawPanels();
    },
  };
}
