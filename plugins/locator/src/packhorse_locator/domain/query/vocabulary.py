"""Ordinary words of English and Spanish, folded: what people say around a name when they tell what happened.

Own lists, from general knowledge of both languages. Verbs are listed once and inflected by rule; stems that change are
listed as they are. A word that is a name as well (Rosa, Cruz, Grace) is ordinary here: whoever reads a sentence weighs
the two.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

from packhorse_locator.domain.query import everyday

_ENGLISH_VERBS = """
abuse accept act admit advise agree allow annoy answer appear apply appreciate approve arrange arrest arrive ask
assist attend avoid become begin believe belong block board book borrow bother break breathe bring build buy call calm
cancel care carry catch cause change charge chat check choose claim clarify clean clear click close collect come
comfort complain complete concern confirm confuse connect consider consult contact contain continue convict cook copy
correct cost count cover cross cry cut deal decide delay deliver deny depend deport describe deserve detain determine
die direct disappear disappoint discover discuss do drive drop eat email employ end enter escape expect expire explain
face fail fall feel fight figure file fill find finish fix fly follow force forget free frighten gather get give go
grab graduate grant guess guide handle happen harm hear help hide hit hold hope house hurt identify imagine inform
inquire intend interview introduce investigate invite join jail keep kidnap kill know lack land last laugh lead learn
leave lend let lie like list listen live load locate lock look lose love mail make manage marry matter mean meet
mention mind miss mistake move need notice notify obtain offer open operate order own pack panic park pass pay permit
phone pick place plan play point post practice pray prefer prepare present process promise protect provide pull push
put question raid reach read realize receive recognize record refuse regard register release rely remain remember
remove renew rent repeat reply report represent request require rescue resolve respond rest return review ride ring
run rush save say scare schedule search see seek seem sell send separate serve settle share show shut sign sit sleep
solve sort speak spell spend stand start stay steal stop strike struggle study submit suffer suggest suppose surrender
swear take talk teach tell text thank think threaten throw touch trace track transfer translate travel treat trouble
trust try turn understand update use verify visit voice wait wake walk want warn watch wear win wish wonder work worry
write yell vanish detail inquire enquire hospitalise hospitalize bond parole appeal house locate pinpoint
"""
_ENGLISH_FORMS = """
am are is was were be been being has had having did done does went gone goes came saw seen took taken got gotten gave
given made said told thought knew known found felt left kept held heard met paid ran sent sold slept spoke spoken
stood stole stolen sat swore swept caught brought bought broke broken built chose chosen drove driven ate eaten fell
fallen flew forgot forgotten fought hid hidden hurt laid led lent lost meant put read rode rose sought shown shut
stuck swam taught thrown threw understood woke wore worn won wrote written became began begun blew brung cut dealt
died dying lying tried tries cried worried worries married marries buried carried denied applied replied relied isnt
arent wasnt werent dont doesnt didnt wont cant couldnt wouldnt shouldnt hasnt havent hadnt aint im ive id ill youre
youve youll hes shes hed shed hell theyre theyve theyll theyd weve well its thats theres heres whats wheres whos hows
whens whys lets gonna wanna gotta kinda sorta dunno lemme gimme cuz coz bc bcuz tho thru ur u r n plz pls thx ty tysm
omg asap btw idk rn fyi msg msgs txt ppl hr hrs min mins wk wks yr yrs yo mo abt info infos
"""
_ENGLISH = """
hall
a an the this that these those some any every each either neither both all half most more much many few several less
least another other others such same own only just even ever never always often sometimes usually maybe perhaps
probably possibly really actually currently presently recently already still yet again once twice soon later late
early earlier before after afterwards during while until till since when whenever where wherever why how who whom
whose which what whatever whether if unless although though because so thus therefore then than as at by for from in
inside into near nearby of off on onto out outside over past per through throughout to toward towards under up upon
via with within without about above across against along among around behind below beneath beside besides between
beyond down and or but nor not no yes yeah yep nope ok okay sure please thanks thank hello hi hey dear greetings sir
madam maam ma'am sirs goodbye bye welcome sorry excuse pardon kindly urgent urgently immediately quickly asap right
rightly now today tonight tomorrow yesterday morning mornings noon afternoon afternoons evening evenings night nights
midnight day days week weeks weekend weekends month months year years hour hours minute minutes moment moments time
times date dates second seconds monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays
thursdays fridays saturdays sundays january february march april june july august september october november december
jan feb apr jun jul aug sept sep oct nov dec spring summer fall autumn winter christmas thanksgiving easter holiday
holidays birthday one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred
thousand first second third last next previous i me my mine myself you your yours yourself he him his himself she her
hers herself it its itself we us our ours they them their theirs themselves someone somebody anyone anybody everyone
everybody nobody none something anything everything nothing somewhere anywhere everywhere nowhere here there man men
woman women boy boys girl girls guy guys lady ladies gentleman kid kids child children baby babies teen teens teenager
adult adults person persons people individual individuals human humans folks family families relative relatives parent
parents son sons daughter daughters brother brothers sister sisters mother mothers mom moms mommy mum mama father
fathers dad dads daddy papa husband husbands wife wives wifey hubby spouse partner partners fiance fiancee boyfriend
girlfriend uncle uncles aunt aunts auntie cousin cousins cuz nephew nephews niece nieces grandmother grandfather
grandma grandpa granny grandson granddaughter grandchild grandparents grandparent inlaw inlaws stepson stepdaughter
stepmother stepfather stepdad stepmom stepbrother stepsister halfbrother halfsister godson goddaughter godfather
godmother godparent bro sis bff friend friends buddy pal neighbor neighbors neighbour neighbours roommate roommates
housemate coworker coworkers colleague colleagues boss employer employee employees worker workers classmate student
students teacher pastor priest landlord tenant customer client clients widow widower twin sibling siblings
acquaintance acquaintances defendant respondent petitioner beneficiary applicant breadwinner loved attorney attorneys
lawyer lawyers paralegal advocate representative volunteer caseworker social judge judges court courts hearing
hearings trial case cases law legal rights right bond bail fine fines fee fees money cost costs price visa visas
passport passports permit permits asylum refugee refugees citizen citizens citizenship national nationals nationality
native origin country countries border borders immigrant immigrants immigration migrant migrants migration
undocumented alien aliens resident residents residency status green card cards document documents paper papers
paperwork form forms petition application applications appeal appeals removal deportation deportations deportee tps
daca ice cbp dhs uscis eoir hsi ero agent agents officer officers official officials police cop cops sheriff sheriffs
deputy deputies patrol raid raids checkpoint checkpoints stop custody detention detentions detainee detainees detained
inmate inmates prisoner prisoners prison prisons jail jails jailed cell cells center centers centre centres facility
facilities camp camps hold holding held lockup locked bars behind processing place places location locations locator
whereabouts address addresses directions direction road street avenue highway route building office offices department
home house apartment church churches school schools hospital hospitals clinic store shop market restaurant farm field
fields factory warehouse construction site job jobs work workplace shift bus train car truck van vehicle plane flight
flights airport station traffic light lights parking lot gate door doors town towns city cities county counties state
states region area zone district parish borough village neighborhood usa us america united phone phones telephone
telephones cell cellphone number numbers num line call calls voicemail message messages text email emails mail mailing
fax website web site link page internet online app computer name names named nickname nicknamed surname surnames
firstname lastname fullname middle maiden alias aka spelled spelling spelt called known goes birth birthday birthdate
birthplace born dob age aged old years-old yo young younger older elder eldest oldest youngest elderly minor minors
juvenile gender sex male female tall short record records registry register database databases system list lists
listing roster rosters log logs file files report reports history histories info information detail details data
result results match matches search searches lookup lookups query queries request requests question questions answer
answers update updates news word sign signs trace clue idea help assistance support advice service services program
programs visit visits visiting visitation visitor visitors schedule schedules hours hour rule rules policy policies
capacity bed beds population space size big large small huge full empty open closed sick ill illness disease diabetes
diabetic asthma asthmatic pregnant pregnancy medicine medicines medication medications meds insulin inhaler doctor
doctors nurse health medical injured injury hurt pain surgery disability disabled mental heart cancer blood pressure
condition conditions treatment dead death alive safe safety danger dangerous afraid scared scary worried worry
worrying upset sad desperate desperately anxious nervous crying stress stressed terrified lost missing gone away back
absent unknown unable able possible impossible likely unlikely available unavailable necessary important importantly
serious good better best bad worse worst great nice fine happy well kind hard easy difficult simple quick fast slow
long short far close high low new old big little whole entire complete correct incorrect wrong true false real really
exact exactly same different various certain sure unsure clear unclear main official officially public private
personal federal local national international recent current present former early free stuck alone together apart okay
alright anyway anymore else instead too also either however otherwise way ways thing things stuff lot lots bit piece
part parts kind kinds type types sort reason reasons matter problem problems trouble issue issues emergency situation
life lives world god lord jesus bless prayer prayers hope must may might shall should will would can could ought need
needs needed dare white black brown red blue green yellow hair eyes beard tattoo tattoos shirt jacket hat clothes
clothing shoes bag english spanish language languages interpreter translator speaker weather bus ticket tickets lunch
dinner breakfast food water dog cat music movie joke president election game games taxes tax insurance license
licenses driver drivers driving bank account credit debt rent bill bills landscaping roofing cleaning gardening
painting drywall cook cooking kitchen dishwasher janitor nanny housekeeper gardener roofer painter carpenter mechanic
electrician plumber welder farmworker fieldworker laborer day laborer trip move moved moving transfer transfers
transferred shipped relocated booking booked intake arrival arrived overnight ago apparently supposedly allegedly
suddenly finally lately originally formerly possibly definitely recently presumably probably basically literally
simply mostly mainly nearly almost hardly barely quite rather pretty aid group groups organization organizations
nonprofit ngo union unions community team teams committee patient patients hearing discharged discharge crew staff
member members president company business restaurant tire garage hotel motel unfortunately hopefully luckily
thankfully sincerely respectfully regards
"""

_SPANISH_VERBS = """
pintar abandonar abogar abrazar acabar aceptar aclarar acompanar aconsejar acordar actuar acusar aguantar ahorrar
alcanzar alegrar amar amenazar anotar anunciar aparecer apelar apoyar aprender apresar apurar arrestar arreglar
asegurar asistir asustar atender atrapar averiguar avisar ayudar bajar borrar buscar cambiar caminar cancelar
cansar capturar cargar casar causar celebrar cenar chequear cobrar comenzar comer compartir completar comprar
comprobar comunicar confiar confirmar conocer conseguir considerar consultar contactar contar contestar
continuar contratar copiar correr cortar costar creer cruzar cubrir cuidar cumplir dar deber decidir declarar
dejar demorar denunciar deportar desaparecer descansar descubrir desear desesperar despedir detectar detener
devolver disculpar ejecutar emigrar empezar encargar encarcelar encerrar encontrar enfermar enterar entender
entrar entregar enviar escapar esconder escribir escuchar esperar estar estudiar existir explicar extranar
fallar faltar figurar firmar fijar ganar gastar guardar guiar gustar haber hablar hacer hallar identificar
imaginar importar indicar informar ingresar iniciar intentar interesar internar investigar invitar ir jurar
juntar lastimar lavar levantar liberar llamar llegar llenar llevar llorar localizar lograr luchar mandar manejar
marcar matar meter mirar molestar morir mostrar mover mudar nacer necesitar negar nombrar notificar obtener
ocupar ocurrir ofrecer olvidar orar orientar padecer pagar parar parecer pasar pedir pensar perder perdonar
permitir perseguir pertenecer poder poner practicar preferir preguntar preocupar preparar presentar prestar
procesar proporcionar proteger quedar querer quitar rastrear realizar recibir reclamar recoger reconocer
recordar regalar registrar regresar remitir renovar repetir reportar representar rescatar resolver responder
retener retirar reunir revisar rezar robar rogar saber sacar salir salvar seguir sentir separar ser servir
significar soler solicitar soltar sospechar sufrir sugerir subir suceder suplicar suponer tardar temer tener
terminar tirar tocar tomar trabajar traducir traer trasladar transferir tramitar tratar ubicar usar vender venir
ver verificar viajar visitar vivir volar volver agradecer apreciar agarrar apellidar detallar interceptar migrar
inmigrar radicar residir pescar
"""
_SPANISH_FORMS = """
requiero requiere requieren requerimos requerir requerido onda fox wolf bear cow pig bird chicken goat
soy eres es somos son era eras eramos eran fui fuiste fue fuimos fueron sea seas seamos sean fuera fueran siendo sido
sera seran seria serian estoy estas esta estamos estan estaba estaban estuve estuvo estuvieron este esten estuviera he
has ha hemos han habia habian hay haya hayan hubo hubiera habra habria tengo tienes tiene tenemos tienen tuve tuvo
tuvieron tenga tengan tendra tendran tendria teni voy vas va vamos van iba iban vaya vayan yendo ido hago haces hace
hacemos hacen hice hizo hicieron haga hagan hecho hara haran haria puedo puedes puede podemos pueden pude pudo
pudieron pueda puedan pudiera pudieran pudieras podra podran podria podrian podrias quiero quieres quiere quieren
quise quiso quisieron quiera quieran quisiera quisieran quisieramos querria se sabes sabe saben supe supo supieron
sepa sepan sabra sabran sabria digo dices dice decimos dicen dije dijo dijeron diga digan digame diganme dicho
diciendo dira dile digale decir decirme decirnos vengo vienes viene vienen vine vino vinieron venga vengan viniendo
vendra vendran doy das da damos dan di dio dieron de den deme denme dame dando dado vi vio vieron vea vean visto
viendo veo ves ve ven vemos pongo pone ponen puso pusieron ponga puesto traigo trae traen trajo trajeron traiga
trajeran salgo sale salen salga salgan saldra oigo oye oiga oigan oyo caigo cayo cayeron creo cree creen creemos creyo
leo lee leen pienso piensa piensan encuentro encuentras encuentra encuentran encuentre encuentren encuentreme
encuentrame encuentrenme cuento cuenta cuentan cuente cuenten pierdo pierde pierden pierda entiendo entiende entienden
cierra cierran empieza empiezan comienza comienzan duermo duerme siento siente sienten sienta siga sigo sigue siguen
sigan siguio siguieron pido pide piden pidio pidieron pida consigo consigue consiguen consiguio sirve sirven murio
murieron muerto muerta muertos muere sueltan suelta suelto solto suelten vuelvo vuelve vuelven vuelva vuelto vuelta
devuelvan muestra muestre muestreme muestrame muestren muestran detiene detienen detuve detuvo detuvieron detenga
detengan detenido detenida detenidos detenidas mantiene mantienen retienen retuvieron retenido retenida obtuvo muevo
mueven movio movieron quedo queda quedan recuerdo recuerda despidieron encierran encerraron encerrado encerrada
conozco conozca parezco parece parecen aparezca aparezcan aparece aparecen desaparecio desaparecido desaparecida nacio
nacieron nazca agradezco agradeceria agradecere agradecemos pertenece ofrezco cuesta cuestan juega suena prueba
escrito escrita ke ki kien kienes kiero kieren kisiera ola ase asen aser aki ay ahy haber aver komo kual kuando dnde
dond xq pq porke tmb tb xfa pls plis nesesito nesecito abierto abierta roto puesta preso presa presos presas consta
constan costo busquenle busqueme busquenme
"""
_SPANISH = """
a al ante bajo con contra de del desde durante en entre hacia hasta mediante para por porq segun sin sobre tras y e o
u ni que q k pero mas aunque porque pues si sino como cuando donde adonde quien quienes cual cuales cuanto cuanta
cuantos cuantas cuyo el la los las lo un una unos unas uno este esta estos estas ese esa esos esas aquel aquella
aquellos aquellas esto eso aquello mi mis tu tus su sus nuestro nuestra nuestros nuestras yo me mi conmigo te ti
contigo usted ustedes ud uds el ella ello nosotros nosotras ellos ellas se le les nos si no tampoco tambien ya aun
todavia siempre nunca jamas casi muy mucho mucha muchos muchas poco poca pocos pocas algo alguien algun alguno alguna
algunos algunas nada nadie ningun ninguno ninguna todo toda todos todas cada otro otra otros otras mismo misma mismos
mismas tal tan tanto tanta ambos demas varios varias bastante demasiado solo sola solos solas solamente aqui ahi alli
alla aca cerca lejos dentro adentro fuera afuera arriba abajo delante detras antes despues luego entonces ahora
ahorita hoy ayer anteayer antier anoche manana mananas tarde tardes noche noches madrugada mediodia dia dias semana
semanas mes meses ano anos hora horas minuto minutos rato momento tiempo fecha fechas vez veces temprano pronto recien
recientemente actualmente urgentemente inmediatamente rapido rapidamente lunes martes miercoles jueves viernes sabado
domingo enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre navidad
primavera verano otono invierno cumpleanos uno dos tres cuatro cinco seis siete ocho nueve diez once doce quince
veinte treinta cuarenta cincuenta cien mil primer primero primera segundo segunda tercero tercera ultimo ultima
ultimos ultimas proximo proxima pasado pasada hola buenos buenas buen bueno buena saludos cordial estimado estimada
estimados estimadas senor senora senores senorita senoras don dona joven jovenes favor porfavor porfa porfis plis
gracias disculpe disculpa disculpen perdon permiso adios bendiciones bendicion dios oiga oye mire mira fijese fijate
ok vale claro verdad cierto cierta seguro segura hombre hombres mujer mujeres muchacho muchacha muchachos muchachas
chico chica nino nina ninos ninas bebe senorito persona personas gente individuo familia familias familiar familiares
pariente parientes hijo hija hijos hijas hijito hijita padre madre padres mama papa mami papi mamita papito mamas
papas esposo esposa esposos marido mujer pareja novio novia hermano hermana hermanos hermanas hermanito hermanita mano
tio tia tios tias primo prima primos primas primito sobrino sobrina sobrinos sobrinas sobrinito abuelo abuela abuelos
abuelito abuelita nieto nieta nietos nietecito cunado cunada cunados suegro suegra suegros yerno nuera hijastro
hijastra padrastro madrastra hermanastro hermanastra padrino madrina ahijado ahijada compadre comadre concuno concuna
consuegro consuegra bisabuelo bisabuela amigo amiga amigos amigas amiguito vecino vecina vecinos companero companera
companeros compa cuate jefe jefa patron patrona empleado empleada trabajador trabajadora trabajadores conocido
conocida paisano paisana inquilino pastor sacerdote maestro maestra doctor doctora medico enfermero enfermera
estudiante alumno alumna cliente clienta clientes representado representada defendido defendida viudo viuda gemelo
gemela padre menor menores mayor mayores adulto adulta adultos anciano anciana adolescente abogado abogada abogados
licenciado licenciada juez jueza corte cortes tribunal audiencia audiencias cita citas citatorio caso casos ley leyes
derecho derechos fianza fianzas multa dinero plata costo visa visas pasaporte permiso asilo asilado refugiado
refugiada ciudadano ciudadana ciudadania nacional nacionalidad originario originaria oriundo oriunda natal procedente
pais paises frontera fronteras inmigrante inmigrantes inmigracion migracion migratorio migratoria migratorios migrante
migrantes indocumentado indocumentada residente residencia estatus estado estados status tarjeta verde documento
documentos documentacion papeles papel formulario tramite tramites solicitud apelacion deportacion deportado deportada
expulsion proceso ice migra agente agentes oficial oficiales policia policias guardia patrulla sheriff alguacil redada
redadas reten retenes operativo custodia detencion detenciones arresto carcel carceles prision prisiones preso celda
centro centros instalacion instalaciones lugar lugares sitio sitios paradero parada ubicacion direccion direcciones
calle avenida carretera autopista casa casas hogar apartamento edificio oficina oficinas iglesia escuela colegio
hospital clinica tienda mercado restaurante rancho finca campo fabrica bodega construccion obra trabajo trabajos
chamba empleo turno carro camion camioneta autobus bus tren avion vuelo aeropuerto estacion semaforo trafico
estacionamiento puerta esquina pueblo ciudad ciudades condado region zona area barrio colonia norte sur este oeste
unidos eeuu usa eua america telefono telefonos celular numero numeros num nro linea llamada llamadas mensaje mensajes
texto correo correos electronico fax sitio pagina internet computadora nombre nombres apellido apellidos apodo apodado
apodada alias conocido llamado llamada llamados mentado mentada fecha nacimiento nacido nacida edad sexo masculino
femenino genero soltero soltera casado casada alto alta bajo baja registro registros sistema lista listas listado
expediente expedientes archivo archivos reporte historial informacion informaciones informe informes detalle detalles
dato datos resultado resultados busqueda busquedas consulta consultas pregunta preguntas respuesta respuestas noticia
noticias senal senales rastro idea ayuda apoyo asistencia asesoria servicio servicios programa programas visita
visitas visitante visitantes horario horarios regla reglas capacidad cama camas cupo poblacion espacio tamano grande
chico pequeno lleno llena vacio enfermo enferma enfermos enfermedad diabetes diabetico diabetica asma asmatico
embarazada embarazo medicina medicinas medicamento medicamentos insulina salud herido herida golpeado golpeada dolor
cirugia operado operada discapacidad corazon cancer sangre presion condicion tratamiento muerte vivo viva peligro
miedo asustado asustada preocupado preocupada preocupados preocupadas preocupacion angustia angustiado angustiada
desesperado desesperada desesperados triste nervioso llorando perdido perdida perdidos ausente desconocido libre
libertad liberado liberada posible imposible disponible necesario importante urgente urgencia emergencia grave serio
seria mejor peor mal malo mala bien facil dificil largo corto nuevo nueva viejo vieja entero completo completa
correcto incorrecto exacto exacta igual diferente distinto unico unica publico privado local federal actual anterior
oficial extranjero extranjera manera modo forma cosa cosas parte partes tipo clase motivo razon problema problemas
asunto situacion vida mundo alma amor fe esperanza ropa comida agua maleta mochila camisa pelo ojos tatuaje ingles
espanol idioma interprete traductor dialecto clima musica pelicula chiste presidente juego impuestos seguro licencia
banco cuenta renta jardinero jardineria techos roofing limpieza cocina cocinero albanil pintor carpintero mecanico
lavaplatos ninera campesino jornalero mesero chofer troquero soldador plomero electricista cosecha pizca ademas asi
acaso ojala quizas quiza talvez apenas mientras aparte incluso menos mas tambien igualmente supuestamente
lamentablemente desgraciadamente directamente exactamente simplemente probablemente posiblemente seguramente
atentamente unicamente primeramente finalmente
"""

_ENDINGS_ES = {
    "a": """o as a amos an e aste o aron aba abas abamos aban es emos en ara aras aran aramos ase asen ando ado ada
    ados adas ar are aras ara aremos aran aria arias ariamos arian""",
    "e": """o es e emos en i iste io imos ieron ia ias iamos ian a as amos an iera ieras ieran iese iendo ido ida idos
    idas er ere eras era eremos eran eria erias eriamos erian""",
    "i": """o es e imos en i iste io ieron ia ias iamos ian a as amos an iera ieras ieran iese iendo ido ida idos idas
    ir ire iras ira iremos iran iria irias iriamos irian""",
}
_SOFTENED = {"c": "qu", "g": "gu", "z": "c"}
"""How a stem in -ar is written before e: buscar, busque; llegar, llegue; cruzar, cruce."""
_CLITICS = ("me", "te", "se", "lo", "la", "los", "las", "le", "les", "nos", "melo", "mela", "selo", "sela", "telo")


def _spanish(infinitive: str) -> Iterator[str]:
    stem, vowel = infinitive[:-2], infinitive[-2]
    for ending in _ENDINGS_ES[vowel].split():
        changed = stem
        if vowel == "a" and ending[0] == "e" and stem[-1:] in _SOFTENED:
            changed = stem[:-1] + _SOFTENED[stem[-1]]
        yield changed + ending
        if ending in ("ar", "er", "ir", "ando", "iendo", "a", "e", "en", "an"):
            yield from (changed + ending + clitic for clitic in _CLITICS)


def _english(verb: str) -> Iterator[str]:
    yield verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        yield from (verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing")
        return
    yield verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
    stem = verb.removesuffix("e")
    yield from (stem + "ed", stem + "ing", stem + "in")
    if len(verb) > 2 and verb[-1] in "bdgklmnprt" and verb[-2] in "aeiou" and verb[-3] not in "aeiou":
        yield from (verb + verb[-1] + "ed", verb + verb[-1] + "ing")


@cache
def ordinary() -> frozenset[str]:
    """All of them, inflected."""
    lists = (_ENGLISH, _ENGLISH_FORMS, _SPANISH, _SPANISH_FORMS, everyday.ENGLISH, everyday.SPANISH)
    words = set(" ".join(lists).replace("'", "").split())
    for verb in _ENGLISH_VERBS.split():
        words.update(_english(verb))
    for verb in _SPANISH_VERBS.split():
        words.update(_spanish(verb))
    for noun in " ".join((_ENGLISH, _SPANISH, everyday.ENGLISH, everyday.SPANISH)).split():
        if len(noun) > 3 and not noun.endswith("s"):
            words.add(noun + "s")
    return frozenset(words - _NAMES)


_NAMES = frozenset({"sayed", "mata", "costela", "soltan", "marques", "dante", "evens", "regalado", "jurado", "tirado"})
"""Inflected forms that are names rather than words."""


@cache
def _told_apart() -> tuple[frozenset[str], frozenset[str]]:
    """Words of English alone, and of Spanish alone."""
    english = set(" ".join((_ENGLISH, _ENGLISH_FORMS, _ENGLISH_VERBS, everyday.ENGLISH)).split())
    spanish = set(" ".join((_SPANISH, _SPANISH_FORMS, everyday.SPANISH)).split())
    spanish.update(form for verb in _SPANISH_VERBS.split() for form in _spanish(verb))
    return frozenset(english - spanish), frozenset(spanish - english)


def sounds_spanish(text: str) -> bool:
    """Whether a sentence has more words of Spanish alone than of English alone."""
    english, spanish = _told_apart()
    plain = unicodedata.normalize("NFKD", text.casefold())
    words = re.findall(r"[a-z]+", "".join(one for one in plain if not unicodedata.combining(one)))
    return sum(word in spanish for word in words) > sum(word in english for word in words)


def is_spanish(word: str) -> bool:
    """Whether a folded word is one of Spanish alone."""
    return word in _told_apart()[1]


def sound(word: str) -> str:
    """A folded Spanish word as it is heard, however it is spelt: nesesito and necesito, kiero and quiero."""
    heard = re.sub(r"qu(?=[ei])|k|c(?![eih])", "q", re.sub(r"y$", "i", word.replace("ll", "y")))
    heard = re.sub(r"gu(?=[ei])", "g", re.sub(r"g(?=[ei])", "j", heard))
    heard = (
        re.sub(r"z|c(?=[ei])|x", "s", heard)
        .replace("ch", "\u00e7")
        .replace("ph", "f")
        .replace("h", "")
        .replace("v", "b")
    )
    return re.sub(r"(.)\1", r"\1", heard)


def heard_alike(one: str, other: str) -> bool:
    """Whether two folded words sound the same."""
    return one[:1] in (other[:1], "p", "q", "c", "h", "v", "b", "y", "l") and sound(one) == sound(other)


@cache
def _sounds() -> frozenset[str]:
    return frozenset(sound(word) for word in ordinary() if len(word) > 3)


def is_ordinary(word: str) -> bool:
    """Whether a folded word belongs to the language around a name, with or without its apostrophes."""
    plain = word.replace("'", "").replace("\u2019", "")
    if plain in ordinary():
        return True
    parts = [part for part in plain.split("-") if part]
    return len(parts) > 1 and all(part in ordinary() for part in parts)


@cache
def _by_length() -> dict[int, tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    for word in sorted(ordinary()):
        found.setdefault(len(word), []).append(word)
    return {length: tuple(words) for length, words in found.items()}


def sounds_ordinary(word: str) -> bool:
    """Whether a word of four letters or more sounds like an ordinary one."""
    return len(word) > 3 and sound(word) in _sounds()


@lru_cache(4096)
def nearly_ordinary(word: str) -> bool:
    """Whether a word sounds like an ordinary one or, from six letters on, is one slip off one of its initial."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if sounds_ordinary(word):
        return True
    if len(word) < 6:
        return False
    near = [one for size in (-1, 0, 1) for one in _by_length().get(len(word) + size, ()) if one[0] == word[0]]
    return process.extractOne(word, near, scorer=OSA.distance, score_cutoff=1) is not None
