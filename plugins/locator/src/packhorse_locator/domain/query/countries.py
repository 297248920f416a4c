"""Countries as people name them in English and Spanish, folded, and what the registry calls them."""

COUNTRIES: dict[str, str] = {
    "afganistan": "Afghanistan",
    "afghanistan": "Afghanistan",
    "albania": "Albania",
    "alemania": "Germany",
    "algeria": "Algeria",
    "angola": "Angola",
    "antigua and barbuda": "Antigua and Barbuda",
    "arabia saudita": "Saudi Arabia",
    "argelia": "Algeria",
    "argentina": "Argentina",
    "armenia": "Armenia",
    "australia": "Australia",
    "azerbaijan": "Azerbaijan",
    "bahamas": "Bahamas",
    "bangladesh": "Bangladesh",
    "barbados": "Barbados",
    "belarus": "Belarus",
    "belice": "Belize",
    "belize": "Belize",
    "benin": "Benin",
    "bhutan": "Bhutan",
    "bielorrusia": "Belarus",
    "birmania": "Myanmar",
    "bolivia": "Bolivia",
    "bosnia": "Bosnia and Herzegovina",
    "botswana": "Botswana",
    "brasil": "Brazil",
    "brazil": "Brazil",
    "bulgaria": "Bulgaria",
    "burkina faso": "Burkina Faso",
    "burma": "Myanmar",
    "burundi": "Burundi",
    "cabo verde": "Cape Verde",
    "cambodia": "Cambodia",
    "camboya": "Cambodia",
    "cameroon": "Cameroon",
    "camerun": "Cameroon",
    "canada": "Canada",
    "cape verde": "Cape Verde",
    "chad": "Chad",
    "chile": "Chile",
    "china": "China",
    "colombia": "Colombia",
    "congo": "Congo",
    "corea del sur": "South Korea",
    "corea": "South Korea",
    "costa de marfil": "Ivory Coast",
    "costa rica": "Costa Rica",
    "croacia": "Croatia",
    "croatia": "Croatia",
    "cuba": "Cuba",
    "democratic republic of congo": "Congo",
    "djibouti": "Djibouti",
    "dominica": "Dominica",
    "dominican republic": "Dominican Republic",
    "dr congo": "Congo",
    "ecuador": "Ecuador",
    "egipto": "Egypt",
    "egypt": "Egypt",
    "el salvador": "El Salvador",
    "england": "United Kingdom",
    "equatorial guinea": "Equatorial Guinea",
    "eritrea": "Eritrea",
    "espana": "Spain",
    "estonia": "Estonia",
    "ethiopia": "Ethiopia",
    "etiopia": "Ethiopia",
    "fiji": "Fiji",
    "filipinas": "Philippines",
    "france": "France",
    "francia": "France",
    "gabon": "Gabon",
    "gambia": "Gambia",
    "georgia": "Georgia",
    "germany": "Germany",
    "ghana": "Ghana",
    "great britain": "United Kingdom",
    "grecia": "Greece",
    "greece": "Greece",
    "grenada": "Grenada",
    "guatemala": "Guatemala",
    "guinea bissau": "Guinea-Bissau",
    "guinea ecuatorial": "Equatorial Guinea",
    "guinea": "Guinea",
    "guinea-bissau": "Guinea-Bissau",
    "guyana": "Guyana",
    "haiti": "Haiti",
    "holanda": "Netherlands",
    "honduras": "Honduras",
    "hong kong": "Hong Kong",
    "hungary": "Hungary",
    "hungria": "Hungary",
    "india": "India",
    "indonesia": "Indonesia",
    "inglaterra": "United Kingdom",
    "irak": "Iraq",
    "iran": "Iran",
    "iraq": "Iraq",
    "ireland": "Ireland",
    "irlanda": "Ireland",
    "israel": "Israel",
    "italia": "Italy",
    "italy": "Italy",
    "ivory coast": "Ivory Coast",
    "jamaica": "Jamaica",
    "japan": "Japan",
    "japon": "Japan",
    "jordan": "Jordan",
    "jordania": "Jordan",
    "kazajistan": "Kazakhstan",
    "kazakhstan": "Kazakhstan",
    "kenia": "Kenya",
    "kenya": "Kenya",
    "kirguistan": "Kyrgyzstan",
    "korea": "South Korea",
    "kosovo": "Kosovo",
    "kuwait": "Kuwait",
    "kyrgyzstan": "Kyrgyzstan",
    "laos": "Laos",
    "latvia": "Latvia",
    "lebanon": "Lebanon",
    "letonia": "Latvia",
    "libano": "Lebanon",
    "liberia": "Liberia",
    "libia": "Libya",
    "libya": "Libya",
    "lithuania": "Lithuania",
    "lituania": "Lithuania",
    "macedonia": "North Macedonia",
    "malasia": "Malaysia",
    "malawi": "Malawi",
    "malaysia": "Malaysia",
    "mali": "Mali",
    "marruecos": "Morocco",
    "mauritania": "Mauritania",
    "mejico": "Mexico",
    "mexico": "Mexico",
    "moldova": "Moldova",
    "mongolia": "Mongolia",
    "morocco": "Morocco",
    "mozambique": "Mozambique",
    "myanmar": "Myanmar",
    "namibia": "Namibia",
    "nepal": "Nepal",
    "netherlands": "Netherlands",
    "new zealand": "New Zealand",
    "nicaragua": "Nicaragua",
    "niger": "Niger",
    "nigeria": "Nigeria",
    "north korea": "North Korea",
    "pakistan": "Pakistan",
    "palestina": "Palestine",
    "palestine": "Palestine",
    "panama": "Panama",
    "papua nueva guinea": "Papua New Guinea",
    "paraguay": "Paraguay",
    "peru": "Peru",
    "philippines": "Philippines",
    "poland": "Poland",
    "polonia": "Poland",
    "portugal": "Portugal",
    "puerto rico": "Puerto Rico",
    "reino unido": "United Kingdom",
    "republica del congo": "Congo",
    "republica dominicana": "Dominican Republic",
    "romania": "Romania",
    "ruanda": "Rwanda",
    "rumania": "Romania",
    "rusia": "Russia",
    "russia": "Russia",
    "rwanda": "Rwanda",
    "salvador": "El Salvador",
    "samoa": "Samoa",
    "saudi arabia": "Saudi Arabia",
    "senegal": "Senegal",
    "serbia": "Serbia",
    "sierra leona": "Sierra Leone",
    "sierra leone": "Sierra Leone",
    "siria": "Syria",
    "slovakia": "Slovakia",
    "somalia": "Somalia",
    "south africa": "South Africa",
    "south korea": "South Korea",
    "south sudan": "South Sudan",
    "spain": "Spain",
    "sri lanka": "Sri Lanka",
    "sudafrica": "South Africa",
    "sudan del sur": "South Sudan",
    "sudan": "Sudan",
    "suecia": "Sweden",
    "surinam": "Suriname",
    "suriname": "Suriname",
    "sweden": "Sweden",
    "syria": "Syria",
    "tailandia": "Thailand",
    "taiwan": "Taiwan",
    "tajikistan": "Tajikistan",
    "tanzania": "Tanzania",
    "tayikistan": "Tajikistan",
    "thailand": "Thailand",
    "togo": "Togo",
    "tonga": "Tonga",
    "trinidad and tobago": "Trinidad and Tobago",
    "trinidad y tobago": "Trinidad and Tobago",
    "tunez": "Tunisia",
    "tunisia": "Tunisia",
    "turkey": "Turkey",
    "turkmenistan": "Turkmenistan",
    "turquia": "Turkey",
    "ucrania": "Ukraine",
    "uganda": "Uganda",
    "ukraine": "Ukraine",
    "united kingdom": "United Kingdom",
    "uruguay": "Uruguay",
    "uzbekistan republic": "Uzbekistan",
    "uzbekistan": "Uzbekistan",
    "venezuela": "Venezuela",
    "vietnam": "Vietnam",
    "yemen": "Yemen",
    "zambia": "Zambia",
    "zimbabwe": "Zimbabwe",
}

