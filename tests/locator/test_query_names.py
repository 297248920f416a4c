"""The name in a sentence: its parts, how it is spelt, and what stands beside it."""

import csv
import itertools
import subprocess
import sys

import pytest
from tests.locator.test_queries import NOTHING, outcome

from packhorse_locator.domain.query.bearers import (
    TABLE,
    Lists,
    bearers_of,
    is_borne,
    is_plainly_given,
    is_plainly_surname,
    own_names,
)
from packhorse_locator.domain.query.countries import COUNTRIES
from packhorse_locator.domain.query.demonyms import DEMONYMS, PHRASES
from packhorse_locator.domain.query.parsed import NotParsed
from packhorse_locator.domain.query.reading import read
from packhorse_locator.domain.query.spelt_digits import with_digits
from packhorse_locator.service.name_lists import shipped


def parts_of(text):
    """Given names and surnames that are read with confidence, in lower case; None for a refusal."""
    kind, parameters = outcome(read(text, NOTHING))
    if kind != "name":
        return None
    return tuple(parameters.get(name, "").casefold() for name in ("first_name", "last_name"))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        pytest.param("find josue caleb pineda", "josue caleb", "pineda", id="Hispanic, two given names"),
        pytest.param("find claudia reyes mejia", "claudia", "reyes mejia", id="Hispanic, two surnames"),
        pytest.param("find Nelson Rauda Portillo", "nelson", "rauda portillo", id="a surname that is a given name too"),
        pytest.param("find Rajesh Kumar Patel", "rajesh kumar", "patel", id="Indian, a name that is mostly a surname"),
        pytest.param("find Kwame Kofi Mensah", "kwame kofi", "mensah", id="West African"),
        pytest.param("find Jean Robert Pierre", "jean robert", "pierre", id="Haitian"),
        pytest.param("find Mohammed Ali Hussein", "mohammed ali", "hussein", id="Arabic"),
        pytest.param("find Adolfo Cuc Tiul", "adolfo", "cuc tiul", id="K'iche', a surname that others bear as given"),
        pytest.param("busco a Teodoro Yucra Choque", "teodoro", "yucra choque", id="a surname that nobody counts"),
        pytest.param("find Luis Angel Rivas Paz", "luis angel", "rivas paz", id="four"),
        pytest.param("where is JAMES ANTONIO BURNS", "james antonio", "burns", id="a surname that is a word"),
        pytest.param("find Rosa Luna de la O", "rosa", "luna de la o", id="a surname of one letter"),
        pytest.param("my sister Maricel Dela Cruz", "maricel", "dela cruz", id="Filipino, a particle in one word"),
        pytest.param("my cousin Jomar Delos Santos", "jomar", "delos santos", id="Filipino, plural"),
        pytest.param("huy le got detained", "huy", "le", id="Vietnamese, a surname that is a particle"),
        pytest.param("thuy do was detained", "thuy", "do", id="Vietnamese, a surname that is a verb"),
        pytest.param("Arrested: NGUYEN, Van Thanh. Vietnam.", "van thanh", "nguyen", id="Vietnamese, before a comma"),
        pytest.param("find Min Jung Kim", "min jung", "kim", id="Korean, the surname last"),
    ],
)
def test_who_bears_a_word_tells_where_the_surname_begins(text, first, last):
    assert parts_of(text) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("find Jose Santos Reyes", id="a common given name that is a common surname"),
        pytest.param("find Gurpreet Singh Dhillon", id="Singh before a surname"),
        pytest.param("find Garcia Lopez", id="two surnames"),
        pytest.param("find Nguyen Thi Mai", id="the surname first, as in Vietnam"),
        pytest.param("find Ivanov Dmitry Sergeevich", id="the surname first, as on a Russian list"),
        pytest.param("find Jose Luis", id="two given names"),
        pytest.param("find Park Ji Hoon", id="the surname first, as in Korea"),
        pytest.param("find Park Ji-hoon", id="the surname first, and one given name of two syllables"),
        pytest.param("busco a Choi Seung Woo", id="the surname first, and syllables that are surnames too"),
    ],
)
def test_where_the_bearers_do_not_decide_it_is_asked(text):
    assert parts_of(text) is None


