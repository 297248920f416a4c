// The run of an agent: how it stands, what waits for a person, each act with its verdict, and what came of it.

const STATES = {
  completed: ["good", "Completed"], open: ["", "Open: the client's model carries it out, act by act"],
  awaiting_approval: ["warn", "Waits for a person's approval"], escalated: ["warn", "Handed upwards"],
  budget_exhausted: ["warn", "Stopped: its budget is used up"], cancelled: ["warn", "Cancelled"],
  denied: ["bad", "Denied"], spawn_violation: ["bad", "Denied: it may not start that agent"], failed: ["bad", "Failed"],
};
const VERDICTS = [
  [/^(done|completed)/, "good"], [/^(waits|awaiting)/, "warn"], [/^(denied|refused|failed|stopped|error)/, "bad"],
];
const LINE = /^\[(\S+)\] (.*)$/;

const spaced = (code) => code.replaceAll("_", " ");
const named = (agent) => spaced(agent.toLowerCase());
const clock = (instant) => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;

// "execute_swap: waits for approval 4C647D12" is an act and its verdict; other lines are events.
function act(line) {
  const [, at, text] = LINE.exec(line) || [null, "", line];
  const split = text.lastIndexOf(": ");
  const verdict = split < 0 ? "" : text.slice(split + 2);
  const [, tone] = VERDICTS.find(([words]) => words.test(verdict)) || VERDICTS.find(([words]) => words.test(text)) || [];
  return el("li", {},
    at ? el("time", { datetime: at }, at.slice(11, 19)) : null,
    tone && verdict ? [el("b", {}, text.slice(0, split)), " ", chip(tone, spaced(verdict))] : text);
}

function approval(one) {
  return card(one.tool, chip("warn", `waits until ${clock(one.expires_at)}`),
    el("p", {}, one.preview), el("p", { class: "quiet" }, one.because),
    el("p", { class: "quiet small" }, `Approval ${one.approval_id}, asked by ${named(one.agent)}. ${(one.where || "A person decides.").replaceAll("`", "")}`));
}

// What has one value stands as a fact; the rest is folded, as it came.
function outcome({ approvals, resume, error, ...rest }) {
  const brief = (value) => ["string", "number", "boolean"].includes(typeof value) && String(value).length < 60;
  const single = Object.entries(rest).filter(([key, value]) => brief(value) && !key.endsWith("_id"));
  const more = Object.entries(rest).filter(([key]) => !single.some(([one]) => one === key));
  return [
    error ? el("p", { class: "note bad" }, error) : null,
    single.length || more.length ? el("h2", {}, "What came of it") : null,
    single.length ? facts(single.map(([name, value]) => [spaced(name), { true: "yes", false: "no" }[value] || String(value)])) : null,
    more.length ? el("details", { class: "printed" }, el("summary", {}, `In full: ${more.map(([name]) => spaced(name)).join(", ")}`),
      el("pre", {}, JSON.stringify(Object.fromEntries(more), null, 1))) : null,
  ];
}

show({
  draw(run, { stage, input }) {
    const [tone, words] = STATES[run.status] || ["", run.status];
    const { approvals = [] } = run.result;
    stage.append(...[
      el("h1", {}, `Run: ${named(run.agent_name)}`),
      el("p", { class: `note ${tone}`.trim() }, el("b", {}, words)),
      input.mission ? el("p", {}, `Mission: «${input.mission}»`) : null,
      ...approvals.map(approval),
      el("h2", {}, "Acts and verdicts"),
      run.execution_log.length ? el("ol", { class: "acts" }, run.execution_log.map(act)) : el("p", {}, "Nothing was done."),
      ...run.escalations.map((one) => el("p", { class: "note warn" }, Object.values(one).join(": "))),
      ...outcome(run.result),
      run.goal_id ? el("p", { class: "quiet small" }, `Run ${run.goal_id}`) : null,
    ].filter(Boolean));
  },
});
