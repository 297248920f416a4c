"""Sentences into searches: read right, or refused with the form as far as it is filled.

``patterns.json`` are the specification's five patterns in English and Spanish, 30 sentences each. ``fresh.json`` are
243 sentences by two authors who never saw a reader; this one was made on 750 others and counted once on these: 121 read
as meant, 25 rightly refused, 1 wrongly with confidence (two people named, one of them read). No word was added because
one of them failed, so that what it gives is held to what was counted.
"""

import json
from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.locator.factories import FAMILY, NOVEMBER, QUERIES, error_of

from packhorse_locator.domain.alien_numbers import canonical
from packhorse_locator.domain.facility_names import NameList
from packhorse_locator.domain.query.parsed import NotParsed, Parsed
from packhorse_locator.domain.query.places import Gazetteer
from packhorse_locator.domain.query.reading import read
from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader
from packhorse_locator.service.sentences import Sentences, lexicon

THRESHOLD = 0.7
NOTHING = Gazetteer(NameList.of(()), {}, (), ())


def plain(parameters):
    """Arguments without regard to case, A-numbers of eight digits with a leading nought."""
    made = {name: value.casefold() if isinstance(value, str) else value for name, value in parameters.items()}
    return made | {"alien_number": canonical(made["alien_number"])} if "alien_number" in made else made


def verdict(found, case):
    """How a sentence fared beside what it means."""
    meant = plain(case["parameters"])
    if isinstance(found, Parsed) and found.best.confidence >= THRESHOLD:
        right = (found.best.search_type, plain(found.best.parameters)) == (case["search_type"], meant)
        return "read" if right else "wrong"
    if case["search_type"] in ("ambiguous", "refused"):
        return "rightly refused"
    form = plain(found.form.parameters) if isinstance(found, NotParsed) and found.form is not None else {}
    names = [form.get(name) == meant.get(name) for name in ("first_name", "last_name")]
    return "form filled" if case["search_type"] == "name" and all(names) else "refused"


@pytest.mark.parametrize("case", json.loads((QUERIES / "patterns.json").read_text()), ids=lambda case: case["query"])
def test_the_five_patterns_are_read_in_english_and_spanish(registry, case):
    assert verdict(Sentences(registry).read(case["query"]), case) == "read"


@pytest.fixture
def whole_list(registry, shared):
    """A reader that knows every facility."""
    with registry.opened() as store:
        file = TableFile(shared / "facilities.csv", {})
        Loader(store, NOVEMBER()).facilities(file, "roster", date(2026, 7, 25))
    return Sentences(registry)


def test_sentences_of_authors_who_never_saw_the_reader_are_read_or_refused_as_counted(whole_list):
    cases = json.loads((QUERIES / "fresh.json").read_text())
    fared = Counter((case["search_type"] == "name", verdict(whole_list.read(case["query"]), case)) for case in cases)
    total = Counter(kind for (_, kind), count in fared.items() for _ in range(count))
    of_people = sum(count for (is_person, _), count in fared.items() if is_person)
    print(dict(total), f"of {of_people} about a person {fared[True, 'read']} read")

    assert total["wrong"] <= 2
    assert total["read"] + total["rightly refused"] >= 0.6 * len(cases)
    assert fared[True, "read"] + fared[True, "form filled"] >= 0.8 * of_people


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("busco a mi hijo jose luis mejia tum o mejia tun no se bien", None, None),
        ("my husbend name is olexander shevchuk from ukrane", None, None),
        ("Buscar a ÑÁÑEZ Íñigo, español, nac. 1988", None, None),
        ("Ana Paula Souza e Silva, brasileira, 34 anos", None, None),
        ("find Maria Lopez and Pedro Ruiz", None, None),
        ("my name is Ana Lopez, I am looking for Pedro Ruiz", None, None),
        ("Ana Lopez, not Maria Lopez", None, None),
        ("looking for Lopez Garcia Maria", None, None),
        ("Find Ana Lucia Escobar Lima", "Ana Lucia", "Escobar"),
    ],
)
def test_what_is_not_sure_is_refused_and_never_guessed(whole_list, text, first, last):
    found = whole_list.read(text)

    assert isinstance(found, NotParsed), found
    if first is not None:
        assert found.form is not None
        assert (found.form.parameters.get("first_name"), found.form.parameters.get("last_name")) == (first, last)


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("García López, María", {"first_name": "María", "last_name": "García López"}),
        ("first name: Olena, last name: Kovalenko", {"first_name": "Olena", "last_name": "Kovalenko"}),
        ("apellidos: Pérez Gómez, nombres: Juan Carlos", {"first_name": "Juan Carlos", "last_name": "Pérez Gómez"}),
        (
            "my brother Pedro Castillo from Honduras, born in 1990",
            {"first_name": "Pedro", "last_name": "Castillo", "country_of_birth": "Honduras", "birth_year": 1990},
        ),
        (
            "busco a mi hermana Rosa Elena Flores Mejia de El Salvador",
            {"first_name": "Rosa Elena", "last_name": "Flores Mejia", "country_of_birth": "El Salvador"},
        ),
        (
            "need to locate WIDELINE PIERRE-LOUIS, F, HAITI, 1991",
            {
                "first_name": "WIDELINE",
                "last_name": "PIERRE-LOUIS",
                "country_of_birth": "Haiti",
                "birth_year": 1991,
            },
        ),
        ("Buscamos a María del Carmen Ortiz Vega", {"first_name": "María del Carmen", "last_name": "Ortiz Vega"}),
    ],
)
def test_clear_sentences_about_one_person_are_read(whole_list, text, parameters):
    found = whole_list.read(text)

    assert isinstance(found, Parsed), found
    assert dict(found.best.parameters) == parameters


