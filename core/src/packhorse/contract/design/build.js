// Elements from plain values. Text is always text: nothing of an answer is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) made.style.setProperty(key, one);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(2).filter((child) => child !== undefined && child !== null && child !== false));
  return made;
}

function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

// Names with their values, side by side.
function facts(pairs) {
  return el("dl", { class: "facts" }, pairs.map(([name, value, more]) => el("div", {},
    el("dt", {}, name), el("dd", {}, value, more ? el("small", { class: "quiet" }, ` ${more}`) : null))));
}

// A short state in words; tone is "", "good", "warn" or "bad".
function chip(tone, text) {
  return el("span", { class: `chip ${tone}`.trim() }, text);
}

// One thing of several: its name, a state beside it, and what is known of it.
function card(name, state, ...children) {
  return el("section", { class: "card" }, el("h2", {}, name, state ? [" ", state] : null), children);
}

// What each colour stands for.
function legend(entries) {
  return el("ul", { class: "legend", "aria-label": "Legend" },
    entries.map(([tone, text]) => el("li", {}, el("span", { class: `swatch ${tone}`, "aria-hidden": "true" }), text)));
}

function table(caption, heads, rows) {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, el("table", {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, n) => (n === 0
      ? el("th", { scope: "row" }, cell)
      : el("td", { class: typeof cell === "number" ? "number" : null }, cell === null ? "" : cell))))))));
}

// A calendar date ("2026-02-15") in words; noon, so that no zone moves it to another day.
function dateWords(iso, style = { weekday: "short", day: "numeric", month: "short" }) {
  return new Intl.DateTimeFormat("en", { ...style, timeZone: "UTC" }).format(new Date(`${iso}T12:00:00Z`));
}

// Which of several has the focus: arrows move it, so that the whole is one stop of the Tab key.
// move(key, index) gives the next index, or undefined for a key that is not its own.
function roving(items, move, onMove = () => {}) {
  const go = (index) => {
    for (const [n, item] of items.entries()) item.tabIndex = n === index ? 0 : -1;
    items[index].focus();
    onMove(index);
  };
  for (const [n, item] of items.entries()) {
    item.tabIndex = n === 0 ? 0 : -1;
    item.addEventListener("keydown", (event) => {
      if (event.altKey || event.metaKey) return;
      const next = move(event.key, n, event.ctrlKey);
      if (next === undefined) return;
      event.preventDefault();
      go(Math.max(0, Math.min(items.length - 1, next)));
    });
    item.addEventListener("focus", () => {
      for (const [m, other] of items.entries()) other.tabIndex = m === n ? 0 : -1;
    });
  }
  return go;
}
