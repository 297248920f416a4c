// A project: the steps of its process in order, then its last schedule as a chart and as a list.

const KINDS = 10;

// Steps in columns: each stands after the last of those that it waits for.
function columns(steps) {
  const depth = new Map();
  const deep = (step, seen = new Set()) => {
    if (!step || seen.has(step.id)) return 0;
    if (!depth.has(step.id)) {
      const before = step.after.map((id) => steps.find((one) => one.id === id));
      depth.set(step.id, before.length ? 1 + Math.max(...before.map((one) => deep(one, new Set([...seen, step.id])))) : 0);
    }
    return depth.get(step.id);
  };
  const made = [];
  for (const step of steps) (made[deep(step)] ||= []).push(step);
  return made.filter(Boolean);
}

function box(step, names) {
  const needs = [...step.resources, ...(step.any_of.length ? [`any of ${step.any_of.join(", ")}`] : [])];
  return el("div", { class: "step" }, el("b", {}, step.name),
    el("span", {}, step.lasting || "how long: not said"),
    needs.length ? el("span", { class: "quiet" }, `on ${needs.join(" and ")}`) : null,
    step.after.length ? el("span", { class: "unseen" }, `after ${step.after.map((id) => names.get(id) || id).join(" and ")}`) : null,
    step.source ? el("small", { class: "quiet" }, `question ${step.source}`) : null);
}

function process(plan, several) {
  const names = new Map(plan.steps.map((step) => [step.id, step.name]));
  return [
    several ? el("h3", {}, plan.name) : null,
    plan.order_assumed ? el("p", { class: "note" }, "Nobody said the order: it is the order in which the steps were named.") : null,
    el("ol", { class: "flow" }, columns(plan.steps).map((column) => el("li", {}, column.map((step) => box(step, names))))),
  ];
}

// The time of each mark; its day stands above where it changes.
function marks(chart) {
  let before = "";
  return chart.marks.map(([tick, words]) => {
    const [, day, time] = /^(.*) (\d\d:\d\d)$/.exec(words) || [null, "", words];
    const shown = day === before ? "" : day;
    before = day;
    const share = tick / chart.end;
    return el("span", { class: share > 0.93 ? "last" : null, style: { "--from": String(share) } }, el("span", {}, shown || "\u00a0"), time);
  });
}

function gantt(chart) {
  const tones = new Map(chart.jobs.map((job, n) => [job, `kind-${(n % KINDS) + 1}`]));
  const place = (from, to) => ({ "--from": String(from / chart.end), "--to": String(to / chart.end) });
  const named = (row) => (row.units > 1 && row.resource !== "no resource" ? `${row.resource} ${row.unit}/${row.units}` : row.resource);
  const lines = chart.rows.flatMap((row) => row.bars.map((bar) => [named(row), bar.job, bar.step, bar.starts, bar.ends]));
  return [
    legend(chart.jobs.map((job) => [tones.get(job), job])),
    el("div", { class: "gantt scroll", tabindex: "0", role: "region", "aria-label": "The schedule as a chart; the list below says the same" },
      el("div", { class: "lanes", "aria-hidden": "true" },
        chart.rows.map((row) => [
          el("span", { class: "lane-name" }, named(row)),
          el("span", { class: "lane" },
            row.closed.map(([from, to]) => el("i", { class: "closed", style: place(from, to) })),
            row.held.map(([from, to]) => el("i", { class: "held", style: place(from, to) })),
            row.bars.map((bar) => el("b", { class: tones.get(bar.job), style: place(bar.start, bar.end), title: `${bar.job}, ${bar.step}: ${bar.starts} to ${bar.ends}` },
              `${bar.job}, ${bar.step}`))),
        ]),
        el("span", {}), el("span", { class: "marks" }, marks(chart)))),
    el("details", { class: "printed" }, el("summary", {}, "The same as a list"),
      table("Each resource in order of time", ["Resource", "Order", "Step", "From", "To"], lines)),
  ];
}

show({
  draw(project, { stage }) {
    const { plans, schedule } = project;
    stage.append(...[
      el("h1", {}, project.product ? `${project.project}: ${project.product}` : project.project),
      el("h2", {}, "The process"),
      ...(plans.length ? plans.flatMap((plan) => process(plan, plans.length > 1)) : [el("p", {}, "No step is established yet.")]),
      ...project.conflicts.map((one) => el("p", { class: "note warn" }, el("b", {}, "Contradiction: "), one)),
      el("h2", {}, "The schedule"),
      ...(schedule ? [
        el("p", { class: `note ${schedule.status.startsWith("optimal") && !schedule.summary.startsWith("Late") ? "good" : "warn"}` }, schedule.summary),
        ...(schedule.gantt.rows ? gantt(schedule.gantt) : []),
        ...schedule.explanation.map((one) => el("p", { class: "note bad" }, one)),
        ...schedule.not_kept.map((one) => el("p", { class: "note warn" }, el("b", {}, "Not kept: "), `${one.rule} (${one.said})`)),
        schedule.notes.length ? el("details", { class: "printed" }, el("summary", {}, "What was assumed"), el("ul", {}, schedule.notes.map((one) => el("li", {}, one)))) : null,
      ] : [el("p", {}, "None is computed yet: ask for solve_model.")]),
    ].flat(3).filter(Boolean));
  },
});