@pytest.mark.parametrize(
    ("text", "search_type", "parameters"),
    [
        ("Lumpkin, GA", "facility", {"city": "Lumpkin", "state": "GA"}),
        ("31815", "facility", {"zip_code": "31815"}),
        ("Sarpy County Jail", "facility_info", {"facility_name": "Sarpy County Jail"}),
        ("phone number of Stewart Detention Center", "facility_info", {"facility_name": "Stewart Detention Center"}),
        ("teléfono de Krome", "facility_info", {"facility_name": "Krome North Service Processing Center"}),
    ],
)
def test_a_lone_place_and_the_facts_of_a_facility_are_read(registry, text, search_type, parameters):
    found = Sentences(registry).read(text)

    assert isinstance(found, Parsed), found
    assert (found.best.search_type, dict(found.best.parameters)) == (search_type, parameters)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("language", "query", "said"),
    [
        ("en", "Find Olena Kovalenko at Northwest ICE Processing Center", "Left out"),
        ("es", "Busco a Olena Kovalenko en Northwest ICE Processing Center", "Sin usar"),
    ],
)
async def test_a_place_that_a_search_by_name_cannot_take_is_named_as_left_out(client, language, query, said):
    async with client(FAMILY) as caller:
        reply = await caller.call_tool("parse_natural_query", {"query": query, "language": language})

    for copy in (reply.content[0].text, reply.structured_content["summary"]):
        assert said in copy
        assert "«Northwest ICE Processing Center»" in copy


@pytest.mark.anyio
async def test_alternatives_stand_in_the_words_of_the_refusal(client):
    async with client() as caller:
        reply = await caller.call_tool("parse_natural_query", {"query": "Who is at Florence Processing?"})
        several = await caller.call_tool("parse_natural_query", {"query": "Show me detainees in Texas"})

    problem = error_of(several)
    assert problem["code"] == "AMBIGUOUS_QUERY"
    for city in ("Anson", "Conroe"):
        assert f"city «{city}»" in several.content[0].text
    assert len(problem["details"]["alternatives"]) == 5
    assert reply.content


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("language", "words"), [("en", "Not clear: which words are the surname"), ("es", "no es seguro: qué palabras")]
)
async def test_a_refusal_gives_the_form_that_was_filled_and_the_tool_to_call(client, language, words):
    query = {"query": "find Denis Alexander Funez", "language": language}
    async with client() as caller:
        reply = await caller.call_tool("parse_natural_query", query)

    problem = error_of(reply)
    assert problem["code"] == "CONFIDENCE_TOO_LOW"
    assert "first_name «Denis Alexander», last_name «Funez»" in reply.content[0].text
    assert words in reply.content[0].text
    assert "search_by_name" in reply.content[0].text


@pytest.mark.anyio
async def test_a_sentence_can_be_read_and_searched_in_one_call_in_the_language_of_the_question(client):
    async with client(FAMILY) as caller:
        reply = await caller.call_tool(
            "parse_natural_query",
            {"query": "Busco a Olena Kovalenko de Ucrania", "language": "es", "auto_execute": True},
        )

    answer = reply.structured_content
    assert answer["parsed_query"]["parameters"]["country_of_birth"] == "Ukraine"
    assert answer["execution_result"]["results"][0]["name"] == "«OLENA KOVALENKO»"
    assert "con un nombre así" in answer["execution_result"]["summary"]
    assert "ingreso 2026-09-30" in reply.content[0].text


@pytest.mark.anyio
async def test_a_search_that_refuses_says_so_inside_the_answer(client):
    query = {"query": "Search for A-Number A999999998", "auto_execute": True}
    async with client() as caller:
        reply = await caller.call_tool("parse_natural_query", query)

    assert reply.structured_content["execution_result"]["error_code"] == "ALIEN_NUMBER_NOT_FOUND"
    assert "The person may still be detained" in reply.content[0].text


@pytest.mark.anyio
async def test_what_was_recognised_is_given_with_its_place(client):
    query = "Find Olena Kovalenko from Ukraine"
    async with client() as caller:
        reply = await caller.call_tool("parse_natural_query", {"query": query})

    for entity in reply.structured_content["parsed_query"]["entities_found"]:
        text = query[entity["position"]["start"] : entity["position"]["end"]]
        assert text in (entity["value"], "Ukraine")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    assert isinstance(read(text, NOTHING, lexicon()), Parsed | NotParsed)


WORDS = "find busco a de la maria lopez , in at krome who is 1990 born from mexico y o not A900100028 first name : last"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=14))
def test_words_of_the_grammar_in_any_order_do_not_break_it(words):
    assert isinstance(read(" ".join(words), NOTHING, lexicon()), Parsed | NotParsed)