def test_the_parts_of_invented_people_are_seldom_wrong(shared):
    with (shared / "names_bench" / "records.csv").open(encoding="utf-8") as file:
        rows = list(itertools.islice(csv.DictReader(file), 1000))
    right = wrong = 0
    for row in rows:
        first = f"{row['first_name']} {row['middle_name']}".strip()
        got = parts_of(f"find {first} {row['last_name']}")
        right += got == (first.casefold(), row["last_name"].casefold())
        wrong += got is not None and got != (first.casefold(), row["last_name"].casefold())

    assert right / len(rows) >= 0.92
    assert wrong / len(rows) <= 0.02


def test_no_name_of_the_own_lists_is_lost():
    given, family = own_names()
    assert all(is_borne(name) for name in given | family)
    assert not [name for name in given - family if is_plainly_surname(name) and bearers_of(name).family < 8]
    assert not [name for name in family - given if is_plainly_given(name) and bearers_of(name).given < 8]


def test_a_word_of_the_language_is_no_name_for_being_rarely_borne():
    assert not any(is_borne(word) for word in ("sorry", "please", "street", "casa", "donde"))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("mi ermano se yama dilcia yamileth ponce", "dilcia yamileth", "ponce"),
        ("ola kiero saver d mi marido ever nahum lazo", "ever nahum", "lazo"),
        ("xfa busquen a denia suyapa erazo", "denia suyapa", "erazo"),
        ("buskamos a un primo q se yama wilian fredi tzoy", "wilian fredi", "tzoy"),
    ],
)
def test_words_spelt_as_they_are_heard_are_understood(text, first, last):
    assert parts_of(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ('they took robert "bobby" castillo', "robert", "castillo"),
        ("find Miguel (Mike) Rivas Paz", "miguel", "rivas paz"),
        ("busco a Wendy alias La Flaca Mejia Soto", "wendy", "mejia soto"),
        ("ayudenme a localizar a franklin e. zambrano", "franklin", "zambrano"),
        ("busco a karla m rosales", "karla", "rosales"),
    ],
)
def test_nicknames_and_initials_are_no_part_of_a_name(text, first, last):
    assert parts_of(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I, Carmen Tiul, am writing to ask where my husband Pedro Ramirez Xol is", "pedro", "ramirez xol"),
        ("Le escribe la Lic. Patricia Mota; ubico a mi cliente Ever Nahum Funez", "ever nahum", "funez"),
        ("This is attorney Sarah Klein. Where is my client Besnik Hoxha", "besnik", "hoxha"),
        ("From the desk of Hannah Weiss, Esq.: find my client Besnik Hoxha", "besnik", "hoxha"),
        ("find my brother Jose Luis Rivas. Thank you, Rosa Rivas", "jose luis", "rivas"),
        ("somos de la parroquia San Judas, buscamos a Marvin Ajanel", "marvin", "ajanel"),
        ("We are the church on Rice Street, where is Pao Vang", "pao", "vang"),
    ],
)
def test_who_speaks_and_what_is_called_after_somebody_is_not_sought(text, first, last):
    assert parts_of(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Thi Hoa is her first name and Nguyen the last name", "thi hoa", "nguyen"),
        ("El nombre de pila es Itzel, no recuerdo el apellido", "itzel", ""),
        ("her first name is Ximena, i only know that", "ximena", ""),
        ("last name is Kowalczyk. dont know the first name sorry", "", "kowalczyk"),
        ("no me acuerdo del nombre nomas que se apellida Yupanqui", "", "yupanqui"),
        ("nomas se el apellido, es Tzunux, lo subieron a una camioneta blanca", "", "tzunux"),
        ("busco a Nery, no se su apellido", "nery", ""),
        ("I only know his surname, it's Gebremariam. can you still look?", "", "gebremariam"),
        ("we only have his last name, which is Villagran", "", "villagran"),
        ("his surname is the only thing i know, it's Woldemariam, please look", "", "woldemariam"),
        ("her first name is all i know, it's Solveig. last name I have no idea", "solveig", ""),
        ("solo se el apellido de el, es Bocanegra, no me acuerdo del nombre", "", "bocanegra"),
        ("nada mas me dijeron el apellido, que es Orozco, busquelo por favor", "", "orozco"),
        ("conozco nomas el apellido del senor, es Bustillo. el nombre no lo se", "", "bustillo"),
        ("apellido paterno Tzul, materno Ajanel, nombre Eswin", "eswin", "tzul ajanel"),
        ("Mr. Okonkwo was arrested Tuesday, is he in custody", "", "okonkwo"),
    ],
)
def test_a_part_that_is_all_that_is_known_is_read_alone(text, first, last):
    assert parts_of(text) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Garcia",
        "busco a maria",
        "el nombre es Rosa",
        "check his last name, it was misspelled",
        "I don't know the last name, it's complicated",
        "no se el apellido, es muy largo",
    ],
)
def test_a_part_that_is_not_said_to_be_all_is_asked_about(text):
    assert isinstance(read(text, NOTHING), NotParsed)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("two one three, four zero six, seven eight nine", "213406789"),
        ("dos uno cuatro, cinco cinco cero, nueve ocho siete", "214550987"),
        ("two one double four five oh nine eight seven", "214450987"),
        ("doble cuatro seis, triple siete, uno dos tres", "446777123"),
        ("dos catorce, cincuenta y cinco, noventa y ocho, uno siete", "214559817"),
        ("20 six, 448 one nine zero", "206448190"),
    ],
)
def test_a_number_said_in_words_is_a_number(text, digits):
    assert outcome(read(f"my alien number is {text}", NOTHING)) == ("alien_number", {"alien_number": f"A{digits}"})


