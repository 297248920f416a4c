"""Hours and dates in words."""

from datetime import date, datetime, timedelta

from packhorse_circadian.domain.shift import HOUR

# Not strftime, which speaks the machine's language.
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


def number(length: timedelta) -> int | float:
    """Hours as a whole number where they are one, else with their fraction, to a second or so."""
    hours = round(length / HOUR, 4)
    return int(hours) if hours.is_integer() else hours


def hours(length: timedelta) -> str:
    """``1 hour``, ``9.5 hours``: exact, never rounded to the hour."""
    count = number(length)
    return f"{count} hour" if count == 1 else f"{count} hours"


def span(length: timedelta) -> str:
    """``14.5 minutes``, ``3 hours``: in minutes below an hour."""
    if length >= HOUR:
        return hours(length)
    count = round(length / timedelta(minutes=1), 2)
    return f"{count:g} minute" if count == 1 else f"{count:g} minutes"


def length(taken: timedelta) -> str:
    """``7 hours``, ``6 hours 38 minutes``."""
    whole, minutes = divmod(round(taken / timedelta(minutes=1)), 60)
    return f"{hours(whole * HOUR)} {span(minutes * HOUR / 60)}" if minutes else hours(whole * HOUR)


def listed(words: list[str]) -> str:
    """``one``, ``one and two``, ``one, two and three``."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def an_hours_move(length: timedelta, noun: str) -> str:
    """``a 17-hour advance``, ``an 8-hour delay``."""
    count = number(length)
    article = "an" if str(count).startswith("8") or int(count) in {11, 18} else "a"
    return f"{article} {count}-hour {noun}"


def days(count: int) -> str:
    """``1 day``, ``5 days``."""
    return f"{count} day" if count == 1 else f"{count} days"


def month_day(day: date) -> str:
    """``Feb 12``."""
    return f"{_MONTHS[day.month - 1]} {day.day}"


def day_name(day: date) -> str:
    """``Fri Feb 12``."""
    return f"{_WEEKDAYS[day.weekday()]} {month_day(day)}"


def clock(at: datetime) -> str:
    """``07:00``."""
    return f"{at:%H:%M}"


def half_hour(at: datetime) -> str:
    """``07:30`` of 07:44: a low is not known to the minute."""
    return clock(at.replace(minute=at.minute // 30 * 30))
