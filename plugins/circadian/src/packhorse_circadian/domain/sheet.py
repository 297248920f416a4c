"""A plan as a page to print."""

from packhorse_circadian.domain import advice, order_words, zones
from packhorse_circadian.domain.actogram import actogram, escape
from packhorse_circadian.domain.first_hours import first_hours, why
from packhorse_circadian.domain.journey import Plan
from packhorse_circadian.domain.lead import key_advice
from packhorse_circadian.domain.pages import Page
from packhorse_circadian.domain.wording import clock, month_day

_STYLE = (
    "body{font:14px/1.45 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1f2430;"
    "background:#fff}svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%}"
    "td{padding:.15rem .5rem .15rem 0;vertical-align:top}td:first-child{white-space:nowrap;width:8rem}"
    "section{break-inside:avoid}h2{font-size:1rem;margin:1.2rem 0 .3rem}small{color:#4d5563}"
)


def sheet(plan: Plan) -> str:
    """One HTML file with nothing to load: the advice, the picture, every day, and the cautions."""
    trip = plan.trip
    title = f"Jet-lag plan: {trip.origin.key} to {trip.destination.key}"
    notes = "".join(f"<li>{escape(note)}</li>" for note in advice.notes(plan))
    landing = "<br>".join(escape(line) for _, line in first_hours(plan))
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(title)}</h1><p><strong>"
        f"{escape(key_advice(plan))}</strong></p><p>{landing}</p>{actogram(plan)}"
        f"{''.join(_day(page, whose) for page, whose in plan.journey)}<h2>Good to know</h2><ul>{notes}</ul>"
        f"<p>{escape(advice.caution(plan))}</p></body></html>"
    )


def _day(page: Page, plan: Plan) -> str:
    rows = []
    for order in page.orders:
        start = clock(zones.shown(order.start, page.zone))
        when = f"{start} to {clock(zones.shown(order.end, page.zone))}" if order.end else start
        said = why(order, plan)
        rows.append(
            f"<tr><td>{when}</td><td>{escape(order_words.title(order))} <small>{escape(said)}</small></td></tr>"
        )
    said = "".join(rows) or "<tr><td></td><td>Nothing to do.</td></tr>"
    return (
        f"<section><h2>{month_day(page.day)} <small>{escape(page.zone.key)}, {page.phase}</small></h2>"
        f"<table>{said}</table></section>"
    )
