// Three ways to follow a ray, square by square.

import {h, p} from "./dom.js";
import * as magic from "./magic.js";
import {nameOf} from "./sets.js";
import {slidersBoard, withSlider} from "./slider_board.js";

/** The moments of each way: the square that it looks at, whether it finds it, and a sentence. */
const ways = {
  walker(c) {
    return magic.directions[c.piece].flatMap((direction) => magic.rayOf(c.square, direction, c.occupied)
      .map((square) => ({
      looks: square, finds: true, text: `${direction[0]}: ${nameOf(square)} is ` +
        `${isOccupied(c, square) ? "occupied: the ray ends here" : "empty: go on"}.`,
    })));
  },
  breadcrumbs(c) {
    const [name, files, ranks] = magic.directions[c.piece][0], crumbs = new Set([c.square]), moments = [];
    for (let i = 0; i < 64; i++) {
      const rank = ranks < 0 ? 7 - (i >> 3) : i >> 3, file = files < 0 ? 7 - (i & 7) : i & 7, square = 8 * rank + file;
      const onBoard = file - files >= 0 && file - files < 8 && rank - ranks >= 0 && rank - ranks < 8;
      const finds = onBoard && crumbs.has(square - 8 * ranks - files);
      if (finds && !isOccupied(c, square)) crumbs.add(square);
      moments.push({looks: square, finds, text: finds
        ? `${nameOf(square)}: reached, because the square before it has a breadcrumb. ` +
          (isOccupied(c, square) ? "A piece stands here: the ray ends." : "It gets one too.")
        : `${nameOf(square)}: no breadcrumb ` +
          `${onBoard ? `on ${nameOf(square - 8 * ranks - files)}` : "beyond the edge"}, towards the ${name}.`});
    }
    return moments;
  },
  coordinates(c) {
    const x = (c.square & 7) + 1, y = (c.square >> 3) + 1;
    return magic.directions[c.piece].flatMap(([name, files, ranks]) => {
      const ray = magic.rayOf(c.square, [name, files, ranks], c.occupied);
      return ray.map((square, i) => ({looks: square, finds: true,
        text: `${name}, k = ${i + 1}: (${x}, ${y}) + ${i + 1} · (${files}, ${ranks}) = (${x + files * (i + 1)}, ` +
          `${y + ranks * (i + 1)}), ${nameOf(square)}${isOccupied(c, square) ? ": occupied, the graph ends" : ""}.`}));
    });
  },
};

const isOccupied = ({occupied}, square) => ((occupied >> BigInt(square)) & 1n) === 1n;

/** A step that follows a way up to the moment that the reader chooses. */
const step = (way, title, words, note) => ({title, show: (c) => {
  const moments = ways[way](c), at = Math.max(1, Math.min(Number(c.state.at ?? 1) || 1, moments.length));
  const now = moments[at - 1], found = moments.slice(0, at).filter(({finds}) => finds).map(({looks}) => looks);
  return {
    board: {pieces: slidersBoard(c), notes: note(c, moments.slice(0, at)),
      marks: [{name: "set", label: "reached", squares: found, plain: true},
        {name: "look", label: "looked at", squares: now ? [now.looks] : [], plain: true, apart: true}]},
    said: now?.text || "",
    text: [p`${words}`, h("div", {class: "field wide"},
      h("label", {for: "moment"}, `Square ${at} of ${moments.length}`),
      h("input", {id: "moment", type: "range", min: 1, max: moments.length, value: at, onchange: (e) =>
        c.replace({at: e.target.value})})),
    h("p", {class: "result moment"}, now?.text)],
  };
}});

const numbered = (c, moments) => Object.fromEntries(moments.map(({looks}, i) => [looks, String(i + 1)]));

export const raysLesson = {
  ...withSlider,
  name: "rays", short: "Following rays", title: "Walker, breadcrumbs, coordinates",
  steps: [
    step("walker", "The walker goes from square to square", `The plainest way, and the reference for all others: along
      each ray, one square at a time, up to the first occupied square.`, numbered),
    step("breadcrumbs", "Breadcrumbs sweep the whole board", `One sweep over all 64 squares for each direction; here the
      first. A square is reached if the square before it is the slider's or has a breadcrumb. If it is empty, it gets a
      breadcrumb too. No ray is followed.`, (c, moments) => Object.fromEntries(moments.filter(({finds, looks}) =>
      finds && !isOccupied(c, looks)).map(({looks}) => [looks, "crumb"]))),
    step("coordinates", "Coordinates treat a ray as a graph", `Squares are points, a1 = (1, 1) and h8 = (8, 8). A
      bishop's rays are the graphs of y = x and y = −x through its square, a rook's are the axes. Each is the square
      plus k times the direction, for k = 1, 2, 3 and so on.`, (c) => Object.fromEntries(
      [...Array(64).keys()].map((square) => [square, `${(square & 7) + 1},${(square >> 3) + 1}`]))),
  ],
};
