"""Fixtures of the name index."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from packhorse_locator.search import NameQuery, Person, SearchOutcome
from packhorse_locator.search.index import NameIndex

# Invented people.
PEOPLE = [
    Person(key="R1", given="José Luis", family="González Pérez", country="Mexico", birth_year=1980),
    Person(key="R2", given="Juan Carlos", family="de la Cruz", country="Guatemala", birth_year=1990),
    Person(key="R3", given="Mohammed", family="Al-Najjar", country="Egypt", birth_year=1975),
    Person(key="R4", given="Guadalupe", family="Hernández Soto", country="Mexico", birth_year=1988),
    Person(key="R5", given="Oleksandr", family="Zhukov", country="Ukraine", birth_year=1979),
    Person(key="R6", given="Xiuying", family="Zhang", country="China", birth_year=1966),
    Person(key="R7", given="Marie-Ange", family="Jean-Baptiste", country="Haiti", birth_year=1995),
    Person(key="R8", given="", family="Tzunun", country="Guatemala", birth_year=2000),
    Person(key="R9", given="Wilmer", family="Ramírez", country="Honduras", birth_year=1991, booked=date(2026, 3, 1)),
    Person(key="R10", given="Wilmer", family="Ramírez", country="Cuba", birth_year=1971, booked=date(2026, 5, 1)),
    Person(key="R11", given="Harpreet", family="Sandhu", country="India", birth_year=1993),
    Person(key="R12", given="Ana", family="Castillo", country="Peru", birth_year=1993),
]
# More of them, so that words have a rarity.
GIVEN = ("Rosa", "Elena", "Hugo", "Mario", "Silvia", "Bruno", "Irma", "Tomas", "Nelly", "Oscar", "Edith", "Felix")
MORE = ("Norma", "Ruben", "Olga", "Saul")
FAMILY = ("Mendoza", "Aguilar", "Rojas", "Salazar", "Pineda", "Quiroz", "Barrios", "Campos", "Duarte", "Fuentes")
CROWD = [
    Person(key=f"C{number}", given=given, family=family, birth_year=1960 + number % 40)
    for number, (given, family) in enumerate((g, f) for g in (*GIVEN, *MORE) for f in (*FAMILY, "Ibarra", "Lozano"))
]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[NameIndex]:
    with NameIndex.open(tmp_path / "names") as opened:
        opened.build([*PEOPLE, *CROWD], sequence=1)
        yield opened


@pytest.fixture
def ask(index: NameIndex) -> Callable[..., SearchOutcome]:
    """Search for a first and a last name; the threshold is 0 unless given."""

    def search(first: str | None = None, last: str | None = None, **others: Any) -> SearchOutcome:
        return index.search(NameQuery(first=first, last=last, **{"threshold": 0.0, **others}))

    return search
