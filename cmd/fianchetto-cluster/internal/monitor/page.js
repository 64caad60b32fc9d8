// Shows the run anew every two seconds, as the server draws it. Without JavaScript the whole page is loaded again instead.
const pause = 2000; // milliseconds
let seen = new Date();

async function show() {
  const answer = await fetch("./", { cache: "no-store", signal: AbortSignal.timeout(5 * pause) });
  if (!answer.ok) throw new Error(answer.statusText);
  const next = new DOMParser().parseFromString(await answer.text(), "text/html");
  const scrolled = [...document.querySelectorAll(".scroll")].map((table) => table.scrollLeft);
  document.querySelector("main").replaceWith(next.querySelector("main"));
  document.querySelectorAll(".scroll").forEach((table, i) => { table.scrollLeft = scrolled[i] ?? 0; });
  document.title = next.title;
  seen = new Date();
}

async function keepShowing() {
  let gone = false;
  try {
    await show();
  } catch {
    gone = true;
  }
  const banner = document.getElementById("gone"), main = document.querySelector("main");
  banner.hidden = !gone;
  banner.firstChild.textContent = main.dataset.done === "true" ? "The run has ended." : "The run has ended, or cannot be reached.";
  main.classList.toggle("gone", gone);
  document.getElementById("seen").textContent = seen.toLocaleTimeString();
  setTimeout(keepShowing, pause);
}

setTimeout(keepShowing, pause);
