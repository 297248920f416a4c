// People by days. parts: what the halves of a cell are called, from the top; columns: { name, about, off }; rows: { name, about, mark: { tone, text }, cells: [{ halves: [{ code, tone }], sign, words, off }] }.
// sign is "breach" or "advice"; words is what the cell says in full, when it has the focus.

function grid(label, corner, parts, columns, rows) {
  const hint = "Arrow keys move from cell to cell; what a cell says in full stands here.";
  const words = el("div", { class: "note cell-words", "aria-hidden": "true" }, el("p", {}, hint)); // the cell says it too
  const cells = [];
  const body = rows.map((row) => el("tr", { role: "row" },
    el("th", { scope: "row", role: "rowheader" }, row.name, row.about ? el("small", { class: "quiet" }, row.about) : null,
      row.mark ? chip(row.mark.tone, row.mark.text) : null),
    el("td", { class: "parts", "aria-hidden": "true" }, parts.map((part) => el("span", { class: "half" }, part))), // each cell says it too
    row.cells.map((cell) => {
      const made = el("td", { role: "gridcell", class: [cell.sign, cell.off ? "off" : ""].filter(Boolean).join(" ") || null },
        cell.halves.map((half) => el("span", { class: `half ${half.tone || ""}` }, half.code || "\u00a0")),
        el("span", { class: "unseen" }, cell.words.join(". ")));
      made.addEventListener("focus", () => words.replaceChildren(...cell.words.map((line, n) => (n === 0
        ? el("p", {}, el("b", {}, line)) : el("p", {}, line)))));
      made.addEventListener("mousedown", () => made.focus());
      cells.push(made);
      return made;
    })));
  const wide = columns.length;
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide, PageUp: -5 * wide, PageDown: 5 * wide };
  roving(cells, (pressed, n, control) => {
    const first = n - (n % wide);
    if (pressed === "Home") return control ? 0 : first;
    if (pressed === "End") return control ? cells.length - 1 : first + wide - 1;
    if (!(pressed in steps)) return undefined;
    const next = n + steps[pressed];
    if (pressed === "ArrowLeft" || pressed === "ArrowRight") return next >= first && next < first + wide ? next : n;
    if (next < 0) return n % wide;
    return next < cells.length ? next : cells.length - wide + (n % wide);
  });
  return el("div", {},
    el("div", { class: "grid" }, el("table", { role: "grid", "aria-label": label, "aria-description": hint },
      el("thead", {}, el("tr", { role: "row" },
        el("th", { scope: "col", role: "columnheader" }, corner),
        el("td", { class: "parts", "aria-hidden": "true" }),
        columns.map((column) => el("th", { scope: "col", role: "columnheader", class: column.off ? "off" : null },
          column.name, el("small", { class: "quiet" }, column.about))))),
      el("tbody", {}, body))),
    words);
}
