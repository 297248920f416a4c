"""Our own short summary of the duty-hour rules, each passage with where it is written.

Numbers of requirements are those of the ACGME Common Program Requirements
(Residency) in force since 1 July 2023.
"""

from attrs import frozen

_CPR = "ACGME Common Program Requirements (Residency), 1 July 2023, "


@frozen
class Passage:
    """A short text, its kind and its source."""

    id: str
    title: str
    kind: str
    source: str
    text: str


SUMMARY = (
    Passage("cpr-80", "Eighty hours a week", "regulation", _CPR + "6.20",
            "Clinical and educational work is limited to 80 hours a week, averaged over four weeks. In-house education,"
            " clinical work done from home and all moonlighting count. validate_schedule reports a breach as"
            " 80_HOUR_RULE, over every rolling 28 days, with leave taken out of both sides of the average."),
    Passage("cpr-1in7", "One day in seven free", "regulation", _CPR + "6.21.b",
            "Residents have at least one day in seven free of clinical work and required education, averaged over four"
            " weeks. At-home call cannot fall on such a day. Reported as 1_IN_7_RULE; we count whole calendar days."),
    Passage("cpr-24", "Twenty-four hours on end", "regulation", _CPR + "6.22, 6.22.a",
            "A continuous scheduled assignment lasts at most 24 hours. Up to four hours more may be used for handing"
            " over patients and for education; no new patient care is taken on then. Reported as 24_PLUS_4_RULE."),
    Passage("cpr-14", "Rest after in-house call", "regulation", _CPR + "6.21.a",
            "After 24 hours of in-house call residents have at least 14 hours free. Reported as 14_HOUR_REST_RULE."),
    Passage("cpr-8", "Rest between work periods", "regulation", _CPR + "6.21",
            "Residents should have eight hours off between scheduled work and education periods. It is a 'should', and"
            " so a warning here: 8_HOUR_REST_RULE."),
    Passage("cpr-call", "How often on call", "regulation", _CPR + "6.27",
            "In-house call comes no more often than every third night, averaged over four weeks. Reported as"
            " CALL_FREQUENCY_RULE."),
    Passage("house-nights", "Night float in a row", "institution", "the programme's rule set",
            "Night float keeps to the 80 hours and the day free in seven. The Common Program Requirements set no"
            " number of nights in a row since 2017; the cap here, six by default, is the institution's:"
            " NIGHT_FLOAT_RULE."),
    Passage("house-days", "Days in a row", "institution", "the programme's rule set",
            "At most six days of work in a row, by default: stricter than the average that is required, and the"
            " institution's own. CONSECUTIVE_DAYS_RULE."),
    Passage("house-supervision", "Supervision ratio", "institution", "the programme's rule set; 42 CFR 415.174",
            "The Common Program Requirements ask for supervision fit to the resident and name no ratio. One to four is"
            " the number of Medicare's primary care exception; counting a first-year resident double is custom."
            " SUPERVISION_RATIO."),
    Passage("pack-swap", "How a swap is made", "procedure", "this pack",
            "request_swap asks, respond_swap records each party's answer, execute_swap carries it out when both have"
            " accepted and no rule is broken, execute_swap with take_back undoes it within 24 hours."),
    Passage("pack-absence", "What to do about an absence", "procedure", "this pack",
            "record_leave enters it, repair_schedule makes a draft with the fewest changes, publish_schedule puts it in"
            " force once validate_schedule finds no violation. snapshot_schedule keeps a copy first."),
)  # fmt: skip
