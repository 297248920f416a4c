"""The words of the grammar, folded (lower case, no accents). Own lists, from general knowledge of both languages."""

LANGUAGES = ("en", "es")


def words(text: str) -> frozenset[str]:
    """A set of folded words written in one string."""
    return frozenset(text.split())


SEEK = words(
    """find locate search lookup look looking searching trying seek seeking seeks where wheres check track named called
    busco buscar buscando busca busque buscamos encuentra encontrar encuentre encuentro localizar localiza
    localice donde ubicar ubica hallar hallo llamado llamada llaman encuentreme encuentrame encuentrenme busqueme
    buscame busquen busquenme localiceme localizame ubiqueme"""
)
"""Somebody is being looked for."""

LISTS = words(
    """detainees inmates people persons everyone everybody list show who whos facilities centers names many which anyone
    anybody roster rosters locked prisoners detenidos detenidas personas gente lista listado alguien quien quienes
    muestrame mostrar muestra muestre centros cuantos cuantas todos todas presos places lugares"""
)
"""Who, or what, is at a place."""

TELLS = words(
    """phone tel tlf telf ph telephone number address contact email mail capacity visiting visitation visit visits
    hours call tell about information info fax website beds telefono numero direccion contacto correo
    electronico capacidad visitas visita horario horarios llamar llamo informacion informes camas caben cabe
    sobre queda operator operador operated located location ubicado ubicada situado speak talk hablar
    comunicarme comunico comunicar comunicarnos full llena lleno touch runs run big size large directions
    direccional mailing schedule schedules services service offered details detail datos administra dirige
    maneja opera llego llegar llegan ubicacion reach owner owns manages operates cupo telephones phones
    addresses calle street adress emails telefonos direcciones servicios visitar contactar contactarme
    contactarlos visitation visiting population occupancy charge warden director encargado poblacion ocupacion
    zipcode open opens tamano grande postal website pagina"""
)
"""What is known of a facility."""

SOFT = words(
    """about information info informacion informes sobre tell number numero call hours horarios location located details
    street calle detail datos reach touch speak talk hablar visit visitar ubicacion run big contact contactar open
    contacto grande comunicarme comunico comunicar comunicarnos llego llegar llegan"""
)
"""Of these, the words that are said of people, too."""

FACTS = words(
    """money deposit deposits account accounts commissary funds fund send sending mail mailing letter letters package
    packages book books clothes clothing rule rules policy policies allow allows allowed accept accepts bring
    wear dress code drop visit visits visiting visitation visitor visitors appointment video rate rates cost
    costs calling calls map drive driving bus parking route far distance airport hospital medical medication
    dinero depositar deposito deposita cuenta mandar mando mandarle mandarles enviar envio enviarle carta cartas
    paquete paquetes libro libros ropa regla reglas permiten aceptan dejan dejar entrar traer llevar llevarle
    visita visitas visitar visitarlo visitarla visito cita citas videollamada tarifa tarifas cuesta llamadas
    mapa manejar manejando lejos ruta autobus comida medicina maleta requisitos vestimenta kilometros millas
    miles owner warden director manager company geo corecivic private attend line lines extension hotline chapel
    come abren cierran abierto cierra abre comunico exactly recibe reciben"""
)
"""What people want to know of a facility, beyond the words of `TELLS`."""

HELD = words(
    """recluido recluidos recluida recluidas encerrado encerrados encerrada encerradas internos interno interna internas
    reclusos recluso presos detainees inmates prisoners residents detenidos detenidas incarcerated jailed locked"""
)
"""People in custody, or that they are."""

PLACES = words(
    """facility facilities center centre centers jail jails prison prisons carceles prisiones zip zipcode postal code
    centro centros carcel prision codigo"""
)

RELATIVES = words(
    """son daughter brother sister mother mom mum father dad husband wife spouse partner uncle aunt cousin nephew niece
    grandmother grandma grandfather grandpa stepson stepdaughter stepfather stepmother boyfriend girlfriend bf gf
    fiance fiancee friend friends neighbor neighbour client clients relative family parent child kid godfather
    godmother ex hijo hija hermano hermana hermanos hermanas madre mama padre papa esposo esposa marido mujer tio
    tia primo prima sobrino sobrina abuelo abuela cunado cunada suegro suegra yerno nuera novio novia amigo amiga
    vecino vecina cliente clienta familiar pariente padrino madrina compadre comadre companero companera ahijado
    ahijada abuelito abuelita hermanito hermanita hijito hijita primito mami papi mommy daddy auntie hubby wifey
    roommate coworker colleague boss employee student teacher nephews sons daughters brothers sisters cousins
    uncles inlaw stepbrother stepsister grandson granddaughter godson goddaughter sibling fiancee empleado
    empleada patron jefe maestro conocido paisano paisana concuno concuna consuegro trabajador trabajadora parents
    compa carnal cuate compita feligres feligresa parishioner parroquiano paciente patient inquilino tenant
    representado defendido muchacho muchacha senor senora joven hijastro hijastra padrastro madrastra nieto nieta"""
)

OWNERS = words("my our his her their the mi mis su sus nuestro nuestra un una")

TITLES = words("mr mrs ms miss mister dr dra sr sra srta don dona")

