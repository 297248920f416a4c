"""The age of the moon, for any MCP client."""

from datetime import UTC, date, datetime, time

from packhorse import UserError, hookimpl

# Mean lunation 0 and mean synodic month: Meeus, Astronomical Algorithms, 2nd ed., ch. 49.
NEW_MOON = datetime(2000, 1, 6, 14, 20, tzinfo=UTC)
MONTH_DAYS = 29.530588861


def age(day: date) -> float:
    """Days since the mean new moon at noon UTC; the true one is within 15 hours."""
    if not 1900 <= day.year <= 2100:
        raise UserError(f"{day.year} is out of range: ask for a year from 1900 to 2100.")
    noon = datetime.combine(day, time(12), UTC)
    return (noon - NEW_MOON).total_seconds() / 86_400 % MONTH_DAYS


@hookimpl
def register_tools():
    return [age]
