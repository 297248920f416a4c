"""Sentences into searches.

``open.json`` and ``sealed.json`` were written before the grammar, from the
specification alone; the grammar was first made on the open half. Two sentences of
the sealed half that ask who is detained in a state were labelled ambiguous, and are
labelled {state} now. On its first
run over the sealed half it read 140 of 150 as meant and 5 wrongly with
confidence; what it missed was mended afterwards, so that both are regression
tests now. ``tuning.json`` and ``late.json`` came later, with the grammar known.

``second.json`` is the first half of 300 sentences that somebody wrote later from the tool list and the facilities,
without sight of the grammar or of these files. The grammar of that time read 104 of the 150 as meant, 12 wrongly with
confidence. Rewritten without a look at them it read 121, again 12 wrongly; then it was mended on what it missed. The
other half, which is not here, was counted once: 137 of 150 as meant, 10 with confidence otherwise; in five of these
it is the town's state or its one facility that was not asked for, and three were mended.

``third.json`` are 150 by another hand, written in the same way. At first contact 122 were read as meant, 18 wrongly
with confidence; the grammar was mended on them.

``fourth.json`` are 150 by a third hand: at first contact 125 were read as meant, 8 wrongly with confidence.
``fifth.json`` to ``ninth.json`` are 150 each, by others again: at first contact 133, 136, 143, 145 and 139 were read as
meant, 4, 4, none, 1 and 3 wrongly with confidence. Between the sixth and the seventh the lists of names gave way to
counts of who bears them; by the grammar before that the seventh would have been read 138 as meant, 3 wrongly.
``tenth.json`` are 150 more, kept for the end: counted once, 143 as meant, 7 asked about, none wrongly with confidence.
The grammar was not mended on them.

``variations.json`` were written by the author of the grammar, in ten batches of 60 to 270, each counted before it was
mended: 204 of 272, 171 of 187, 154 of 166, 121 of 155, 153 of 163, 125 of 137, 89 of 106, 99 of 111, 82 of 88 and 58
of 63 as meant; wrongly with confidence, in the last seven of them, 20, 4, 10, 11, 3, 3 and 4. Four more came with the
fourth: 93 of 147, 79 of 86, 65 of 70 and 58 of 62 as meant, 21, 3, 3 and 1 wrongly with confidence.

A place given only as a town is labelled {city, state} where the town is in one state of the registry, and {city}
otherwise; never as a facility, unless the sentence names it as one ("the Batavia center"). Three labels of "late",
"tuning" and ``variations.json`` were of another convention and were changed to this one.

``blind.json`` was written from the tool list, without sight of the grammar. Its first half was read 78 of 93 as meant
at first, 7 wrongly with confidence, and the grammar was mended on it; the half that is marked final, counted once after
that, 80 of 93, 3 wrongly. Both have been regression tests since.
"""

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.locator.factories import FAMILY, NOVEMBER, QUERIES, error_of

from packhorse_locator.domain.alien_numbers import canonical
from packhorse_locator.domain.facility_names import NameList
from packhorse_locator.domain.query.bearers import own_names
from packhorse_locator.domain.query.leanings import CLEAR, letters_of
from packhorse_locator.domain.query.parsed import Gazetteer, NotParsed, Parsed
from packhorse_locator.domain.query.reading import read
from packhorse_locator.service.files import TableFile
from packhorse_locator.service.loading import Loader
from packhorse_locator.service.query_desk import QueryDesk

THRESHOLD = 0.7
NOTHING = Gazetteer(NameList.of(()), {}, {}, (), (), lambda words: {})


def outcome(found):
    """What a caller gets at the default threshold: a search and its arguments, or a refusal."""
    if isinstance(found, Parsed) and found.best.confidence >= THRESHOLD:
        return found.best.search_type, dict(found.best.parameters)
    return "refused", {}


