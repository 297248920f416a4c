"""What a sentence asks of a place: who is there, or what is known of it."""

import itertools
import re
from collections.abc import Sequence
from typing import Literal

from packhorse_locator.domain.query import lexicon
from packhorse_locator.domain.query.tokens import Token
from packhorse_locator.domain.query.vocabulary import is_ordinary

Intent = Literal["people", "facts"]

_HARD = lexicon.TELLS - lexicon.SOFT
_SEEKING = lexicon.SEEK - {"where", "wheres", "donde", "named", "called", "llamado", "llamada", "llaman"}
_LISTING = lexicon.LISTS | {"name", "names", "todos", "todas", "everyone", "everybody", "which"}
_ALL = frozenset({"everyone", "everybody", "todos", "todas", "names"})

_LISTED = lexicon.words(
    """list listing lists roster rosters show see search lookup names lista listado muestrame muestreme mostrar muestra
    muestre enseneme ensename ver buscar nombres"""
)
"""Words that ask to be shown people: "list", "show me"."""

_WHO_IS_THERE = re.compile(
    r"\b(?:who|whos|who's|whom|quien|quienes|which people|que personas|que gente|anyone|anybody|alguien)\s"
    r"(?:(?!\b(?:can|could|should|do|does|did|may|must|puedo|debo|tengo|podria)\b)[^.?!;,])*?"
    r"\b(?:there|held|hold|holding|detained|locked|inside|incarcerated|at|in|ahi|alli|alla|adentro|dentro|detenid[oa]s?"
    r"|encerrad[oa]s?|pres[oa]s?|recluid[oa]s?|tienen|hay|estan?|have|has|got)\b"
)
"""'Who is ...' with a word of being there, and no "who can I" or "who do I" before it."""
_WHO_THEY = re.compile(
    r"\b(?:who|whom|quien|quienes)\s(?:(?:all|else|mas)\s)?(?:(?:did|do|have|are)\sthey|trajeron|llevaron)\b"
)
_THOSE_THERE = re.compile(
    r"\b(?:los|las|the ones|those|the people|people|folks|guys|personas|gente)\s(?:que|q|who|that|whom)\s"
    r"(?:(?!\b(?:visit|work|trabajan|administran|atienden)\w*\b)\w+\s){0,4}?(?:estan|tienen|hay|are|have|held|got|is)\b"
    r"|\bwho\s(?:are|r)\s(?:they|those|these)\b|\bquienes son\b"
)
"""Those who are at a place: "los que tienen en", "the people they have in"."""
_LIST_OF_THEM = re.compile(
    r"\b(?:population|inmate|detainee|prisoner|custody|full|current) (?:list|roster)\b|\broster\b"
    r"|\b(?:list|lista|listado)\b.*\b(?:names|nombres|detainees|detenid[oa]s|inmates|intern[oa]s|pres[oa]s)\b"
)
_LISTING_THEM = frozenset({"list", "lista", "listado", "roster", "names", "nombres"})
_WHEN_SEEN = re.compile(
    r"\b(?:verl[oa]s?|visitarl[oa]s?|(?:see|visit) (?:him|her|them))\b"
    r"|\b(?:see|visit|ver|visitar)\b(?=.*\b(?:{owned})\b)".replace("{owned}", "|".join(sorted(lexicon.RELATIVES)))
)
_WHEN = re.compile(
    r"\b(?:when|what (?:days?|time|hours?)|which days?|que (?:dias?|hora|horas)|a que horas?|cuando|how often|se puede"
    r"|can (?:i|we)|could (?:i|we)|puedo|podemos|am i allowed|me dejan|permiten)\b"
)
"""When somebody of one's own can be seen: what is known of the place."""
_ANYONE = re.compile(r"\b(?:anyone|anybody|someone|somebody|alguien)\b")
_HOW = re.compile(
    r"\b(?:how|como|cuanto|cuanta)\s(?!is\b|are\b|esta\b|estan\b|se encuentra|do i find|i find|encuentro|many)"
)
"""'How do I ...', "como le ...", but not how somebody is."""
_WHO_ELSE = re.compile(
    r"\b(?:who|quien|con quien|a quien)\s(?:(?:the|el|la|is|es|esta|are|do|does|can|could|should|would|i|we|me|puedo"
    r"|debo|tengo|que|podria|se|le|lo|in|a|al|de|del|need|have|to|answers?|hay)\s)*"
    r"(?:call|calls|contact|talk|speak|ask|write|email|run|runs|operates?|own|owns|manages?|charge|warden|director|pay"
    r"|notify|reach|cargo|administra|dirige|maneja|opera|operador|llamo|llamar|hablo|hablar|contacto|contactar|pregunto"
    r"|preguntar|escribo|encargado|encargada|dueno|duena|pido|pedir|comunicarme|comunico|atiende|contesta|pago)\b"
)
"""'Who do I call', "who runs": what is known of the place."""

_OF_SELF = lexicon.words("estoy vivo soy somos estamos vivimos live i im i'm i\u2019m we")
"""Who speaks, and tells of themselves."""
_ARTICLES = frozenset({"la", "las", "una", "de", "por"})

