// The health board: how full the next weeks are, what is filled, and who could not be lost.

const LEVELS = {
  GREEN: ["good", "Green: well within capacity"], YELLOW: ["warn", "Yellow: little is in reserve"],
  ORANGE: ["warn", "Orange: the reserve is being used up"], RED: ["bad", "Red: next to nothing is in reserve, or places stay empty"],
  BLACK: ["bad", "Black: only the most necessary can be done"],
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
        ["Capacity in use", percent(metrics.utilization_rate)],
        ["Places filled", percent(metrics.coverage_rate)],
        ["Still free, safely", String(metrics.available_capacity), "hours"],
        ["One person lost", metrics.n_minus_1_vulnerable ? "not covered" : "covered"],
        ["Two people lost", metrics.n_minus_2_vulnerable ? "not covered" : "covered"],
      ]),
      el("h2", {}, "Capacity in use, week by week"),
      meters(health.weeks.map((one) => ({
        name: week(one), value: one.utilization_rate, words: percent(one.utilization_rate), tone: one.utilization_rate >= FULL ? "warn" : "",
      }))),
      el("h2", {}, "Places filled, week by week"),
      meters(health.weeks.map((one) => ({
        name: week(one), value: one.coverage_rate, words: percent(one.coverage_rate), tone: one.coverage_rate < FILLED ? "bad" : "",
      }))),
    );
    if (health.alerts.length) {
      stage.append(el("h2", {}, "Alerts"), ...health.alerts.map((alert) => el("p", { class: `note ${TONES[alert.severity] || ""}` },
        el("b", {}, `${alert.severity.toLowerCase()}: `), alert.message)));
    }
    if (health.recommendations.length) {
      stage.append(el("h2", {}, "What to do"), el("ul", {}, health.recommendations.map((one) => el("li", {}, one))));
    }
    if (metrics.critical_positions.length) {
      stage.append(el("h2", {}, "Who could not be lost"), table("Most critical first",
        ["Person", "Impact (0 to 1)", "Why"],
        metrics.critical_positions.map((one) => [one.person_name, one.impact_score, one.reason])));
    }
  },
});