@pytest.mark.parametrize("corpus", ["open", "sealed", "tuning", "late"])
def test_sentences_are_read_as_they_were_meant(registry, corpus):
    desk = QueryDesk(registry)
    cases = json.loads((QUERIES / f"{corpus}.json").read_text())
    missed, wrong = [], []
    for case in cases:
        meant = (case["search_type"], case["parameters"])
        if case["search_type"] == "ambiguous":
            meant = ("refused", {})
        got = outcome(desk.read(case["query"]))
        if got != meant:
            (missed if got[0] == "refused" else wrong).append((case["query"], got, meant))
    print(f"{corpus}: {len(cases) - len(missed) - len(wrong)} of {len(cases)}, {len(wrong)} wrong with confidence")

    assert wrong == []
    assert len(missed) <= 0.05 * len(cases), missed


@pytest.fixture
def whole_list(registry, shared):
    """A desk that knows every facility."""
    with registry.opened() as store:
        file = TableFile(shared / "facilities.csv", {})
        Loader(store, NOVEMBER()).facilities(file, "roster", date(2026, 7, 25))
    return QueryDesk(registry)


def counted(desk, cases):
    """Of these sentences: which are refused though they mean something, and which are read wrongly."""
    missed, wrong = [], []
    for case in cases:
        kind, found = outcome(desk.read(case["query"]))
        got = kind, plain(found)
        meant = "refused" if case["search_type"] == "ambiguous" else case["search_type"]
        if got != (meant, plain(case["parameters"])):
            (missed if kind == "refused" else wrong).append((case["query"], got))
    print(f"{len(cases) - len(missed) - len(wrong)} of {len(cases)}, {len(wrong)} wrong with confidence")
    return missed, wrong


def plain(parameters):
    """Arguments as every search takes them: without regard to case, A-numbers of eight digits with a leading nought."""
    made = {name: value.casefold() if isinstance(value, str) else value for name, value in parameters.items()}
    return made | {"alien_number": canonical(made["alien_number"])} if "alien_number" in made else made


@pytest.mark.slow
def test_sentences_of_somebody_who_never_saw_the_grammar_are_read_as_they_were_meant(whole_list):
    cases = json.loads((QUERIES / "blind.json").read_text())["cases"]
    for name in ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"):
        cases += json.loads((QUERIES / f"{name}.json").read_text())
    missed, wrong = counted(whole_list, cases)

    assert wrong == []
    assert len(missed) <= 0.05 * len(cases), missed


def test_sentences_that_the_grammar_was_never_mended_on_are_read_as_they_were_meant(whole_list):
    cases = json.loads((QUERIES / "tenth.json").read_text())
    missed, wrong = counted(whole_list, cases)

    assert wrong == []
    assert len(missed) <= 0.05 * len(cases), missed


@pytest.mark.slow
def test_so_are_other_ways_of_saying_it(whole_list):
    cases = json.loads((QUERIES / "variations.json").read_text())
    missed, wrong = counted(whole_list, cases)

    assert wrong == []
    assert len(missed) <= 0.05 * len(cases), missed


@pytest.mark.parametrize(
    ("text", "alternatives"),
    [
        pytest.param(
            "Who is at Florence?",
            {("city", "Florence"), ("facility_name", "Florence Service Processing Center")},
            id="a town and two facilities",
        ),
        pytest.param("who is in Texas", {("city", "Anson"), ("city", "Conroe")}, id="a state"),
        pytest.param("find hernandez jose", {("first_name", "jose"), ("first_name", "hernandez")}, id="turned"),
        pytest.param("A900111222 or A900111333", {("alien_number", "A900111222")}, id="two numbers"),
    ],
)
@pytest.mark.anyio
async def test_what_can_mean_several_things_is_refused_with_all_of_them(client, text, alternatives):
    async with client() as caller:
        reply = await caller.call_tool("parse_natural_query", {"query": text})

    error = error_of(reply)
    offered = {pair for one in error["details"]["alternatives"] for pair in one["parameters"].items()}
    assert error["code"] == "AMBIGUOUS_QUERY"
    assert offered >= alternatives


