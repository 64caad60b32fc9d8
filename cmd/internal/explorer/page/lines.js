// The lines through one square, where those through two meet, and the checks that follow from it.

import {Board} from "./board.js";
import {ask} from "./backend.js";
import {button, choice, h, redraw, say} from "./dom.js";
import {saveButtons} from "./picture.js";
import {letters} from "./slider_board.js";
import {change} from "./state.js";
import {hex, nameOf, parseSet, squareOf, squaresOf, toggled} from "./sets.js";

const kindNames = {rank: "Rank", file: "File", diagonal: "Diagonal", antidiagonal: "Anti-diagonal"};

export function linesView() {
  let state = {}, answer = null, check = null, sequence = 0;

  const board = new Board("Board of lines", {click: pick});
  const modes = h("div"), hint = h("p", {class: "hint"}), panel = h("div", {class: "stack"});

  const mode = () => state.mode || "one";
  const a = () => squareOf(state.a) ?? 27;
  const b = () => squareOf(state.b);
  const blockers = () => parseSet(state.blockers) ?? 0n;
  const piece = () => (state.piece in letters ? state.piece : "bishop");

  function pick(square) {
    if (mode() === "one") change({a: nameOf(square)});
    else if (mode() === "two") change(square === a() ? {b: ""} : {[state.next === "a" ? "a" : "b"]: nameOf(square),
      next: state.next === "a" ? "" : "a", pair: ""});
    else if (state.place === "slider") change({a: nameOf(square), place: ""});
    else if (state.place === "king") change({b: nameOf(square), place: ""});
    else if (square !== a() && square !== b()) change({blockers: hex(toggled(blockers(), square))});
  }

  const squares = (set) => [...squaresOf(parseSet(set))];
  const pieces = () => {
    const shown = new Array(64).fill("");
    if (mode() === "check") {
      for (const square of squaresOf(blockers())) shown[square] = "p";
      shown[a()] = letters[piece()];
      shown[b() ?? 60] = "k";
    }
    return shown;
  };

  const drawn = (name, on) => ({name, from: on[0], to: on.at(-1)});

  function drawOne() {
    const marks = answer.a.lines.map((line) => ({name: `line-${line.kind}`, label: kindNames[line.kind],
      squares: line.squares.map(squareOf), plain: true}));
    board.show({pieces: pieces(), marks, lines: answer.a.lines.map((line) => drawn(`line-${line.kind}`,
      line.squares.map(squareOf))), selected: a()});
    hint.textContent = "Choose a square.";
    redraw(panel, describe(answer.a));
  }

  function describe(square) {
    return h("div", {class: "stack"},
      h("p", {class: "status"}, `${square.square}: square ${square.index} = 8 · ${square.rank} + ${square.file}, ` +
        `rank ${square.rank}, file ${square.file}, ${square.color}`),
      h("div", {class: "scroll"}, h("table", {},
        h("thead", {}, h("tr", {}, ["Line", "Number", "Mask"].map((text) => h("th", {scope: "col"}, text)))),
        h("tbody", {}, square.lines.map((line) => h("tr", {},
          h("th", {scope: "row"}, h("span", {class: `sign line-${line.kind}`, "aria-hidden": "true"}), " ",
            kindNames[line.kind], " ", h("code", {}, line.name)),
          h("td", {}, line.numbers.map((n) => h("div", {class: "formula"}, `${n.name} = ${n.formula} = `,
            h("strong", {}, String(n.value))))),
          h("td", {}, h("code", {}, line.mask))))))));
  }

  function drawTwo() {
    if (!answer.b) {
      board.show({pieces: pieces(), selected: a()});
      hint.textContent = `Choose a second square beside ${nameOf(a())}.`;
      redraw(panel, describe(answer.a));
      return;
    }
    const pair = answer.b, chosen = pair.intersections[Number(state.pair)] ?? pair.intersections[0];
    const meeting = chosen.square ? [squareOf(chosen.square)] : [];
    board.show({
      pieces: pieces(), selected: a(),
      lines: [drawn(`line-${chosen.kindA}`, squares(chosen.lineA)), drawn(`line-${chosen.kindB}`,
        squares(chosen.lineB))],
      marks: [
        {name: "meeting", label: "intersection", squares: meeting},
        {name: `line-${chosen.kindA}`, label: `${chosen.kindA} of ${nameOf(a())}`, squares: squares(chosen.lineA),
          plain: true},
        {name: `line-${chosen.kindB}`, label: `${chosen.kindB} of ${nameOf(b())}`, squares: squares(chosen.lineB),
          plain: true},
      ],
      last: [b()],
    });
    hint.textContent = "Choose squares by turns: the second, then the first.";
    redraw(panel, 
      h("p", {class: "status"}, `${nameOf(a())} and ${nameOf(b())}: ` +
        `${pair.same.length ? `one ${pair.same.join(" and one ")}` : "no line in common"}, ${pair.distance} king's ` +
        `move${pair.distance === 1 ? "" : "s"} apart`),
      h("dl", {class: "facts"},
        h("dt", {}, "Between"), h("dd", {}, h("code", {}, pair.between), " ", squares(pair.between).map(nameOf).join(
          " ") || "none"),
        h("dt", {}, "Line"), h("dd", {}, h("code", {}, pair.line), " ", squares(pair.line).map(nameOf).join(" ")
          || "none")),
      h("h2", {}, "The twelve intersections"),
      h("div", {class: "grid-of-keys", role: "group", "aria-label": "Intersections"}, pair.intersections.map((x, i) =>
        h("button", {type: "button", "aria-pressed": String(x === chosen), onclick: () =>
          change({pair: i}, {replace: true})},
          h("span", {}, `${kindNames[x.kindA]} · ${kindNames[x.kindB]}`), h("strong", {}, x.square || "none")))),
      h("h2", {}, `${kindNames[chosen.kindA]} of ${nameOf(a())}, ${kindNames[chosen.kindB].toLowerCase()} of ` +
        `${nameOf(b())}`),
      h("ol", {class: "steps"}, chosen.steps.map((step) => h("li", {}, h("code", {}, step)))));
  }

  function drawCheck() {
    board.show({
      pieces: pieces(),
      marks: [
        {name: "meeting", label: "check square", squares: squares(check.squares)},
        {name: "reachable", label: "within reach", squares: squares(check.reachable)},
        {name: "checking", label: "attacks the king from there", squares: squares(check.checking)},
      ],
      check: check.checksNow ? b() ?? 60 : null,
    });
    hint.textContent = "Click squares to put pieces in the way, or take them off.";
    const list = (set) => squares(set).map(nameOf).join(" ") || "none";
    redraw(panel, 
      choice("Slider", Object.keys(letters).map((name) => [name, name]), piece(), (name) => change({piece: name})),
      h("div", {class: "keys"}, ["slider", "king"].map((what) =>
        button(`Move the ${what}`, () => change({place: state.place === what ? "" : what}, {replace: true}),
          {"aria-pressed": String(state.place === what)})),
      button("No pieces in the way", () => change({blockers: ""}))),
      h("p", {class: "status"}, check.checksNow ? "The king is in check already." : `The ${piece()} on ` +
        `${nameOf(a())} can give check from: ${list(check.squares)}`),
      h("dl", {class: "facts"},
        h("dt", {}, h("span", {class: "sign reachable", "aria-hidden": "true"}), " Squares that it reaches"),
          h("dd", {}, list(check.reachable)),
        h("dt", {}, h("span", {class: "sign checking", "aria-hidden": "true"}), " Squares from which it would attack " +
          "the king"), h("dd", {}, list(check.checking)),
        h("dt", {}, h("span", {class: "sign meeting", "aria-hidden": "true"}), " Both: the check squares"),
          h("dd", {}, list(check.squares), " ", h("code", {}, check.squares)),
        h("dt", {}, "Intersection squares on an empty board"), h("dd", {}, list(check.intersections))));
  }

  const element = h("div", {class: "view"},
    h("section", {class: "board-side", "aria-label": "Board"}, modes, board.element, hint,
      saveButtons(board, () => ({name: "lines", sentence: panel.querySelector(".status")?.textContent}))),
    h("section", {class: "panel", "aria-label": "Lines"}, panel));

  return {
    element,
    async show(next) {
      state = next;
      const turn = ++sequence;
      redraw(modes, choice("What to look at", [["one", "One square"], ["two", "Two squares"], ["check", "Checks"]],
        mode(), (value) => change({mode: value, pair: "", place: ""})));
      const wanted = mode() === "check"
        ? ask("check", {piece: piece(), from: nameOf(a()), king: nameOf(b() ?? 60), occupancy: hex(blockers())})
        : ask("lines", {a: nameOf(a()), ...(mode() === "two" && b() !== null ? {b: nameOf(b())} : {})});
      const reply = await wanted.catch((error) => error);
      if (turn !== sequence) return;
      if (reply instanceof Error) {
        board.show({pieces: pieces()});
        redraw(panel, h("p", {class: "problem"}, reply.message));
        say(reply.message);
        return;
      }
      if (mode() === "check") check = reply;
      else answer = reply;
      ({check: drawCheck, two: drawTwo}[mode()] || drawOne)();
      say(panel.querySelector(".status").textContent);
    },
  };
}