_NATIONALS = """
mexican mexicano:Mexico|guatemalan guatemalteco:Guatemala|honduran hondureno:Honduras
salvadoran salvadorian salvadorean salvadoreno:El Salvador|nicaraguan nicaraguense:Nicaragua
costarricense:Costa Rica|panamanian panameno:Panama|belizean beliceno:Belize|cuban cubano:Cuba
dominican dominicano:Dominican Republic|haitian haitiano:Haiti|jamaican jamaicano jamaiquino:Jamaica
colombian colombiano:Colombia|venezuelan venezolano:Venezuela|ecuadorian ecuadorean ecuatoriano:Ecuador
peruvian peruano:Peru|bolivian boliviano:Bolivia|chilean chileno:Chile
argentinian argentine argentinean argentino:Argentina|paraguayan paraguayo:Paraguay|uruguayan uruguayo:Uruguay
brazilian brasileno brasilero:Brazil|guyanese guyanes:Guyana|chinese:China|indian:India
pakistani paquistani:Pakistan|bangladeshi bangladesi:Bangladesh|nepali nepalese:Nepal|afghan afgano:Afghanistan
iranian irani:Iran|iraqi iraqui:Iraq|syrian sirio:Syria|lebanese libanes:Lebanon|jordanian jordano:Jordan
yemeni:Yemen|turkish turco:Turkey|egyptian egipcio:Egypt|moroccan marroqui:Morocco|algerian argelino:Algeria
mauritanian mauritano:Mauritania|senegalese senegales:Senegal|guinean guineano:Guinea|ghanaian ghanes:Ghana
nigerian nigeriano:Nigeria|cameroonian camerunes:Cameroon|congolese congoleno:Congo|angolan angoleno:Angola
ethiopian etiope:Ethiopia|eritrean eritreo:Eritrea|somali:Somalia|sudanese sudanes:Sudan|kenyan keniano:Kenya
russian ruso:Russia|ukrainian ucraniano:Ukraine|belarusian bielorruso:Belarus|georgian georgiano:Georgia
armenian:Armenia|uzbek uzbeko:Uzbekistan|kazakh kazajo:Kazakhstan|kyrgyz:Kyrgyzstan|tajik:Tajikistan
vietnamese vietnamita:Vietnam|filipino:Philippines|romanian rumano:Romania|moldovan moldavo:Moldova
ivorian marfileno:Ivory Coast|malian maliense:Mali|gambian gambiano:Gambia|togolese togoles:Togo|liberian:Liberia
rwandan ruandes:Rwanda|ugandan:Uganda|burmese birmano:Myanmar|cambodian camboyano:Cambodia|laotian:Laos
indonesian:Indonesia|polish polaco:Poland|portuguese:Portugal|albanian albanes:Albania|tunisian tunecino:Tunisia
libyan libio:Libya|palestinian palestino:Palestine|mongolian:Mongolia|turkmen:Turkmenistan|israeli:Israel
bulgarian bulgaro:Bulgaria|beninese:Benin|sierraleonean:Sierra Leone|tanzanian:Tanzania|zimbabwean:Zimbabwe
trinidadian:Trinidad and Tobago|surinamese:Suriname|saudi:Saudi Arabia|catracho:Honduras|chapin:Guatemala
guanaco:El Salvador|irish irlandes:Ireland|british britanico:United Kingdom|german aleman:Germany
french frances:France|italian italiano:Italy|greek griego:Greece|japanese japones:Japan|korean coreano:South Korea
sudafricano:South Africa|bulgarian:Bulgaria|serbian serbio:Serbia|croatian croata:Croatia|hungarian:Hungary
lithuanian:Lithuania|latvian:Latvia|estonian:Estonia|swedish sueco:Sweden|malaysian:Malaysia|taiwanese:Taiwan
thai tailandes:Thailand|australian:Australia|samoan:Samoa|fijian:Fiji|zambian:Zambia|malawian:Malawi
nica:Nicaragua|quisqueyano:Dominican Republic
"""


