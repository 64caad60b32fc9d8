// The page: views of one state.

import {h, redraw, say} from "./dom.js";
import {change, read, watch} from "./state.js";
import {startView} from "./start.js";
import {positionView} from "./position.js";
import {perftView} from "./perft.js";
import {learnView} from "./learn.js";
import {linesView} from "./lines.js";
import {slidersView} from "./sliders.js";
import {bitboardsView} from "./bitboards.js";

const views = [
  {name: "position", title: "Position", create: positionView},
  {name: "perft", title: "Perft", create: perftView},
  {name: "learn", title: "Learn", create: learnView},
  {name: "lines", title: "Lines", create: linesView},
  {name: "sliders", title: "Sliders", create: slidersView},
  {name: "bitboards", title: "Bitboards", create: bitboardsView},
];
const start = {name: "start", title: "Start", create: startView, tab: document.getElementById("home")};

const tabs = document.getElementById("tabs"), main = document.getElementById("main");
let shown = null;

for (const view of views) {
  view.tab = h("button", {
    type: "button", role: "tab", id: `tab-${view.name}`, "aria-controls": "main",
    onclick: () => change({view: view.name}),
  }, view.title);
  tabs.append(view.tab);
}

tabs.addEventListener("keydown", (event) => {
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!step) return;
  event.stopPropagation();
  const next = views[(views.indexOf(shown) + step + views.length) % views.length];
  change({view: next.name});
  next.tab.focus();
});

// For a class: the whole screen, and larger type.
const present = document.getElementById("present");
present.addEventListener("click", () => {
  const on = document.documentElement.toggleAttribute("data-present");
  present.setAttribute("aria-pressed", String(on));
  if (on) document.documentElement.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement) document.exitFullscreen();
});

document.getElementById("loading").hidden = true; // the page is here; the program may still have to be loaded
watch((state) => {
  const embedded = "embed" in state, view = views.find(({name}) => name === state.view)
    || (Object.keys(state).length ? views[0] : start);
  document.documentElement.toggleAttribute("data-embed", embedded);
  if (view !== shown) {
    shown?.parts?.leave?.();
    shown = view;
    view.parts ||= view.create();
    redraw(main, view.parts.element);
    main.setAttribute("aria-labelledby", view.tab.id);
    document.title = view === start ? "Fianchetto" : `${view.title} - Fianchetto`;
    say(view.title);
    for (const {tab} of views) {
      tab.setAttribute("aria-selected", String(tab === view.tab));
      tab.tabIndex = tab === view.tab || (view === start && tab === views[0].tab) ? 0 : -1;
    }
    present.hidden = view === start || view.name === "perft";
    if (view !== start) view.tab.scrollIntoView({block: "nearest", inline: "nearest"});
  }
  view.parts.show(read());
});

document.documentElement.dataset.ready = "true";
