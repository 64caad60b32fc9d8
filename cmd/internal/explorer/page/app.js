// The page: views of one state.

import {engine, isStatic} from "./backend.js";
import {h, redraw, say} from "./dom.js";
import {faultsOf, goToView, read, replace, watch} from "./state.js";
import {positionView} from "./position.js";
import {perftView} from "./perft.js";

const perft = {name: "perft", title: "Perft", create: perftView};
const views = [perft, {name: "learn", title: "Learn", create: async () => (await import("./learn.js")).learnView()},
  {name: "position", title: "Position", create: positionView}];
const start = {name: "start", title: "Start", create: () => (perft.parts ||= perftView()),
  tab: document.getElementById("home")};

const [tabs, main, notice] = ["tabs", "main", "notice"].map((id) => document.getElementById(id));
let shown = null;

for (const view of views) {
  view.tab = h("button", {
    type: "button", role: "tab", id: `tab-${view.name}`, "aria-controls": "main",
    onclick: () => goToView(view.name),
  }, view.title);
  tabs.append(view.tab);
}

tabs.addEventListener("keydown", (event) => {
  const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
  if (!step) return;
  event.stopPropagation();
  const next = views[(views.findIndex(({tab}) => tab === shown.tab) + step + views.length) % views.length];
  goToView(next.name);
  next.tab.focus();
});

// As on other boards of the web, arrows turn pages: the moves of a game, and the steps of a lesson.
addEventListener("keydown", (event) => {
  const by = {ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity}[event.key];
  if (!by || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented
    || event.target.closest?.("input, select, textarea, [role=tablist]")) return;
  event.preventDefault();
  shown.parts.turn?.(by);
});

// For a class: the whole screen, and larger type, until Escape.
const present = document.getElementById("present"), page = document.documentElement;
function setPresent(on) {
  page.toggleAttribute("data-present", on);
  present.setAttribute("aria-pressed", on);
  if (on) page.requestFullscreen?.().catch(() => {});
  else if (document.fullscreenElement) document.exitFullscreen();
}
present.addEventListener("click", () => setPresent(!("present" in page.dataset)));
addEventListener("keydown", ({key}) => key === "Escape" && setPresent(false));
document.addEventListener("fullscreenchange", () => document.fullscreenElement || setPresent(false));

document.getElementById("loading").hidden = true; // the page is here; the program may still have to be loaded
watch(async (state) => {
  if (engine && !state.view && Object.keys(state).length) return replace({view: "perft"}); // where it is asked
  const embedded = "embed" in state, view = views.find(({name}) => name === state.view)
    || (state.view || !Object.keys(state).length ? start : views[2]);
  document.documentElement.toggleAttribute("data-embed", embedded);
  if (view !== shown) {
    shown?.parts?.leave?.();
    shown = view;
    view.parts ||= await view.create();
    if (shown !== view) return; // the reader has gone on
    if (main.firstChild !== view.parts.element) redraw(main, view.parts.element);
    main.setAttribute("aria-labelledby", view.tab.id);
    document.title = view === start ? "Fianchetto" : `${view.title} - Fianchetto`;
    say(view.title);
    for (const {tab} of views) {
      tab.setAttribute("aria-selected", tab === view.tab);
      tab.tabIndex = tab === view.tab || (view === start && tab === views[0].tab) ? 0 : -1;
    }
    present.hidden = view === start || view.name === "perft";
    if (view !== start) view.tab.scrollIntoView({block: "nearest", inline: "nearest"});
  }
  view.parts?.show(read()); // else it is being loaded
  const faults = await faultsOf(state, views), now = JSON.stringify(read());
  if (now === JSON.stringify(state)) redraw(notice, faults.map((text) => h("p", {class: "problem"}, text)));
});

if (isStatic) navigator.serviceWorker?.register("offline.js").catch(() => {}); // private windows have none
document.documentElement.dataset.ready = "true";
