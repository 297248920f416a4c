"""Spanish short names and pet names, and the English forms that officers and employers put in their place."""

NICKNAMES = """
abelardo:lalo|abraham:abra bran|adalberto:beto adal|adela:adelita|adelaida:lala ade|adolfo:fito dolfo dolfito
adrian:adri|adriana:adri nana|agustin:tin agus tincho gus
agustina:tina agus|alberto:beto albert tito|alejandra:ale sandra jana aleja|alejandro:alex ale alejo jandro sandro
alfonso:poncho fonso foncho alonso|alfredo:fredy freddy fredo alfred feyo
alicia:licha ali lichita|alma:almita|alvaro:varo alvarito|amalia:mali|ana:anita anny ani|anabel:ana bel
andrea:andre andy|andres:andy andresito andi|angel:angelito gelo|angela:angelita geli
angelica:geli angie|antonia:tona toni tonita|antonio:tono tony toni tonio antonito|araceli:ara celi cheli
armando:mando mandi|arnulfo:nulfo fito|arturo:turo arthur tury|asuncion:chon asun|aurelio:yeyo lelo
aurora:yoya|beatriz:bety betty bea beti ticha|benito:beni|benjamin:benja ben mincho|bernardo:nardo berna bernie
blanca:blanquita|brenda:bren|camila:cami mila|candelaria:cande
carlos:charlie carlitos carlo charly charles litos|carmen:carmelita carmina mela|carolina:caro lina
catalina:cata lina caty|cecilia:ceci chila|celestino:tino cele|cesar:chechar cesarin|claudia:clau
concepcion:concha conchita chona conchis|consuelo:chelo chelito|cristian:cris chris christian
cristina:cris tina cristy|cristobal:cris toba balo chris|cuauhtemoc:temo|daniel:dani danny danielito dany
daniela:dani
dario:dari|david:davi dave davicho|delfina:fina|diana:dianita|diego:dieguito|dolores:lola lolita loli
domingo:mingo chomingo|edgar:edgardo gary|edgardo:edgar|eduardo:lalo eddie edu edward ed eddy guayo
elena:nena lena helen
elias:eli|elisa:licha eli|elizabeth:eli liz elisa betty beth ely lisa chabela|eloisa:elo locha|elvira:elvi vira
emilia:emi mila|emiliano:emi milo|emilio:emi milo millo|emmanuel:manu mane manuel
enrique:quique kike henry rick quico
ernestina:tina|ernesto:neto ernie nesto|esperanza:lancha pera espe|esteban:teban steve stephen estebita
estela:telita|ester:teche|eugenia:kena geni quena|eugenio:geno gene queno|eusebio:chebo sebio|evangelina:eva lina
faustino:tino|fabian:fabi|fabiola:faby|federico:fede fred lico freddy quico|felicitas:feli licha
felipe:pipe feli phillip philip lipe|feliciano:chano|fermin:mincho|fernanda:fer nanda
fernando:nando fer fernie nano ferdinand
fidel:fide|florencio:lencho flor|florentino:tino|francisca:paca pancha panchita paquita chica
francisco:paco pancho frank kiko curro paquito panchito cisco quico farruco fran|gabriel:gabo gabe gaby gabi
gabriela:gaby gabi gabita
genaro:naro|gerardo:gera lalo gerry jerry yayo|german:mancho|gertrudis:tula|gilberto:beto gil gilbert berto
gloria:goya|gonzalo:gonza chalo gonchi|graciela:chela grace chelita|gregorio:goyo greg gollo|griselda:gris
guadalupe:lupe lupita lupillo pita|guillermina:mina guille|guillermo:memo william guille bill willy
gustavo:tavo gus tavito|hector:tito tito ector|heriberto:beto eri herbert|hermenegildo:gildo|hilario:layo lalo
hilda:hildita
horacio:lacho|hortensia:tencha|hugo:huguito|humberto:beto berto umberto|ignacia:nacha|ignacio:nacho nachito iñaki
ildefonso:poncho|ines:inesita agnes|irene:ire|irma:irmita|isaac:chaco
isabel:chabela isa chavela bel chabe elizabeth isabela|isidro:chilo sidro chiro
ismael:mayo isma|israel:isra|ivan:vancho|jacinto:chinto|jaime:jimmy james jaimito|javier:javi xavi xavier javo
jazmin:jaz|jeronimo:jero chombo|jesus:chuy chucho chus jesusito suso|jessica:jessy yesi|jimena:jime
joaquin:quin juaco joaco quino
jorge:coque george jorgito coco|jose:pepe chepe joe pepito cheo josecito joseph chema|josefa:chepa pepa
josefina:chepina fina pepita pina josie|juan:juanito john juancho johnny juanillo|juana:juanita jane|julia:julita
julian:juli|julio:julito|justino:tino
karina:kari|laura:lau laurita|lazaro:lacho|leobardo:leo|leonardo:leo leon nardo lenny|leonel:leo nelo
leonor:leo nora|leopoldo:polo poldo leo|leticia:lety leti letty|lidia:lidi|lizbeth:liz beth|lorena:lore
lorenzo:lencho lorencho larry lawrence|lourdes:lulu|lucas:luquitas
lucia:lucy luci chia|luciano:chano luchano|luis:lucho louie lui luisito guicho wicho louis güicho|luisa:lucha lu
magdalena:magda lena male nena|manuel:manolo manny manu meme lito manuelito manolito|manuela:manola nela
marcela:marce chela|marcelino:marce chelino lino
marcelo:chelo marce|marco:marcos mark|marcos:mark marco marquitos
margarita:mago margie mague rita margaret marga magos|maria:mari mary maruja mariquita marucha cuca
mariana:mari nana|maricela:mari chela|mariano:nano marianito|mario:mayito|marisol:mari sol
marta:martita martha tita|martin:tincho martincho|mateo:teo matthew|matias:mati|mauricio:mau mauro maury
maximiliano:max maxi milo|maximino:max chimino|melissa:meli|mercedes:meche merche meches
miguel:mike miguelito migue michael|modesto:techo|monica:moni|nancy:nan
natalia:nata nati naty taly|nicolas:nico colas nick colacho|norberto:beto norber|norma:normita|octavio:tavo octa
olga:olguita|olivia:oli|omar:omi|oscar:osqui cacho|pablo:paul pablito|paola:pao
patricia:paty pat pati patty tricia|patricio:pato pat|paulina:pau lina|pedro:perico peter pete pedrito perucho
perla:perlita|pilar:pili pilarica|petra:petrita|porfirio:pilo firo|primitivo:tivo
rafael:rafa ralph rafita fallo felo|ramiro:rami miro|ramon:moncho mon raymond ray monchi|ramona:mona moncha
raquel:raque kelly rachel|raul:rulo raulito ralph|raymundo:ray mundo
rebeca:beca becky|refugio:cuca cuco|reina:reinita|reynaldo:rey naldo
ricardo:ricky richard rick cayo rich ricardito|rigoberto:rigo beto|rita:ritita
roberto:beto robert bob bobby robertito rober berto|rocio:chio ro|rodolfo:rudy fito rodo rolfo rudolph
rodrigo:rodri rigo ro
rogelio:roger rojo gelo|rolando:rolo lando roland|roman:romancito|rosa:rosita rosi rosy chita rose
rosalba:rosa alba|rosalia:lia chalia rosa|rosario:chayo charo chayito|ruben:rube benny|salomon:salo
salvador:chava sal salva chavo chavita|samuel:sam sami samy
sandra:sandy sandri|santiago:chago santi diego jim james yago|santos:santi|saul:chaulo
sebastian:sebas seba bastian chano|sergio:checo chejo serge yeyo|silverio:silver|silvestre:silver veche
silvia:chivis silvi|simon:moncho|socorro:coco coyo|sofia:sofi chofi|soledad:chole sole|susana:susy susi susan
teodoro:teo doro ted
teresa:tere teresita techa tessie|tomas:tomasito tom tommy maso|trinidad:trini|ulises:uli|valentin:vale tin
valentina:vale tina|valeria:vale|vanessa:vane|veronica:vero|vicente:chente vince vincent chentito
victor:vic victorino vito torito vicho|victoria:vicky toya vicki|virginia:vicky gina virgi|viridiana:viri
wilfredo:wil fredo willy
xavier:javier xavi|ximena:jime xime|yolanda:yoli yola landa|zacarias:zaca
"""
