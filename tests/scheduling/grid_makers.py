"""Block grids as chiefs make them: a dozen makers of workbooks, each with the truth of what it has drawn."""

from datetime import date, timedelta
from itertools import pairwise

import openpyxl
from openpyxl.styles import Font, PatternFill
from openpyxl.styles.colors import Color

NAMES = [
    "Abara, Ngozi", "Bell, Thomas", "Castillo, Rosa", "Dubois, Marc", "Eze, Ifeoma", "Fox, Linda",
    "Gupta, Anil", "Haddad, Samira", "Ivanov, Petr",
]  # fmt: skip
CODES = ["ICU", "WARD", "NF", "CLIN", "ELEC", "ED"]
LONG = {"ICU": "Intensive care", "WARD": "Inpatient wards", "NF": "Night float", "CLIN": "Clinic", "ELEC": "Elective",
        "ED": "Emergency department"}  # fmt: skip
PAINT = {"ICU": "FF7C80", "WARD": "92D050", "NF": "7030A0", "CLIN": "FFD966", "ELEC": "BDD7EE", "ED": "F4B183"}
START = date(2026, 7, 1)


def spans(count, days, start=START, last=None):
    found = [(start + timedelta(days=days * n), start + timedelta(days=days * (n + 1) - 1)) for n in range(count)]
    return [*found[:-1], (found[-1][0], last or found[-1][1])]


def level(n):
    return n // 3 + 1


def code(n, b):
    return CODES[(n * 2 + b) % len(CODES)]


def truth(columns, people=None, cell=code, names=NAMES):
    """People with levels, columns, and who is where from when to when."""
    return {
        "people": people or {name: level(n) for n, name in enumerate(names)},
        "columns": columns,
        "cells": {
            (name, first): made
            for n, name in enumerate(names)
            for b, (first, _) in enumerate(columns)
            if (made := cell(n, b))
        },
    }


def paint(cell, colour):
    cell.fill = PatternFill("solid", start_color=colour)


def us(day):
    return f"{day.month}/{day.day}"


def classic(book):
    """13 blocks, PGY in a column, dates in the heads, counters below and beside, a legend under it."""
    sheet = book.active
    sheet.title = "Blocks 2026-2027"
    sheet["A1"] = "Internal Medicine Block Schedule, AY 2026-2027"
    columns = spans(13, 28, last=date(2027, 6, 30))
    sheet.append(["Resident", "PGY", *(f"{us(a)}-{us(b)}" for a, b in columns), "ICU total"])
    for n, name in enumerate(NAMES):
        sheet.append([name, level(n), *(code(n, b) for b in range(13)), f'=COUNTIF(C{n + 3}:O{n + 3},"ICU")'])
    sheet.append(["# on ICU", None, *(sum(code(n, b) == "ICU" for n in range(9)) for b in range(13))])
    sheet.append([])
    sheet.append(["Legend"])
    for one in CODES:
        sheet.append([one, LONG[one]])
    return truth(columns), {}


def halves(book):
    """26 halves under merged heads, with headings for the years of training."""
    sheet = book.active
    columns = spans(26, 14)
    sheet["A1"] = "Name"
    for block in range(13):
        sheet.cell(1, 2 + 2 * block, f"Block {block + 1}")
        sheet.merge_cells(start_row=1, start_column=2 + 2 * block, end_row=1, end_column=3 + 2 * block)
    for n, (first, _) in enumerate(columns):
        sheet.cell(2, 2 + n, first).number_format = "m/d"
    row = 3
    for n, name in enumerate(NAMES):
        if n % 3 == 0:
            sheet.cell(row, 1, f"PGY-{level(n)}")
            sheet.merge_cells(start_row=row, start_column=1, end_row=row, end_column=27)
            row += 1
        sheet.cell(row, 1, name)
        for b in range(26):
            cell = sheet.cell(row, 2 + b, code(n, b))
            paint(cell, PAINT[code(n, b)])
        row += 1
    return truth(columns), {"last": "2027-06-29"}