_QUESTIONS = lexicon.words(
    """how what when where which do does can could is are may should will como cual cuales cuando donde que puedo pueden
    podria hay se tienen tiene aceptan permiten dejan"""
)


class Cues:
    """Which kinds of question the words speak for."""

    def __init__(self, words: Sequence[Token], beside: frozenset[str]) -> None:
        folded = [word.fold for word in words]
        pairs = set(itertools.pairwise(folded))
        text = " ".join(folded)
        self.at = not lexicon.AT.isdisjoint(folded)
        full = {("full", "name"), ("full", "names")} & pairs
        hold = folded[-1:] and folded[-1] in lexicon.HOLDING
        self.tells = not (_HARD - ({"full"} if full else set())).isdisjoint(folded) or bool(hold)
        self.asks_about = self.tells or not lexicon.SOFT.isdisjoint(folded)
        self.lists = not (_LISTING - ({"name"} if full else set())).isdisjoint(folded)
        self.lists |= self.at and not _ALL.isdisjoint(folded)
        # "se encuentra" asks where something is.
        seeking = [word for before, word in zip(["", *folded], folded, strict=False) if before != "se"]
        self.of_relative = any(owner in lexicon.OWNERS and one in lexicon.RELATIVES for owner, one in pairs)
        self.seeks = not _SEEKING.isdisjoint(seeking) or any(_misspelt(word, _SEEKING) for word in seeking[:3])
        # "la llamada" is a call.
        called = {word for before, word in zip(["", *folded], folded, strict=False) if before not in _ARTICLES}
        self.names_somebody = not {"named", "called", "llamado", "llamada", "llama"}.isdisjoint(called)
        self.seeks |= self.names_somebody
        self.seeks |= self.of_relative
        self.seeks_somebody = self.of_relative or self.names_somebody
        self.is_held = not (lexicon.CUSTODY | lexicon.HELD).isdisjoint(folded)
        self.of_custody = self.of_relative or self.is_held
        self.asks_where = not {"where", "wheres", "donde"}.isdisjoint(folded)
        self.of_places = not (lexicon.PLACES | (lexicon.OF_PLACES - {"city", "state"})).isdisjoint(folded)
        self.asks_of_place = self.tells or _HOW.search(text) is not None
        self.is_bare = all(word in beside for word in folded)
        self.asks_facts = self.asks_about or not lexicon.FACTS.isdisjoint(folded)
        self.is_whether = folded[:1] != [] and folded[0] in ("is", "are", "esta", "estan")
        self.is_question = bool(folded) and not _QUESTIONS.isdisjoint(folded)
        about_self = not _OF_SELF.isdisjoint(folded) and not self.is_question
        self.is_of_self = about_self and not (self.lists or self.is_held)
        self.intent = self._intent(text, set(folded))

    def _intent(self, text: str, folded: set[str]) -> Intent | None:
        """What is asked of a place that is named; None where nothing speaks for either."""
        if _WHO_ELSE.search(text) or (_WHEN.search(text) and _WHEN_SEEN.search(text)):
            return "facts"
        if _LIST_OF_THEM.search(text):
            return "people"
        if _THOSE_THERE.search(text) and (not self.asks_facts or not folded.isdisjoint(_LISTING_THEM)):
            return "people"
        if _ANYONE.search(text) and self.tells:
            return "facts"
        if _WHO_IS_THERE.search(text) or _WHO_THEY.search(text):
            asks_how = re.search(r"\b(?:how|como|what time|a que horas?|cuanto cuesta)\b", text)
            return "facts" if asks_how and not folded.isdisjoint(lexicon.FACTS | _HARD) else "people"
        held = not folded.isdisjoint(lexicon.HELD | {"people", "personas", "gente", "everyone", "everybody"})
        if not folded.isdisjoint(_LISTED) and held and not ("ver" in folded and self.tells):
            return "people"
        counted = re.search(r"\b(?:number of|how many|cuantos|cuantas)\b", text) is not None
        if counted and held and folded.isdisjoint(lexicon.HOLDING | {"beds", "camas", "capacity", "capacidad"}):
            return "people"
        if self.asks_facts or _HOW.search(text):
            return "facts"
        if self.lists or not folded.isdisjoint(lexicon.HELD | _LISTED):
            return "people"
        alone = not {"i", "he", "she", "was", "fue", "estuve", "estuvo"}.isdisjoint(folded)
        if self.is_held and not self.asks_where and not alone:
            return "people"
        return "facts" if self.is_bare or self.asks_where else None


def _misspelt(word: str, cues: frozenset[str]) -> bool:
    from rapidfuzz.distance import OSA

    if len(word) < 4 or is_ordinary(word) or word in lexicon.STOPS | lexicon.TELLS | lexicon.LISTS | lexicon.RELATIVES:
        return False
    return any(len(cue) >= 4 and OSA.distance(word, cue, score_cutoff=1) <= 1 for cue in cues)
