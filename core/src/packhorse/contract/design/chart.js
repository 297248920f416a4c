// A line through points, in SVG. points: [{ x, y, name }]; x and y are the ends of the axes, ticks [value, text] pairs.
// Points farther apart than gap are not joined: nothing is known of what lies between.

function lineChart(caption, points, { x, y, ticks, unit = "", gap = Infinity }) {
  const wide = 300, high = 130, left = 30, right = 12, top = 16, bottom = 22;
  const across = (value) => left + ((value - x[0]) / (x[1] - x[0])) * (wide - left - right);
  const up = (value) => high - bottom - ((value - y[0]) / (y[1] - y[0])) * (high - top - bottom);
  const joined = (n) => n > 0 && points[n].x - points[n - 1].x <= gap;
  const path = points.map((point, n) => `${joined(n) ? "L" : "M"}${across(point.x).toFixed(1)} ${up(point.y).toFixed(1)}`).join("");
  const middle = (y[0] + y[1]) / 2;
  return el("figure", { class: "chart" },
    el("figcaption", {}, caption),
    svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${caption}: ${points.map((one) => `${one.name} ${one.y}${unit}`).join(", ")}` },
      [y[0], middle, y[1]].map((value) => [
        svg("line", { class: value === y[0] ? "axis" : "rule", x1: left, x2: wide - right, y1: up(value), y2: up(value) }),
        svg("text", { x: left - 6, y: up(value) + 4, "text-anchor": "end" }, String(value))]).flat(),
      ticks.map(([value, text]) => svg("text", { x: across(value), y: high - 6, "text-anchor": "middle" }, text)),
      svg("path", { class: "line", d: path }),
      points.map((point) => [
        svg("circle", { class: "point", cx: across(point.x), cy: up(point.y), r: 4 }),
        svg("text", { class: "value", x: across(point.x), y: up(point.y) - 9, "text-anchor": point.x === x[0] ? "start" : "middle" }, String(point.y))]).flat()));
}

// Shares of one, each a bar of its own with its figure. entries: [{ name, value, words, tone }].
function meters(entries) {
  return el("dl", { class: "meter" }, entries.map((entry) => [
    el("dt", {}, entry.name),
    el("dd", {}, svg("svg", { viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true", class: "chart" },
      svg("rect", { class: "ground", width: 100, height: 4 }),
      svg("rect", { class: `column ${entry.tone || ""}`, width: Math.max(0, Math.min(1, entry.value)) * 100, height: 4 }))),
    el("dd", { class: "number" }, entry.words)]));
}
