// The roster: people by days, services by colour and code, and where a rule is broken.

const KINDS = 10;
const MARKED_DAYS = 7; // a breach of a longer stretch is the person's, and marks no single day
const SHORT = 6;

const brief = (code) => (code.length <= SHORT ? code : `${code.slice(0, SHORT - 1)}…`);
const serious = (violation) => violation.severity !== "WARNING";
const length = ({ start, end }) => (Date.parse(end) - Date.parse(start)) / 86400000 + 1;

function covers({ date_range: range }, date) {
  return range.start <= date && date <= range.end;
}

function sign(violations) {
  if (!violations.length) return null;
  return violations.some(serious) ? "breach" : "advice";
}

const named = (role) => `${role[0]}${role.slice(1).toLowerCase()}`;

function roleOf(person) {
  return person.pgy_level ? `${named(person.role)}, PGY-${person.pgy_level}` : named(person.role);
}

function half(code, tones, away) {
  if (code) return { code: brief(code), tone: tones.get(code) };
  return { code: away ? "away" : "", tone: away ? "away" : "" };
}

function rowOf(person, roster, tones, names) {
  const own = roster.violations.filter((one) => one.affected_person_id === person.person_id);
  const short = own.filter((one) => length(one.date_range) <= MARKED_DAYS);
  const long = own.filter((one) => length(one.date_range) > MARKED_DAYS);
  return {
    name: person.name,
    about: roleOf(person),
    mark: long.length ? { tone: long.some(serious) ? "bad" : "warn", text: "see below" } : null,
    cells: roster.days.map((day, n) => {
      const [morning, afternoon] = person.half_days.slice(2 * n, 2 * n + 2);
      const away = person.away[n];
      const here = short.filter((one) => covers(one, day.date));
      const said = (code) => (code ? names.get(code) || code : away ? "away" : "free");
      return {
        halves: [half(morning, tones, away), half(afternoon, tones, away)],
        sign: sign(here),
        off: day.off,
        words: [
          `${person.name}, ${dateWords(day.date)}`,
          `AM ${said(morning)}, PM ${said(afternoon)}`,
          ...here.map((one) => `${one.severity}: ${one.message}`),
        ],
      };
    }),
  };
}

function breaches(roster) {
  if (!roster.violations.length) return el("p", { class: "note good" }, "No violations or warnings in these days.");
  const more = roster.violation_count - roster.violations.length;
  return el("section", {},
    el("h2", {}, `Violations and warnings (${roster.violation_count})`),
    el("ul", { class: "breaches" }, roster.violations.map((one) => el("li", {},
      chip(serious(one) ? "bad" : "warn", one.severity.toLowerCase()), ` ${one.message} `,
      el("small", {}, one.rule)))),
    more > 0 ? el("p", { class: "quiet" }, `And ${more} more: validate_schedule lists them.`) : null);
}

show({
  draw(roster, { stage }) {
    const tones = new Map(roster.services.map((service, n) => [service.code, `kind-${(n % KINDS) + 1}`]));
    const names = new Map(roster.services.map((service) => [service.code, service.name]));
    const used = new Set(roster.people.flatMap((person) => person.half_days));
    const columns = roster.days.map((day) => ({
      name: dateWords(day.date, { weekday: "short" }),
      about: dateWords(day.date, { day: "numeric", month: "numeric" }),
      off: day.off,
    }));
    const place = el("div", {});
    const choose = (role) => place.replaceChildren(grid("Roster, people by days", "Person", ["AM", "PM"], columns,
      roster.people.filter((person) => !role || person.role === role).map((person) => rowOf(person, roster, tones, names))));
    const roles = [...new Set(roster.people.map((person) => person.role))];
    const buttons = ["", ...roles].map((role) => el("button", {
      type: "button",
      "aria-pressed": String(role === ""),
      onclick: (event) => {
        for (const one of buttons) one.setAttribute("aria-pressed", String(one === event.currentTarget));
        choose(role);
      },
    }, role ? named(role) : "Everybody"));
    choose("");
    stage.append(
      el("h1", {}, "The roster"),
      el("p", {}, `${dateWords(roster.time_period.start)} to ${dateWords(roster.time_period.end)}, version ${roster.version} `,
        chip("", roster.status.toLowerCase())),
      roles.length > 1 ? el("div", { class: "bar screen", role: "group", "aria-label": "Whom to show" }, buttons) : "",
      legend(roster.services.filter((one) => used.has(one.code)).map((one) => [tones.get(one.code), `${brief(one.code)} ${one.name}`])),
      place,
      breaches(roster),
    );
  },
});