def _demonyms() -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in _NATIONALS.strip().replace("\n", "|").split("|"):
        words, _, country = entry.partition(":")
        for word in words.split():
            found[word] = country
            if word.endswith("o"):
                found[word[:-1] + "a"] = country
            elif word.endswith(("es", "an")):
                found[word + "a"] = country
    return found


DEMONYMS = _demonyms()
"""Nationals as people call them in English and Spanish, folded, men and women; common names are left out."""

NAMES_TOO = frozenset({"salvador", "jordan", "georgia", "india", "espana", "china", "cuba", "israel", "francia"})
"""Countries that are given names or surnames as well: at the end of a name they are taken for a part of it."""

GIVEN_TOO = frozenset({"salvador", "jordan", "georgia", "israel"})
"""Of these, the ones that are often given names: after a surname and a comma they are taken for one."""

SPANISH_STATES: dict[str, str] = {
    "carolina del norte": "NC",
    "carolina del sur": "SC",
    "dakota del norte": "ND",
    "dakota del sur": "SD",
    "nueva jersey": "NJ",
    "nueva york": "NY",
    "nuevo mexico": "NM",
    "hawai": "HI",
    "luisiana": "LA",
    "misisipi": "MS",
    "misuri": "MO",
    "nuevo hampshire": "NH",
    "pensilvania": "PA",
    "tejas": "TX",
    "virginia occidental": "WV",
    "virginia del oeste": "WV",
}
"""States whose Spanish name is another; the rest are written alike once accents are gone."""
