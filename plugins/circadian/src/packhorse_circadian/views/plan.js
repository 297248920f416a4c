// The adaptation plan, or what is left of it: its days as a timeline, each day's list, alertness, and the cautions.

const DAY = 1440;
const SLEEP = { tone: "sleep" };
const BARS = {
  sleep: SLEEP,
  in_flight_sleep: SLEEP,
  nap: { tone: "nap" },
  bright_light: { tone: "bright" },
  dim_light: { tone: "dim" },
  flight: { tone: "flight", lane: "whole" },
  caffeine_ok: { tone: "caffeine", lane: "thin" },
  exercise: { tone: "exercise", lane: "thin" },
};
const MARKS = {
  melatonin: { tone: "melatonin", shape: "diamond" },
  caffeine_cutoff: { tone: "cutoff", shape: "stop" },
};
const PHASES = { preparation: "before the flight", travel: "on the way", adaptation: "after landing", return: "the way back" };
const WAYS = { advance: "earlier", delay: "later", none: "" };

function minutes(clock) {
  const [hour, minute] = clock.split(":").map(Number);
  return hour * 60 + minute;
}

// Minutes since the epoch of a wall time read as UTC, of what a zone's clock shows at an instant, and of a wall time there.
const wall = (date, clock) => Date.parse(`${date}T${clock}:00Z`) / 60000;
const shown = (zone, instant) => {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
  }).formatToParts(new Date(instant * 60000));
  const part = (type) => parts.find((one) => one.type === type).value;
  return wall(`${part("year")}-${part("month")}-${part("day")}`, `${part("hour")}:${part("minute")}`);
};
const offset = (zone, instant) => shown(zone, instant) - instant;
const instant = (zone, date, clock) => wall(date, clock) - offset(zone, wall(date, clock) - offset(zone, wall(date, clock)));

// The words of a day's lines, and what they are.
const KINDS = [
  [/^sleep (on board|at the stop)/, "in_flight_sleep"], [/^sleep/, "sleep"], [/^seek bright/, "bright_light"],
  [/^keep light dim/, "dim_light"], [/^melatonin/, "melatonin"], [/^no more caffeine/, "caffeine_cutoff"],
  [/^nap/, "nap"], [/^exercise/, "exercise"], [/^fl(ight|y)/, "flight"], [/^land/, "arrival"],
];

const later = (date, days) => new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY * 60000).toISOString().slice(0, 10);

// A line such as "23:00-07:00 sleep (after midnight)" as an item; what is an item already stays.
function item(line, day) {
  if (typeof line !== "string") return line;
  const [, time, until, title] = /^(\d\d:\d\d)(?:-(\d\d:\d\d))? (.*)$/.exec(line);
  const type = (KINDS.find(([known]) => known.test(title)) || [])[1];
  const date = /after midnight\)/.test(title) ? later(day, 1) : day;
  return { type, time, date, title, why: "", until: until ? { time: until, date: until <= time ? later(date, 1) : date } : null };
}

// The days, in which a flight lasts until the landing that stands next, by the clock of its day.
function landed(days) {
  const all = days.flatMap((day) => day.items.map((item) => ({ item, zone: day.timezone })));
  for (const [n, { item }] of all.entries()) {
    const landing = all.slice(n).find((one) => one.item.type === "arrival");
    if (item.type === "flight" && !item.until && landing) item.until = { ...landing.item, zone: landing.zone };
  }
  return days;
}

// A run of dates that ask for the same is a day each.
const dates = ({ date, until }) => (until && date < until ? [date, ...dates({ date: later(date, 1), until })] : [date]);
const listed = (days) => landed(days.flatMap((day) => dates(day).map((date) => (
  { alertness: [], ...day, date, items: day.items.map((line) => item(line, date)) }))));
const place = (zone) => zone.split("/").at(-1).replaceAll("_", " ");

function span(item) {
  if (!item.until || item.until.zone) return item.time; // where the clock changes, the landing says until when
  return `${item.time} – ${item.until.time}${item.until.date === item.date ? "" : " (+1)"}`;
}

// A bar on its own day, and what of it reaches into the next row by the clock there; a flight is drawn by both clocks.
function bars(days) {
  const found = days.map(() => []);
  for (const [n, day] of days.entries()) {
    for (const item of day.items) {
      const kind = BARS[item.type];
      if (!kind || !item.until) continue;
      const text = `${item.title}, ${span(item)}`;
      const at = (time) => (time.utc ? Date.parse(time.utc) / 60000 : instant(time.zone || day.timezone, time.date, time.time));
      const drawn = (row, first, last) => {
        const midnight = instant(days[row].timezone, days[row].date, "00:00");
        const [from, to] = [Math.max(0, first - midnight), Math.min(DAY, last - midnight)];
        if (to > from) found[row].push({ ...kind, text, from, to });
      };
      const [starts, ends] = [at({ date: day.date, ...item }), at(item.until)];
      const over = instant(day.timezone, day.date, "00:00") + DAY;
      drawn(n, starts, Math.min(ends, over));
      if (n + 1 < days.length && item.type === "flight") drawn(n + 1, starts, ends);
      else if (n + 1 < days.length && ends > over) drawn(n + 1, Math.max(starts, over), ends);
    }
  }
  return found;
}

