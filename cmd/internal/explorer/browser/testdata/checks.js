// Checks of the page, which run in it.

// violations are what axe-core finds.
function violations(rules) {
  return axe.run(rules).then((r) => r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3)
    .map((n) => n.html.slice(0, 120) + " " + (n.any[0]?.message || "")).join(" | ")));
}

// faultyButtons are buttons that have the name of another one, and those whose names do not fit.
function faultyButtons() {
  const seen = new Set(), faults = [];
  for (const b of document.querySelectorAll("button:not(.square)")) {
    if (!b.checkVisibility()) continue;
    const name = b.getAttribute("aria-label") || b.innerText;
    if (seen.has(name)) faults.push("two buttons: " + name);
    seen.add(name);
    if (b.scrollWidth > b.clientWidth + 1) faults.push("overflows: " + name);
  }
  return faults;
}

// faintMarks are the sets on the board whose outline has less than 3:1 contrast to a kind of square, by the relative
// luminance of the Web Content Accessibility Guidelines.
function faintMarks() {
  const board = document.querySelector(".board");
  if (!board) return [];
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const luminance = (color) => {
    const probe = board.appendChild(document.createElement("i"));
    probe.style.color = color;
    canvas.fillStyle = getComputedStyle(probe).color;
    probe.remove();
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => c / 255)
      .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const all = [...document.styleSheets[0].cssRules]
    .filter((r) => r.style?.getPropertyValue("--mark") && !r.selectorText.includes("strip"));
  if (all.length < 30) return ["only " + all.length + " colours of marks are found"];
  return all.flatMap((rule) => ["--light-square", "--dark-square"]
    .map((square) => [rule.selectorText, square,
      contrast(luminance(rule.style.getPropertyValue("--mark")), luminance("var(" + square + ")"))])
    .filter(([, , ratio]) => ratio < 3)
    .map(([mark, square, ratio]) => mark + " on " + square + ": " + ratio.toFixed(2)));
}

// pressAll presses the controls one by one, each in the state in which the page was opened, and returns those after
// which the focus was not on a control. Buttons that save, copy, measure or search are left out, and of lists of equal
// ones all but two.
async function pressAll() {
  const main = document.getElementById("main"), start = location.hash, lost = [], ask = fetch;
  let asked = 0;
  window.fetch = async (...question) => {
    asked++;
    try {
      const answer = await ask(...question);
      return new Response(await answer.text(), answer);
    } finally {
      asked--;
    }
  };
  const idle = async () => {
    for (let quiet = 0; quiet < 2; quiet = asked > 0 ? 0 : quiet + 1)
      await new Promise((resolve) => setTimeout(resolve, 12));
  };
  const controls = () => [...main.querySelectorAll("button:not(.square), select, summary, input[type=checkbox]")]
    .filter((control) => control.checkVisibility());
  const nameOf = (control) => control.getAttribute("aria-label") || control.labels?.[0]?.innerText || control.innerText;
  let pressed = 0;
  for (let i = 0; i < controls().length; i++) {
    const control = controls()[i], name = nameOf(control);
    const item = control.closest("label, li") || control, place = [...item.parentElement.children].indexOf(item);
    if (/^(SVG|PNG|Copy|Measure|For a |Count|All eleven|Play$)/.test(name)) continue;
    if (place > 1 && control.matches(".moves *, .operators *, .grid-of-keys *, .palette *, .overlays *, li *"))
      continue;
    pressed++;
    control.focus();
    control.click();
    if (control.matches("summary")) control.click(); // it stays open
    await idle();
    if (!document.activeElement.matches("#main :is(button, select, summary, input, textarea)")) lost.push(name);
    if (location.hash !== start) {
      history.replaceState(null, "", start);
      dispatchEvent(new PopStateEvent("popstate"));
      await idle();
    }
  }
  return pressed < 4 ? ["only " + pressed + " controls"] : lost;
}

// coveredButtons names pairs of buttons that overlap by more than their borders, those on boards apart.
function coveredButtons() {
  const buttons = [...document.querySelectorAll("button:not(.square)")].filter((b) => b.checkVisibility())
    .map((b) => [b.innerText.trim(), b.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
  const pairs = [];
  for (const [i, [a, p]] of buttons.entries()) for (const [b, q] of buttons.slice(i + 1)) {
    const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (x > 2 && y > 2) pairs.push(a + " and " + b);
  }
  return pairs.slice(0, 3).join(", ");
}
