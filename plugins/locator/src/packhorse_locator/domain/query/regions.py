"""Regions and towns of other countries that people say they come from, folded: no part of a name. Own list."""

from functools import cache

_REGIONS = """
abidjan|abuja|acapulco|accra|addis ababa|aden|aguascalientes|ahmedabad|ahuachapan|alajuela|aleppo|alexandria egypt
almaty|alta verapaz|ambato|amman|amritsar|anambra|ancash|ankara|antigua|antioquia|anzoategui|apopa|aragua|arequipa
asmara|asuncion|atlantida|ayacucho|azua|azuay|bagdad|baghdad|bahia|baja california|baja california sur|baja verapaz
bamako|bamenda|bani|banjul|barahona|barquisimeto|barranquilla|battambang|bayamo|beijing|beirut|belo horizonte
benin city|berlin|bishkek|bluefields|boaco|bogota|bolivar|boyaca|brasilia|bucaramanga|bucarest|bucharest|buenaventura
buenos aires|cabanas|cairo|cajamarca|cali|camaguey|campeche|can tho|canar|cancun|cap haitien|cap-haitien|carabobo
caracas|carazo|carrefour|cartagena|cartago|casablanca|cauca|cdmx|cebu|chalatenango|chechnya|chiapas|chiclayo
chihuahua|chimaltenango|chimborazo|chin state|chinandega|chiquimula|chiriqui|chisinau|chittagong|chitwan|choco
choluteca|chontales|cienfuegos|cite soleil|ciudad de guatemala|ciudad de mexico|ciudad de panama|ciudad juarez
coahuila|coban|cochabamba|colima|colombo|colon|comayagua|conakry|copan|cordoba|cortes|cotopaxi|cucuta|cuenca
cuernavaca|culiacan|cundinamarca|cuscatlan|cusco|cuzco|da nang|dagestan|dakar|damasco|damascus|danli|darfur|darien
davao|delhi|dhaka|diyarbakir|dnipro|douala|durango|dushanbe|edo|el paraiso|el progreso|el progreso yoro|el quiche
ensenada|enugu|erbil|erevan|escuintla|esmeraldas|espirito santo|estambul|esteli|falcon|fortaleza|francisco morazan
freetown|fujian|fuzhou|gaza|goias|goma|gonaives|governador valadares|gracias a dios|granada|guadalajara|guanacaste
guanajuato|guangdong|guangzhou|guantanamo|guatemala city|guayaquil|guayas|guerrero|gujarat|habana|hanoi|hargeisa
haryana|havana|henan|herat|heredia|hermosillo|hidalgo|higuey|ho chi minh city|holguin|hong kong|huancayo|hue
huehuetenango|huila|hyderabad|imbabura|imo|intibuca|isfahan|islamabad|islas de la bahia|istanbul|izabal|izmir|jacmel
jaffna|jakarta|jalandhar|jalapa|jalisco|jinotega|juarez|junin|jutiapa|juticalpa|kabul|kandahar|kano|karachi|kathmandu
katmandu|kayes|kerala|kharkiv|khartoum|kiev|kingston|kinshasa|kumasi|kyiv|la ceiba|la guajira|la habana|la libertad
la paz|la romana|la union|la vega|labe|lagos|lahore|lara|las tunas|lempira|leogane|leon|les cayes|lima|limon|lisboa
lisbon|loja|lome|london|londres|luanda|lubumbashi|ludhiana|lviv|madriz|manabi|managua|manila|maracaibo|masaya
matagalpa|matamoros|matanzas|mazar-i-sharif|mazatenango|medellin|mejicanos|mendoza|merida|mexicali|mexico city
michoacan|minas gerais|mogadishu|mombasa|monagas|monrovia|montego bay|monterrey|montevideo|morazan|morelia|morelos
moscow|moscu|mosul|mumbai|nairobi|narino|nayarit|nebaj|new delhi|nogales|norte de santander|nouakchott|nueva segovia
nuevo laredo|nuevo leon|oaxaca|ocotepeque|odesa|odessa|olancho|oruro|ouagadougou|pachuca|panama city|parana|pekin
pereira|pernambuco|peshawar|peten|petion-ville|phnom penh|pichincha|pinar del rio|piura|pokhara|port au prince
port harcourt|port-au-prince|portuguesa|potosi|pristina|puebla|puerto barrios|puerto cortes|puerto plata
puerto principe|punjab|puno|puntarenas|queretaro|quetzaltenango|quiche|quintana roo|quito|rakhine|rangoon|recife
retalhuleu|reynosa|rio de janeiro|rio san juan|riobamba|rivas|roatan|rosario|sacatepequez|saigon|saltillo|samarkand
san cristobal|san cristobal tachira|san jose|san luis potosi|san marcos|san miguel|san pedro de macoris
san pedro sula|san salvador|san vicente|sanaa|santa ana|santa barbara|santa catarina|santa clara
santa cruz de la sierra|santa cruz del quiche|santa rosa|santa tecla|santander|santiago de chile|santiago de cuba
santiago de los caballeros|santo domingo|sao paulo|seoul|shanghai|shiraz|sichuan|siguatepeque|sinaloa|solola|sonora
sonsonate|soyapango|suchitepequez|sucre|sylhet|tabasco|tachira|tamaulipas|tapachula|tashkent|tbilisi|tegucigalpa
teheran|tehran|tela|tema|thies|tijuana|tirana|tlaxcala|tocoa|todos santos|tolima|toluca|torreon|totonicapan|touba
trujillo|usulutan|valencia|valle|valle del cauca|valparaiso|veracruz|vientiane|villa clara|wenzhou|xalapa|xela
xinjiang|yangon|yaounde|yerevan|yoro|yucatan|zacapa|zacatecas|zhejiang|zulia
"""

LONGEST = 4
"""Words of the longest."""


@cache
def regions() -> frozenset[str]:
    """All of them."""
    return frozenset(name for line in _REGIONS.split("\n") for name in line.split("|") if name)