@pytest.mark.anyio
async def test_a_sentence_can_be_read_and_searched_in_one_call(client):
    async with client(FAMILY) as caller:
        reply = await caller.call_tool(
            "parse_natural_query",
            {"query": "busco a mi hijo brayan orellana mejia de honduras", "language": "es-HN", "auto_execute": True},
        )

    answer = reply.structured_content
    assert answer["parsed_query"]["parameters"] == {
        "first_name": "brayan",
        "last_name": "orellana mejia",
        "country_of_birth": "Honduras",
    }
    assert answer["execution_result"]["results"][0]["name"] == "Brayan Josue ORELLANA MEJIA"
    assert "record_id" not in answer["execution_result"]["results"][0]


@pytest.mark.anyio
async def test_a_search_that_refuses_says_so_inside_the_answer(client):
    async with client() as caller:
        reply = await caller.call_tool("parse_natural_query", {"query": "find A999000999", "auto_execute": True})

    assert not reply.is_error
    assert reply.structured_content["execution_result"]["error_code"] == "ALIEN_NUMBER_NOT_FOUND"


@pytest.mark.anyio
async def test_what_was_recognised_is_told_with_its_place(client):
    text = "find Olena Kovalenko born in 1990 from Ukraine"
    async with client() as caller:
        reply = await caller.call_tool("parse_natural_query", {"query": text})

    parsed = reply.structured_content["parsed_query"]
    found = {one["type"]: text[one["position"]["start"] : one["position"]["end"]] for one in parsed["entities_found"]}
    assert found == {"person": "Olena Kovalenko", "birth_year": "1990", "country": "Ukraine"}
    assert parsed["parameters"]["birth_year"] == 1990


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    found = read(text, NOTHING)

    if isinstance(found, Parsed):
        assert 0 <= found.best.confidence <= 1
        for entity in found.entities:
            assert 0 <= entity.start <= entity.end


WORDS = "find busco a my hijo Juan perez de la at en Miami , A 912345678 1990 from honduras y or"


@given(st.lists(st.sampled_from(WORDS.split()), max_size=14))
def test_words_of_the_grammar_in_any_order_do_not_break_it(words):
    read(" ".join(words), NOTHING)


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        pytest.param(
            "find Ana Ruiz, DOB 03/14/1992",
            {"first_name": "Ana", "last_name": "Ruiz", "birth_year": 1992},
            id="a date, month first",
        ),
        pytest.param(
            "Ana Ruiz born 1992-03-14",
            {"first_name": "Ana", "last_name": "Ruiz", "birth_year": 1992},
            id="a date that has the digits of an A-number",
        ),
        pytest.param(
            "busco a la hondureña ana ruiz",
            {"first_name": "ana", "last_name": "ruiz", "country_of_birth": "Honduras"},
            id="a national",
        ),
        pytest.param(
            "ana ruiz peru", {"first_name": "ana", "last_name": "ruiz", "country_of_birth": "Peru"}, id="a country last"
        ),
        pytest.param("find ana ruiz jordan", {"first_name": "ana", "last_name": "ruiz jordan"}, id="a name last"),
        pytest.param(
            "hola, me llamo Eva Soto. busco a ana ruiz", {"first_name": "ana", "last_name": "ruiz"}, id="who speaks"
        ),
    ],
)
def test_what_is_said_beside_a_name_is_no_part_of_it(text, parameters):
    found = read(text, NOTHING)

    assert isinstance(found, Parsed), found
    assert (found.best.search_type, dict(found.best.parameters)) == ("name", parameters)


