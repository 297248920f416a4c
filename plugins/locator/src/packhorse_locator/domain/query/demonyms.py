"""Nationals as people call them in English and Spanish, folded: men and women, one and several."""

from packhorse_locator.domain.query import lexicon

_NATIONALS = """
mexican mexicano mejicano:Mexico|guatemalan guatemalteco chapin:Guatemala|honduran hondurian hondureno catracho:Honduras
salvadoran salvadorian salvadorean salvadoreno guanaco:El Salvador|nicaraguan nicaraguense nica:Nicaragua
costarican costarricense tico:Costa Rica|panamanian panameno:Panama|belizean beliceno:Belize|cuban cubano:Cuba
dominican dominicano quisqueyano:Dominican Republic|haitian haitiano:Haiti|jamaican jamacian jamaicano:Jamaica
jamaiquino:Jamaica
puertorican puertorriqueno portorriqueno boricua:Puerto Rico|bahamian bahameno:Bahamas
barbadian bajan barbadense:Barbados|grenadian granadino:Grenada|antiguan antiguano:Antigua and Barbuda
trinidadian trinidadiano trinitense:Trinidad and Tobago|surinamese surinames:Suriname
guyanese guyanes:Guyana|colombian colombiano:Colombia|venezuelan venezolano:Venezuela
ecuadorian ecuadorean ecuadoran equadorian ecuatoriano:Ecuador|peruvian peruano:Peru|bolivian boliviano:Bolivia
chilean chileno:Chile|argentinian argentine argentinean argentino:Argentina|paraguayan paraguayo:Paraguay
uruguayan uruguayo:Uruguay|brazilian brasileno brasilero:Brazil|canadian canadiense:Canada
chinese chino:China|indian hindu indio:India|pakistani paquistani:Pakistan|bangladeshi bangladesi:Bangladesh
nepali nepalese nepales:Nepal|afghan afghani afgano:Afghanistan|iranian irani:Iran|iraqi iraqui irakui:Iraq
bhutanese butanes:Bhutan|syrian sirio:Syria|lebanese libanes:Lebanon|jordanian jordano:Jordan|yemeni yemenita:Yemen
kuwaiti:Kuwait|israeli:Israel|palestinian palestino:Palestine|saudi saudita:Saudi Arabia|turkish turco:Turkey
egyptian egipcio:Egypt|moroccan marroqui:Morocco|algerian argelino:Algeria|tunisian tunecino:Tunisia
libyan libio:Libya|mauritanian mauritano:Mauritania|senegalese senegales:Senegal|guinean guineano:Guinea
equatoguinean ecuatoguineano:Equatorial Guinea|ghanaian ghanian ghanes:Ghana|nigerian nigeriano:Nigeria
nigerien nigerino:Niger|cameroonian camerunes:Cameroon|congolese congoleno congoles:Congo|angolan angoleno:Angola
ethiopian etiope:Ethiopia|eritrean eritreo:Eritrea|somali somalian:Somalia|sudanese sudanes:Sudan
kenyan keniano keniata:Kenya|djiboutian yibutiano:Djibouti|ivorian marfileno:Ivory Coast|malian maliense:Mali
gambian gambiano:Gambia|togolese togoles:Togo|liberian liberiano:Liberia|rwandan ruandes:Rwanda
ugandan ugandes:Uganda|burundian burundes:Burundi|beninese benines:Benin|burkinabe:Burkina Faso
chadian chadiano:Chad|gabonese gabones:Gabon|sierraleonean sierraleones:Sierra Leone|tanzanian tanzano:Tanzania
zimbabwean zimbabuense:Zimbabwe|zambian zambiano:Zambia|malawian malaui:Malawi|botswanan botsuano:Botswana
namibian namibio:Namibia|mozambican mozambiqueno:Mozambique|sudafricano:South Africa
caboverdean caboverdiano:Cape Verde|russian ruso:Russia|ukrainian ukranian ucraniano:Ukraine
belarusian belarussian bielorruso:Belarus|georgian georgiano:Georgia|armenian armenio:Armenia
azerbaijani azeri azerbaiyano:Azerbaijan|uzbek uzbeko:Uzbekistan|kazakh kazajo:Kazakhstan
kyrgyz kirguis:Kyrgyzstan|tajik tayiko:Tajikistan|turkmen turcomano:Turkmenistan|mongolian mongol:Mongolia
vietnamese vietnamita:Vietnam|filipino philipino pinoy:Philippines|burmese birmano:Myanmar|cambodian camboyano:Cambodia
laotian laosiano:Laos|indonesian indonesio:Indonesia|malaysian malasio:Malaysia|taiwanese taiwanes:Taiwan
thai tailandes:Thailand|japanese japones:Japan|korean coreano:South Korea|srilankan:Sri Lanka
hongkonger hongkones:Hong Kong|australian australiano:Australia|newzealander neozelandes:New Zealand
samoan samoano:Samoa|fijian fiyiano:Fiji|tongan tongano:Tonga|irish irlandes:Ireland
british briton brit britanico english ingles:United Kingdom|german aleman:Germany|french frances:France
italian italiano:Italy|greek griego:Greece|spanish spaniard espanol:Spain|portuguese portugues:Portugal
dutch holandes neerlandes:Netherlands|polish polaco:Poland|albanian albanes:Albania|bulgarian bulgaro:Bulgaria
romanian rumano:Romania|moldovan moldavo:Moldova|serbian serbio:Serbia|croatian croata:Croatia
bosnian bosnio:Bosnia and Herzegovina|kosovar kosovan:Kosovo|macedonian macedonio:North Macedonia
hungarian hungaro:Hungary|slovak eslovaco:Slovakia|lithuanian lituano:Lithuania|latvian leton:Latvia
estonian estonio:Estonia|swedish sueco:Sweden|dominiques:Dominica
norcoreano:North Korea|surcoreano:South Korea|papuan papu:Papua New Guinea
sursudanes:South Sudan|bisauguineano:Guinea-Bissau|esrilanques:Sri Lanka
"""