@pytest.mark.parametrize("text", ["two of my four kids", "uno de los tres, cuatro o cinco", "One day at six or seven"])
def test_a_few_numbers_in_words_stay_words(text):
    assert with_digits(text) == text


def test_the_number_of_a_case_is_no_zip_code():
    assert isinstance(read("mi numero de caso es 12345", NOTHING), NotParsed)


def test_a_number_with_its_first_digits_in_brackets_is_read():
    found = outcome(read("someone wrote A(915)-662-809 on a sheet", NOTHING))
    assert found == ("alien_number", {"alien_number": "A915662809"})


def test_the_country_of_somebody_else_is_not_the_one_of_birth():
    found = read("no encuentro a mi primo nelson rauda portillo, su esposa es hondurena", NOTHING)
    assert outcome(found) == ("name", {"first_name": "nelson", "last_name": "rauda portillo"})


@pytest.mark.parametrize(
    ("text", "country"),
    [
        ("mi vecino chino se llama Jianguo Liu, su esposa no habla ingles", "China"),
        ("la senora china de la lavanderia se llama Meiling Wu", "China"),
        ("mi vecino chino jianguo liu", "China"),
        ("un chino llamado Wei Zhang fue detenido", "China"),
        ("Detained: CHEN, Xiuying. China.", "China"),
        ("a Haitian friend of mine named Jean Pierre Louis was taken", "Haiti"),
        ("the Guatemalan roofer Marvin Tzoc was picked up", "Guatemala"),
        ("Murphy, Liam. Irish lad, overstayed", "Ireland"),
        ("need to find Omar Haddad, Iraqi, born 1994", "Iraq"),
        ("ciudadano español Pablo Ruiz Garcia, nacido en 1970", "Spain"),
        ("ciudadana francesa Claire Dupont, nacida en 1990", "France"),
        ("Spanish citizen Javier Ortiz Lozano, born 1985", "Spain"),
        ("South African man, Thabo Nkosi, taken in Dallas", "South Africa"),
        ("de nacionalidad peruana, Luis Quispe Mamani", "Peru"),
        ("trabajo con un señor que es de la india, gurpreet singh", "India"),
        ("busco a Maria Lopez, ella es del Ecuador", "Ecuador"),
        ("Fatou Diallo, she is from the Gambia, was picked up", "Gambia"),
    ],
)
def test_a_nationality_said_of_somebody_is_the_country_of_birth(text, country):
    kind, parameters = outcome(read(text, NOTHING))
    assert (kind, parameters.get("country_of_birth")) == ("name", country)