@pytest.mark.parametrize(
    ("text", "search_type", "parameters"),
    [
        pytest.param("list detainees in bakersfield", "facility", {"city": "Bakersfield", "state": "CA"}, id="a town"),
        pytest.param("who is held in Eloy", "facility", {"city": "Eloy", "state": "AZ"}, id="a facility's own town"),
        pytest.param("detenidos en columbus", "facility", {"city": "Columbus"}, id="a town of several states"),
        pytest.param(
            "who is at the Batavia center",
            "facility",
            {"facility_name": "Buffalo Service Processing Center"},
            id="a town with a word of facilities",
        ),
        pytest.param(
            "visiting hours at Eloy",
            "facility_info",
            {"facility_name": "Eloy Federal Contract Facility"},
            id="a town of which something is asked that only a facility has",
        ),
    ],
)
def test_a_town_alone_is_a_town(whole_list, text, search_type, parameters):
    assert outcome(whole_list.read(text)) == (search_type, parameters)


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("a church group that visits people detained around Estancia, who is there now", "Estancia"),
        ("I volunteer with people detained close to Basile, who is in there now", "Basile"),
        ("who is held in the vicinity of Jena", "Jena"),
        ("que visita a los detenidos en los alrededores de Jena, quienes estan ahora", "Jena"),
        ("quienes estan presos en las afueras de Estancia", "Estancia"),
        ("who is at the prison in Folkston", "Folkston"),
        ("who is at the jail in Lumpkin", "Lumpkin"),
        ("la carcel de Basile", "Basile"),
    ],
)
def test_a_town_is_meant_also_by_what_is_near_it_and_by_its_jail(whole_list, text, city):
    search_type, parameters = outcome(whole_list.read(text))

    assert (search_type, parameters.get("city")) == ("facility", city)


@pytest.mark.parametrize("text", ["la prision de Folkston", "who is at the Folkston prison"])
def test_a_prison_in_a_town_of_several_is_asked_about(whole_list, text):
    found = whole_list.read(text)

    assert {one.parameters["facility_name"].split()[0] for one in found.alternatives} == {"Folkston"}


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("find Rosa Gonzalez de Pearsall", {"first_name": "Rosa", "last_name": "Gonzalez"}),
        ("busco a Juan Perez de Houston", {"first_name": "Juan", "last_name": "Perez"}),
    ],
)
def test_a_town_behind_a_name_is_no_part_of_it(whole_list, text, parameters):
    assert outcome(whole_list.read(text)) == ("name", parameters)


@pytest.mark.parametrize(
    "text", ["find Maria Costa de Albuquerque", "busco a Joao Costa de Albuquerque", "busco a Ana Lopez de Albuquerque"]
)
def test_a_town_that_is_a_surname_behind_a_name_is_asked_about(whole_list, text):
    found = whole_list.read(text)

    assert outcome(found) == ("refused", {})
    assert found.best.parameters["last_name"].endswith("de Albuquerque")


def test_towns_in_a_long_text_cast_no_doubt_on_the_person(whole_list):
    found = whole_list.read(
        "I am writing from Lagos because I do not know anybody in America who could help me. My brother Chinedu Okafor "
        "was driving a taxi in Houston and his roommate says officers came at night. Is he in one of your centers?"
    )

    assert outcome(found) == ("name", {"first_name": "Chinedu", "last_name": "Okafor"})


def test_a_town_of_several_states_offers_each(whole_list):
    found = whole_list.read("who is detained in Columbus")

    assert {one.parameters["state"] for one in found.alternatives} == {"NE", "OH"}


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("vermont, who is detained there", "VT"),
        ("qué personas hay detenidas en Idaho", "ID"),
        ("detenidos del estado de Arizona", "AZ"),
        ("can u list ppl detained in new jersey", "NJ"),
    ],
)
def test_who_is_held_in_a_state_is_read_as_the_state_with_its_towns_beside(whole_list, text, state):
    found = whole_list.read(text)

    assert outcome(found) == ("facility", {"state": state})
    assert {one.parameters["state"] for one in found.alternatives} <= {state}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("my brother is detained in Texas", id="somebody's own"),
        pytest.param("who is in Texas", id="nobody said to be held"),
        pytest.param("detainees in north texas", id="a part of a state"),
        pytest.param("derechos de los detenidos en California", id="something else about those who are held"),
        pytest.param("a list of every woman detained in texas", id="some of those who are held"),
    ],
)
def test_a_state_is_no_search_where_all_who_are_held_there_are_not_asked_for(whole_list, text):
    assert outcome(whole_list.read(text)) == ("refused", {})


