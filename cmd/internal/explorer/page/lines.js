// The lines through one square, the intersections of those through two, and the checks that follow.

import {Board} from "./board.js";
import {ask} from "./backend.js";
import {boardSide, button, choice, code, facts, fail, h, headOf, hint, panelOf, redraw, say, strong} from "./dom.js";
import {saveButtons} from "./picture.js";
import {letters, moveButtons} from "./slider_board.js";
import {change, replace} from "./state.js";
import {hex, nameOf, parseSet, squareOf, squaresOf, toggled} from "./sets.js";

const kindNames = {rank: "Rank", file: "File", diagonal: "Diagonal", antidiagonal: "Anti-diagonal"};

export function linesView() {
  let state = {}, answer = null, check = null, sequence = 0;

  const board = new Board("Board of lines", {click: pick});
  const modes = h("div"), words = hint(), panel = h("div", {class: "stack"});

  const mode = () => state.mode || "one";
  // Without squares in the address, two squares and checks show an example.
  const isExample = () => !state.a && !state.b, isCheck = () => mode() === "check";
  const a = () => squareOf(state.a) ?? (isCheck() && isExample() ? 5 : 27);
  const b = () => squareOf(state.b) ?? (isCheck() ? (isExample() ? 62 : 60) : isExample() ? 46 : null);
  const blockers = () => parseSet(state.blockers) ?? (isCheck() && isExample() ? 1n << 33n : 0n);
  const piece = () => (state.piece in letters ? state.piece : "bishop");

  function pick(square) {
    if (mode() === "one") change({a: nameOf(square)});
    else if (mode() === "two") change(square === a() ? {a: nameOf(square), b: ""} : {a: nameOf(a()),
      b: b() === null ? "" : nameOf(b()), [state.next === "a" ? "a" : "b"]: nameOf(square),
      next: state.next === "a" ? "" : "a", pair: ""});
    else {
      const now = {a: nameOf(a()), b: nameOf(b()), blockers: hex(blockers()), place: ""};
      if (state.place) change({...now, [state.place === "king" ? "b" : "a"]: nameOf(square)});
      else if (square !== a() && square !== b()) change({...now, blockers: hex(toggled(blockers(), square))});
    }
  }

  const squares = (set) => [...squaresOf(parseSet(set))];
  const list = (set) => squares(set).map(nameOf).join(" ") || "none";
  const pieces = () => {
    const shown = new Array(64).fill("");
    if (isCheck()) {
      for (const square of squaresOf(blockers())) shown[square] = "p";
      shown[a()] = letters[piece()];
      shown[b()] = "k";
    }
    return shown;
  };

  const drawn = (name, on) => ({name, from: on[0], to: on.at(-1)});

  function drawOne() {
    const marks = answer.a.lines.map((line) => ({name: `line-${line.kind}`, label: kindNames[line.kind],
      squares: squares(line.mask), plain: true}));
    board.show({pieces: pieces(), marks, lines: answer.a.lines.map((line) => drawn(`line-${line.kind}`,
      squares(line.mask))), selected: a()});
    words.textContent = "Choose a square.";
    redraw(panel, describe(answer.a));
  }

  function describe(square) {
    const index = squareOf(square.square), rank = index >> 3, file = index & 7;
    return h("div", {class: "stack"},
      h("p", {class: "status"}, `${square.square}: square ${index} = 8 · ${rank} + ${file}, ` +
        `rank ${rank}, file ${file}, ${(rank + file) % 2 ? "light" : "dark"}`),
      h("div", {class: "scroll"}, h("table", {class: "masks"},
        headOf(["Line", "Number", "Mask"]),
        h("tbody", {}, square.lines.map((line) => h("tr", {},
          h("th", {scope: "row"}, h("span", {class: `sign line-${line.kind}`, "aria-hidden": "true"}), " ",
            kindNames[line.kind], " ", code(line.name)),
          h("td", {}, line.numbers.map((n) => h("div", {class: "formula"}, `${n.name} = ${n.formula} = `,
            strong(String(n.value))))),
          h("td", {}, code(line.mask))))))));
  }

  function drawTwo() {
    if (!answer.b) {
      board.show({pieces: pieces(), selected: a()});
      words.textContent = `Choose a second square beside ${nameOf(a())}.`;
      redraw(panel, describe(answer.a));
      return;
    }
    const pair = answer.b, chosen = pair.intersections[Number(state.pair)] ?? pair.intersections[0];
    const meeting = chosen.square ? [squareOf(chosen.square)] : [];
    const on = (square, kind) => squares(square.lines.find((line) => line.kind === kind).mask);
    const onA = on(answer.a, chosen.kindA), onB = on(pair.lines, chosen.kindB);
    const common = pair.lines.lines.find(({mask}) => mask === pair.line);
    board.show({
      pieces: pieces(), selected: a(),
      lines: [drawn(`line-${chosen.kindA}`, onA), drawn(`line-${chosen.kindB}`, onB)],
      marks: [
        {name: "meeting", label: "intersection", squares: meeting},
        {name: `line-${chosen.kindA}`, label: `${chosen.kindA} of ${nameOf(a())}`, squares: onA,
          plain: true},
        {name: `line-${chosen.kindB}`, label: `${chosen.kindB} of ${nameOf(b())}`, squares: onB,
          plain: true},
      ],
      last: [b()],
    });
    words.textContent = "Click squares: the second, then the first, by turns.";
    redraw(panel,
      h("p", {class: "status"}, `${nameOf(a())} and ${nameOf(b())}: ` +
        `${common ? `one ${common.kind}` : "no line in common"}`),
      facts([["Between", pair.between], ["Line", pair.line]].map(([name, set]) => [name, code(set), " ", list(set)])),
      h("h2", {}, "The twelve intersections"),
      h("div", {class: "grid-of-keys", role: "group", "aria-label": "Intersections"}, pair.intersections.map((x, i) =>
        h("button", {type: "button", "aria-pressed": String(x === chosen), onclick: () =>
          replace({pair: i})},
          h("span", {}, `${kindNames[x.kindA]} · ${kindNames[x.kindB]}`), strong(x.square || "none")))),
      h("h2", {}, `${kindNames[chosen.kindA]} of ${nameOf(a())}, ${kindNames[chosen.kindB].toLowerCase()} of ` +
        `${nameOf(b())}`),
      h("ol", {class: "steps"}, chosen.steps.map((step) => h("li", {}, code(step)))));
  }

  function drawCheck() {
    board.show({
      pieces: pieces(),
      marks: [
        {name: "meeting", label: "check square", squares: squares(check.squares)},
        {name: "reachable", label: "within reach", squares: squares(check.reachable)},
        {name: "checking", label: "attacks the king from there", squares: squares(check.checking)},
      ],
      check: check.checksNow ? b() : null,
    });
    words.textContent = "Click squares to put pieces in the way, or take them off.";
    const sign = (name) => h("span", {class: `sign ${name}`, "aria-hidden": "true"});
    redraw(panel,
      choice("Slider", Object.keys(letters).map((name) => [name, name]), piece(), (name) => change({piece: name})),
      h("div", {class: "keys"}, moveButtons(state, "slider", "king"),
        button("No pieces in the way", () => change({a: nameOf(a()), b: nameOf(b()), blockers: hex(0n)}))),
      h("p", {class: "status"}, check.checksNow ? "The king is in check already." : `The ${piece()} on ` +
        `${nameOf(a())} can give check from: ${list(check.squares)}`),
      facts([[[sign("reachable"), " Squares that it reaches"], list(check.reachable)],
        [[sign("checking"), " Squares from which it attacks the king"], list(check.checking)],
        [[sign("meeting"), " Both: the check squares"], list(check.squares), " ", code(check.squares)],
        ["Intersection squares on an empty board", list(check.intersections)]]));
  }

  const element = h("div", {class: "view"},
    boardSide(modes, board.element, words,
      saveButtons(board, () => ({name: "lines", sentence: panel.querySelector(".status")?.textContent}))),
    panelOf("Lines", panel));

  return {
    element,
    async show(next) {
      state = next;
      const turn = ++sequence;
      redraw(modes, choice("What to look at", [["one", "One square"], ["two", "Two squares"], ["check", "Checks"]],
        mode(), (value) => change({mode: value, pair: "", place: ""})));
      const wanted = isCheck()
        ? ask("check", {piece: piece(), from: nameOf(a()), king: nameOf(b()), occupancy: hex(blockers())})
        : ask("lines", {a: nameOf(a()), ...(mode() === "two" && b() !== null ? {b: nameOf(b())} : {})});
      const reply = await wanted.catch((error) => error);
      if (turn !== sequence) return;
      if (reply instanceof Error) {
        board.show({pieces: pieces()});
        fail(panel, reply);
        return;
      }
      if (isCheck()) check = reply;
      else answer = reply;
      ({check: drawCheck, two: drawTwo}[mode()] || drawOne)();
      say(panel.querySelector(".status").textContent);
    },
  };
}