function agenda(day) {
  return el("ol", { class: "agenda" }, day.items.map((item) => el("li", { class: (BARS[item.type] || MARKS[item.type] || {}).tone },
    el("time", { datetime: item.utc || `${item.date}T${item.time}` }, span(item)), el("b", {}, item.title), el("small", { class: "quiet" }, item.why))));
}

function alertness(day) {
  if (day.alertness.length < 2) return null;
  return lineChart("Expected alertness (0 to 100)",
    day.alertness.map((one) => ({ x: minutes(one.time), y: one.score, name: one.time })),
    { x: [0, DAY], y: [0, 100], gap: 240, ticks: [[0, "00"], [360, "06"], [720, "12"], [1080, "18"], [DAY, "24"]] });
}

function panel(day) {
  const made = day.hours_left ? `${day.hours_left} h of the shift still to make.` : "The shift is made.";
  const left = day.hours_left === undefined ? "" : made;
  return [
    el("h3", {}, `${dateWords(day.date, { weekday: "long", day: "numeric", month: "long" })}, ${place(day.timezone)}`),
    el("p", { class: "quiet" }, day.body_clock_low ? `${left} The body clock is at its low at about ${day.body_clock_low.time}.` : left),
    agenda(day),
    alertness(day),
  ];
}

function rows(days) {
  const found = bars(days);
  return days.map((day, n) => ({
    name: dateWords(day.date),
    about: `${place(day.timezone)}, ${PHASES[day.phase]}`,
    bars: found[n],
    marks: [
      ...day.items.filter((item) => MARKS[item.type]).map((item) => ({
        ...MARKS[item.type], at: minutes(item.time), text: `${item.title}, ${item.time}`,
      })),
      ...(day.body_clock_low ? [{
        tone: "low", shape: "low", at: minutes(day.body_clock_low.time), text: `Body clock at its low, ${day.body_clock_low.time}`,
      }] : []),
    ],
    panel: panel(day),
  }));
}

const LEGEND = [
  ["sleep", "Sleep", "sleep", "in_flight_sleep"], ["nap", "Nap", "nap"], ["bright", "Seek bright light", "bright_light"],
  ["dim", "Keep light dim", "dim_light"], ["caffeine", "Caffeine is fine", "caffeine_ok"], ["exercise", "Exercise", "exercise"],
];

function key(days) {
  const used = new Set(days.flatMap((day) => day.items.map((item) => item.type)));
  const list = legend([
    ...LEGEND.filter(([, , ...types]) => types.some((type) => used.has(type))).map(([tone, text]) => [tone, text]),
    ...(used.has("flight") ? [["flight", "On the way"]] : []),
  ]);
  const signs = [["diamond", "melatonin", "Melatonin (optional)", "melatonin"], ["stop", "cutoff", "Last caffeine", "caffeine_cutoff"]]
    .filter(([, , , type]) => used.has(type));
  const lows = days.some((day) => day.body_clock_low) ? [["low", "low", "Body clock at its low"]] : [];
  for (const [shape, tone, text] of [...signs, ...lows]) {
    const drawn = glyph(shape, tone);
    drawn.classList.add("swatch");
    list.append(el("li", {}, drawn, text));
  }
  return list;
}

function journey(plan, label) {
  const { summary, model_days: days } = plan;
  const dates = listed(plan.days);
  const how = summary.shift_direction === "none" ? "none" : `${summary.shift_hours} h ${WAYS[summary.shift_direction]}`;
  return [
    el("p", { class: "note" }, summary.key_advice),
    el("ul", {}, plan.first_hours.map((line) => el("li", {}, line))),
    facts([
      ["Body clock has to move", how],
      ["Adapted after, with the plan", `${Math.round(days.low)} to ${Math.round(days.high)}`, "days"],
      ["Without a plan", `${Math.round(days.no_plan_low)} to ${Math.round(days.no_plan_high)}`, "days"],
      ["Days planned", String(summary.total_days)],
    ]),
    ...(dates.length ? [key(dates), timeline(label, rows(dates))] : [el("p", {}, "Nothing of the plan is left to do.")]),
    plan.notes.length ? el("details", { class: "printed" }, el("summary", {}, "What this plan assumes"), el("ul", {}, plan.notes.map((note) => el("li", {}, note)))) : null,
  ];
}

show({
  draw(answer, { stage }) {
    const plan = answer.plan || answer; // what replan answers holds what is left of the plan, and why
    stage.append(el("h1", {}, answer.plan ? "Your plan from now on" : "Your jet-lag plan"));
    if (answer.explanation) stage.append(el("p", {}, answer.explanation));
    stage.append(...journey(plan, "Days of the plan").filter(Boolean));
    stage.append(el("p", { class: "note warn" }, plan.caution));
  },
});