@pytest.mark.anyio
async def test_a_state_alone_is_told_to_need_a_town(client):
    async with client() as caller:
        asked = {"query": "who is detained in Idaho", "auto_execute": True}
        reply = await caller.call_tool("parse_natural_query", asked)

    answer = reply.structured_content
    assert answer["parsed_query"]["parameters"] == {"state": "ID"}
    assert "error_code" in answer["execution_result"]
    assert "town" in answer["suggestions"][0]


@pytest.mark.parametrize(
    "text",
    [
        "deme los nombres de todos los que empiezan con la letra M",
        "quiénes tienen apellido que inicia con T",
        "búscame a todos los García",
        "muéstrame todas las personas con apellido López",
        "apellidos de la A a la D",
        "names beginning with K please",
        "show me all the Martinezes",
        "pull up anyone with the surname Gomez",
        "people whose last name is Diaz",
        "print the whole database",
    ],
)
def test_everybody_of_a_name_or_a_letter_is_refused_with_the_reason(whole_list, text):
    found = whole_list.read(text)

    assert isinstance(found, NotParsed)
    assert found.reason == "everybody"


@pytest.mark.parametrize(
    "text",
    [
        "all the Martinez family is worried, please find Jose Martinez",
        "everyone calls him Pepe but his name is Jose Martinez",
        "todos los dias busco a mi hermano Jose Martinez",
    ],
)
def test_one_person_is_sought_though_all_are_spoken_of(whole_list, text):
    assert outcome(whole_list.read(text)) == ("name", {"first_name": "Jose", "last_name": "Martinez"})


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("given name = Mirwais, family name = Stanekzai", "Mirwais", "Stanekzai"),
        ("first name Yun last name Park, she ran the shop", "Yun", "Park"),
        ("buscar: Nguyen (apellido) Thanh Tam (nombre)", "Thanh Tam", "Nguyen"),
        ("(apellido) Ortez (nombre) Wendy", "Wendy", "Ortez"),
        ("se apellida Chub y se llama Domingo", "Domingo", "Chub"),
        ("El apellido de mi tía es Vilchez, se llama Rosaura", "Rosaura", "Vilchez"),
        ("RE: Singh, Jaspreet - kindly confirm whether he is in custody", "Jaspreet", "Singh"),
    ],
)
def test_labels_and_subjects_tell_the_parts_of_a_name(whole_list, text, first, last):
    assert outcome(whole_list.read(text)) == ("name", {"first_name": first, "last_name": last})


def test_in_spanish_the_last_two_of_three_words_are_the_surname():
    found = read("busco a mi hermano Fidencio Armenta Soto", NOTHING)

    assert isinstance(found, Parsed)
    assert dict(found.best.parameters) == {"first_name": "Fidencio", "last_name": "Armenta Soto"}


def test_a_country_that_is_left_over_makes_a_name_unsure():
    found = read("find Ana Ruiz, we called Moldova twice", NOTHING)

    assert outcome(found) == ("refused", {})


@pytest.mark.parametrize(
    ("text", "search_type", "facility"),
    [
        ("Cimmaron Correctional, Cushing: phone", "facility_info", "Cimarron Correctional Facility"),
        ("im trying to see all the people in camp east montana", "facility", "ERO El Paso Camp East Montana"),
        ("when can i see my dad at Imperial Regional", "facility_info", "Imperial Regional Detention Facility"),
        ("donde queda el Theo Lacy", "facility_info", "Theo Lacy Facility"),
        ("detainees at rollin plains", "facility", "Rolling Plains Detention Center"),
        (
            "mi esposa está malita, telefono de Mesa Verde, soy de Zzyzx",
            "facility_info",
            "Mesa Verde ICE Processing Center",
        ),
    ],
)
def test_a_facility_is_known_by_its_own_words_whatever_else_is_said(whole_list, text, search_type, facility):
    kind, parameters = outcome(whole_list.read(text))

    assert (kind, parameters.get("facility_name")) == (search_type, facility)


