"""The units people write, and the one name that each has here."""

from collections.abc import Mapping

from packhorse_discovery.domain.case.quantity import MINUTES, Family, Unit

UNNAMED_TIME = "time unit"
"""A unit of time of which nobody says how long it is: it goes with no other."""
# Symbols and names: SI brochure, 9th edition, tables 2 to 8; the gallon is the US one only where "US" is said,
# a barrel is a barrel: sizes that differ by trade are never converted.
_WRITTEN: Mapping[Family, Mapping[Unit, str]] = {
    "time": {
        "second": "s sec secs second seconds",
        "minute": "min mins minute minutes min.",
        "hour": "h hr hrs hour hours hr. hrs.",
        "day": "d day days calendar-day calendar-days",
        "business day": "business-day business-days working-day working-days workday workdays",
        "week": "wk wks week weeks",
        "month": "month months",
        "year": "year years yr yrs",
        "shift": "shift shifts",
        UNNAMED_TIME: "time-unit time-units unit-of-time units-of-time",
    },
    "mass": {
        "gram": "g gram grams",
        "kilogram": "kg kgs kilo kilos kilogram kilograms",
        "tonne": "t tonne tonnes",
        "pound": "lb lbs pound pounds",
        "ounce": "oz ounce ounces",
    },
    "volume": {
        "millilitre": "ml millilitre millilitres milliliter milliliters",
        "litre": "l litre litres liter liters",
        "hectolitre": "hl hectolitre hectolitres hectoliter hectoliters",
        "gallon": "gal gallon gallons",
        "barrel": "bbl bbls barrel barrels",
    },
    "length": {
        "millimetre": "mm millimetre millimetres millimeter millimeters",
        "centimetre": "cm centimetre centimetres centimeter centimeters",
        "metre": "metre metres meter meters",
        "inch": "in inch inches",
        "foot": "ft foot feet",
    },
    "share": {"percent": "% percent pct"},
    "money": {"dollar": "$ usd dollar dollars", "euro": "€ eur euro euros", "pound sterling": "£ gbp"},
    "temperature": {"degree celsius": "°c celsius", "degree fahrenheit": "°f fahrenheit"},
    "count": {
        "piece": "piece pieces pc pcs part parts",
        "unit": "unit units",
        "person": "person persons people",
        "batch": "batch batches",
        "lot": "lot lots",
        "case": "case cases",
        "pallet": "pallet pallets",
        "order": "order orders",
        "tray": "tray trays",
        "loaf": "loaf loaves",
        "machine": "machine machines",
    },
}
UNITS: Mapping[str, Unit] = {
    word.replace("-", " "): unit
    for units in _WRITTEN.values()
    for unit, words in units.items()
    for word in words.split()
}
"""Unit by the way it may be written, in lower case."""

_FAMILIES: Mapping[Unit, Family] = {unit: family for family, units in _WRITTEN.items() for unit in units}


def unit_of(written: str) -> Unit:
    """The unit meant by ``written``; ``""`` for a word that is no unit known here."""
    return UNITS.get(written.strip().casefold().replace("-", " "), "")


def family_of(unit: Unit) -> Family:
    """What kind of thing ``unit`` measures; "other" for one not known here."""
    return _FAMILIES.get(unit, "other")


def factor(unit: Unit, into: Unit) -> float | None:
    """How many ``into`` are in one ``unit``; None where that is not fixed."""
    if unit == into:
        return 1.0
    if unit in MINUTES and into in MINUTES:
        return MINUTES[unit] / MINUTES[into]
    return None
