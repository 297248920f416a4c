// A search for a person: where each record says that somebody is, and how sure the name is. Nothing that the text lacks.

const BANDS = [[0.8, "high", ""], [0.5, "possible", "warn"], [0, "weak", "bad"]]; // as domain/disclosure.py has them

const plain = (code) => code.toLowerCase().replaceAll("_", " ");

function sureness(score) {
  const [, word, tone] = BANDS.find(([edge]) => score >= edge);
  return meters([{ name: "Name match", value: score, words: `${word} (${Math.round(score * 100) / 100})`, tone }]);
}

function record(person, day) {
  const { confidence_score: score, match_details: details, differs = [], transfer_history: stays = [] } = person;
  const known = [
    ["Held at", person.facility_name || "place not known"],
    ["Telephone", person.facility_phone && el("span", { class: "unbroken" }, person.facility_phone)],
    ["Booked", person.booking_date && dateWords(person.booking_date, LONG)],
    ["Born in", person.country_of_birth],
    ["A-number", person.alien_number],
    ["Data of", person.last_updated !== day && dateWords(person.last_updated, LONG)],
  ];
  return card(person.name, chip("", plain(person.status)),
    facts(known.filter(([, value]) => value)),
    score === undefined ? null : sureness(score),
    differs.length ? el("p", { class: "note warn" }, differs.join("; ")) : null,
    details && details.homonyms > 1 ? el("p", { class: "note warn" }, `${details.homonyms} records have exactly this name.`) : null,
    stays.length ? [el("h3", {}, "Where the record was"), el("ol", {}, stays.map((stay) => el("li", {},
      `from ${dateWords(stay.transfer_date, LONG)}: ${stay.facility_name}`)))] : null,
    person.record_id ? el("p", { class: "quiet small" }, `Record ${person.record_id}`) : null);
}

const LONG = { day: "numeric", month: "long", year: "numeric" };

show({
  draw({ summary, results, search_metadata: about }, { stage }) {
    const careful = !results.length || about.sample_data || about.partial || about.stale_days || about.index_behind;
    stage.append(
      el("h1", {}, "Search for a person"),
      el("p", { class: `note ${careful ? "warn" : ""}`.trim() }, summary),
      ...results.map((person) => record(person, about.data_as_of)),
    );
  },
});