def painted_weeks(book):
    """52 weeks in colours alone; the legend is a sheet of its own."""
    sheet = book.active
    columns = spans(52, 7, date(2026, 6, 29))
    sheet["A2"] = "Name"
    sheet["B2"] = "Level"
    for n, (first, _) in enumerate(columns):
        sheet.cell(1, 3 + n, f"Wk {n + 1}")
        sheet.cell(2, 3 + n, first)
    for n, name in enumerate(NAMES):
        sheet.cell(3 + n, 1, name)
        sheet.cell(3 + n, 2, f"R{level(n)}")
        for b in range(52):
            paint(sheet.cell(3 + n, 3 + b), PAINT[code(n, b // 2)])
    legend = book.create_sheet("Key")
    for n, one in enumerate(CODES, start=1):
        paint(legend.cell(n, 1), PAINT[one])
        legend.cell(n, 2, one)
    return truth(columns, cell=lambda n, b: code(n, b // 2)), {}


def level_in_name(book):
    """The level is part of the name, and no head has a year."""
    sheet = book.active
    columns = spans(13, 28)
    heads = [f"Block {n + 1}\n{a:%b} {a.day} - {b:%b} {b.day}" for n, (a, b) in enumerate(columns)]
    sheet.append(["House staff", *heads])
    for n, name in enumerate(NAMES):
        sheet.append([f"{name} (PGY-{level(n)})", *(code(n, b) for b in range(13))])
    return truth(columns), {"year": "2026"}


def turned(book):
    """Blocks down, people across."""
    sheet = book.active
    sheet.title = "2026-27"
    columns = spans(13, 28)
    sheet.append(["Block", "Dates", *(f"PGY{level(n)}" for n in range(9))])
    sheet.append([None, None, *NAMES])
    for b, (first, last) in enumerate(columns):
        sheet.append([b + 1, f"{us(first)} to {us(last)}", *(code(n, b) for n in range(9))])
    return truth(columns), {}


def months(book):
    """Twelve months."""
    sheet = book.active
    sheet["A1"] = "Academic Year 2026 - 2027"
    firsts = [date(2026 + (6 + n) // 12, (6 + n) % 12 + 1, 1) for n in range(12)] + [date(2027, 7, 1)]
    columns = [(a, b - timedelta(days=1)) for a, b in pairwise(firsts)]
    sheet.append([])
    sheet.append(["PGY", "Name", *(f"{a:%B}" for a, _ in columns)])
    for n, name in enumerate(NAMES):
        sheet.append([f"PGY-{level(n)}", name, *(code(n, b) for b in range(12))])
    return truth(columns), {}


def no_legend(book):
    """Colours with neither text nor legend."""
    sheet = book.active
    columns = spans(13, 28, last=date(2027, 6, 30))
    sheet.append(["Name", "PGY level", *(a for a, _ in columns)])
    for n, name in enumerate(NAMES):
        sheet.append([name, level(n)])
        for b in range(13):
            paint(sheet.cell(2 + n, 3 + b), PAINT[code(n, b)])
    return truth(columns), {"last": "2027-06-30", **{f"colour.{colour}": one for one, colour in PAINT.items()}}


def untidy(book):
    """Halves, slips, marks, remarks and open blocks."""
    sheet = book.active
    sheet.title = "AY 26-27"
    columns = spans(13, 28, last=date(2027, 6, 30))
    sheet.append(["Name", "PGY", *(f"{us(a)} - {us(b)}" for a, b in columns)])
    odd = {
        (0, 0): "ICU/NF", (1, 3): "WRAD", (2, 5): "ELEC*", (3, 7): "?", (4, 2): "Vacation",
        (5, 6): "call Dr. Fox re: swap", (6, 1): "icu", (7, 9): "-",
    }  # fmt: skip
    for n, name in enumerate(NAMES):
        sheet.append([name, level(n), *(odd.get((n, b), code(n, b)) for b in range(13))])
    meant = odd | {(1, 3): "WARD", (2, 5): "ELEC", (3, 7): "", (5, 6): "", (6, 1): "ICU", (7, 9): ""}
    return truth(columns, cell=lambda n, b: meant.get((n, b), code(n, b))), {"code.WRAD": "WARD", "split": "one"}


def two_panels(book):
    """The first half of the year above, the second below."""
    sheet = book.active
    sheet["A1"] = "2026-2027 master schedule"
    columns = spans(13, 28, last=date(2027, 6, 30))
    row = 3
    for part in (range(7), range(7, 13)):
        sheet.cell(row, 1, "Name")
        sheet.cell(row, 2, "PGY")
        for k, b in enumerate(part):
            sheet.cell(row, 3 + k, f"Block {b + 1} ({us(columns[b][0])}-{us(columns[b][1])})")
        for n, name in enumerate(NAMES):
            sheet.cell(row + 1 + n, 1, name)
            sheet.cell(row + 1 + n, 2, level(n))
            for k, b in enumerate(part):
                sheet.cell(row + 1 + n, 3 + k, code(n, b))
        row += 12
    return truth(columns), {}


def day_first(book):
    """Days before months, first and last names apart, an address beside them."""
    sheet = book.active
    columns = spans(13, 28)
    sheet.append(["First name", "Last name", "E-mail", "Year", *(f"{a.day}/{a.month}/{a.year}" for a, _ in columns)])
    for n, name in enumerate(NAMES):
        last, first = name.split(", ")
        sheet.append([first, last, f"{first.lower()}@hospital.example", level(n), *(code(n, b) for b in range(13))])
    names = [" ".join(reversed(name.split(", "))) for name in NAMES]
    return truth(columns, names=names), {"last": "2027-06-29"}


def long_runs(book):
    """Merged runs, theme colours, banded rows, faculty below."""
    sheet = book.active
    columns = spans(13, 28, last=date(2027, 6, 30))
    sheet["A1"] = "Residents 2026-2027"
    sheet.append(["PGY", "Name", *(f"{us(a)}-{us(b)}" for a, b in columns)])
    for n, name in enumerate(NAMES):
        sheet.append([level(n) if n % 3 == 0 else None, name])
        for b in range(0, 12, 2):
            sheet.cell(3 + n, 3 + b, code(n, b))
            sheet.merge_cells(start_row=3 + n, start_column=3 + b, end_row=3 + n, end_column=4 + b)
        sheet.cell(3 + n, 15, code(n, 12))
        if n % 2:
            for column in range(1, 16):
                sheet.cell(3 + n, column).fill = PatternFill("solid", start_color=Color(theme=0, tint=-0.05))
        if n % 3 == 0:
            sheet.merge_cells(start_row=3 + n, start_column=1, end_row=5 + n, end_column=1)
    sheet.cell(13, 2, "Attendings").font = Font(bold=True)
    sheet.cell(14, 2, "Dr. Hull, Ann")
    for b in range(13):
        sheet.cell(14, 3 + b, "WARD")
    made = truth(columns, cell=lambda n, b: code(n, b if b == 12 else b // 2 * 2))
    made["people"]["Hull, Ann"] = "faculty"
    made["cells"] |= {("Hull, Ann", first): "WARD" for first, _ in columns}
    return made, {}


def a_sheet_a_year(book):
    """A sheet for each year of training; numbers of blocks alone."""
    columns = spans(13, 28)
    book.remove(book.active)
    for year in (1, 2, 3):
        sheet = book.create_sheet(f"PGY{year}")
        sheet.append(["Name", *(f"Block {n}" for n in range(1, 14))])
        for n, name in enumerate(NAMES):
            if level(n) == year:
                sheet.append([name, *(code(n, b) for b in range(13))])
    return truth(columns), {"start": "2026-07-01", "last": "2027-06-29"}


def weeks_under_months(book):
    """Months over the days on which weeks begin, the years in a row of their own, colours with texts, numbered rows."""
    sheet = book.active
    columns = spans(52, 7, date(2026, 7, 6))
    sheet["A3"], sheet["B3"], sheet["C3"], sheet["D3"] = "#", "Pager", "Resident", "Yr"
    month = 0
    for n, (first, _) in enumerate(columns):
        if n in (0, 26):
            sheet.cell(1, 5 + n, first.year)
        if first.month != month:
            month = first.month
            sheet.cell(2, 5 + n, f"{first:%b}".upper())
        sheet.cell(3, 5 + n, first.day)
    for n, name in enumerate(NAMES):
        for column, value in enumerate((n + 1, 5550 + n, name, f"PGY{level(n)}"), start=1):
            sheet.cell(4 + n, column, value)
        for b in range(52):
            cell = sheet.cell(4 + n, 5 + b, code(n, b // 4))
            paint(cell, PAINT[code(n, b // 4)])
    sheet.cell(14, 3, "Residents on ED")
    for b in range(52):
        sheet.cell(14, 5 + b, f'=COUNTIF({sheet.cell(4, 5 + b).coordinate}:{sheet.cell(12, 5 + b).coordinate},"ED")')
    return truth(columns, cell=lambda n, b: code(n, b // 4)), {}


def classes_and_chiefs(book):
    """Years of training as classes, repeated heads, blank rows, a legend beside the grid."""
    sheet = book.active
    columns = spans(13, 28, last=date(2027, 6, 30))
    sheet["A1"] = "EM residency - July 2026 to June 2027"
    heads = [f"{us(a)}-{us(b)}" for a, b in columns]
    row = 3
    for group, title in enumerate(("Class of 2029", "Class of 2028", "Chief residents")):
        for n, text in enumerate([title, *heads], start=1):
            sheet.cell(row, n, text)
        for n, name in enumerate(NAMES):
            if level(n) == group + 1:
                row += 1
                for k, text in enumerate([name, *(code(n, b) for b in range(13))], start=1):
                    sheet.cell(row, k, text)
                    if k > 1:
                        paint(sheet.cell(row, k), PAINT[text])
        row += 2
    for n, one in enumerate(CODES):
        paint(sheet.cell(4 + n, 17), PAINT[one])
        sheet.cell(4 + n, 18, f"{one} = {LONG[one]}")
    return truth(columns), {"level.Class of 2029": "1", "level.Class of 2028": "2", "level.Chief residents": "3"}


def turned_and_painted(book):
    """Weeks down in colours, people across under merged years of training; a legend of chips."""
    sheet = book.active
    columns = spans(26, 14, date(2026, 7, 1))
    for year in (1, 2, 3):
        sheet.cell(1, 3 * year, f"PGY {year}")
        sheet.merge_cells(start_row=1, start_column=3 * year, end_row=1, end_column=3 * year + 2)
    sheet["A2"], sheet["B2"] = "From", "To"
    for n, name in enumerate(NAMES):
        sheet.cell(2, 3 + n, name)
    for b, (first, last) in enumerate(columns):
        sheet.cell(3 + b, 1, first)
        sheet.cell(3 + b, 2, last)
        for n in range(9):
            paint(sheet.cell(3 + b, 3 + n), PAINT[code(n, b)])
    for n, one in enumerate(CODES):
        chip = sheet.cell(31, 3 + n, one)
        paint(chip, PAINT[one])
    return truth(columns), {}


def two_years(book):
    """Last year's sheet beside this year's."""
    sheet = book.active
    made = None
    for title, start in (("2025-2026", date(2025, 7, 1)), ("2026-2027", START)):
        sheet = book.create_sheet(title)
        columns = spans(13, 28, start)
        sheet.append(["Name", "PGY", *(f"{us(a)}-{us(b)}" for a, b in columns)])
        for n, name in enumerate(NAMES):
            sheet.append([name, level(n), *(code(n, b) for b in range(13))])
        made = truth(columns)
    return made, {"sheet": "2026-2027"}


def highlighted(book):
    """Texts are codes; yellow over some of them marks a request for leave, as the legend says."""
    sheet = book.active
    sheet["A1"] = "2026-2027"
    columns = spans(13, 28, last=date(2027, 6, 30))
    sheet.append(["Name", "PGY", *(f"{us(a)}-{us(b)}" for a, b in columns)])
    for n, name in enumerate(NAMES):
        sheet.append([name, level(n), *(code(n, b) for b in range(13))])
        paint(sheet.cell(3 + n, 4 + n), "FFFF00")
    paint(sheet.cell(14, 1), "FFFF00")
    sheet.cell(14, 2, "Vacation requested")
    return truth(columns), {"colour.FFFF00": "text"}


def listed_elsewhere(book):
    """Levels on a list of people, days of blocks in words on a third sheet; under each person a line for the clinic."""
    sheet = book.active
    sheet.title = "Grid"
    columns = spans(13, 28, last=date(2027, 6, 30))
    sheet["A1"] = "2026-2027"
    sheet.append(["Name", *(f"Block {n}" for n in range(1, 14))])
    for n, name in enumerate(NAMES):
        sheet.append([name, *(code(n, b) for b in range(13))])
        sheet.append(["Clinic day", *("Mon" for _ in range(13))])
    roster = book.create_sheet("Roster")
    roster.append(["Last, First", "PGY", "Pager"])
    for n, name in enumerate(NAMES):
        roster.append([name, level(n), 4400 + n])
    dates = book.create_sheet("Dates")
    for n, (first, last) in enumerate(columns, start=1):
        dates.cell(n, 1, f"Block {n}: {us(first)} - {us(last)}")
    return truth(columns), {}


def two_rows(book, marked=True):
    """Two rows for a person: the first and the second half of each block, marked so or not."""
    sheet = book.active
    sheet["A1"] = "Rotation master 2026\u20132027"
    blocks = spans(13, 28, last=date(2027, 6, 30))
    sheet.append(["Resident", "Half" if marked else "PGY", *(f"Block {b + 1}" for b in range(13))])
    sheet.append([None, None, *(f"{a:%b} {a.day} \u2013 {b:%b} {b.day}" for a, b in blocks)])
    for n, name in enumerate(NAMES):
        if n % 3 == 0:
            sheet.append([f"PGY-{level(n)}"])
        row = sheet.max_row + 1
        sheet.append([name, "1st" if marked else level(n), *(code(n, 2 * b) for b in range(13))])
        sheet.append([None, "2nd" if marked else None, *(code(n, 2 * b + 1) for b in range(13))])
        if marked:
            sheet.merge_cells(start_row=row, start_column=1, end_row=row + 1, end_column=1)
    middles = [a + timedelta(days=((b - a).days + 1) // 2) for a, b in blocks]
    halves = [half for (a, b), m in zip(blocks, middles, strict=True) for half in ((a, m - timedelta(days=1)), (m, b))]
    return truth(halves), {}


def remarks_on_colours(book):
    """Colours with a legend; remarks stand in some blocks; the dates have lost their format."""
    sheet = book.active
    columns = spans(26, 14, last=date(2027, 6, 30))
    sheet.append(["Resident", "PGY", *((first - date(1899, 12, 30)).days for first, _ in columns)])
    for n, name in enumerate(NAMES):
        sheet.append([name, level(n)])
        for b in range(26):
            paint(sheet.cell(2 + n, 3 + b), PAINT[code(n, b)])
    sheet["F4"], sheet["H6"], sheet["H7"] = "boards 8/12", "swap w/ Fox?", "Jeopardy"
    for n, one in enumerate(CODES):
        sheet.cell(14 + n, 1, one)
        paint(sheet.cell(14 + n, 2), PAINT[one])
    return truth(columns), {"last": "2027-06-30"}


MAKERS = [
    classic, halves, painted_weeks, level_in_name, turned, months, no_legend, untidy, two_panels, day_first, long_runs,
    a_sheet_a_year, weeks_under_months, classes_and_chiefs, turned_and_painted, two_years, highlighted,
    listed_elsewhere, remarks_on_colours,
]  # fmt: skip


def made_by(maker, path):
    """Save a maker's workbook; its truth, and the answers that it needs."""
    book = openpyxl.Workbook()
    found = maker(book)
    book.save(path)
    return found
