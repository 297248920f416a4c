"""Why a sentence could not be read, in the words of its language."""

from typing import Literal

from attrs import frozen

from packhorse_locator.domain.query.parsed import Reason
from packhorse_locator.domain.query.vocabulary import sounds_spanish

Spoken = Literal["en", "es"]


@frozen
class Wording:
    """What refusals say in one language; ``unread`` and ``unsure`` have places for what is missing."""

    unread: str
    unsure: str
    reasons: dict[Reason, str]
    examples: tuple[str, ...]


WORDINGS: dict[Spoken, Wording] = {
    "en": Wording(
        unread="The query could not be read as one search: {reason}. Write it like one of these: {examples}.",
        unsure=(
            "The query was read with a confidence of {confidence:.2f}, below the {threshold:g} asked for. Say it in"
            " fewer words, or use the tool for the search itself; the reading is in the details."
        ),
        reasons={
            "signs": "it has signs that belong to no name, number or place",
            "digits": "an A-number has 7 to 9 digits, and the number in it has not",
            "no words": "it has no words",
            "no facility": "it asks about a facility, and none in it is known here",
            "town": "it names a town, and does not ask who or what is there",
            "no place": "it asks who is at a place, and no place in it is known here",
            "numbers": "it has several A-numbers: ask for one at a time",
            "places": "it can mean several places: choose one of the alternatives",
            "person or facility": "a person and a facility can be meant: choose one of the alternatives",
            "no name": "it has no first and last name, A-number or place that is known here",
            "everybody": "it asks for everybody of a name or a letter: one person at a time is looked up",
            "people": "it may name several people: ask for one at a time",
            "no parts": "no name could be recognised in it",
            "order": "the surnames may stand first: choose one of the alternatives",
        },
        examples=(
            "Find Juan Perez Lopez at Krome",
            "Search for A-Number A900100028",
            "Who is at Stewart Detention Center?",
            "Busco a Juan Perez Lopez de Honduras",
        ),
    ),
    "es": Wording(
        unread=(
            "No se pudo leer la consulta como una sola b\u00fasqueda: {reason}. Escr\u00edbala como una de estas:"
            " {examples}."
        ),
        unsure=(
            "La consulta se ley\u00f3 con una confianza de {confidence:.2f}, menor que la pedida de {threshold:g}."
            " D\u00edgala con menos palabras, o use la herramienta de la b\u00fasqueda misma; la lectura est\u00e1 en"
            " los detalles."
        ),
        reasons={
            "signs": "tiene signos que no son de ning\u00fan nombre, n\u00famero ni lugar",
            "digits": "un n\u00famero A tiene de 7 a 9 d\u00edgitos, y el que trae no los tiene",
            "no words": "no tiene palabras",
            "no facility": "pregunta por un centro, y aqu\u00ed no se conoce ninguno de los que nombra",
            "town": "nombra una ciudad, pero no pregunta qui\u00e9n o qu\u00e9 hay en ella",
            "no place": "pregunta qui\u00e9n est\u00e1 en un lugar, y aqu\u00ed no se conoce ninguno de los que nombra",
            "numbers": "tiene varios n\u00fameros A: pregunte por uno a la vez",
            "places": "puede referirse a varios lugares: elija una de las alternativas",
            "person or facility": "puede referirse a una persona o a un centro: elija una de las alternativas",
            "no name": "no tiene nombre y apellido, n\u00famero A ni lugar que se conozca aqu\u00ed",
            "everybody": "pide a todos los de un nombre o una letra: se busca a una persona a la vez",
            "people": "puede nombrar a varias personas: pregunte por una a la vez",
            "no parts": "no se pudo distinguir en ella ning\u00fan nombre",
            "order": "los apellidos pueden estar primero: elija una de las alternativas",
        },
        examples=(
            "Busco a Juan Perez Lopez de Honduras",
            "Busco el numero A900100028",
            "Quien esta en Stewart Detention Center?",
            "Telefono de Krome",
        ),
    ),
}


def wording_for(language: str, text: str) -> Wording:
    """Spanish for who asks in it, by the language given or by the words of the sentence."""
    return WORDINGS["es" if language.startswith("es") or sounds_spanish(text) else "en"]