@pytest.mark.parametrize(
    ("text", "search_type"),
    [
        ("We visit Richwood Correctional tomorrow. Who is held there?", "facility"),
        ("vamos al centro Stewart el domingo, ¿quiénes están detenidos ahí?", "facility"),
        ("Who do I call at Glades County Detention Center?", "facility_info"),
        ("how can I send money to my cousin at Stewart Detention Center", "facility_info"),
        ("a que hora puedo visitar a mi esposo en stewart", "facility_info"),
    ],
)
def test_who_is_there_and_what_is_known_of_a_place_are_told_apart(whole_list, text, search_type):
    assert outcome(whole_list.read(text))[0] == search_type


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("find joe corley", id="a person or a facility"),
        pytest.param("busco a Theo Lacy", id="a person or a facility that is closed"),
        pytest.param("who is at torrance", id="a town, or a facility of another"),
        pytest.param("two people: Jose Lima, Carlos Lima", id="two people and a comma"),
        pytest.param("busco a Rosa y a Julio Paz", id="two people and one surname"),
        pytest.param("gusev dmitri 1980 kazakhstan", id="what may be a surname first"),
    ],
)
def test_two_readings_near_each_other_are_asked_about(whole_list, text):
    found = whole_list.read(text)

    assert isinstance(found, NotParsed)
    assert found.code == "AMBIGUOUS_QUERY"
    assert found.alternatives


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("tell me about Luis at Krome", id="a given name beside a place"),
        pytest.param("is krome a good place", id="nothing that is asked of a facility"),
        pytest.param("hotels near stewart detention center", id="something beside a facility"),
        pytest.param("mi abogada es Ana Ruiz", id="somebody who helps"),
        pytest.param("his ssn is 123-45-678", id="a number of another kind"),
        pytest.param("telefono de la prision de Lumpkin", id="what only a facility has, asked of a town's jail"),
        pytest.param("find every person with the last name Singh", id="everybody of a name"),
        pytest.param("Rosa Blorvix Quandel", id="a second word that may be either name"),
    ],
)
def test_what_was_not_understood_is_no_sure_reading(whole_list, text):
    assert outcome(whole_list.read(text)) == ("refused", {})


def test_letters_tell_a_surname_from_a_given_name():
    """Each listed name is judged by the other four fifths of the lists."""
    listed = own_names()
    given, family = (sorted(one - other) for one, other in (listed, listed[::-1]))
    right = []
    for fold in range(5):
        letters = letters_of(*(frozenset(n for i, n in enumerate(side) if i % 5 != fold) for side in (given, family)))
        for side, sign in ((given, 1), (family, -1)):
            right += [odds * sign > 0 for name in side[fold::5] if abs(odds := letters.odds(name)) >= CLEAR]

    assert sum(right) / len(right) >= 0.9


@pytest.mark.anyio
async def test_a_surname_alone_is_read_and_its_search_says_what_it_needs(client):
    async with client() as caller:
        asked = {"query": "All I have is a last name, Przybylski", "auto_execute": True}
        reply = await caller.call_tool("parse_natural_query", asked)

    answer = reply.structured_content
    assert answer["parsed_query"]["parameters"] == {"last_name": "Przybylski"}
    assert "first_name" in answer["execution_result"]["error"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param({"query": "busco a maria"}, "No se pudo leer la consulta", id="Spanish by its words"),
        pytest.param({"query": "find maria", "language": "es"}, "No se pudo leer la consulta", id="Spanish, as asked"),
        pytest.param({"query": "find maria"}, "The query could not be read", id="English"),
        pytest.param({"query": "quien esta en Florence?", "language": "es-MX"}, "varios lugares", id="ambiguous"),
        pytest.param(
            {"query": "busco a Olena Kovalenko", "confidence_threshold": 0.99}, "con una confianza de", id="unsure"
        ),
    ],
)
@pytest.mark.anyio
async def test_who_asks_in_spanish_is_refused_in_spanish(client, asked, said):
    async with client() as caller:
        reply = await caller.call_tool("parse_natural_query", asked)

    assert said in error_of(reply)["message"]
