// Days as rows of one 24-hour clock, each with what is to be done on it.
// rows: { name, about, bars: [{ from, to, tone, lane, text }], marks: [{ at, tone, shape, text }], panel }
// from, to and at are minutes since the row's midnight; panel is the element that says the day in words.

const SHAPES = {
  diamond: "M8 1 14 8 8 15 2 8Z",
  low: "M2 4H14L8 14Z",
  stop: "M3 3 8 6.5 13 3 14 4 9.5 8 14 13 13 14 8 9.5 3 14 2 13 6.5 8 2 4Z",
};

function glyph(shape, tone, text) {
  return svg("svg", { class: `mark ${tone}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: SHAPES[shape] }), text ? svg("title", {}, text) : null);
}

function timeline(label, rows, { chosen = 0 } = {}) {
  const share = (minutes) => String(Math.max(0, Math.min(1440, minutes)) / 1440);
  const key = label.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const days = rows.map((row, n) => el("button", {
    class: "day", type: "button", role: "tab", id: `${key}-day-${n}`, "aria-controls": `${key}-panel-${n}`,
  },
  el("span", {}, el("b", {}, row.name), el("small", { class: "quiet" }, row.about)),
  el("span", { class: "track", "aria-hidden": "true" },
    row.bars.map((bar) => el("span", {
      class: `lane ${bar.lane || ""} ${bar.tone}`, title: bar.text, style: { "--from": share(bar.from), "--to": share(bar.to) },
    })),
    row.marks.map((mark) => {
      const drawn = glyph(mark.shape, mark.tone, mark.text);
      drawn.style.setProperty("--from", share(mark.at));
      return drawn;
    }))));
  const panels = rows.map((row, n) => el("section", {
    class: "timeline-panel", role: "tabpanel", id: `${key}-panel-${n}`, "aria-labelledby": `${key}-day-${n}`, tabindex: "0",
  }, row.panel));

  function choose(index) {
    for (const [n, day] of days.entries()) day.setAttribute("aria-selected", String(n === index));
    for (const [n, panel] of panels.entries()) panel.hidden = n !== index;
  }

  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  roving(days, (pressed, n) => {
    if (pressed in steps) return n + steps[pressed];
    if (pressed === "Home") return 0;
    return pressed === "End" ? days.length - 1 : undefined;
  }, choose);
  for (const [n, day] of days.entries()) day.addEventListener("click", () => choose(n));
  choose(chosen);
  for (const [n, day] of days.entries()) day.tabIndex = n === chosen ? 0 : -1;

  return el("div", {},
    el("div", { class: "timeline" },
      el("div", { class: "hours", "aria-hidden": "true" }, el("div", { class: "clock" },
        [0, 6, 12, 18, 24].map((hour) => el("span", { style: { "--from": String(hour / 24) } }, String(hour).padStart(2, "0"))))),
      el("div", { role: "tablist", "aria-label": label, "aria-orientation": "vertical" }, days)),
    panels);
}