@pytest.mark.parametrize(
    "text",
    [
        "embajada de Honduras pregunta por Marvin Caceres",
        "Mexican consulate asks about Marvin Caceres",
        "my brother Marvin Caceres, two Iraqis were with him",
    ],
)
def test_a_nation_of_an_institution_or_of_others_is_not_the_one_of_birth(text):
    assert outcome(read(text, NOTHING)) == ("name", {"first_name": "Marvin", "last_name": "Caceres"})


def test_every_country_has_a_word_for_its_nationals():
    assert set(COUNTRIES.values()) <= {*DEMONYMS.values(), *PHRASES.values()}


def test_a_country_behind_a_given_name_alone_is_no_surname():
    assert outcome(read("busco a gurpreet de la india", NOTHING))[0] == "refused"


def test_a_nation_that_is_left_over_makes_a_name_unsure():
    assert outcome(read("ciudadano frances jean dupont", NOTHING))[0] == "refused"


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("all we know is his surname, Tshibangu", {"last_name": "Tshibangu"}),
        ("solo se que se apellida Xol, es el muchacho que pinta casas", {"last_name": "Xol"}),
        ("de nombre se llama brayan, el apellido nunca me lo dijo", {"first_name": "brayan"}),
        ("se llama Yeison, apellido desconocido", {"first_name": "Yeison"}),
        ("his name is Kofi, he never told us his last name", {"first_name": "Kofi"}),
    ],
)
def test_one_part_of_a_name_is_read_where_the_other_is_said_to_be_unknown(text, parameters):
    assert outcome(read(text, NOTHING)) == ("name", parameters)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("do u have a seo-yeon choi in ur system", "seo-yeon", "choi"),
        ("do u have a ji-hoon park in ur system", "ji-hoon", "park"),
        ("they took him on nostrand ave, marcus brown", "marcus", "brown"),
        ("busco a rosa elvira tene morocho", "rosa elvira", "tene morocho"),
        ("Paralegal at a nonprofit - need to run Yusuf Al-Hashimi", "Yusuf", "Al-Hashimi"),
    ],
)
def test_names_are_told_from_streets_and_from_words_of_the_language(text, first, last):
    assert parts_of(text) == (first.casefold(), last.casefold())


@pytest.mark.parametrize(
    ("text", "first", "last"), [("find China Jones", "china", "jones"), ("mi primo chino lopez", "chino", "lopez")]
)
def test_a_nationality_that_is_a_given_name_is_a_part_of_the_name(text, first, last):
    assert parts_of(text) == (first, last)


def test_the_tables_of_names_are_asked_for_with_the_first_word_and_once():
    asked = []

    def text_of(name):
        asked.append(name)
        return shipped(name)

    lists = Lists()
    lists.hand_in(text_of)
    assert asked == []

    assert lists.bearers_of("rivera") == lists.bearers_of("rivera") != lists.bearers_of("maria")
    assert asked == [TABLE]


def test_importing_what_reads_sentences_reads_no_table():
    code = (
        "import packhorse_locator.pack, packhorse_locator.service.query_desk\n"
        "from packhorse_locator.domain.query.bearers import LISTS\n"
        "assert vars(LISTS).keys() == {'_text_of'}, vars(LISTS).keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
