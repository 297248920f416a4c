// The health board: how full the next weeks are, what is filled, and who could not be lost.

const LEVELS = {
  GREEN: ["good", "Green: there are hours to spare"], YELLOW: ["warn", "Yellow: few hours are left to spare"],
  ORANGE: ["warn", "Orange: the hours kept in reserve are being used"], RED: ["bad", "Red: almost no hours are left, or places stay empty"],
  BLACK: ["bad", "Black: only the most necessary work can be done"],
};
const TONES = { INFO: "", WARNING: "warn", ERROR: "bad", CRITICAL: "bad" };
const FULL = 0.8; // utilisation that is not to be passed, so that an absence can be covered
const FILLED = 0.95;

const percent = (share) => `${Math.round(share * 1000) / 10} %`;
const week = (one) => `${dateWords(one.start_date, { day: "numeric", month: "short" })} to ${dateWords(one.end_date, { day: "numeric", month: "short" })}`;

show({
  draw(health, { stage }) {
    const { metrics, time_period: period } = health;
    const [tone, words] = LEVELS[health.overall_status];
    stage.append(
      el("h1", {}, "Health of the roster"),
      el("p", { class: `note ${tone}` }, el("b", {}, words), `. ${dateWords(period.start_date)} to ${dateWords(period.end_date)}.`),
      facts([
        ["Hours in use, of those people can work", percent(metrics.utilization_rate)],
        ["Places that have somebody", percent(metrics.coverage_rate)],
        [`Hours free before ${percent(FULL)} are in use`, String(metrics.available_capacity)],
        ["If any one person is away", metrics.n_minus_1_vulnerable ? "places stay empty" : "others can cover"],
        ["If any two are away", metrics.n_minus_2_vulnerable ? "places stay empty" : "others can cover"],
      ]),
      el("h2", {}, "Hours in use, week by week"),
      meters(health.weeks.map((one) => ({
        name: week(one), value: one.utilization_rate, words: percent(one.utilization_rate), tone: one.utilization_rate >= FULL ? "warn" : "",
      }))),
      el("h2", {}, "Places that have somebody, week by week"),
      meters(health.weeks.map((one) => ({
        name: week(one), value: one.coverage_rate, words: percent(one.coverage_rate), tone: one.coverage_rate < FILLED ? "bad" : "",
      }))),
    );
    if (health.alerts.length) {
      stage.append(el("h2", {}, "What needs attention"), ...health.alerts.map((alert) => el("p", { class: `note ${TONES[alert.severity] || ""}` },
        el("b", {}, `${alert.severity[0]}${alert.severity.slice(1).toLowerCase()}: `), alert.message)));
    }
    if (health.recommendations.length) {
      stage.append(el("h2", {}, "What to do"), el("ul", {}, health.recommendations.map((one) => el("li", {}, one))));
    }
    if (metrics.critical_positions.length) {
      stage.append(el("h2", {}, "Whose absence would hurt most"), table("The most first",
        ["Person", "How much depends on them (0 to 1)", "Why"],
        metrics.critical_positions.map((one) => [one.person_name, one.impact_score, one.reason])));
    }
  },
});