ROLES = words(
    """pastor pastora reverend reverendo rev father fr padre deacon bishop imam rabbi elder apostol obispo sor fray
    sister brother hermano hermana lic licenciado licenciada ing ingeniero ingeniera prof professor profesor profesora
    profe maestro maestra coach captain attorney detainee inmate client cliente detenido detenida senor senora doctor
    doctora mister"""
)
"""What somebody is, said before the name; a few are surnames as well, and stand second then."""

STOPS = words(
    """llama a an the is was are were be been being has have had do does did of for to by with and or please pls plz can
    could would you your i im i'm me he she they him them his her it its in on at from that this there here any
    record records case status history transfer transfers transferred detained detention detainee inmate held
    holding custody currently arrested arrest picked up took taken take person someone somebody name names full
    first last surname given middle born year birth dob date country hello hi hey help need want know how what
    when will get getting give go went gone cant cannot can't not no yes yesterday today week last ago now ice
    immigration attorney lawyer am us about if registration alien a-number anumber number numbers numbr nr num
    whats what's who's where's theyre they're whether gets thank thanks city state all ignore previous
    instructions everyone everybody jail 4 looking under still was also el la los las lo le les un una unos unas
    es esta estan este esto estaba fue fueron ser estar ha han he hay haya tiene tienen tenia tener de del al a y
    o u e con por para que se me mi mis te tu su sus nos en como cuando cual cuales favor ayuda ayudeme ayudame
    ayudar necesito necesita quiero quisiera quieren puedo puede pueden podria saber sabe sabes decir dice dijeron
    dijo digame detuvieron detuvo arresto arrestaron arrestado arrestada agarraron agarro llevaron llevo
    trasladaron trasladado trasladada traslado traslados detenido detenida detenidos detencion deteniendo preso
    presa persona alguien nombre nombres apellido apellidos completo completa segundo primer primero nacio nacido
    nacida nacimiento ano anos fecha pais hola buenas buenos dias tardes gracias no si ayer hoy semana pasada
    ahora migra inmigracion abogado abogada soy somos estoy estamos registro busqueda extranjero algun alguna algo
    noticias historial estatus estado ciudad dame dar ignore instrucciones muestre todos hora desaparecio
    desaparecida fueran donde adonde ella ellos el numero nro mandaron metieron tengo tenemos otra otro tambien
    todavia aun law news worried reach moved tell chance anything question questions rights bond deported bring
    visit visiting won game very much good morning afternoon evening night pregunta preguntas derechos fianza
    abogados deportaron deportado llevar ropa traer visitar consigo consigue mucho mucha muchas muy sobre son
    noche tarde buen contactar comunicarme preocupado preocupada nada anybody anyone nobody seen heard visto
    vieron oido somewhere found out nadie sabemos conocen cerca lejos got rn right asap man men woman women guy
    hombre podrian pudieran usted ustedes united states usa estados unidos eeuu monday tuesday wednesday thursday
    friday saturday sunday lunes martes miercoles jueves viernes sabado since until days weeks month months hours
    minutes mes meses semanas horas hace desde hasta anoche urgent urgently urgente urge porfa porfavor disculpe
    disculpa oiga oye gustaria agents agentes officers raid redada undocumented immigrant work trabajo court corte
    wanna gonna u ur r lookin gotta"""
)
"""Words that are no part of a name, wherever they stand outside one."""

OF_PLACES = words("jail city state detention custody ice immigration detencion inmigracion carcel")
"""Words that may belong to the name of a place, and never to a person's."""

AT = words("at in en inside near within cerca")
"""What stands before a place."""

NEAR = words(
    """near nearby around outside outskirts close cerca alrededor alrededores afueras cercanias vicinity surrounding"""
)
"""How a place is said not to be the very one."""

FROM = words("from of de del")
"""What stands before a country or a place that a person comes from."""

HOLDING = words("hold holds caben cabe")
"""At the end of a question, what asks how many people a facility can take."""

SPEAKING = r"\b(?:my name is|me llamo|mi nombre es)\b[^.,;!?]{1,40}[.,;!?](?=.*\w)"
"""Who speaks, said before what is asked."""

MOVING = words("llevaron llevo trasladaron traslado mandaron mando enviaron movieron")
"""What stands before "a" and the place that somebody was taken to."""

CUSTODY = words("detained held custody detainee inmate detenido detenida detenidos detenidas preso presa presos")

BIRTH = words("born dob birth birthday birthdate birthplace bday nacio nacido nacida nacimiento fdn cumple")

FIRST_LABELS = words("first given forename firstname nombre nombres")
LAST_LABELS = words("last surname surnames lastname family apellido apellidos apellida apellidan paterno materno")

PARTICLES = words(
    """de del la las los da das do dos di du des le van von der den ter ben bin ibn bint abu abd al el ul st santa san
    vda viuda mac mc dela delas delos"""
)
"""Parts of a surname that belong to the word after them."""

JOINING = words(
    "de del la las los dela delas delos da das do dos di du des van von der den ter ben bin ibn bint abu al el"
)

DEVOTIONS = (
    ("de", "dios"),
    ("de", "jesus"),
    ("de", "los", "angeles"),
    ("de", "la", "luz"),
    ("de", "guadalupe"),
    ("del", "carmen"),
    ("del", "pilar"),
    ("del", "rosario"),
    ("del", "socorro"),
    ("del", "mar"),
    ("de", "lourdes"),
)
"""Second halves of given names such as Juan de Dios and Maria del Carmen."""