def _demonyms() -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in _NATIONALS.strip().replace("\n", "|").split("|"):
        words, _, country = entry.partition(":")
        for word in words.split():
            forms = [word]
            if word.endswith("o"):
                forms.append(word[:-1] + "a")
            elif word.endswith(("es", "an", "ol", "in", "on")):
                forms.append(word + "a")
            for form in forms:
                found[form] = country
                found[form + ("s" if form[-1] in "aeiou" else "es")] = country
                found[form + "s"] = country
    return found


DEMONYMS = _demonyms()
"""By what nationals are called: their country."""
PLURALS = frozenset(word for word in DEMONYMS if word.endswith("s") and word[:-1] in DEMONYMS) | frozenset(
    word for word in DEMONYMS if word.endswith("es") and word[:-2] in DEMONYMS
)
"""Words for several of a nation."""

SAID_TOO = lexicon.words(
    """chino china chinos chinas portugues espanol espanola spanish english ingles inglesa french brit dutch tico tica
    granadino granadina leton indio india indios indias"""
)
"""Of these, nicknames, countries, languages or surnames as well: they tell a nation only where they are said of a
person."""

PHRASES: dict[tuple[str, str], str] = {
    ("south", "african"): "South Africa",
    ("south", "korean"): "South Korea",
    ("north", "korean"): "North Korea",
    ("south", "sudanese"): "South Sudan",
    ("sri", "lankan"): "Sri Lanka",
    ("costa", "rican"): "Costa Rica",
    ("puerto", "rican"): "Puerto Rico",
    ("cape", "verdean"): "Cape Verde",
    ("sierra", "leonean"): "Sierra Leone",
    ("new", "zealander"): "New Zealand",
    ("hong", "konger"): "Hong Kong",
    ("bissau", "guinean"): "Guinea-Bissau",
    ("equatorial", "guinean"): "Equatorial Guinea",
    ("saudi", "arabian"): "Saudi Arabia",
}
"""The same of two words."""
